//! Room 5, SOLVE: drives become bodies. What stands behind the boundary is the solver's own affair.

pub mod boundary;
mod rapier;

use crate::figure::BONES;
use boundary::BodyState;

/// Where the bodies are and how they move. It never mixes with what the animation asks: that is a
/// [`TargetPose`](crate::pose::TargetPose).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// World from body, and velocities, of every bone.
    pub bodies: [BodyState; BONES],
}
