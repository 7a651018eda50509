//! Trials, and the file that keeps them: a line that says what they are trials of, then one a trial.

use super::refused;
use crate::conditions::Conditions;
use crate::options::{MeasureError, Options};
use crate::table::Row;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use simrun_sim::record::build_id;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A measure taken with some parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Trial {
    /// The parameters that are swept; none: as the behaviour stands.
    pub(super) set: BTreeMap<String, f64>,
    /// What was found.
    pub(super) rows: Vec<Row>,
}

impl Trial {
    /// Rows that do not hold.
    pub(super) fn failed(&self) -> usize {
        self.rows.iter().filter(|row| !row.ok).count()
    }
}

/// Everything that a trial depends on beside the parameters that are swept: what differs in any of it cannot be compared.
#[derive(Debug, Serialize)]
pub(super) struct Setup<'a> {
    measure: &'a str,
    seed: u64,
    runs: Option<usize>,
    figure: Option<&'a Path>,
    anchor: f32,
    #[serde(flatten)]
    conditions: &'a Conditions,
    solver: &'static str,
    set: &'a [(String, f64)],
    /// Of the texts that figures carry.
    scripts: String,
    build: &'static str,
}

impl<'a> Setup<'a> {
    pub(super) fn of(options: &'a Options, scripts: u64) -> Self {
        Self {
            measure: &options.measure,
            seed: options.seed,
            runs: options.runs,
            figure: options.figure.as_deref(),
            anchor: options.anchor,
            conditions: &options.conditions,
            solver: options.solver.name(),
            set: &options.set,
            scripts: format!("{scripts:016x}"),
            build: build_id(),
        }
    }
}

/// Trials that were taken, in a file where one is named.
#[derive(Debug, Default)]
pub(super) struct Trials {
    known: Vec<Trial>,
    file: Option<(File, String)>,
}

impl Trials {
    /// Those of a file, which is made where there is none. A last line that was cut off is dropped.
    pub(super) fn open(path: Option<&Path>, setup: &Setup<'_>) -> Result<Self, MeasureError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let place = path.display().to_string();
        let told = |error: std::io::Error| refused(format!("{place}: {error}"));
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(told)?;
        let mut text = String::new();
        match file.read_to_string(&mut text) {
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(refused(format!("{place}: not text"))),
            read => read.map_err(told)?,
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        // As it comes back from a file.
        let setup = serde_json::to_string(setup).and_then(|text| serde_json::from_str::<Value>(&text));
        let setup = setup.map_err(|error| refused(error.to_string()))?;
        let mut trials = Self { known: Vec::new(), file: None };
        for (index, line) in text[..whole].lines().enumerate() {
            let at = |why: String| refused(format!("{place}:{}: {why}", index + 1));
            if index == 0 {
                let found = serde_json::from_str(line).map_err(|_| at("no trials of a sweep are kept here".to_owned()))?;
                differs(&found, &setup).map_or(Ok(()), |field| {
                    Err(at(format!(
                        "these are trials of another sweep: {field} is not the same; accepted: a file of this one, or a new one"
                    )))
                })?;
            } else {
                trials.known.push(serde_json::from_str(line).map_err(|error| at(format!("no trial: {error}")))?);
            }
        }
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(told)?;
        trials.file = Some((file, place));
        if whole == 0 {
            trials.write(&setup)?;
        }
        Ok(trials)
    }

    /// The trial with these parameters, if it has been taken.
    pub(super) fn known(&self, set: &BTreeMap<String, f64>) -> Option<&Trial> {
        self.known.iter().find(|trial| trial.set == *set)
    }

    /// Keeps a trial at once: what is interrupted goes on from here.
    pub(super) fn keep(&mut self, trial: &Trial) -> Result<(), MeasureError> {
        self.known.push(trial.clone());
        self.write(trial)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), MeasureError> {
        let Some((file, place)) = &mut self.file else { return Ok(()) };
        let line = serde_json::to_string(line).map_err(|error| refused(error.to_string()))?;
        writeln!(file, "{line}").map_err(|error| refused(format!("{place}: {error}")))
    }
}

/// A field in which two setups differ.
fn differs(found: &Value, setup: &Value) -> Option<String> {
    let fields = setup.as_object().into_iter().flatten();
    let different = fields.filter(|(field, value)| found.get(field.as_str()) != Some(*value)).map(|(field, _)| field.clone());
    different.into_iter().next()
}
