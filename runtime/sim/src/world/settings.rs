//! What a world is made with.

use crate::motion::Thresholds;
use crate::space::Vec3;
use serde::{Deserialize, Serialize};

/// What a world is made with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldSettings {
    /// m/s².
    pub gravity: Vec3,
    /// Steps a second.
    pub step_hz: f32,
    /// Sub-steps a step of an awake figure: 2 collapse, 4 are weak (22 mm of drift, falls after a small shove), 8 good, 16 quieter.
    pub substeps: usize,
    /// Whether figures that are still and are asked nothing new fall asleep, and then cost next to nothing; measures want it off.
    pub sleep: bool,
    /// Seed of every random stream.
    pub seed: u64,
    /// Threads of the rooms that see one figure at a time; the results do not depend on it, and no snapshot holds it.
    #[serde(skip)]
    pub threads: usize,
    /// Whether figures keep what led to what they do, for `why`; a world without it comes to the same bits.
    pub trace: bool,
    /// Where one phase becomes another.
    pub thresholds: Thresholds,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            step_hz: 60.0,
            substeps: 8,
            sleep: true,
            seed: 1,
            threads: 1,
            trace: true,
            thresholds: Thresholds::default(),
        }
    }
}

/// What does not change within a step.
#[derive(Clone, Copy, Debug)]
pub struct StepSettings {
    /// Seconds a step.
    pub dt: f32,
    /// Steps a second.
    pub hz: f32,
    /// Index of the step.
    pub step: u64,
    /// Sub-steps a step of an awake figure.
    pub substeps: usize,
    /// Whether figures may sleep.
    pub sleep: bool,
    /// Strength of gravity (m/s²).
    pub gravity: f32,
    /// Where one phase becomes another.
    pub thresholds: Thresholds,
}
