//! What figures have in common that are solved side by side, and what each of them is made of.

use crate::solve::boundary::{JointKind, Topology};
use crate::space::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// The kind of a joint, without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Turns every way.
    Ball,
    /// Turns about one axis.
    Hinge,
    /// Does not turn.
    Weld,
}

/// How bodies hang together: the loops' table. Figures of one structure may stand side by side, whatever their sizes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Structure {
    /// For each joint its parent, child and kind.
    pub joints: Vec<(usize, usize, Kind)>,
    /// Joints in the order of a sweep: from the root outward, limbs in turns, so that neighbours do not wait for each other.
    pub order: Vec<usize>,
}

impl Structure {
    /// Of a topology.
    pub fn of(topology: &Topology) -> Self {
        let kind = |kind: &JointKind| match kind {
            JointKind::Ball { .. } => Kind::Ball,
            JointKind::Hinge { .. } => Kind::Hinge,
            JointKind::Weld => Kind::Weld,
        };
        let joints: Vec<_> = topology.joints.iter().map(|joint| (joint.parent, joint.child, kind(&joint.kind))).collect();
        let mut depth = vec![0; topology.bodies.len()];
        for (parent, child, _) in &joints {
            depth[*child] = depth[*parent] + 1;
        }
        let mut order: Vec<usize> = (0..joints.len()).collect();
        order.sort_by_key(|joint| depth[joints[*joint].1]);
        Self { joints, order }
    }

    /// How many bodies.
    pub fn bodies(&self) -> usize {
        self.joints.len() + 1
    }
}

/// A body's numbers.
#[derive(Clone, Copy, Debug)]
pub struct BodyPart {
    /// 1/kg.
    pub inverse_mass: f32,
    /// kg·m².
    pub inertia: Vec3,
    /// Body from principal axes.
    pub frame: Quat,
}

/// A joint's numbers, in the principal axes of its bodies.
#[derive(Clone, Copy, Debug)]
pub struct JointPart {
    /// Joint from the parent's centre (m).
    pub parent_arm: Vec3,
    /// Joint from the child's centre (m).
    pub child_arm: Vec3,
    /// Parent's principal axes from joint.
    pub parent_frame: Quat,
    /// Child's principal axes from joint.
    pub child_frame: Quat,
    /// Parent body and child body from joint, for targets.
    pub frames: [Quat; 2],
    /// Its limits.
    pub kind: JointKind,
}

/// A figure's numbers.
#[derive(Clone, Debug)]
pub struct Parts {
    /// One a body.
    pub bodies: Vec<BodyPart>,
    /// One a joint.
    pub joints: Vec<JointPart>,
}

impl Parts {
    /// Of a topology.
    pub fn of(topology: &Topology) -> Self {
        let bodies: Vec<_> = topology
            .bodies
            .iter()
            .map(|body| BodyPart { inverse_mass: 1.0 / body.mass, inertia: body.principal_inertia, frame: body.inertia_frame })
            .collect();
        let joints = topology
            .joints
            .iter()
            .map(|joint| {
                let principal = |body: usize| bodies[body].frame.conjugate();
                JointPart {
                    parent_arm: principal(joint.parent) * joint.parent_from_joint.translation,
                    child_arm: principal(joint.child) * joint.child_from_joint.translation,
                    parent_frame: (principal(joint.parent) * joint.parent_from_joint.rotation).normalize(),
                    child_frame: (principal(joint.child) * joint.child_from_joint.rotation).normalize(),
                    frames: [joint.parent_from_joint.rotation, joint.child_from_joint.rotation],
                    kind: joint.kind,
                }
            })
            .collect();
        Self { bodies, joints }
    }
}

/// A body as it moves, in its principal axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moving {
    /// World, m: the centre of mass.
    pub position: Vec3,
    /// World from principal axes.
    pub rotation: Quat,
    /// m/s.
    pub linear: Vec3,
    /// rad/s, world.
    pub angular: Vec3,
}

/// What a joint's rows gave in the last sub-step: where the next begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// N·s, world.
    pub point: Vec3,
    /// N·m·s, world.
    pub turn: Vec3,
    /// N·m·s at the lower and the upper stop; and in the sub-step before.
    pub stops: [[f32; 2]; 2],
    /// N·m·s at the cone; and in the sub-step before.
    pub cone: [f32; 2],
}

/// What an anchor gave in the last sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pulled {
    /// The body that it pulls.
    pub body: usize,
    /// N·s, world.
    pub linear: Vec3,
    /// N·m·s, world.
    pub angular: Vec3,
}

/// How hard a contact pressed in the last sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pressed {
    /// The pair and the point in it.
    pub key: PointKey,
    /// N on the pair's first, world: a force, since the next sub-step may be of another length.
    pub force: Vec3,
}

/// Tells contact points apart, and the same point from step to step: the pair's sides as numbers, then the point's id.
pub type PointKey = (u128, u128, u64);

/// A figure as it is between two steps: all that a snapshot holds of it beside its topology.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// One a body.
    pub bodies: Vec<Moving>,
    /// One a joint.
    pub joints: Vec<Held>,
    /// In the order of the last step's anchors.
    pub anchors: Vec<Pulled>,
    /// Seconds of the sub-step in which these impulses were given.
    pub substep: f32,
    /// What it touched in the last step, sorted: (body, other).
    pub touching: Vec<(usize, u128)>,
    /// Steps for which it has been still and was asked the same.
    pub still: u32,
    /// What it was asked in the last step, as a hash.
    pub asked: u64,
    /// Out of everything, by [`Solver::freeze`](crate::solve::boundary::Solver::freeze).
    pub frozen: bool,
}
