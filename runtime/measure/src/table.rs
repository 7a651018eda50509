//! The table of a measure, for people and as JSON.

pub use crate::bound::Bound;
use crate::conditions::Conditions;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// What a measure found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Its name.
    pub measure: String,
    /// What the runs were drawn with.
    pub seed: u64,
    /// How many.
    pub runs: usize,
    /// The model measured.
    pub figure: String,
    /// Where what its figures carry comes from: files, or the program itself (`as shipped`).
    pub behaviours: Vec<String>,
    /// Cap of the balance anchor as a multiple of mass × g × 1 m.
    pub anchor: f32,
    /// Who was measured, and on what ground.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// What solved the bodies.
    pub solver: &'static str,
    /// The solver's sub-steps a step.
    pub substeps: usize,
    /// Additional sweeps over the solver's rows a sub-step, apart from those that a blow or a fall brings.
    pub sweeps: usize,
    /// Every row holds.
    pub ok: bool,
    /// What was found.
    pub rows: Vec<Row>,
}

/// One number of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What is measured, with its unit.
    pub name: String,
    /// In which situation, or over which of the runs.
    pub way: String,
    /// What was found; NaN (JSON: null) where nothing could be.
    #[serde(deserialize_with = "number_or_none")]
    pub measured: f64,
    /// Its unit; empty for counts.
    pub unit: String,
    /// What it is held to.
    pub held_to: Bound,
    /// It is.
    pub ok: bool,
    /// What each run came to, where the row is their mean or sum: for comparing two tables run by run.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "numbers_or_none")]
    pub each: Vec<f64>,
}

impl Row {
    /// A number found, and whether it holds.
    #[must_use]
    pub fn new(name: impl Into<String>, way: impl Into<String>, unit: impl Into<String>, measured: f64, held_to: Bound) -> Self {
        let ok = held_to.holds(measured);
        Self { name: name.into(), way: way.into(), measured, unit: unit.into(), held_to, ok, each: Vec::new() }
    }

    /// With what each run came to.
    #[must_use]
    pub fn over(self, each: Vec<f64>) -> Self {
        Self { each, ..self }
    }
}

/// JSON has no NaN.
fn number_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(from)?.unwrap_or(f64::NAN))
}

fn numbers_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let numbers = Vec::<Option<f64>>::deserialize(from)?;
    Ok(numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)).collect())
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, seed, runs, figure, anchor, conditions, solver, substeps, sweeps, .. } = self;
        write!(f, "{measure} · {figure} · {runs} runs, seed {seed} · anchor {anchor}{conditions}")?;
        writeln!(f, " · {solver}, {substeps} sub-steps, {sweeps} additional sweeps")?;
        if !self.behaviours.is_empty() {
            writeln!(f, "  with {}", self.behaviours.join(", "))?;
        }
        let head = ["row", "way", "measured", "unit", "held to", ""].map(str::to_owned).to_vec();
        let cells = self.rows.iter().map(|row| {
            let verdict = if row.ok { "ok" } else { "FAILED" };
            vec![
                row.name.clone(),
                row.way.clone(),
                number(row.measured),
                row.unit.clone(),
                row.held_to.to_string(),
                verdict.to_owned(),
            ]
        });
        f.write_str(&columns(&std::iter::once(head).chain(cells).collect::<Vec<_>>()))?;
        let failed = self.rows.iter().filter(|row| !row.ok).count();
        if failed == 0 { writeln!(f, "  every row holds") } else { writeln!(f, "  {failed} of {} rows failed", self.rows.len()) }
    }
}

/// Lines of cells, the head first, as columns: numbers to the right, text to the left.
pub(crate) fn columns(lines: &[Vec<String>]) -> String {
    let cells = |column: usize| lines.iter().filter_map(move |line| line.get(column));
    let is_number = |column: usize| cells(column).skip(1).all(|cell| cell.parse::<f64>().is_ok());
    let width = |column: usize| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let shape: Vec<(usize, bool)> =
        (0..lines.first().map_or(0, Vec::len)).map(|column| (width(column), is_number(column))).collect();
    let mut text = String::new();
    for line in lines {
        let padded = line.iter().zip(&shape).map(|(cell, (width, right))| match right {
            true => format!("  {cell:>width$}"),
            false => format!("  {cell:width$}"),
        });
        text += padded.collect::<String>().trim_end();
        text.push('\n');
    }
    text
}

/// Four significant digits.
pub(crate) fn number(value: f64) -> String {
    let digits = if value == 0.0 || !value.is_finite() { 0 } else { (3 - value.abs().log10().floor() as i32).clamp(0, 6) };
    let text = format!("{value:.*}", digits as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The largest of some numbers; NaN if one is, or if there are none.
pub(crate) fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().reduce(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }).unwrap_or(f64::NAN)
}

/// The smallest of some numbers; NaN if one is, or if there are none.
pub(crate) fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    -most(values.into_iter().map(|value| -value))
}

/// The middle one of some numbers (the upper of two); NaN if there are none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Share of runs of which something is true, 0..=1; NaN if there are none.
pub(crate) fn share(values: impl IntoIterator<Item = bool>) -> f64 {
    let values: Vec<bool> = values.into_iter().collect();
    values.iter().filter(|value| **value).count() as f64 / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_of_numbers_that_are_none_is_none() {
        assert!(most([1.0, f64::NAN, 2.0]).is_nan());
        assert!(most([]).is_nan());
    }

    #[test]
    fn numbers_are_printed_to_four_digits() {
        assert_eq!(
            ["0", "0.000512", "1", "12.35", "1234", "NaN"],
            [0.0, 0.000_512_3, 1.0, 12.345_1, 1234.4, f64::NAN].map(number).each_ref().map(String::as_str)
        );
    }
}
