//! What has been: states of the last two minutes, a second apart, and what was asked from outside in between.

use crate::moment::Moment;
use simrun_script::Scripts;
use simrun_sim::record::Entry;
use simrun_sim::{Happening, World};
use std::collections::VecDeque;

/// How far back is kept (s of simulation).
const SECONDS: f64 = 120.0;
/// Bytes of states that are kept; beyond it the oldest go, however young.
pub const BYTES: usize = 128 << 20;
/// Seconds between two states where nothing is asked from outside: what is run again to get to a step is no more than that.
const APART: f64 = 1.0;
/// Blows less than this apart (s) are one: a car that runs into somebody strikes several bones in several steps.
const ONE_BLOW: f64 = 1.0;

/// A state that is kept.
#[derive(Clone, Debug)]
struct Kept {
    moment: Moment,
    size: usize,
    /// It is the state after what was asked before its step, and not the one in which that step was come to.
    after_asking: bool,
    /// No other state has it, of this line of events or of one that was left.
    number: u64,
}

/// How a moment was come to: what the past was like by then.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The number of the last state that was kept before it.
    after: u64,
    /// What had been asked before its step.
    pub asked: Vec<Entry>,
    blows: VecDeque<u64>,
    last_struck: Option<u64>,
}

/// The past, as far as it is kept.
#[derive(Clone, Debug)]
pub struct Past {
    /// The most that states may take.
    most_bytes: usize,
    last_number: u64,
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
    /// None yet. Its states take no more than so many bytes.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            last_number: 0,
            kept: VecDeque::new(),
            asked: VecDeque::new(),
            blows: VecDeque::new(),
            last_struck: None,
            touched: false,
            bytes: 0,
        }
    }

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

    /// Where the present stands, before whose step this was asked.
    pub fn place(&self, asked: &[Entry]) -> Place {
        Place {
            after: self.kept.back().map_or(0, |last| last.number),
            asked: asked.to_vec(),
            blows: self.blows.clone(),
            last_struck: self.last_struck,
        }
    }

    /// Where a step stands, as it was come to; where that is kept no more, as it stands after what was asked before it.
    pub fn place_at(&self, step: u64) -> Place {
        let blows: VecDeque<u64> = self.blows.iter().copied().filter(|blow| *blow < step).collect();
        let last_struck = self.last_struck.filter(|last| *last < step).or(blows.back().copied());
        let Some(before) = self.state_before(step) else { return Place { blows, last_struck, ..Place::default() } };
        let in_it = before.after_asking && before.moment.step() == step;
        let asked = self.asked.iter().filter(|(at, _)| in_it && *at == step).flat_map(|(_, entries)| entries).cloned();
        Place { after: before.number, asked: asked.collect(), blows, last_struck }
    }

    /// A moment is the present again: what was asked after it has not been. One that what is kept does not lead to begins a past of its own.
    pub fn go_on_from(&mut self, moment: &Moment, place: &Place) {
        let step = moment.step();
        let later = |kept: &Kept| kept.number != place.after;
        while self.kept.back().is_some_and(later) {
            self.bytes -= self.kept.pop_back().map_or(0, |kept| kept.size);
        }
        if self.kept.is_empty() {
            self.asked.clear();
            self.keep(moment.clone(), !place.asked.is_empty());
        }
        // What was asked before the moment's own step is asked of it again with whatever more is.
        let last = self.kept.back().map_or((0, false), |last| (last.moment.step(), last.after_asking));
        self.asked.retain(|(asked, _)| *asked < step && (*asked, false) < last);
        self.blows.clone_from(&place.blows);
        self.last_struck = place.last_struck;
        self.touched = true;
    }

    /// What was elsewhere after this, from the step on in which the present stands, is what has been here.
    pub fn append(&mut self, later: Self, step: u64) {
        if later.first_step().is_some_and(|first| first > step) {
            (self.kept, self.bytes) = (VecDeque::new(), 0);
        }
        for Kept { moment, size, after_asking, .. } in later.kept {
            self.push(moment, size, after_asking);
        }
        self.asked.extend(later.asked);
        self.blows.extend(later.blows);
        self.last_struck = later.last_struck.or(self.last_struck);
        self.touched = true;
    }

    /// The last state from which a step can be come to by running scripts again, and nothing else.
    pub fn before(&self, step: u64) -> Option<&Moment> {
        self.state_before(step).map(|kept| &kept.moment)
    }

    fn state_before(&self, step: u64) -> Option<&Kept> {
        let leads = |kept: &&Kept| (kept.moment.step(), kept.after_asking) < (step, true);
        self.kept.iter().rev().find(leads).or(self.kept.front())
    }

    /// The first step that can be gone back to.
    pub fn first_step(&self) -> Option<u64> {
        self.kept.front().map(|kept| kept.moment.step())
    }

    /// Bytes of the states that are kept.
    pub fn bytes(&self) -> usize {
        self.bytes
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
        self.push(moment, size, after_asking);
    }

    fn push(&mut self, moment: Moment, size: usize, after_asking: bool) {
        self.bytes += size;
        self.last_number += 1;
        self.kept.push_back(Kept { moment, size, after_asking, number: self.last_number });
    }

    fn forget(&mut self, world: &World) {
        let reach = (SECONDS * f64::from(world.settings().step_hz)).ceil() as u64;
        // One more than reaches back: the steps after it are come to from there.
        let too_old = |kept: &VecDeque<Kept>| kept.get(1).is_some_and(|next| next.moment.step() + reach < world.step_index());
        while self.kept.len() > 1 && (self.bytes > self.most_bytes || too_old(&self.kept)) {
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
