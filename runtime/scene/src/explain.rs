//! serde's messages in a scene author's words.

use crate::nearest::nearest;
use crate::problem::Flaw;

/// What serde found at a path, as a flaw. serde says these things only as text: `unknown field `a`, expected one of `b`, `c``.
pub(crate) fn explain(path: &str, message: &str) -> Flaw {
    // The place is said separately.
    let message = message.split(" at line ").next().unwrap_or(message);
    let path = if path == "." { "" } else { path };
    let Some((found, expected)) = message.split_once(", expected ") else {
        return Flaw::new(path, message.replace('`', "\""), "");
    };
    let expected = expected.strip_prefix("one of ").unwrap_or(expected);
    let meant = if found.starts_with("unknown ") {
        let known = expected.split(", ").flat_map(|name| name.split(" or ")).map(|name| name.trim_matches('`'));
        quoted(found).and_then(|name| nearest(name, known))
    } else {
        None
    };
    Flaw::new(path, found.replace('`', "\""), plain(expected)).meaning(meant)
}

/// The name between backticks.
fn quoted(text: &str) -> Option<&str> {
    text.split('`').nth(1)
}

/// Rust's types in words.
fn plain(expected: &str) -> String {
    match expected {
        "f32" | "f64" => "a number".to_owned(),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "an array of length 3" => "a list of three numbers".to_owned(),
        "an array of length 4" => "a list of four numbers".to_owned(),
        other => other.replace('`', ""),
    }
}
