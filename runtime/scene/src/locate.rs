//! Where in a JSON text a path such as `figures[2].motion.mode` stands.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Line and column, both from 1, of the value at a path, or of its nearest enclosing value that is there.
pub(crate) fn locate(text: &str, path: &str) -> Option<(usize, usize)> {
    let mut value: &RawValue = serde_json::from_str(text).ok()?;
    for step in path.replace('[', ".[").split('.').filter(|step| !step.is_empty()) {
        let Some(inner) = child(value, step) else { break };
        value = inner;
    }
    // A raw value is a slice of the text it came from.
    let offset = value.get().as_ptr() as usize - text.as_ptr() as usize;
    let before = text.get(..offset)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    Some((line, column))
}

fn child<'a>(value: &'a RawValue, step: &str) -> Option<&'a RawValue> {
    if let Some(index) = step.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let list: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
        return list.get(index.parse::<usize>().ok()?).copied();
    }
    let map: BTreeMap<String, &RawValue> = serde_json::from_str(value.get()).ok()?;
    map.get(step).copied()
}
