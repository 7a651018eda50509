//! Mutations of JSON that stay JSON.

use super::mutator::{NUMBERS, Random};
use serde_json::{Value, json};

/// Changes one value somewhere.
pub fn mutate(value: &mut Value, random: &mut Random) {
    let whole = value.clone();
    let count = count(&whole);
    let mut at = random.below(count);
    let Some(place) = find(value, &mut at) else { return };
    match random.below(8) {
        0 => *place = odd(random),
        1 => *place = NUMBERS[random.below(NUMBERS.len())].parse().map_or(Value::Null, |number: f64| json!(number)),
        // Another value of the same document: of a type that is used somewhere.
        2 | 3 => {
            let mut from = random.below(count);
            if let Some(other) = find(&mut whole.clone(), &mut from) {
                *place = other.clone();
            }
        }
        4 => (0..1 + random.below(100)).for_each(|_| *place = json!([place.take()])),
        _ => inside(place, random),
    }
}

/// Takes out, doubles or renames what a list or object holds.
fn inside(place: &mut Value, random: &mut Random) {
    match place {
        Value::Array(list) if !list.is_empty() => {
            let at = random.below(list.len());
            match random.below(3) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                _ => list.swap(0, at),
            }
        }
        Value::Object(entries) if !entries.is_empty() => {
            let key = entries.keys().nth(random.below(entries.len())).cloned().unwrap_or_default();
            let value = entries.remove(&key);
            if random.below(2) == 0 {
                entries.insert(format!("{key}{}", ["x", "_", "s", ""][random.below(4)]), value.unwrap_or_default());
            }
        }
        Value::Number(number) => *place = json!(number.as_f64().unwrap_or(0.0) * [-1.0, 0.0, 2.0, 1.0e6][random.below(4)]),
        Value::String(text) => *place = json!(format!("{text}{}", ["", "x", "/..", "\u{0}", "é"][random.below(5)])),
        _ => *place = odd(random),
    }
}

fn odd(random: &mut Random) -> Value {
    let all = [json!(null), json!(true), json!(""), json!("../../etc/passwd"), json!([]), json!({}), json!([0, 0, 0]), json!(-1)];
    all[random.below(all.len())].clone()
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(entries) => entries.values().map(count).sum(),
        _ => 0,
    }
}

/// The value that many places further, in the order of a walk.
fn find<'v>(value: &'v mut Value, at: &mut usize) -> Option<&'v mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(list) => list.iter_mut().find_map(|inner| find(inner, at)),
        Value::Object(entries) => entries.values_mut().find_map(|inner| find(inner, at)),
        _ => None,
    }
}
