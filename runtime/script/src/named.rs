//! The measure that a behaviour names: what a change of it is judged by.

use crate::nearest::accepted;
use crate::problem::Problem;
use crate::scripts::Scripts;
use mlua::{Table, Value};

/// What a script's table says under `measure`: a name, or a table of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMeasure {
    /// One that `simrun measure` has, or a file beside the script that ends in `.luau`.
    pub name: String,
    /// How many runs; `None`: the measure's own number.
    pub runs: Option<usize>,
}

/// Keys of the table.
const KEYS: [&str; 2] = ["name", "runs"];
const ACCEPTED: &str = "accepted: a measure's name, or { name = \"falls\", runs = 12 }";

impl NamedMeasure {
    /// What a script's table names.
    pub(crate) fn of(script: &Table) -> Result<Option<Self>, String> {
        let table = match script.raw_get::<Value>("measure").map_err(|error| error.to_string())? {
            Value::Nil => return Ok(None),
            Value::String(name) => return Ok(Some(Self { name: name.to_string_lossy(), runs: None })),
            Value::Table(table) => table,
            other => return Err(format!("measure is {}; {ACCEPTED}", found(&other))),
        };
        for pair in table.pairs::<String, Value>() {
            let (key, _) = pair.map_err(|_| format!("measure has a key that is no name; {ACCEPTED}"))?;
            if !KEYS.contains(&key.as_str()) {
                return Err(format!("measure has an unknown key '{key}'{}", accepted(&key, KEYS)));
            }
        }
        let entry = |key: &str| table.raw_get::<Value>(key).map_err(|error| error.to_string());
        let wrong = |key: &str, value: &Value, accepted: &str| format!("measure.{key} is {}; accepted: {accepted}", found(value));
        let name = match entry("name")? {
            Value::String(name) => name.to_string_lossy(),
            other => return Err(wrong("name", &other, "a measure's name")),
        };
        let runs = match entry("runs")? {
            Value::Nil => None,
            value => match number(&value) {
                Some(runs) if runs >= 1.0 && runs.fract() == 0.0 => Some(runs as usize),
                _ => return Err(wrong("runs", &value, "a whole number, 1 and more")),
            },
        };
        Ok(Some(Self { name, runs }))
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// A value as an error names it.
fn found(value: &Value) -> String {
    number(value).map_or_else(|| format!("a {}", value.type_name()), |number| number.to_string())
}

impl Scripts {
    /// The measure that a script names as it runs now. What is not loaded as a script names none: nothing is loaded for it.
    #[must_use]
    pub fn loaded_measure(&self, script: &str) -> Option<NamedMeasure> {
        self.shared.library.borrow().script(script)?.measure.clone()
    }

    /// The measure that a script names, if it does. Loads the script if it is not loaded.
    ///
    /// # Errors
    /// A script that does not load.
    pub fn named_measure(&mut self, script: &str) -> Result<Option<NamedMeasure>, Problem> {
        Ok(self.known_or_loaded(script)?.measure.clone())
    }
}
