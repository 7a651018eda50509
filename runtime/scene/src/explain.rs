//! serde's messages in a scene author's words.

use crate::code::Code;
use crate::nearest::nearest;
use crate::problem::Flaw;

/// What serde found at a path, as a flaw. serde says these things only as text: `unknown field `a`, expected one of `b`, `c``.
pub(crate) fn explain(path: &str, message: &str) -> Flaw {
    // The place is said separately.
    let message = message.split(" at line ").next().unwrap_or(message);
    let path = if path == "." { "" } else { path };
    let code = code(message);
    let Some((found, expected)) = message.split_once(", expected ") else {
        return Flaw::new(code, path, message.replace('`', "\""), "");
    };
    let expected = expected.strip_prefix("one of ").unwrap_or(expected);
    let meant = if found.starts_with("unknown ") {
        let known = expected.split(", ").flat_map(|name| name.split(" or ")).map(|name| name.trim_matches('`'));
        quoted(found).and_then(|name| nearest(name, known))
    } else {
        None
    };
    Flaw::new(code, path, found.replace('`', "\""), plain(expected)).meaning(meant)
}

fn code(message: &str) -> Code {
    let codes = [
        ("unknown field", Code::UnknownField),
        ("unknown variant", Code::UnknownVariant),
        ("missing field", Code::MissingField),
        ("duplicate field", Code::DuplicateKey),
    ];
    codes.into_iter().find(|(start, _)| message.starts_with(start)).map_or(Code::WrongType, |(_, code)| code)
}

/// The name between backticks.
pub(crate) fn quoted(text: &str) -> Option<&str> {
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
