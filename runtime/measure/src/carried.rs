//! The behaviours that measured figures carry: those that are shipped, as they lie in `scripts/`, so that a binary alone can measure; or a
//! user's own in place of one.

use crate::options::{MeasureError, Options};
use simrun_scene::file::read_text;
use simrun_script::{Host, Level, Scripts, Source, SourceError, Sources};
use simrun_sim::{Behaviour, Value};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Scripts that measures know, by name.
const SHIPPED: [(&str, &str); 2] = [
    ("protective_fall", include_str!("../../../scripts/protective_fall.luau")),
    ("catch_step", include_str!("../../../scripts/catch_step.luau")),
];

/// One behaviour with its text and what its parameters are set to.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    /// What it goes by on a figure.
    pub behaviour: Behaviour,
    path: Arc<str>,
    text: Arc<str>,
}

impl Carried {
    /// The shipped script of a name, or the one that the options put in its place, with the parameters that they set.
    ///
    /// # Errors
    /// A file that cannot be read; a script that does not load, or has no such parameter.
    pub fn of(name: &str, options: &Options) -> Result<Self, MeasureError> {
        let shipped = SHIPPED.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        let (path, text) = match &options.script {
            Some(file) => {
                let path = file.display().to_string();
                let text = read_text(file).map_err(|problem| MeasureError::Script(format!("{path}: {}", problem.found)))?;
                (path, text)
            }
            None => (format!("scripts/{name}.luau"), shipped.to_owned()),
        };
        let params = options.set.iter().map(|(name, value)| (name.clone(), Value::Number(*value))).collect();
        let behaviour = Behaviour { script: name.to_owned(), params };
        let carried = Self { behaviour, path: path.into(), text: text.into() };
        carried.check()?;
        Ok(carried)
    }

    /// A VM that runs it.
    ///
    /// # Errors
    /// The VM does not start.
    pub fn scripts(&self, seed: u64) -> Result<Scripts, MeasureError> {
        let scripts = Scripts::new(Rc::new(self.clone()), Rc::new(RefCell::new(Silent)), seed);
        scripts.map_err(|error| MeasureError::Script(error.to_string()))
    }

    /// Its faults are told before a run, not thirty times within.
    fn check(&self) -> Result<(), MeasureError> {
        let mut scripts = self.scripts(1)?;
        let name = &self.behaviour.script;
        let docs = scripts.described_params(name).map_err(|problem| MeasureError::Script(problem.to_string()))?;
        for (wanted, value) in &self.behaviour.params {
            let Some(doc) = docs.iter().find(|doc| doc.name == *wanted) else {
                let known: Vec<&str> = docs.iter().map(|doc| doc.name.as_str()).collect();
                return Err(MeasureError::Script(format!(
                    "{}: no parameter '{wanted}'; it has: {}",
                    self.path,
                    known.join(", ")
                )));
            };
            if let Value::Number(number) = value
                && !(doc.min..=doc.max).contains(number)
            {
                let (min, max) = (doc.min, doc.max);
                return Err(MeasureError::Script(format!("{}: {wanted} is {number}; accepted: {min} to {max}", self.path)));
            }
        }
        Ok(())
    }
}

impl Sources for Carried {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        if name == self.behaviour.script {
            Ok(Source { path: self.path.to_string(), text: self.text.to_string() })
        } else {
            Err(SourceError(format!("a measure's figure carries no {name}")))
        }
    }

    fn module(&self, from: &str, request: &str) -> Result<Source, SourceError> {
        Err(SourceError(format!("{from} is measured alone: it may require \"@std/…\" and not \"{request}\"")))
    }

    fn names(&self) -> Vec<String> {
        vec![self.behaviour.script.clone()]
    }
}

/// Nobody reads a log of a measure.
#[derive(Debug)]
struct Silent;

impl Host for Silent {
    fn log(&mut self, _: Level, _: &str) {}
}
