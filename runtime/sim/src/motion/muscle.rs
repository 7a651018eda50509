//! Muscle: what a blow takes from it and how it comes back.

use crate::figure::{BONES, Bone, Part};
use serde::{Deserialize, Serialize};

/// Speed given to a bone (m/s) that takes all of its muscle: a bullet's 8 N·s on an arm of 4.9 kg; held by `shove`.
pub const FULL_COST_SPEED: f32 = 1.6;
/// The most that one blow takes. Held by `shove`.
pub const MOST_COST: f32 = 0.95;

/// Seconds in which a head or an arm that was struck is given back to its muscle, and how many times as slowly as otherwise it goes back at
/// first: people's take 0.3 to 0.8 s. At 0 times a jabbed head was back within 4 steps. Held by `tests/motion`.
const GIVEN_BACK: f32 = 0.6;
const SLOWER: f32 = 12.0;

/// Shares of the muscle budgets of one figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Muscles {
    /// Share of every budget, 0..=1.
    pub strength: f32,
    /// Lasting share of each part, by [`Part`].
    pub parts: [f32; 6],
    /// Share of each bone's muscle that blows have left, 0..=1; it comes back over `recovery`.
    left: [f32; BONES],
    /// How much comes back a second, from each bone's last blow.
    rate: [f32; BONES],
    /// How much of the slowness after a blow is left, 0..=1: only of a head and of arms, which no balance hangs on.
    slow: [f32; BONES],
    /// Seconds in which what a blow took comes back.
    pub recovery: f32,
}

impl Muscles {
    /// No blow has taken any of it.
    #[must_use]
    pub fn new(strength: f32, recovery: f32, parts: [f32; 6]) -> Self {
        Self { strength, parts, left: [1.0; BONES], rate: [0.0; BONES], slow: [0.0; BONES], recovery }
    }

    /// A blow takes `cost` (0..=1, already the default where the caller gave none) of a bone's muscle, half of that from its
    /// neighbours'.
    pub fn strike(&mut self, bone: Bone, cost: f32) {
        self.take(bone, cost);
        for other in Bone::ALL {
            if other.part() == bone.part() && matches!(bone.part(), Part::Head | Part::ArmL | Part::ArmR) {
                self.slow[other.index()] = 1.0;
            }
            if other.parent() == Some(bone) || bone.parent() == Some(other) {
                self.take(other, cost * 0.5);
            }
        }
    }

    fn take(&mut self, bone: Bone, cost: f32) {
        let left = &mut self.left[bone.index()];
        *left = (*left - cost).max(0.0);
        self.rate[bone.index()] = (1.0 - *left) / self.recovery.max(1.0e-3);
    }

    /// Time passes.
    pub fn recover(&mut self, dt: f32) {
        for (left, rate) in self.left.iter_mut().zip(self.rate) {
            *left = (*left + rate * dt).min(1.0);
        }
        for slow in &mut self.slow {
            *slow = (*slow - dt / GIVEN_BACK).max(0.0);
        }
    }

    /// How many times as slowly as otherwise a bone's muscle closes its gap, 1 and more.
    #[must_use]
    pub fn slowness(&self, bone: Bone) -> f32 {
        1.0 + SLOWER * self.slow[bone.index()]
    }

    /// The cost of a blow whose share the caller gave, or by the speed (m/s) it gives the bone.
    #[must_use]
    pub fn cost(given: Option<f32>, speed: f32) -> f32 {
        given.map_or((speed / FULL_COST_SPEED).min(MOST_COST), |share| share * MOST_COST)
    }

    /// Share of a bone's budget that blows have left it, without strength and parts.
    #[must_use]
    pub fn left(&self, bone: Bone) -> f32 {
        self.left[bone.index()]
    }

    /// Share of a bone's budget that it has in all, 0..=1.
    #[must_use]
    pub fn share(&self, bone: Bone) -> f32 {
        let part: Part = bone.part();
        self.strength * self.parts[part as usize] * self.left[bone.index()]
    }
}
