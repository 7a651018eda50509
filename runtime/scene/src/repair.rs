//! Every problem that keeps a scene from being decoded, not the first: each is told, put right with something that will do, and
//! decoding begins again. The types stay the one description of the format.

use crate::code::Code;
use crate::explain::{explain, quoted};
use crate::format::Scene;
use crate::problem::Flaw;
use crate::tree::{Step, steps};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Most decodings of one file, and most bytes of it decoded in all: large files with many problems are told of in parts.
const MOST_ROUNDS: usize = 2000;
const MOST_BYTES: usize = 64 << 20;

/// Stand-ins for a value at fault, in the order in which they are tried; first it is left out.
fn stand_in(tried: usize) -> Option<Value> {
    let all = [json!("?"), json!(1), json!([]), json!([1, 1, 1]), json!([0, 0, 0, 1]), json!({}), json!("plane"), json!("fixed")];
    all.get(tried).cloned()
}

/// What a decoding with repairs came to.
pub(crate) struct Repaired {
    /// What was wrong, in the order of decoding.
    pub flaws: Vec<Flaw>,
    /// The scene with stand-ins, if all could be put right.
    pub scene: Option<Scene>,
    /// Paths where stand-ins are: what they mean says nothing about the file.
    stood_in: BTreeMap<String, usize>,
}

impl Repaired {
    /// Whether a flaw of meaning is the file's own, not a stand-in's.
    pub(crate) fn is_genuine(&self, flaw: &Flaw) -> bool {
        !self.stood_in.keys().any(|path| related(path, &flaw.path))
    }
}

/// Decodes a scene of `size` bytes that serde refuses.
pub(crate) fn repair(mut value: Value, size: usize) -> Repaired {
    let mut repaired = Repaired { flaws: Vec::new(), scene: None, stood_in: BTreeMap::new() };
    for _ in 0..MOST_ROUNDS.min(MOST_BYTES / size.max(1)).max(1) {
        let error = match serde_path_to_error::deserialize::<_, Scene>(&value) {
            Ok(scene) => {
                repaired.scene = Some(scene);
                break;
            }
            Err(error) => error,
        };
        let flaw = explain(&error.path().to_string(), &error.inner().to_string());
        let missing = (flaw.code == Code::MissingField).then(|| error.inner().to_string());
        let path = match missing.as_deref().and_then(quoted) {
            Some(name) if flaw.path.is_empty() => name.to_owned(),
            Some(name) => format!("{}.{name}", flaw.path),
            None => there(&value, &flaw.path),
        };
        if !repaired.stood_in.keys().any(|known| related(known, &path)) {
            repaired.flaws.push(flaw);
        }
        if !put_right(&mut value, path, missing.is_some(), &mut repaired.stood_in) {
            break;
        }
    }
    repaired
}

/// Puts the next stand-in at a path, or at what encloses it where none is left.
fn put_right(value: &mut Value, mut path: String, missing: bool, stood_in: &mut BTreeMap<String, usize>) -> bool {
    loop {
        let tried = stood_in.entry(path.clone()).or_insert(usize::from(missing));
        *tried += 1;
        let next = *tried - 1;
        let Some((parent, step)) = parent_of(value, &path) else { return false };
        match (parent, step) {
            // An element is not left out: those behind it would move.
            (Value::Array(list), Step::Index(index)) => {
                if let (Some(slot), Some(with)) = (list.get_mut(index), stand_in(next)) {
                    *slot = with;
                    return true;
                }
            }
            (Value::Object(entries), Step::Key(key)) => {
                if next == 0 {
                    entries.remove(key);
                    return true;
                }
                if let Some(with) = stand_in(next - 1) {
                    entries.insert(key.to_owned(), with);
                    return true;
                }
            }
            _ => {}
        }
        let Some(end) = path.rfind(['.', '[']) else { return false };
        path.truncate(end);
    }
}

/// What holds the value at a path, and the last step to it.
fn parent_of<'v, 'p>(value: &'v mut Value, path: &'p str) -> Option<(&'v mut Value, Step<'p>)> {
    let all: Vec<Step<'p>> = steps(path).collect();
    let (last, before) = all.split_last()?;
    let parent = before.iter().try_fold(value, |value, step| match step {
        Step::Index(index) => value.get_mut(*index),
        Step::Key(key) => value.get_mut(*key),
    })?;
    Some((parent, *last))
}

/// The path, or that of the nearest enclosing value that is there.
fn there(value: &Value, path: &str) -> String {
    let mut at = value;
    let mut reached = String::new();
    for step in steps(path) {
        let inner = match step {
            Step::Index(index) => at.get(index),
            Step::Key(key) => at.get(key),
        };
        let Some(inner) = inner else { break };
        match step {
            Step::Index(index) => reached += &format!("[{index}]"),
            Step::Key(key) if reached.is_empty() => reached += key,
            Step::Key(key) => reached += &format!(".{key}"),
        }
        at = inner;
    }
    reached
}

/// Whether one path leads to the other or is the same.
fn related(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_with_several_faults_is_decoded_with_stand_ins() {
        let value = json!({ "nam": 1, "seconds": "x", "objects": [{ "name": 3, "shape": "plain" }, 7], "figures": [{ "name": "a", "model": [] }] });
        let repaired = repair(value, 100);
        let paths: Vec<&str> = repaired.flaws.iter().map(|flaw| flaw.path.as_str()).collect();
        let expected = ["nam", "", "seconds", "objects[0].name", "objects[0].shape", "objects[1]", "figures[0].model"];
        assert!(expected.iter().all(|path| paths.contains(path)), "{paths:?}");
        assert_eq!(paths.len(), expected.len(), "{paths:?}");
        assert!(repaired.scene.is_some());
    }

    #[test]
    fn paths_are_related_along_the_tree_only() {
        assert!(related("figures[1]", "figures[1].name") && related("a.b", "a"));
        assert!(!related("figures[1]", "figures[10]") && !related("a.b", "a.bc"));
    }
}
