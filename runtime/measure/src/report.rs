//! The report of a run: what each figure went through, and what someone watching would call wrong.
//!
//! An [`Observer`] looks at the world after each step, through its public poses and events alone.

mod hordes;
mod scorecard;
mod spell;
mod table;
mod watched;

pub use hordes::HordeReport;
pub use scorecard::{Fault, Scorecard};
pub use spell::Spell;
pub use watched::{Blow, FigureReport};

use hordes::Hordes;
use scorecard::Depths;
use serde::Serialize;
use simrun_sim::{Event, Happening, Room, World};
use std::collections::BTreeMap;
use std::time::Duration;
use watched::Watched;

/// Everything that a run is asked for afterwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// Seconds simulated.
    pub seconds: f64,
    /// Steps taken.
    pub steps: u64,
    /// Hash of physics, motion and claims, 16 hex digits.
    pub sim_hash: String,
    /// Hash of the behaviours' state, 16 hex digits.
    pub script_hash: String,
    /// Seconds that the run took.
    pub wall_s: f64,
    /// What a step took (µs).
    pub step_us: StepTimes,
    /// States that can be gone back to (MB).
    pub past_mb: f64,
    /// In the order of their ids.
    pub figures: Vec<FigureReport>,
    /// In the order of their names; left out where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hordes: Vec<HordeReport>,
    /// What someone watching would call wrong, of all figures.
    pub scorecard: Scorecard,
    /// Script problems and figures frozen, one line each.
    pub errors: Vec<String>,
}

/// Times of a step (µs).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepTimes {
    /// Mean.
    pub mean: f64,
    /// The time that 99 steps in 100 keep under.
    pub p99: f64,
    /// Mean by room; zero where the simulation was given no clock.
    pub by_room: BTreeMap<&'static str, f64>,
    /// What keeping states to go back to takes, beside the rooms: mean.
    pub past: f64,
}

/// What only the one who ran it knows.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The scene's name.
    pub scene: String,
    /// Hash of the behaviours' state.
    pub script_hash: u64,
    /// Time that the run took.
    pub wall: Duration,
    /// Time that it took to keep states to go back to.
    pub keeping: Duration,
    /// Bytes of those states.
    pub past_bytes: usize,
}

/// Collects a report, step by step.
#[derive(Debug, Default)]
pub struct Observer {
    figures: Vec<Watched>,
    hordes: Hordes,
    errors: Vec<String>,
    took: Vec<Duration>,
    rooms: [Duration; 7],
}

/// More lines of errors than anyone reads; the rest is counted.
const MOST_ERRORS: usize = 100;

impl Observer {
    /// Starts with the world as it stands.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let mut observer = Self::default();
        observer.meet(world);
        observer
    }

    /// Looks at the world after a step that took so long.
    pub fn after_step(&mut self, world: &World, took: Duration) {
        self.took.push(took);
        for (sum, room) in self.rooms.iter_mut().zip(world.profile().rooms) {
            *sum += room;
        }
        self.meet(world);
        let dt = f64::from(world.dt());
        for event in world.events() {
            self.event(event, dt);
        }
        self.hordes.look(world);
        let depths = Depths::of(world);
        for (index, figure) in world.figures().enumerate() {
            if let Some(watched) = self.figures.iter_mut().find(|watched| watched.handle == figure.handle) {
                watched.look(figure, world);
                watched.look_for_faults(world, figure, index, &depths);
            }
        }
    }

    /// Whether anything went wrong so far.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The world has gone on from elsewhere, from a time (s) on: what is seen next does not follow from what was seen last, and phases, blows and faults that are
    /// still to come have not been.
    pub fn jumped(&mut self, time: f64) {
        self.figures.iter_mut().for_each(|watched| watched.jumped(time));
    }

    /// Adds a line to the errors.
    pub fn error(&mut self, line: impl Into<String>) {
        self.errors.push(line.into());
    }

    /// The report up to now.
    #[must_use]
    pub fn report(&self, world: &World, run: &Run) -> Report {
        let mut errors: Vec<String> = self.errors.iter().take(MOST_ERRORS).cloned().collect();
        if self.errors.len() > MOST_ERRORS {
            errors.push(format!("and {} more", self.errors.len() - MOST_ERRORS));
        }
        Report {
            scene: run.scene.clone(),
            seconds: round(world.time(), 6),
            steps: world.step_index(),
            sim_hash: format!("{:016x}", world.sim_hash()),
            script_hash: format!("{:016x}", run.script_hash),
            wall_s: round(run.wall.as_secs_f64(), 3),
            step_us: self.times(run.keeping),
            past_mb: round(run.past_bytes as f64 / f64::from(1 << 20), 1),
            figures: self.figures.iter().map(Watched::report).collect(),
            hordes: self.hordes.reports(),
            scorecard: self.figures.iter().flat_map(Watched::counted).collect(),
            errors,
        }
    }

    fn times(&self, keeping: Duration) -> StepTimes {
        let mut sorted = self.took.clone();
        sorted.sort_unstable();
        let count = sorted.len().max(1);
        let micros = |time: Duration| time.as_secs_f64() * 1.0e6;
        let mean = |sum: Duration| round(micros(sum) / count as f64, 1);
        StepTimes {
            mean: mean(sorted.iter().sum()),
            p99: sorted.get((count * 99).div_ceil(100) - 1).map_or(0.0, |time| round(micros(*time), 1)),
            by_room: Room::ALL.iter().map(|room| (room.name(), mean(self.rooms[*room as usize]))).collect(),
            past: mean(keeping),
        }
    }

    /// Takes note of figures that it has not seen yet.
    fn meet(&mut self, world: &World) {
        for figure in world.figures() {
            if !self.figures.iter().any(|watched| watched.handle == figure.handle) {
                self.figures.push(Watched::new(figure, world.time()));
            }
        }
    }

    fn event(&mut self, event: &Event, dt: f64) {
        self.hordes.event(event);
        let time = event.step as f64 * dt;
        if let Happening::ObjectPoisoned(_) = event.what {
            self.errors.push(format!("an object went beyond all measure at {time:.3} s and stands where it last was"));
        }
        let (Happening::Struck { figure, .. }
        | Happening::PhaseChanged { figure, .. }
        | Happening::ModeChanged { figure, .. }
        | Happening::Poisoned(figure)) = &event.what
        else {
            return;
        };
        let Some(watched) = self.figures.iter_mut().find(|watched| watched.handle == *figure) else { return };
        if let Happening::Poisoned(_) = event.what {
            self.errors.push(format!(
                "the figure '{}' went beyond all measure at {time:.3} s and is frozen; set_mode thaws it",
                watched.name()
            ));
        }
        watched.event(&event.what, time);
    }
}

/// Digits that a person can read; the hashes hold the rest.
fn round(number: f64, digits: i32) -> f64 {
    let scale = 10.0_f64.powi(digits);
    (number * scale).round() / scale
}
