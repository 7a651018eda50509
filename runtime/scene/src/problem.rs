//! What is wrong with what the program was given, said once and completely.

use crate::code::Code;
use crate::nearest::suggested;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

/// One problem of a scene, model or script: where, what was found, what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem.
    pub code: Code,
    /// The file; empty for an argument.
    pub file: PathBuf,
    /// Line and column, from 1, where they are known.
    pub at: Option<(usize, usize)>,
    /// The way to the value, such as `figures[2].motion.mode`; empty for the whole file.
    pub path: String,
    /// What was found.
    pub found: String,
    /// What is accepted; empty where `found` says it all.
    pub accepted: String,
    /// The nearest name that may have been meant.
    pub meant: Option<String>,
}

impl Problem {
    /// A problem of a file as a whole, or of no file where the path is empty.
    #[must_use]
    pub fn new(code: Code, file: &Path, found: impl Into<String>, accepted: impl Into<String>) -> Self {
        Flaw::new(code, "", found, accepted).at(file, None)
    }

    /// A problem of an argument: `path` is the argument, such as `--set car.sped`.
    #[must_use]
    pub fn argument(code: Code, path: impl Into<String>, found: impl Into<String>, accepted: impl Into<String>) -> Self {
        Flaw::new(code, path, found, accepted).at(Path::new(""), None)
    }

    /// The same with the nearest name meant.
    #[must_use]
    pub fn meaning(self, meant: Option<&str>) -> Self {
        Self { meant: meant.map(str::to_owned), ..self }
    }

    /// Everything but the code.
    fn plainly(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.file.as_os_str().is_empty() {
            let place = self.at.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
            parts.push(format!("{}{place}", self.file.display()));
        }
        if !self.path.is_empty() {
            parts.push(self.path.clone());
        }
        parts.push(self.found.clone());
        f.write_str(&parts.join(": "))?;
        if !self.accepted.is_empty() {
            write!(f, "; accepted: {}", self.accepted)?;
        }
        f.write_str(&self.meant.as_deref().map(suggested).unwrap_or_default())
    }
}

impl fmt::Display for Problem {
    /// One line, with the code at its end; `{:#}` leaves the code out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plainly(f)?;
        if f.alternate() { Ok(()) } else { write!(f, " [{}]", self.code) }
    }
}

impl std::error::Error for Problem {}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Problem", 8)?;
        fields.serialize_field("code", self.code.name())?;
        fields.serialize_field("file", &self.file.to_string_lossy())?;
        fields.serialize_field("line", &self.at.map(|(line, _)| line))?;
        fields.serialize_field("column", &self.at.map(|(_, column)| column))?;
        fields.serialize_field("path", &self.path)?;
        fields.serialize_field("found", &self.found)?;
        fields.serialize_field("accepted", &self.accepted)?;
        fields.serialize_field("meant", &self.meant)?;
        fields.end()
    }
}

/// A problem before its file and line are known.
#[derive(Clone, Debug)]
pub(crate) struct Flaw {
    pub code: Code,
    pub path: String,
    pub found: String,
    pub accepted: String,
    pub meant: Option<String>,
}

impl Flaw {
    pub(crate) fn new(code: Code, path: impl Into<String>, found: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { code, path: path.into(), found: found.into(), accepted: accepted.into(), meant: None }
    }

    pub(crate) fn meaning(self, meant: Option<&str>) -> Self {
        Self { meant: meant.map(str::to_owned), ..self }
    }

    pub(crate) fn at(self, file: &Path, at: Option<(usize, usize)>) -> Problem {
        let Self { code, path, found, accepted, meant } = self;
        Problem { code, file: file.to_owned(), at, path, found, accepted, meant }
    }
}
