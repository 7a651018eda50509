//! What the table of a measure's file says.

use crate::bound::Bound;
use crate::carried::Carried;
use crate::options::MeasureError;
use crate::table::{least, median, most};
use simrun_scene::did_you_mean;
use simrun_sim::{Mode, Value};
use std::collections::BTreeMap;

/// What a file says beside what every behaviour says.
const ENTRIES: [&str; 5] = ["about", "runs", "seconds", "figure", "rows"];
/// What every behaviour may say, beside functions.
const PARAMS: &str = "params";
const FIGURE: [&str; 6] = ["mode", "clip", "behaviours", "stepping", "protective", "friction"];
const ROW: [&str; 9] = ["name", "way", "unit", "says", "of", "over", "at_most", "at_least", "exactly"];
/// Runs and seconds where a file says nothing.
const RUNS: usize = 12;
const SECONDS: f64 = 5.0;

/// A measure as its file has it.
#[derive(Debug)]
pub struct Plan {
    /// In one line.
    pub about: String,
    /// How many, where nobody says how many.
    pub runs: usize,
    /// How long each is.
    pub seconds: f64,
    pub figure: Figure,
    pub rows: Vec<RowPlan>,
}

/// Who it is put on.
#[derive(Debug)]
pub struct Figure {
    pub mode: Mode,
    pub clip: Option<String>,
    /// By name, beside the measure itself.
    pub behaviours: Vec<String>,
    pub stepping: bool,
    pub protective: bool,
    pub friction: Option<f32>,
}

/// A row to be.
#[derive(Debug)]
pub struct RowPlan {
    pub name: String,
    pub way: String,
    pub unit: String,
    pub says: String,
    /// Which number of the state.
    pub of: String,
    pub over: Over,
    pub held_to: Bound,
}

/// What is made of a number of each run.
#[derive(Clone, Copy, Debug)]
pub enum Over {
    Mean,
    Median,
    Most,
    Least,
    Sum,
}

impl Over {
    const ALL: [(&'static str, Self); 5] =
        [("mean", Self::Mean), ("median", Self::Median), ("most", Self::Most), ("least", Self::Least), ("sum", Self::Sum)];

    /// One number of all; NaN if one is.
    pub fn of(self, numbers: &[f64]) -> f64 {
        let sum: f64 = numbers.iter().sum();
        match self {
            Self::Mean => sum / numbers.len() as f64,
            // A number that is none would be sorted to an end.
            Self::Median if sum.is_nan() => sum,
            Self::Median => median(numbers.iter().copied()),
            Self::Most => most(numbers.iter().copied()),
            Self::Least => least(numbers.iter().copied()),
            Self::Sum => sum,
        }
    }
}

impl Plan {
    /// Of the script that is measured.
    ///
    /// # Errors
    /// An entry that is not there, of another kind, or out of its range: its place, what was found, what is accepted.
    pub fn of(carried: &Carried) -> Result<Self, MeasureError> {
        let mut scripts = carried.scripts(1)?;
        let wrong = |problem: simrun_script::Problem| MeasureError::Script(problem.to_string());
        let names = scripts.entry_names(carried.name()).map_err(wrong)?;
        known_only(carried.path(), names.iter().filter(|name| *name != PARAMS), &ENTRIES)?;
        let mut entries = BTreeMap::new();
        for name in ENTRIES {
            let value = scripts.entry(carried.name(), name).map_err(wrong)?;
            if value != Value::Nil {
                entries.insert(name.to_owned(), value);
            }
        }
        let entries = Entries { place: carried.path().to_owned(), entries };
        let rows = match entries.entries.get("rows") {
            Some(Value::List(rows)) => rows,
            _ => return Err(entries.wrong("rows", "a list of at least one table such as { name = \"lean\", of = \"lean\" }")),
        };
        let place = |index: usize| format!("{}: rows[{}]", entries.place, index + 1);
        let row = |(index, row): (usize, &Value)| RowPlan::of(&Entries::of(place(index), row, &ROW)?);
        Ok(Self {
            about: entries.text("about")?.unwrap_or_default(),
            runs: entries.number("runs", 1.0, 100_000.0)?.map_or(RUNS, |runs| runs as usize),
            seconds: entries.number("seconds", 0.02, 3600.0)?.unwrap_or(SECONDS),
            figure: Figure::of(&entries)?,
            rows: rows.iter().enumerate().map(row).collect::<Result<_, _>>()?,
        })
    }
}

impl Figure {
    fn of(plan: &Entries) -> Result<Self, MeasureError> {
        let none = Value::Map(BTreeMap::new());
        let value = plan.entries.get("figure").unwrap_or(&none);
        let figure = Entries::of(format!("{}: figure", plan.place), value, &FIGURE)?;
        let modes = Mode::SETTABLE.map(|mode| (mode.name(), mode));
        let behaviours = match figure.entries.get("behaviours") {
            None => Vec::new(),
            // An empty table is as much a list as it is a map.
            Some(Value::Map(none)) if none.is_empty() => Vec::new(),
            Some(Value::List(names)) => names
                .iter()
                .map(
                    |name| if let Value::Text(name) = name { Ok(name.clone()) } else { Err(figure.wrong("behaviours", "names")) },
                )
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(figure.wrong("behaviours", "a list of names")),
        };
        Ok(Self {
            mode: figure.one_of("mode", &modes)?.unwrap_or(Mode::Powered),
            clip: figure.text("clip")?,
            behaviours,
            stepping: figure.flag("stepping")?.unwrap_or(true),
            protective: figure.flag("protective")?.unwrap_or(true),
            friction: figure.number("friction", 0.0, 2.0)?.map(|friction| friction as f32),
        })
    }
}

impl RowPlan {
    fn of(row: &Entries) -> Result<Self, MeasureError> {
        let name = row.text("name")?.ok_or_else(|| row.wrong("name", "text"))?;
        let number = |key| row.number(key, f64::MIN, f64::MAX);
        let held_to = match (number("at_least")?, number("at_most")?, number("exactly")?) {
            (None, None, None) => Bound::Reported,
            (Some(least), None, None) => Bound::AtLeast(least),
            (None, Some(most), None) => Bound::AtMost(most),
            (Some(least), Some(most), None) => Bound::Within(least, most),
            (None, None, Some(value)) => Bound::Exactly(value),
            _ => return Err(row.wrong("exactly", "no at_least and at_most beside it")),
        };
        Ok(Self {
            of: row.text("of")?.unwrap_or_else(|| name.clone()),
            way: row.text("way")?.unwrap_or_default(),
            unit: row.text("unit")?.unwrap_or_default(),
            says: row.text("says")?.unwrap_or_default(),
            over: row.one_of("over", &Over::ALL)?.unwrap_or(Over::Mean),
            held_to,
            name,
        })
    }
}

/// Refuses the first of a table's keys that is not known.
fn known_only<'k>(place: &str, mut keys: impl Iterator<Item = &'k String>, known: &[&str]) -> Result<(), MeasureError> {
    let Some(unknown) = keys.find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let meant = did_you_mean(unknown, known.iter().copied());
    Err(MeasureError::Script(format!("{place} has no '{unknown}'; accepted: {}{meant}", known.join(", "))))
}

/// A table of plain data, and where it stands.
struct Entries {
    place: String,
    entries: BTreeMap<String, Value>,
}

impl Entries {
    fn of(place: String, value: &Value, known: &[&str]) -> Result<Self, MeasureError> {
        let Value::Map(entries) = value else {
            return Err(MeasureError::Script(format!("{place} is {}; accepted: a table", value.kind())));
        };
        known_only(&place, entries.keys(), known)?;
        Ok(Self { place, entries: entries.clone() })
    }

    fn wrong(&self, key: &str, accepted: &str) -> MeasureError {
        let found = self.entries.get(key).map_or("nothing", Value::kind);
        MeasureError::Script(format!("{}: {key} is {found}; accepted: {accepted}", self.place))
    }

    fn text(&self, key: &str) -> Result<Option<String>, MeasureError> {
        match self.entries.get(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(key, "text")),
        }
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, MeasureError> {
        match self.entries.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.wrong(key, "true or false")),
        }
    }

    fn number(&self, key: &str, least: f64, most: f64) -> Result<Option<f64>, MeasureError> {
        match self.entries.get(key) {
            None => Ok(None),
            Some(Value::Number(number)) if (least..=most).contains(number) => Ok(Some(*number)),
            Some(Value::Number(number)) => {
                Err(MeasureError::Script(format!("{}: {key} is {number}; accepted: {least} to {most}", self.place)))
            }
            Some(_) => Err(self.wrong(key, "a number")),
        }
    }

    fn one_of<T: Copy>(&self, key: &str, known: &[(&str, T)]) -> Result<Option<T>, MeasureError> {
        let Some(name) = self.text(key)? else { return Ok(None) };
        let found = known.iter().find(|(known, _)| *known == name);
        let names = || known.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ");
        let wrong = || MeasureError::Script(format!("{}: {key} is \"{name}\"; accepted: {}", self.place, names()));
        found.map(|(_, value)| Some(*value)).ok_or_else(wrong)
    }
}
