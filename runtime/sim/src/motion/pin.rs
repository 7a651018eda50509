//! How firmly a figure on compliant muscles is pinned to its balance.

use crate::motion::Phase;
use crate::sense::Senses;
use serde::{Deserialize, Serialize};

/// Speed that a blow gives the whole figure (m/s) past which its balance lets go: as far as every angle is stood, forwards and aside
/// (`balance --muscles`). Never let go, 92 of 105 shoves are stood, not 81.
const LETS_GO_AT: f32 = 2.4;
/// Lean (rad) past which it lets go.
const LETS_GO_LEAN: f32 = 0.35;
/// Seconds in which all of it goes, and in which all of it comes back.
const GOES: f32 = 0.4;
const COMES: f32 = 1.5;

/// The pin: 1 holds, 0 has let go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    pub(crate) share: f32,
    /// It goes until there is nothing left of it.
    going: bool,
}

impl Default for Pin {
    fn default() -> Self {
        Self { share: 1.0, going: false }
    }
}

impl Pin {
    /// Share of the balance that holds, 0..=1.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.share
    }

    /// A blow that gives the whole figure a speed (m/s).
    pub(crate) fn struck(&mut self, speed: f32) {
        self.going |= speed > LETS_GO_AT;
    }

    /// A step of `dt` seconds.
    pub(crate) fn follow(&mut self, phase: Phase, senses: &Senses, dt: f32) {
        let leans = senses.lean > LETS_GO_LEAN && phase != Phase::GettingUp;
        self.going = (self.going || leans) && self.share > 0.0;
        if self.going || leans {
            self.share = (self.share - dt / GOES).max(0.0);
        } else if !phase.is_down() && (phase == Phase::GettingUp || senses.feet_down != [false, false]) {
            self.share = (self.share + dt / COMES).min(1.0);
        }
    }
}
