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

impl Profile {
    /// All rooms together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.rooms.iter().sum()
    }
}
