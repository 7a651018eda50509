//! Knees and elbows bent the wrong way.

use super::Found;
use simrun_sim::figure::{BONES, Bone};
use simrun_sim::solve::boundary::{JointDef, JointKind};
use simrun_sim::space::{Quat, Rigid};

/// Past straight by more than this (rad) is backward: 3°, what a joint's limit gives in a blow.
const BACKWARD: f64 = 0.05;

/// The hinge that is farthest past its straight end.
pub fn backward(joints: &[JointDef], pose: &[Rigid; BONES]) -> Option<Found<'static>> {
    let rotation = |index: usize| pose[index].rotation;
    let bent = joints.iter().map(|joint| {
        let past = past_straight(joint, rotation(joint.parent), rotation(joint.child));
        (Bone::ALL[joint.child], f64::from(past))
    });
    Found::worst(bent, BACKWARD, "rad")
}

/// How far (rad) a hinge is past its straight end; 0 for a ball.
fn past_straight(joint: &JointDef, parent: Quat, child: Quat) -> f32 {
    let JointKind::Hinge { range } = joint.kind else { return 0.0 };
    let parent = parent * joint.parent_from_joint.rotation;
    let turn = parent.conjugate() * child * joint.child_from_joint.rotation;
    let turn = if turn.w < 0.0 { -turn } else { turn };
    range[0] - 2.0 * turn.x.atan2(turn.w)
}
