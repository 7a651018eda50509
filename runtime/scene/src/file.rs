//! Files read whole, within limits: a folder, a device, a pipe or a file without end is refused before it is read.

use crate::code::Code;
use crate::problem::{Flaw, Problem};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Largest scene or script (bytes): a person's is kilobytes, one with a heightfield a few megabytes.
pub const LARGEST_TEXT: u64 = 16 << 20;

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found}{}", accepted_of(.accepted))]
pub struct Unread {
    /// What kind of problem.
    pub code: Code,
    /// What was found.
    pub found: String,
    /// What is accepted; may be empty.
    pub accepted: String,
}

fn accepted_of(accepted: &str) -> String {
    if accepted.is_empty() { String::new() } else { format!("; accepted: {accepted}") }
}

impl Unread {
    fn new(code: Code, found: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { code, found: found.into(), accepted: accepted.into() }
    }

    /// As a flaw of what stands at a path.
    pub(crate) fn flaw(self, path: &str) -> Flaw {
        Flaw::new(self.code, path, self.found, self.accepted)
    }

    fn of(error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::new(Code::NotFound, "there is no such file", ""),
            _ => Self::new(Code::Unreadable, format!("cannot be read: {error}"), ""),
        }
    }
}

/// Reads a file of up to `most` bytes.
///
/// # Errors
/// No file, or something else than a file, or a larger one.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Unread> {
    let about = std::fs::metadata(path).map_err(|error| Unread::of(&error))?;
    // A pipe would be waited for, a device may have no end.
    if !about.is_file() {
        let found = if about.is_dir() { "a folder" } else { "a device or a pipe" };
        return Err(Unread::new(Code::NotAFile, found, "a file"));
    }
    let too_large = |found: String| Unread::new(Code::TooLarge, found, format!("up to {most} bytes"));
    if about.len() > most {
        return Err(too_large(format!("{} bytes", about.len())));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default());
    let file = File::open(path).map_err(|error| Unread::of(&error))?;
    // It may grow, and some files of the system say 0.
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| Unread::of(&error))?;
    if bytes.len() as u64 > most { Err(too_large(format!("more than {most} bytes"))) } else { Ok(bytes) }
}

/// Reads a text of up to [`LARGEST_TEXT`] bytes; a byte order mark of UTF-8 is dropped.
///
/// # Errors
/// As [`read`], or text in another encoding, with line and column of the first byte that is none.
pub fn read_text(path: &Path) -> Result<String, Box<Problem>> {
    let bytes = read(path, LARGEST_TEXT)
        .map_err(|Unread { code, found, accepted }| Box::new(Problem::new(code, path, found, accepted)))?;
    decode(bytes).map_err(|fault| Box::new(fault.0.at(path, fault.1)))
}

/// A fault of a text as a whole, and its place.
pub(crate) type Fault = Box<(Flaw, Option<(usize, usize)>)>;

fn decode(mut bytes: Vec<u8>) -> Result<String, Fault> {
    let flaw = |found: &str| Flaw::new(Code::NotUtf8, "", found, "text in UTF-8");
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Box::new((flaw("text in UTF-16"), Some((1, 1)))));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
        Box::new((flaw(&format!("the byte 0x{byte:02x}, which is not UTF-8")), Some(end_of(&before))))
    })
}

/// Line and column, from 1, of what follows a text.
pub(crate) fn end_of(before: &str) -> (usize, usize) {
    let line = before.matches('\n').count() + 1;
    (line, before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1)
}
