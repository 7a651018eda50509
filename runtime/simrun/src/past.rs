//! What has been: states of the last two minutes, a second apart, and what was asked from outside in between.

use crate::moment::Moment;
use simrun_script::Scripts;
use simrun_sim::record::Entry;
use simrun_sim::{Happening, World};
use std::collections::VecDeque;

/// How far back is kept (s of simulation).
const SECONDS: f64 = 120.0;
/// Bytes of states that are kept; beyond it the oldest go, however young.
const BYTES: usize = 128 << 20;
/// Seconds between two states where nothing is asked from outside: what is run again to get to a step is no more than that.
const APART: f64 = 1.0;
/// Blows less than this apart (s) are one: a car that runs into somebody strikes several bones in several steps.
const ONE_BLOW: f64 = 1.0;

/// A state that is kept.
#[derive(Debug)]
struct Kept {
    moment: Moment,
    size: usize,
    /// It is the state after what was asked before its step, and not the one in which that step was come to.
    after_asking: bool,
}

/// The past, as far as it is kept.
#[derive(Debug, Default)]
pub struct Past {
    /// By step.
    kept: VecDeque<Kept>,
    /// What was asked from outside before a step, by step.
    asked: VecDeque<(u64, Vec<Entry>)>,
    /// Steps in which figures were struck, the first of each blow.
    blows: VecDeque<u64>,
    last_struck: Option<u64>,
    /// Something was done that the next step's state must hold, for running scripts again does not do it.
    touched: bool,
    bytes: usize,
}

impl Past {
    /// Before anything is asked: the state that a run begins with.
    pub fn begin(&mut self, world: &World, scripts: &Scripts) {
        self.keep(Moment::of(world, scripts), false);
    }

    /// Something outside of world and commands changed: texts, timers of the prompt.
    pub fn touch(&mut self) {
        self.touched = true;
    }

    /// Before a step: what was asked since the last one.
    pub fn before_step(&mut self, world: &World, scripts: &Scripts, asked: &[Entry]) {
        let step = world.step_index();
        let apart = (APART * f64::from(world.settings().step_hz)).round().max(1.0) as u64;
        let after_asking = std::mem::take(&mut self.touched) || !asked.is_empty();
        let due = self.kept.back().is_none_or(|last| step >= last.moment.step() + apart);
        if after_asking || due {
            self.keep(Moment::of(world, scripts), after_asking);
        }
        if !asked.is_empty() {
            self.asked.push_back((step, asked.to_vec()));
        }
        self.forget(world);
    }

    /// After a step.
    pub fn after_step(&mut self, world: &World) {
        let hz = f64::from(world.settings().step_hz);
        for event in world.events().iter().filter(|event| matches!(event.what, Happening::Struck { .. })) {
            if self.last_struck.is_none_or(|last| event.step as f64 - last as f64 > ONE_BLOW * hz) {
                self.blows.push_back(event.step);
            }
            self.last_struck = Some(event.step);
        }
    }

    /// The present is this step again, as it was come to: what was asked there and later has not been.
    pub fn cut(&mut self, step: u64) {
        while self.kept.back().is_some_and(|kept| kept.moment.step() > step || (kept.moment.step() == step && kept.after_asking))
        {
            self.bytes -= self.kept.pop_back().map_or(0, |kept| kept.size);
        }
        self.asked.retain(|(asked, _)| *asked < step);
        self.blows.retain(|blow| *blow < step);
        self.last_struck = self.last_struck.filter(|last| *last < step).or(self.blows.back().copied());
        self.touched = true;
    }

    /// The last state from which a step can be come to by running scripts again, and nothing else.
    pub fn before(&self, step: u64) -> Option<&Moment> {
        let leads = |kept: &&Kept| (kept.moment.step(), kept.after_asking) < (step, true);
        self.kept.iter().rev().find(leads).or(self.kept.front()).map(|kept| &kept.moment)
    }

    /// The first step that can be gone back to.
    pub fn first_step(&self) -> Option<u64> {
        self.kept.front().map(|kept| kept.moment.step())
    }

    /// What was asked from a step on, by step.
    pub fn asked_since(&self, step: u64) -> Vec<(u64, Vec<Entry>)> {
        self.asked.iter().filter(|(asked, _)| *asked >= step).cloned().collect()
    }

    /// The step in which the last blow began.
    pub fn last_blow(&self) -> Option<u64> {
        self.blows.back().copied()
    }

    fn keep(&mut self, moment: Moment, after_asking: bool) {
        let size = moment.size();
        self.bytes += size;
        self.kept.push_back(Kept { moment, size, after_asking });
    }

    fn forget(&mut self, world: &World) {
        let reach = (SECONDS * f64::from(world.settings().step_hz)).ceil() as u64;
        // One more than reaches back: the steps after it are come to from there.
        let too_old = |kept: &VecDeque<Kept>| kept.get(1).is_some_and(|next| next.moment.step() + reach < world.step_index());
        while self.kept.len() > 1 && (self.bytes > BYTES || too_old(&self.kept)) {
            self.bytes -= self.kept.pop_front().map_or(0, |kept| kept.size);
        }
        let first = self.first_step().unwrap_or(0);
        while self.asked.front().is_some_and(|(asked, _)| *asked < first) {
            self.asked.pop_front();
        }
        while self.blows.front().is_some_and(|blow| *blow < first) {
            self.blows.pop_front();
        }
    }
}
