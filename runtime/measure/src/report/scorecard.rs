//! What may never happen, counted.

use super::round;
use serde::Serialize;
use simrun_sim::solve::boundary::{BodyKind, JointDef, JointKind, Shape};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Bone, Figure, World};

/// Figure-seconds of what may never happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Scorecard {
    /// A knee or elbow bent the wrong way.
    pub backward_joints: f64,
    /// A bone under the ground.
    pub fallen_through: f64,
    /// A pose that is not finite.
    pub non_finite: f64,
}

/// Past straight by more than this (rad) is backward: 3°, what a joint's limit gives in a blow.
const BACKWARD: f32 = 0.05;
/// A bone's middle this far (m) under the ground's surface is through it: more than a bone is thick.
const THROUGH: f32 = 0.3;
/// Below this height (m) nothing is on a scene's ground.
const ABYSS: f32 = -1.0;

impl Scorecard {
    /// Counts a figure after a step of `dt` seconds.
    pub fn count(&mut self, world: &World, figure: &Figure, dt: f64) {
        let Some(body) = &figure.body else { return };
        if body.bodies.iter().any(|bone| !bone.pose.is_finite()) {
            self.non_finite += dt;
            return;
        }
        if let Ok(ragdoll) = &figure.model.ragdoll {
            let rotation = |index: usize| body.bodies[index].pose.rotation;
            let backward = |joint: &JointDef| past_straight(joint, rotation(joint.parent), rotation(joint.child)) > BACKWARD;
            if ragdoll.topology.joints.iter().any(backward) {
                self.backward_joints += dt;
            }
        }
        if Bone::ALL.iter().any(|bone| is_through(world, body.bodies[bone.index()].pose.translation)) {
            self.fallen_through += dt;
        }
    }

    pub(super) fn rounded(&self) -> Self {
        Self {
            backward_joints: round(self.backward_joints, 4),
            fallen_through: round(self.fallen_through, 4),
            non_finite: round(self.non_finite, 4),
        }
    }
}

/// How far (rad) a hinge is past its straight end; 0 for a ball.
fn past_straight(joint: &JointDef, parent: Quat, child: Quat) -> f32 {
    let JointKind::Hinge { range } = joint.kind else { return 0.0 };
    let parent = parent * joint.parent_from_joint.rotation;
    let turn = parent.conjugate() * child * joint.child_from_joint.rotation;
    let turn = if turn.w < 0.0 { -turn } else { turn };
    range[0] - 2.0 * turn.x.atan2(turn.w)
}

/// Whether a point lies deep in the ground: a fixed plane or box, or the abyss.
fn is_through(world: &World, point: Vec3) -> bool {
    let in_ground = |shape: &Shape, local: Vec3| match shape {
        Shape::Plane => local.y < -THROUGH,
        Shape::Box(size) => {
            let half = *size * 0.5;
            local.x.abs() < half.x && local.z.abs() < half.z && local.y > -half.y && local.y < half.y - THROUGH
        }
        _ => false,
    };
    point.y < ABYSS
        || world
            .objects()
            .any(|object| object.kind == BodyKind::Fixed && in_ground(&object.shape, object.pose.inverse().point(point)))
}
