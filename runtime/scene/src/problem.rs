//! What is wrong with a scene, said once and completely.

use std::fmt;
use std::path::{Path, PathBuf};

/// One problem of a scene: where, what was found, what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneProblem {
    /// The file.
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

impl fmt::Display for SceneProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some((line, column)) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        write!(f, ": {}", self.found)?;
        if !self.accepted.is_empty() {
            write!(f, "; accepted: {}", self.accepted)?;
        }
        if let Some(meant) = &self.meant {
            write!(f, " (did you mean \"{meant}\"?)")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneProblem {}

/// A problem before its file and line are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flaw {
    pub path: String,
    pub found: String,
    pub accepted: String,
    pub meant: Option<String>,
}

impl Flaw {
    pub(crate) fn new(path: impl Into<String>, found: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { path: path.into(), found: found.into(), accepted: accepted.into(), meant: None }
    }

    pub(crate) fn meaning(self, meant: Option<&str>) -> Self {
        Self { meant: meant.map(str::to_owned), ..self }
    }

    pub(crate) fn at(self, file: &Path, at: Option<(usize, usize)>) -> SceneProblem {
        let Self { path, found, accepted, meant } = self;
        SceneProblem { file: file.to_owned(), at, path, found, accepted, meant }
    }
}
