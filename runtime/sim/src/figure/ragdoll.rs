//! The twelve bodies and eleven joints that fit a rig, from its rest pose.

use crate::figure::rig::{Rig, Transform};
use crate::figure::roles::{NoRagdoll, Scheme};
use crate::figure::{BONES, Bone};
use crate::solve::boundary::Topology;
use crate::space::{Mat4, Quat, Rigid, Vec3};

/// An active ragdoll's definition.
///
/// The *figure's frame* is metres, Y up, facing +Z, ground under the soles at Y = 0, origin under the middle of the feet.
#[derive(Clone, Debug)]
pub struct Ragdoll {
    /// How the rig names its nodes.
    pub scheme: Scheme,
    /// Metres, soles to crown at rest.
    pub height: f32,
    /// Kilograms in all.
    pub mass: f32,
    /// Bodies and joints for the solver, in the order of [`Bone::ALL`]; joint `i` hangs bone `i + 1`.
    pub topology: Topology,
    /// Torque budget of each bone's joint to its parent (N·m); 0 for the pelvis.
    pub budgets: [f32; BONES],
    /// Figure from body at rest: rotations are the identity.
    pub rest: [Rigid; BONES],
    /// Each bone's joint to its parent at rest, in the figure's frame (m); the pelvis's is its node.
    pub joint_at: [Vec3; BONES],
    /// The far end of each bone at rest, in the figure's frame (m): wrist for the forearm, ankle for the shin, crown for the head.
    pub tip_at: [Vec3; BONES],
    /// Middle of each palm, left and right, in the forearm body's frame (m).
    pub palms: [Vec3; 2],
    /// The four corners of each sole's underside, left and right, in the shin body's frame (m): heel left, heel right, toe left, toe right.
    pub soles: [[Vec3; 4]; 2],
    /// Body rotations in the *neutral* pose: standing straight, arms hanging, palms in, feet as at rest. The same posture for
    /// every rig, so a rotation taken from it means the same on all of them.
    pub neutral: [Quat; BONES],
    /// The rig's node that each bone drives.
    pub nodes: [usize; BONES],
    /// Rotation of those nodes at rest, in the figure's frame.
    pub node_rest: [Quat; BONES],
    /// Figure from model: scale to metres, turn to face +Z, feet on the ground.
    pub figure_from_model: Mat4,
}

impl Ragdoll {
    /// Fits a ragdoll to a rig's rest pose.
    ///
    /// # Errors
    /// A rig that is no humanoid in a known naming.
    pub fn fit(rig: &Rig) -> Result<Self, NoRagdoll> {
        let _ = rig;
        Err(NoRagdoll { nearest: None, missing: Vec::new(), why: None })
    }

    /// Where the bodies are (figure's frame) when the rig's nodes have these local transforms: rotations from the driven nodes,
    /// the pelvis's position from its node, the others hung from their joints.
    #[must_use]
    pub fn bodies_of(&self, rig: &Rig, locals: &[Transform]) -> [Rigid; BONES] {
        let _ = (rig, locals);
        self.rest
    }

    /// Hangs bodies with these rotations (figure's frame) from a pelvis at a place.
    #[must_use]
    pub fn hang(&self, pelvis: Vec3, rotations: &[Quat; BONES]) -> [Rigid; BONES] {
        let mut out = self.rest;
        out[0] = Rigid::new(rotations[0], pelvis);
        for joint in &self.topology.joints {
            let parent = out[joint.parent];
            let at = parent.point(joint.parent_from_joint.translation);
            let rotation = rotations[joint.child];
            out[joint.child] = Rigid::new(rotation, at - rotation * joint.child_from_joint.translation);
        }
        out
    }

    /// Writes bodies (figure's frame) into a rig's local transforms: the driven nodes get the bodies' rotations, the pelvis's
    /// node its position too; every other node keeps its local transform.
    pub fn pose_nodes(&self, rig: &Rig, bodies: &[Rigid; BONES], locals: &mut [Transform]) {
        let _ = (rig, bodies, locals);
    }

    /// Rotation of each joint's child in its parent.
    #[must_use]
    pub fn joint_rotations(bodies: &[Rigid; BONES]) -> [Quat; BONES] {
        let mut out = [Quat::IDENTITY; BONES];
        for bone in Bone::ALL {
            let own = bodies[bone.index()].rotation;
            out[bone.index()] = bone.parent().map_or(own, |parent| bodies[parent.index()].rotation.conjugate() * own);
        }
        out
    }

    /// The built-in still stance, as body rotations in the figure's frame: neutral, the arms hanging clear of the thighs.
    #[must_use]
    pub fn stance(&self) -> [Quat; BONES] {
        self.neutral
    }
}
