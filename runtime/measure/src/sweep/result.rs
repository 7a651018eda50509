//! What a sweep came to, for people and as JSON.

use super::objective::Objective;
use super::sensitivity::Sensitivity;
use super::trials::Trial;
use super::{Axis, Better, SweepOptions};
use crate::table::{columns, number};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Trials that are shown: the best, and of a trade.
const SHOWN: usize = 10;

/// A trial and what it came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    /// The parameters that are swept; none: as the behaviour stands.
    pub set: BTreeMap<String, f64>,
    /// The numbers to better, in the order in which they were asked for.
    pub score: Vec<f64>,
    /// Rows that do not hold.
    pub failed: usize,
    #[serde(skip)]
    costs: Vec<f64>,
}

impl Scored {
    pub(super) fn of(trial: Trial, objective: &Objective) -> Self {
        let score = objective.score(&trial);
        Self { failed: trial.failed(), costs: objective.costs(&score), score, set: trial.set }
    }

    /// At least as good in everything and better in something.
    fn beats(&self, other: &Self) -> bool {
        let pairs = || self.costs.iter().zip(&other.costs);
        pairs().all(|(own, other)| own <= other) && pairs().any(|(own, other)| own < other)
    }
}

/// What a sweep came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// The measure of each trial.
    pub measure: String,
    /// What the runs of every trial were drawn with.
    pub seed: u64,
    /// How trials were chosen.
    pub search: &'static str,
    /// How many, apart from the behaviour as it stands; with `cmaes` whole generations, which may be more than were asked for.
    pub trials: usize,
    /// Both in words, and why there are more trials than were asked for.
    pub about: String,
    /// What was bettered.
    pub rows: Vec<String>,
    /// Which way each of them is better.
    pub better: Vec<Better>,
    /// What was swept.
    pub params: Vec<Axis>,
    /// The behaviour as it stands.
    pub as_is: Scored,
    /// The best trials by the first of the rows, the best one first; among equals, by the others.
    pub best: Vec<Scored>,
    /// Of several rows, the trials that nothing else beats in all of them, in the order of the first.
    pub front: Vec<Scored>,
    /// How much each parameter matters to the first of the rows.
    pub sensitivity: Vec<Sensitivity>,
}

impl Sweep {
    pub(super) fn new(
        options: &SweepOptions,
        params: Vec<Axis>,
        objective: &Objective,
        as_is: Scored,
        mut found: Vec<Scored>,
    ) -> Self {
        let (trials, sensitivity) = (found.len(), Sensitivity::of(&params, &found));
        found.sort_by(|one, other| one.costs.partial_cmp(&other.costs).unwrap_or(std::cmp::Ordering::Equal));
        found.dedup_by(|one, other| one.set == other.set);
        let unbeaten = |one: &&Scored| !found.iter().any(|other| other.beats(one));
        let front = if options.rows.len() > 1 { found.iter().filter(unbeaten).cloned().collect() } else { Vec::new() };
        found.truncate(SHOWN);
        Self {
            measure: options.measured.measure.clone(),
            seed: options.measured.seed,
            search: options.search.name(),
            trials,
            about: String::new(),
            rows: objective.names(),
            better: objective.betters(),
            params,
            as_is,
            best: found,
            front,
            sensitivity,
        }
    }

    /// A line a trial, under a head.
    fn table(&self, f: &mut fmt::Formatter<'_>, trials: &[Scored]) -> fmt::Result {
        let names = || self.params.iter().map(|axis| axis.name.clone());
        let head: Vec<String> = self.rows.iter().cloned().chain(["failed".to_owned()]).chain(names()).collect();
        let line = |trial: &Scored| {
            let score = trial.score.iter().map(|score| number(*score)).chain([trial.failed.to_string()]);
            score
                .chain(names().map(|name| trial.set.get(&name).map_or("as it is".to_owned(), |value| value.to_string())))
                .collect()
        };
        let lines: Vec<Vec<String>> = std::iter::once(head).chain(trials.iter().map(line)).collect();
        f.write_str(&columns(&lines))
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, seed, about, best, front, .. } = self;
        writeln!(f, "sweep of {measure} · {about} · seed {seed}")?;
        for (row, better) in self.rows.iter().zip(&self.better) {
            writeln!(f, "  {row}: the {}, the better", better.name())?;
        }
        writeln!(f, "as it is")?;
        self.table(f, std::slice::from_ref(&self.as_is))?;
        writeln!(f, "the best")?;
        self.table(f, best)?;
        if !front.is_empty() {
            let shown = front.len().min(SHOWN);
            writeln!(f, "the trade: {shown} of {} that nothing beats in every row", front.len())?;
            self.table(f, &evenly(front, shown))?;
        }
        writeln!(f, "what {} depends on", self.rows[0])?;
        let head = ["parameter", "effect", "rank"].map(str::to_owned).to_vec();
        let line = |one: &Sensitivity| vec![one.param.clone(), or_none(one.effect), or_none(one.rank)];
        let lines: Vec<Vec<String>> = std::iter::once(head).chain(self.sensitivity.iter().map(line)).collect();
        f.write_str(&columns(&lines))
    }
}

/// A number, or a dash where nothing varied that it could be found from.
fn or_none(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { number(value) }
}

/// So many of a list, both ends among them.
fn evenly(trials: &[Scored], count: usize) -> Vec<Scored> {
    let place = |index: usize| index * (trials.len() - 1) / (count - 1).max(1);
    (0..count).map(|index| trials[place(index)].clone()).collect()
}
