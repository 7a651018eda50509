//! What a measure is asked, and why it may refuse.

use crate::catalogue::{MEASURES, Measure};
use crate::conditions::{Conditions, Headings};
use crate::sources::Folder;
use crate::subject::Subject;
use simrun_scene::did_you_mean;
use simrun_sim::figure::NoRagdoll;
use simrun_sim::motion::ActClips;
use simrun_sim::solve::Backend;
use std::path::PathBuf;

/// The most runs of an ensemble: a day's work.
const MOST_RUNS: usize = 100_000;

/// The most runs at a time: threads.
const MOST_JOBS: usize = 256;

/// What a measure is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The name of one of [`MEASURES`](crate::MEASURES), or the path of a measure of one's own (`.luau`).
    pub measure: String,
    /// Decides how each run differs from the others. Rows hold for any.
    pub seed: u64,
    /// How many runs; `None`: the measure's own number.
    pub runs: Option<usize>,
    /// The model to measure; `None`: the box man.
    pub figure: Option<PathBuf>,
    /// Cap of the balance anchor as a multiple of mass × g × 1 m, 0..=5.
    pub anchor: f32,
    /// Clips of that model for what it does, where the measure has it do that.
    pub acts: ActClips,
    /// Who stands where.
    pub conditions: Conditions,
    /// Runs at a time; 0: as many as there are processors. But for microseconds, tables do not depend on it.
    pub jobs: usize,
    /// What solves the bodies.
    pub solver: Backend,
    /// The folder of scripts that behaviours are taken from; those that it does not have, and all of them where there is none, are as shipped.
    pub scripts: Option<Folder>,
    /// A behaviour's file in place of the one that the measure's figures carry.
    pub script: Option<PathBuf>,
    /// Parameters of that behaviour.
    pub set: Vec<(String, f64)>,
    /// Where to draw what was measured, as SVG; `None`: nowhere.
    pub plot: Option<PathBuf>,
    /// How it is shown how far it is.
    pub progress: Progress,
}

/// How a measure shows how far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// A bar on standard error, where that is a terminal.
    #[default]
    Bar,
    /// `3 of 12`, a line on standard error after each run: for programs.
    Lines,
    /// Not at all.
    Hidden,
}

impl Options {
    /// A measure as it is by default: seed 1, the box man, an anchor of 0.65, all processors, the solver that worlds have.
    #[must_use]
    pub fn new(measure: &str) -> Self {
        let measure = measure.to_owned();
        Self {
            measure,
            seed: 1,
            runs: None,
            figure: None,
            anchor: 0.65,
            acts: ActClips::default(),
            conditions: Conditions::default(),
            jobs: 0,
            solver: Backend::default(),
            scripts: None,
            script: None,
            set: Vec::new(),
            plot: None,
            progress: Progress::Bar,
        }
    }

    /// Whether a measure can be asked this.
    pub(crate) fn check(&self, measure: &Measure) -> Result<(), MeasureError> {
        self.check_numbers()?;
        let name = measure.name;
        let refuse = |why, able: fn(&Measure) -> bool| Err(MeasureError::Refused { why, able: Measure::names(able) });
        if self.conditions.slope_deg != 0.0 && !measure.slopes {
            return refuse(format!("'{name}' takes no --slope"), |measure| measure.slopes);
        }
        if self.conditions.headings == Headings::All && !measure.turns {
            return refuse(format!("'{name}' takes no --headings"), |measure| measure.turns);
        }
        if self.plot.is_some() && !measure.drawn {
            return refuse(format!("'{name}' takes no --plot"), |measure| measure.drawn);
        }
        if self.conditions.muscles && !measure.muscles {
            return refuse(format!("'{name}' takes no --muscles"), |measure| measure.muscles);
        }
        if self.acts.named().next().is_some() && !measure.acts {
            return refuse(format!("'{name}' takes no --act"), |measure| measure.acts);
        }
        if self.script.is_some() || !self.set.is_empty() { self.check_carries(measure) } else { Ok(()) }
    }

    /// Whether the figures of a measure carry a behaviour.
    pub(crate) fn check_carries(&self, measure: &Measure) -> Result<(), MeasureError> {
        if measure.carries.is_empty() {
            let why = format!("the figures of '{}' carry no behaviour", measure.name);
            return Err(MeasureError::Refused { why, able: Measure::names(|measure| !measure.carries.is_empty()) });
        }
        Ok(())
    }

    /// Whether every number is within its range.
    pub(crate) fn check_numbers(&self) -> Result<(), MeasureError> {
        let wrong = |what, found: String, accepted| Err(MeasureError::Number { what, found, accepted });
        if !(0.0..=5.0).contains(&self.anchor) {
            return wrong("anchor", self.anchor.to_string(), "0 to 5");
        }
        if self.jobs > MOST_JOBS {
            return wrong("jobs", self.jobs.to_string(), "0 to 256");
        }
        if let Some((what, found, accepted)) = self.conditions.flaw() {
            return wrong(what, found, accepted);
        }
        match self.runs {
            Some(runs) if runs == 0 || runs > MOST_RUNS => wrong("runs", runs.to_string(), "1 to 100000"),
            _ => Ok(()),
        }
    }

    pub(crate) fn subject(&self) -> Result<Subject, MeasureError> {
        self.figure.as_deref().map_or_else(Subject::boxman, |path| Subject::load(path, &self.acts))
    }
}

/// Why a measure was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A name that is no measure's.
    #[error(
        "there is no measure '{0}'; there are: {known}, and files that end in .luau{meant}",
        known = Measure::names(|_| true),
        meant = did_you_mean(.0, MEASURES.iter().map(|measure| measure.name))
    )]
    UnknownMeasure(String),
    /// A number out of its range.
    #[error("{what} is {found}; accepted: {accepted}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: String,
        /// The range.
        accepted: &'static str,
    },
    /// Something that the measure cannot be asked.
    #[error("{why}; those of which it can be asked: {able}")]
    Refused {
        /// What it has not.
        why: String,
        /// The measures that have it.
        able: String,
    },
    /// A clip that the model does not have.
    #[error("--act {act}: found {found}; accepted: {accepted}")]
    Act {
        /// What it is for.
        act: &'static str,
        /// Its name.
        found: String,
        /// The names that there are.
        accepted: String,
    },
    /// A model file that cannot be read.
    #[error(transparent)]
    Model(#[from] simrun_scene::model::ModelError),
    /// A model that no ragdoll fits.
    #[error("{figure}: {why}")]
    NoRagdoll {
        /// Which.
        figure: String,
        /// What is missing.
        why: Box<NoRagdoll>,
    },
    /// The simulation refused something.
    #[error(transparent)]
    Sim(#[from] simrun_sim::Error),
    /// A behaviour that cannot be measured.
    #[error("{0}")]
    Script(String),
    /// Something that a sweep cannot do.
    #[error("{0}")]
    Sweep(String),
    /// A picture that cannot be drawn.
    #[error("{0}")]
    Plot(String),
    /// No situation of the kind that is measured was found.
    #[error("{0}")]
    Nothing(String),
    /// The threads could not be had.
    #[error("no threads to measure with: {0}")]
    Threads(String),
}
