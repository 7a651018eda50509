//! The motion record of a scene: how a figure's motion stands, and is written back.

use crate::motion::{Mode, PartRecord};
use serde::{Deserialize, Serialize};

/// Motion as a scene says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionRecord {
    /// What drives it.
    pub mode: Mode,
    /// Share of every budget, 0..=1.
    pub strength: f32,
    /// Whether it protects itself as it falls.
    pub protective: bool,
    /// Whether it steps to catch itself.
    pub stepping: bool,
    /// Whether a hand goes to a wound.
    pub hit_reaction: bool,
    /// Whether its muscles are springs that give, in place of servos.
    pub muscles: bool,
    /// Seconds it writhes after it lands; 0 never.
    pub writhing: f32,
    /// Seconds it lies still before it gets up; 0 never.
    pub get_up: f32,
    /// Seconds in which muscle that a blow took comes back.
    pub recovery: f32,
    /// Cap of the balance anchor as a multiple of mass × g × 1 m.
    pub anchor: f32,
    /// Modes and strengths of parts, by [`Part`](crate::figure::Part).
    pub parts: [PartRecord; 6],
}

impl Default for MotionRecord {
    fn default() -> Self {
        Self {
            mode: Mode::Animated,
            strength: 1.0,
            protective: true,
            stepping: true,
            hit_reaction: true,
            muscles: false,
            writhing: 0.0,
            get_up: 0.0,
            recovery: 0.8,
            anchor: 0.65,
            parts: Default::default(),
        }
    }
}
