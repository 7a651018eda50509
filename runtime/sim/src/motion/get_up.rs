//! What a figure knows of getting up: how long it has lain still, and why it waits.

use crate::solve::boundary::BodyState;
use serde::{Deserialize, Serialize};

/// Speed of the pelvis (m/s) under which a figure lies still: 2 mm in a sixtieth of a second.
const STILL_SPEED: f32 = 0.12;
/// Turn rate of a bone (rad/s) over which it does not: who writhes has not come to rest, though its pelvis has.
const STILL_TURN: f32 = 0.5;
/// Steps for which it must be so.
const STILL_STEPS: u32 = 10;

/// Getting up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GetUp {
    /// It was told to, and is not on its way yet.
    pub wanted: bool,
    /// Why it waits, where it wants to and does not.
    pub waits: Option<String>,
    /// Steps for which nothing of it has moved.
    pub(crate) still: u32,
    /// Steps for which its bodies have been kept from a keyed way.
    pub(crate) held_back: u32,
}

impl GetUp {
    /// Looks whether the bodies have moved in a step; who writhes lies still in none, not where a draw turns round either.
    pub(crate) fn look(&mut self, bodies: &[BodyState], writhes: bool) {
        let still = !writhes
            && bodies.iter().all(|state| state.angular.length() < STILL_TURN)
            && bodies.first().is_some_and(|pelvis| pelvis.linear.length() < STILL_SPEED);
        self.still = if still { self.still.saturating_add(1) } else { 0 };
    }

    /// Seconds for which it has lain still; `None` while it moves.
    #[must_use]
    pub fn lain(&self, dt: f32) -> Option<f32> {
        self.still.checked_sub(STILL_STEPS).map(|steps| steps as f32 * dt)
    }
}
