//! Sweeps: a measure taken again and again with other parameters of the behaviour that it measures, to see which serve it best, what
//! they trade against each other, and which of them matter at all.
//!
//! Every trial meets the same runs, drawn with the same seed: what differs between two trials is what the parameters did.

mod axis;
mod objective;
mod result;
mod search;
mod sensitivity;
mod trials;

pub use axis::{Axis, Wanted};
pub use objective::{Better, Choice};
pub use result::{Scored, Sweep};
pub use sensitivity::Sensitivity;

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::options::{MeasureError, Options, Progress};
use crate::{run, user};
use indicatif::{ProgressBar, ProgressStyle};
use objective::Objective;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use trials::{Setup, Trial, Trials};

/// The most trials of a sweep.
const MOST_TRIALS: usize = 100_000;

/// How the trials are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Every combination of the numbers that each parameter is given.
    Grid,
    /// So many drawn evenly from the ranges.
    Random(usize),
    /// So many in generations that learn from one another (Hansen's CMA-ES); the last generation is finished.
    Cmaes(usize),
}

impl Search {
    /// What tables call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Random(_) => "random",
            Self::Cmaes(_) => "cmaes",
        }
    }
}

/// What a sweep is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepOptions {
    /// The measure of each trial, and what it is asked; what it sets holds for all trials.
    pub measured: Options,
    /// The parameters to sweep; none: all that are described with a range, over that range.
    pub wanted: Vec<Wanted>,
    /// How trials are chosen.
    pub search: Search,
    /// The rows to better; none: the fewest rows that fail, and among those that fail as few, the least shortfall.
    pub rows: Vec<Choice>,
    /// Which way each of the rows is better, or one for all; none: the way that its bound says.
    pub better: Vec<Better>,
    /// Where trials are kept as they come, a JSON line each. Those that are there already are not taken again.
    pub out: Option<PathBuf>,
}

/// Takes a sweep. The first trial is the behaviour as it stands.
///
/// # Errors
/// A measure whose figures carry no behaviour; a parameter that is not there, or a range that it does not have; a row that the measure has
/// not; a file of another sweep's trials; whatever the measure refuses.
pub fn sweep(options: &SweepOptions) -> Result<Sweep, MeasureError> {
    let measured = &options.measured;
    let (carried, rows) = behind(measured)?;
    objective::check_names(&options.rows, &measured.measure, &rows)?;
    let axes = axis::resolve(&options.wanted, &carried, measured, options.search)?;
    let plan = search::Plan::new(&axes, options.search, measured.seed)?;

    let setup = Setup::of(measured, carried.fingerprint());
    let mut taker = Taker { measured, trials: Trials::open(options.out.as_deref(), &setup)?, progress: progress(&plan) };
    let as_is = taker.take(&BTreeMap::new())?;
    let objective = Objective::new(&options.rows, &options.better, &as_is)?;
    let scored = |trial: Trial| Scored::of(trial, &objective);
    let mut found = Vec::new();
    let about = plan.about();
    plan.follow(|set| {
        let scored = scored(taker.take(&set)?);
        let cost = objective.cost(&scored.score);
        found.push(scored);
        Ok(cost)
    })?;
    taker.progress.finish_and_clear();
    Ok(Sweep { about, ..Sweep::new(options, axes, &objective, scored(as_is), found) })
}

/// What the figures of a measure carry, and the names of its rows.
fn behind(measured: &Options) -> Result<(Carried, Vec<String>), MeasureError> {
    if let Some(file) = user::file(&measured.measure) {
        return user::carried(file, measured);
    }
    let measure = Measure::named(&measured.measure)?;
    measured.check_carries(measure)?;
    measured.check(measure)?;
    let rows = measure.rows.iter().map(|(name, _)| (*name).to_owned()).collect();
    Ok((measure.carried(measured)?, rows))
}

/// Takes trials, or finds that they have been taken.
struct Taker<'a> {
    measured: &'a Options,
    trials: Trials,
    progress: ProgressBar,
}

impl Taker<'_> {
    fn take(&mut self, set: &BTreeMap<String, f64>) -> Result<Trial, MeasureError> {
        let trial = match self.trials.known(set) {
            Some(known) => known.clone(),
            None => {
                let mut options = Options { progress: Progress::Hidden, ..self.measured.clone() };
                options.set.extend(set.iter().map(|(name, value)| (name.clone(), *value)));
                // The runs one by one would be most of the trials' file.
                let rows = run(&options)?.rows.into_iter().map(|row| row.over(Vec::new())).collect();
                let trial = Trial { set: set.clone(), rows };
                self.trials.keep(&trial)?;
                trial
            }
        };
        self.progress.inc(1);
        if self.measured.progress == Progress::Lines {
            // Whoever asked for it may have gone.
            let of = self.progress.length().unwrap_or_default();
            let _ = writeln!(std::io::stderr(), "{} of {of}", self.progress.position());
        }
        Ok(trial)
    }
}

/// It draws on standard error, and only where that is a terminal.
fn progress(plan: &search::Plan<'_>) -> ProgressBar {
    let progress = ProgressBar::new(plan.trials() as u64 + 1).with_message(format!("sweep ({})", plan.about()));
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:32} trial {pos} of {len}, {eta} left") {
        progress.set_style(style);
    }
    progress
}

/// Something that a sweep cannot do.
fn refused(why: impl Into<String>) -> MeasureError {
    MeasureError::Sweep(why.into())
}
