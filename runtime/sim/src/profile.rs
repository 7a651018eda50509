//! Time spent in each room.

use std::time::Duration;

/// The rooms of the corridor, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Room {
    /// Clips become the target pose.
    Sample,
    /// The last bodies become senses.
    Sense,
    /// Senses become claims and commands.
    Decide,
    /// Claims become drives.
    Drive,
    /// Drives become bodies.
    Solve,
    /// Target and bodies become what is shown.
    Draw,
    /// The step is kept.
    Record,
}

impl Room {
    /// Every room.
    pub const ALL: [Self; 7] = [Self::Sample, Self::Sense, Self::Decide, Self::Drive, Self::Solve, Self::Draw, Self::Record];

    /// Its name: the folder's, the report's and the page's.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["sample", "sense", "decide", "drive", "solve", "draw", "record"][self as usize]
    }
}

/// Time a step spent in each room. The simulation itself has no clock: whoever runs it gives one.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// By [`Room`].
    pub rooms: [Duration; 7],
}

/// Time that SOLVE's parts took, where its solver knows them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveParts {
    /// Finding what touches.
    pub detection: Duration,
    /// Figures into the solver, solved, and out of it.
    pub figures: Duration,
    /// Things that no figure touches.
    pub things: Duration,
}

/// Time between laps; none of it without a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    clock: Option<fn() -> Duration>,
    last: Duration,
}

impl Stopwatch {
    pub fn start(clock: Option<fn() -> Duration>) -> Self {
        Self { clock, last: clock.map_or(Duration::ZERO, |clock| clock()) }
    }

    /// Time since the last lap.
    pub fn lap(&mut self) -> Duration {
        let last = std::mem::replace(&mut self.last, self.clock.map_or(Duration::ZERO, |clock| clock()));
        self.last.saturating_sub(last)
    }
}

impl Profile {
    /// All rooms together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.rooms.iter().sum()
    }
}
