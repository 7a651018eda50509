//! What makes one trial better than another.

use super::refused;
use super::trials::Trial;
use crate::bound::Bound;
use crate::options::MeasureError;
use crate::table::Row;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A row to better: `stand:all`, or `head_mps` for the mean over its ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The row's name.
    pub name: String,
    /// The row's way; `None`: all.
    pub way: Option<String>,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, way) = text.split_once(':').map_or((text, None), |(name, way)| (name, Some(way.trim().to_owned())));
        let name = name.trim().to_owned();
        if name.is_empty() || way.as_ref().is_some_and(String::is_empty) {
            return Err(format!("'{text}'; accepted: a row, or a row and its way, such as head_mps or head_mps:back"));
        }
        Ok(Self { name, way })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.way {
            None => f.write_str(&self.name),
            Some(way) => write!(f, "{}:{way}", self.name),
        }
    }
}

/// Which way a number is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// The more, the better.
    More,
    /// The less, the better.
    Less,
}

impl Better {
    /// `more` or `less`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
        }
    }
}

impl FromStr for Better {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::More, Self::Less]
            .into_iter()
            .find(|better| better.name() == text)
            .ok_or_else(|| format!("'{text}'; accepted: more, less"))
    }
}

/// What a sweep betters: rows, or how few of them fail.
#[derive(Clone, Debug)]
pub(super) struct Objective(Vec<(Choice, Better)>);

/// Rows that the measure does not have are told before anything is run.
pub(super) fn check_names(rows: &[Choice], measure: &str, known: &[String]) -> Result<(), MeasureError> {
    match rows.iter().find(|row| !known.contains(&row.name)) {
        None => Ok(()),
        Some(unknown) => Err(refused(format!("'{measure}' has no row '{}'; it has: {}", unknown.name, known.join(", ")))),
    }
}

impl Objective {
    /// Of these rows, which the table of a trial has.
    pub(super) fn new(rows: &[Choice], better: &[Better], example: &Trial) -> Result<Self, MeasureError> {
        if better.len() > 1 && better.len() != rows.len() || (!better.is_empty() && rows.is_empty()) {
            let (found, rows) = (better.len(), rows.len());
            return Err(refused(format!("{found} times --better for {rows} rows; accepted: one a --row, or one for all")));
        }
        let each = rows.iter().enumerate().map(|(index, choice)| {
            let chosen: Vec<&Row> = example.rows.iter().filter(|row| choice.is(row)).collect();
            if chosen.is_empty() {
                let ways: Vec<&str> =
                    example.rows.iter().filter(|row| row.name == choice.name).map(|row| row.way.as_str()).collect();
                return Err(refused(format!("there is no row '{choice}'; its ways are: {}", ways.join(", "))));
            }
            let said = better.get(index).or(better.first()).copied();
            let better = said.or_else(|| implied(&chosen)).ok_or_else(|| {
                refused(format!(
                    "'{choice}' is held to nothing that says which way it is better; accepted: --better more or less"
                ))
            })?;
            Ok((choice.clone(), better))
        });
        each.collect::<Result<_, _>>().map(Self)
    }

    /// The numbers of a trial, in the order of the rows; without any, the rows that fail and how far: 3.25 are three that fall short.
    pub(super) fn score(&self, trial: &Trial) -> Vec<f64> {
        if self.0.is_empty() {
            let short: f64 = trial.rows.iter().map(|row| row.held_to.shortfall(row.measured)).sum();
            // Never a whole row more: what could not be measured at all falls short the farthest.
            let share = if short.is_finite() { short / (1.0 + short) } else { 1.0 }.min(0.9999);
            return vec![trial.failed() as f64 + share];
        }
        let mean = |choice: &Choice| {
            let found: Vec<f64> = trial.rows.iter().filter(|row| choice.is(row)).map(|row| row.measured).collect();
            found.iter().sum::<f64>() / found.len() as f64
        };
        self.0.iter().map(|(choice, _)| mean(choice)).collect()
    }

    /// Numbers of which less is better, whatever it was.
    pub(super) fn costs(&self, score: &[f64]) -> Vec<f64> {
        let sign = |index: usize| if self.0.get(index).is_some_and(|(_, better)| *better == Better::More) { -1.0 } else { 1.0 };
        let cost = |(index, value): (usize, &f64)| if value.is_nan() { f64::INFINITY } else { sign(index) * value };
        score.iter().enumerate().map(cost).collect()
    }

    /// The first of them: what a search follows, and what trials are ordered by.
    pub(super) fn cost(&self, score: &[f64]) -> f64 {
        self.costs(score).first().copied().unwrap_or(f64::INFINITY)
    }

    /// What heads a column.
    pub(super) fn names(&self) -> Vec<String> {
        if self.0.is_empty() { vec!["failed_rows".to_owned()] } else { self.0.iter().map(|(row, _)| row.to_string()).collect() }
    }

    /// Which way each is better.
    pub(super) fn betters(&self) -> Vec<Better> {
        if self.0.is_empty() { vec![Better::Less] } else { self.0.iter().map(|(_, better)| *better).collect() }
    }
}

impl Choice {
    fn is(&self, row: &Row) -> bool {
        row.name == self.name && self.way.as_ref().is_none_or(|way| *way == row.way)
    }
}

/// The way that all of these rows are better, by what they are held to.
fn implied(rows: &[&Row]) -> Option<Better> {
    let each: BTreeSet<Option<bool>> = rows
        .iter()
        .map(|row| match row.held_to {
            Bound::AtLeast(_) => Some(true),
            Bound::AtMost(_) => Some(false),
            _ => None,
        })
        .collect();
    match each.into_iter().collect::<Vec<_>>()[..] {
        [Some(true)] => Some(Better::More),
        [Some(false)] => Some(Better::Less),
        _ => None,
    }
}
