//! How much of a figure's standing did not come from its feet, of late.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Steps of one entry.
const STEPS: u64 = 30;
/// Entries that are kept: a minute at 60 Hz.
const ENTRIES: usize = 120;

/// What anchor and heading motor gave, half a second at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistLog {
    /// By time: which half second, angular impulse (N·m·s), and the seconds of it in which the figure was on its muscles.
    entries: VecDeque<(u64, f32, f32)>,
}

impl AssistLog {
    /// A step of `dt` seconds.
    pub(crate) fn add(&mut self, step: u64, impulse: f32, dt: f32) {
        let part = step / STEPS;
        match self.entries.back_mut() {
            Some((known, sum, seconds)) if *known == part => {
                *sum += impulse;
                *seconds += dt;
            }
            _ => {
                if self.entries.len() == ENTRIES {
                    self.entries.pop_front();
                }
                self.entries.push_back((part, impulse, dt));
            }
        }
    }

    /// Angular impulse (N·m·s) since a step, to half a second, and the seconds in which it was given.
    #[must_use]
    pub fn since(&self, step: u64) -> (f32, f32) {
        let since = self.entries.iter().filter(|(part, ..)| *part >= step / STEPS);
        since.fold((0.0, 0.0), |(sum, seconds), (_, more, longer)| (sum + more, seconds + longer))
    }

    /// Whether it is one that a figure keeps.
    pub(crate) fn is_sound(&self) -> bool {
        self.entries.len() <= ENTRIES
    }
}
