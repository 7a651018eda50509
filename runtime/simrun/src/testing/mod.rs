//! Tests made of live sessions: what was typed, when, and what the figures are held to. A person's project keeps them as files beside its
//! scenes; they are run with the scripts as they are by then.

mod run;
mod write;

pub use run::{check, run};
pub use write::write;

use serde::{Deserialize, Serialize};
use simrun_measure::Bound;
use simrun_measure::outcome::{Outcome, OutcomeWatch};
use simrun_sim::World;
use std::collections::BTreeMap;

/// What the names of such files end in.
pub const ENDING: &str = ".test.json";

/// A session that is run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionTest {
    /// The scene's file, seen from the test's own folder.
    pub scene: String,
    /// How `simrun` is begun with it.
    #[serde(default)]
    pub args: Vec<String>,
    /// What was typed, in order.
    #[serde(default)]
    pub lines: Vec<Typed>,
    /// How long it goes on, in steps; those that a line took count, and those that were gone back over.
    pub steps: u64,
    /// What is held to what, by the figure's name, counted from the last time that somebody went back.
    pub figures: BTreeMap<String, Expected>,
    /// Where nothing differs from the session, it comes to the same bits too.
    pub exact: Option<Exact>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// Steps that were taken before it.
    pub after: u64,
    /// As it was typed.
    pub line: String,
}

/// What a figure is held to; what is left out is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expected {
    /// Whether it falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fell: Option<bool>,
    /// The greatest closing speed of its head with an object (m/s); 0 where it meets none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_mps: Option<Bound>,
    /// Catch steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Bound>,
    /// When it is still for good (s); infinite where it never is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub still_s: Option<Bound>,
}

/// What must be the same for a session to come to the same bits, and those bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exact {
    /// The build of the simulation.
    pub build: String,
    /// Hash of the simulation before the first step: scene and models.
    pub begins: String,
    /// Hashes of the texts that ran, by path.
    pub scripts: BTreeMap<String, String>,
    /// Hash of the simulation after the last step.
    pub ends: String,
}

/// A 64-bit hash as it is written down.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// What became of figures since somebody went back last.
#[derive(Debug)]
pub struct SessionWatch {
    watch: OutcomeWatch,
    jumped: bool,
}

impl SessionWatch {
    /// From the world's beginning on.
    pub fn new(world: &World) -> Self {
        Self { watch: OutcomeWatch::new(world), jumped: false }
    }

    /// The next step goes on from elsewhere.
    pub fn jumped(&mut self) {
        self.jumped = true;
    }

    /// Looks at the world after a step.
    pub fn after_step(&mut self, world: &World) {
        if std::mem::take(&mut self.jumped) {
            self.watch = OutcomeWatch::new(world);
        } else {
            self.watch.after_step(world);
        }
    }

    /// What became of each figure.
    pub fn outcomes(&self, world: &World) -> Vec<Outcome> {
        self.watch.outcomes(world)
    }
}
