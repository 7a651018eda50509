//! Measures of one's own: a behaviour in a file that also says how long it runs, who it is put on, and which numbers of its state are rows.
//!
//! What is measured is then said in the language, and read with the calls, in which behaviours are written: `start` and `step` shove the
//! figure and look at it, and what they keep in `state` is what a run found. Every run has a VM, a seed and a heading of its own.

mod plan;

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::conditions::Headings;
use crate::ensemble;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::Row;
use plan::Plan;
use simrun_sim::Value;
use std::path::Path;

/// The file that a measure's name means, if it means one.
pub fn file(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    path.extension().is_some_and(|ending| ending == "luau").then_some(path)
}

/// What the measure of a file is about, and what its rows say.
pub fn explanation(file: &Path) -> Result<String, MeasureError> {
    let carried = Carried::with(file, &[], &Options::new(""))?;
    let plan = Plan::of(&carried)?;
    let rows = plan.rows.iter().map(|row| format!("  {}  {}\n", row.name, row.says));
    Ok(format!("{}: {}\n\nRows:\n{}", carried.name(), plan.about, rows.collect::<String>()))
}

/// What the figures of a file's measure carry, the file itself first, and the names of its rows.
pub fn carried(file: &Path, options: &Options) -> Result<(Carried, Vec<String>), MeasureError> {
    let (carried, plan) = read(file, options)?;
    Ok((carried, plan.rows.into_iter().map(|row| row.name).collect()))
}

fn read(file: &Path, options: &Options) -> Result<(Carried, Plan), MeasureError> {
    options.check_numbers()?;
    if options.script.is_some() || options.conditions.headings == Headings::All {
        let why =
            "a measure of one's own takes neither --script nor --headings: its file says what is carried and where blows go";
        return Err(MeasureError::Script(why.to_owned()));
    }
    if options.plot.is_some() {
        let (why, able) = ("a measure of one's own takes no --plot".to_owned(), Measure::names(|measure| measure.drawn));
        return Err(MeasureError::Refused { why, able });
    }
    // What is set may be another's that its figures carry.
    let alone = Options { set: Vec::new(), ..options.clone() };
    let plan = Plan::of(&Carried::with(file, &[], &alone)?)?;
    Ok((Carried::with(file, &plan.figure.behaviours, options)?, plan))
}

/// Takes the measure of a file.
pub fn take(file: &Path, subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let (carried, plan) = read(file, options)?;
    let figure = &plan.figure;
    let runs = ensemble::take(subject, options, plan.runs, |subject, variation| {
        let standing = Setting::standing(subject, options);
        let mut stage = Stage::new(&Setting {
            mode: figure.mode,
            clip: figure.clip.as_deref(),
            phase: variation.phase(),
            yaw: variation.yaw(),
            friction: figure.friction.unwrap_or(standing.friction),
            carried: Some(&carried),
            protective: figure.protective,
            stepping: figure.stepping,
            seed: variation.seed(),
            ..standing
        })?;
        stage.run(plan.seconds)?;
        stage.state(carried.name())
    })?;
    let rows = plan.rows.iter().map(|row| {
        let numbers: Vec<f64> = runs.iter().map(|state| number(state, &row.of)).collect();
        Row::new(&row.name, &row.way, &row.unit, row.over.of(&numbers), row.held_to).over(numbers)
    });
    Ok((runs.len(), rows.collect()))
}

/// A number of a run's state; true is 1, false is 0; NaN where there is none.
fn number(state: &Value, name: &str) -> f64 {
    let Value::Map(entries) = state else { return f64::NAN };
    match entries.get(name) {
        Some(Value::Number(number)) => *number,
        Some(Value::Bool(flag)) => f64::from(u8::from(*flag)),
        _ => f64::NAN,
    }
}
