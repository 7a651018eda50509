//! Lengths and axes of a ragdoll that rooms ask for.

use crate::figure::{Bone, Ragdoll};
use crate::space::Vec3;

/// Height (m) of the person for whom lengths are given, and mass × height (kg·m) of the one for whom torques are.
const REFERENCE_HEIGHT: f32 = 1.75;
const REFERENCE_SIZE: f32 = 75.0 * REFERENCE_HEIGHT;

impl Ragdoll {
    /// Mass × height over that of a person of 75 kg and 1.75 m: what torques scale with.
    #[must_use]
    pub fn size(&self) -> f32 {
        self.mass * self.height / REFERENCE_SIZE
    }

    /// Height over that of a person of 1.75 m: what lengths scale with.
    #[must_use]
    pub fn tall(&self) -> f32 {
        self.height / REFERENCE_HEIGHT
    }

    /// The far end of a bone in its body's frame (m).
    #[must_use]
    pub fn tip_of(&self, bone: Bone) -> Vec3 {
        self.tip_at[bone.index()] - self.rest[bone.index()].translation
    }

    /// The way from a bone's joint to its far end, in its body's frame (unit).
    #[must_use]
    pub fn along(&self, bone: Bone) -> Vec3 {
        (self.tip_at[bone.index()] - self.joint_at[bone.index()]).normalize_or(Vec3::Y)
    }

    /// Axis about which a knee or elbow flexes (unit, the parent body's frame); the twist axis of any other joint.
    #[must_use]
    pub fn hinge_axis(&self, bone: Bone) -> Vec3 {
        let joint = bone.index().checked_sub(1).and_then(|index| self.topology.joints.get(index));
        joint.map_or(Vec3::X, |joint| joint.parent_from_joint.rotation * Vec3::X)
    }
}
