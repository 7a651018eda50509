//! Errors in scripts, as one line a person can act on.

use crate::memory::OUT_OF_MEMORY;
use std::fmt;

/// The script host could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the script host does not start: {0}")]
pub struct ScriptError(pub String);

/// Something wrong with a script, found once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The script's name, or `prompt`.
    pub script: String,
    /// The figure it ran for, where it ran for one.
    pub figure: Option<String>,
    /// File and line (1-based), where they are known.
    pub at: Option<(String, u32)>,
    /// One line: what was found, what is accepted.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some((file, line)) => write!(f, "{file}:{line}: {}", self.message)?,
            None => write!(f, "{}: {}", self.script, self.message)?,
        }
        self.figure.as_ref().map_or(Ok(()), |figure| write!(f, " (figure '{figure}')"))
    }
}

impl Problem {
    /// A problem without a place.
    pub(crate) fn new(script: &str, message: impl Into<String>) -> Self {
        Self { script: script.to_owned(), figure: None, at: None, message: message.into() }
    }

    /// What Lua raised.
    pub(crate) fn raised(script: &str, error: &mlua::Error) -> Self {
        let (at, message) = explain(error);
        Self { script: script.to_owned(), figure: None, at, message }
    }

    /// The same, for a figure.
    pub(crate) fn of(self, figure: impl Into<String>) -> Self {
        Self { figure: Some(figure.into()), ..self }
    }
}

/// Place and message of an error, without the VM's own wording and without a traceback.
pub(crate) fn explain(error: &mlua::Error) -> (Option<(String, u32)>, String) {
    let mut traceback = None;
    let mut error = error;
    while let mlua::Error::CallbackError { traceback: trace, cause } = error {
        // The outermost trace goes deepest: it was taken first where errors pass through several calls.
        traceback.get_or_insert(trace.as_str());
        error = cause;
    }
    let text = match error {
        mlua::Error::RuntimeError(text) | mlua::Error::SyntaxError { message: text, .. } => text.clone(),
        mlua::Error::MemoryError(_) => OUT_OF_MEMORY.to_owned(),
        other => other.to_string(),
    };
    let line = text.lines().next().unwrap_or_default();
    // Luau's text for it ends in an address, which is another in every run.
    let line = match line.split_once(": 0x") {
        Some((kind @ ("table" | "function" | "thread" | "buffer" | "userdata"), _)) => {
            &format!("raised a {kind}; accepted: text")
        }
        _ => line,
    };
    if let Some((at, message)) = place(line) {
        return (Some(at), message.to_owned());
    }
    let frames = traceback.into_iter().chain([text.as_str()]).flat_map(str::lines);
    let at = frames.filter_map(|frame| frame_place(frame.trim())).next();
    (at, line.to_owned())
}

/// Splits `scripts/x.luau:12: message`.
fn place(line: &str) -> Option<((String, u32), &str)> {
    let (head, message) = line.split_once(": ")?;
    Some((frame_place(head)?, message))
}

/// Reads `scripts/x.luau:12` with whatever follows.
fn frame_place(frame: &str) -> Option<(String, u32)> {
    let (file, rest) = frame.split_once(".luau:").map(|(file, rest)| (format!("{file}.luau"), rest)).or_else(|| {
        let rest = frame.strip_prefix("prompt:")?;
        Some(("prompt".to_owned(), rest))
    })?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
    Some((file, digits.parse().ok()?))
}
