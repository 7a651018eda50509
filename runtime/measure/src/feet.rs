//! What feet did, from poses alone.

use crate::kept::Frame;
use glam::DVec3;
use simrun_sim::figure::{Bone, Ragdoll};

/// The bones that end in feet, left and right.
pub const SHINS: [Bone; 2] = [Bone::ShinL, Bone::ShinR];
/// A foot that has been up for so long (s), and stands so far (m) from where it stood, has stepped.
const UP: f64 = 0.05;
const STEPPED: f64 = 0.04;

/// A foot that went up in one place and came down in another: indices of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The first in which it is up.
    pub lifted: usize,
    /// The first in which it is down again.
    pub landed: usize,
}

/// What one foot did over some frames.
#[derive(Debug)]
pub struct Foot {
    /// In order of time.
    pub steps: Vec<Step>,
    /// How far it was dragged over what it stood on (m).
    pub slip: f64,
}

impl Foot {
    /// The left foot (0) or the right one (1).
    pub fn of(frames: &[Frame], ragdoll: &Ragdoll, side: usize, step_hz: f64) -> Self {
        let (mut steps, mut slip, mut up) = (Vec::new(), 0.0, 0);
        let here = |frame: &Frame| level(ankle(frame, ragdoll, side));
        let mut stood = here(&frames[0]);
        for (index, pair) in frames.windows(2).enumerate() {
            let down = pair[1].touching.contains(&SHINS[side]);
            let (before, now) = (here(&pair[0]), here(&pair[1]));
            if down && up == 0 {
                slip += now.distance(before);
            } else if down && up as f64 > UP * step_hz && now.distance(stood) > STEPPED {
                steps.push(Step { lifted: index + 1 - up, landed: index + 1 });
            }
            up = if down { 0 } else { up + 1 };
            if down {
                stood = now;
            }
        }
        Self { steps, slip }
    }
}

/// Where an ankle is (m, world).
pub fn ankle(frame: &Frame, ragdoll: &Ragdoll, side: usize) -> DVec3 {
    frame.bodies[SHINS[side].index()].point(ragdoll.tip_of(SHINS[side])).as_dvec3()
}

/// The part of a vector over the ground.
pub fn level(vector: DVec3) -> DVec3 {
    DVec3::new(vector.x, 0.0, vector.z)
}
