//! Room 1, SAMPLE: clips become the target pose.

pub mod animator;
pub mod sample;

use crate::figure::BONES;
use crate::figure::rig::Transform;
use crate::space::{Quat, Rigid, Vec3};
pub use animator::Animator;

/// What the animation asks of a figure. It never mixes with where the bodies are: that is a [`BodyPose`](crate::solve::BodyPose).
#[derive(Clone, Debug, Default)]
pub struct TargetPose {
    /// Local transforms of the rig's nodes.
    pub locals: Vec<Transform>,
    /// World from body of every bone.
    pub bodies: [Rigid; BONES],
    /// Each bone's rotation in its parent (the pelvis's: in the world).
    pub joints: [Quat; BONES],
    /// How each bone turns in its parent (rad/s, parent's frame).
    pub joint_velocities: [Vec3; BONES],
    /// Velocity of each body's centre (m/s, world).
    pub linear: [Vec3; BONES],
    /// Turn rate of each body (rad/s, world).
    pub angular: [Vec3; BONES],
}
