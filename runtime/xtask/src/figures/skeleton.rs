//! The box man's joints, and a pose of them.
//!
//! Metres, Y up, facing +Z, soles at Y = 0. At rest no joint is turned: every joint's axes are the figure's, and a turn about +X
//! swings what hangs from a joint backwards, about +Y turns it to the left, about +Z swings it to the left.

use glam::{DQuat, DVec3};

/// How many joints there are.
pub const JOINTS: usize = 19;

/// Index of the root joint.
pub const HIPS: usize = 0;
/// Index of the lower back's joint.
pub const SPINE: usize = 1;
/// Index of the rib cage's joint.
pub const CHEST: usize = 2;
/// Index of the neck's joint.
pub const NECK: usize = 3;
/// Index of the head's joint.
pub const HEAD: usize = 4;

/// The joints of one side.
pub struct Side {
    /// +1 on the left, which is +X, and −1 on the right.
    pub sign: f64,
    pub shoulder: usize,
    pub arm: usize,
    pub forearm: usize,
    pub hand: usize,
    pub thigh: usize,
    pub shin: usize,
    pub foot: usize,
}

/// Left joints.
pub const LEFT: Side = Side { sign: 1.0, shoulder: 5, arm: 6, forearm: 7, hand: 8, thigh: 9, shin: 10, foot: 11 };
/// Right joints.
pub const RIGHT: Side = Side { sign: -1.0, shoulder: 12, arm: 13, forearm: 14, hand: 15, thigh: 16, shin: 17, foot: 18 };
/// Both.
pub const SIDES: [Side; 2] = [LEFT, RIGHT];

/// A joint: its name, the joint it hangs from, its place at rest in the figure's frame.
pub struct Joint {
    pub name: &'static str,
    pub parent: Option<usize>,
    pub at: DVec3,
}

const fn joint(name: &'static str, parent: usize, at: [f64; 3]) -> Joint {
    Joint { name, parent: Some(parent), at: DVec3::from_array(at) }
}

/// Every joint, parents first.
///
/// Segment lengths follow a man of 1.75 m (thigh 43 cm, shin 41, upper arm 29, forearm 26). The arms hang 11° out, so that they
/// clear the hips. Knees and elbows are bent by 6° and 5°: their axes can be read off the rest pose.
pub const SKELETON: [Joint; JOINTS] = [
    Joint { name: "Hips", parent: None, at: DVec3::new(0.0, 0.97, 0.0) },
    joint("Spine", HIPS, [0.0, 1.06, -0.01]),
    joint("Chest", SPINE, [0.0, 1.22, -0.015]),
    joint("Neck", CHEST, [0.0, 1.47, -0.015]),
    joint("Head", NECK, [0.0, 1.56, 0.0]),
    joint("ShoulderL", CHEST, [0.05, 1.42, 0.0]),
    joint("ArmL", LEFT.shoulder, [0.205, 1.41, 0.0]),
    joint("ForearmL", LEFT.arm, [0.26, 1.125, 0.0]),
    joint("HandL", LEFT.forearm, [0.31, 0.866, 0.023]),
    joint("ThighL", HIPS, [0.1, 0.92, 0.0]),
    joint("ShinL", LEFT.thigh, [0.1, 0.49, 0.005]),
    joint("FootL", LEFT.shin, [0.1, 0.08, -0.035]),
    joint("ShoulderR", CHEST, [-0.05, 1.42, 0.0]),
    joint("ArmR", RIGHT.shoulder, [-0.205, 1.41, 0.0]),
    joint("ForearmR", RIGHT.arm, [-0.26, 1.125, 0.0]),
    joint("HandR", RIGHT.forearm, [-0.31, 0.866, 0.023]),
    joint("ThighR", HIPS, [-0.1, 0.92, 0.0]),
    joint("ShinR", RIGHT.thigh, [-0.1, 0.49, 0.005]),
    joint("FootR", RIGHT.shin, [-0.1, 0.08, -0.035]),
];

/// A joint's place in its parent at rest (m).
#[must_use]
pub fn offset(joint: usize) -> DVec3 {
    let Joint { parent, at, .. } = SKELETON[joint];
    at - parent.map_or(DVec3::ZERO, |parent| SKELETON[parent].at)
}

/// A pose: where the hips are, and how every joint is turned in its parent.
#[derive(Clone, Debug)]
pub struct Pose {
    pub hips: DVec3,
    pub turns: [DQuat; JOINTS],
}

impl Default for Pose {
    /// The rest pose.
    fn default() -> Self {
        Self { hips: SKELETON[HIPS].at, turns: [DQuat::IDENTITY; JOINTS] }
    }
}
