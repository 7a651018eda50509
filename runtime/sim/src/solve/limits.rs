//! What a joint's limits are, for whichever solver stands behind the boundary.

use super::boundary::JointKind;
use crate::space::{Quat, Vec3, rotation_from_vector, rotation_vector, swing_twist};

/// Radius (rad) of an ellipse of half-angles along a unit direction.
pub(super) fn cone_radius(swing: [f32; 2], y: f32, z: f32) -> f32 {
    let (a, b) = (y / swing[0], z / swing[1]);
    1.0 / (a * a + b * b).max(1.0e-9).sqrt()
}

/// The nearest rotation (of the child's joint frame in the parent's) that a joint can take: a target past a limit would drive the muscle
/// into it for good.
pub(super) fn nearest_within(kind: &JointKind, wanted: Quat) -> Quat {
    let (swung, twisted) = swing_twist(wanted, Vec3::X);
    let angle = rotation_vector(twisted).x;
    match *kind {
        JointKind::Ball { swing, twist } => {
            let vector = rotation_vector(swung);
            let length = vector.length().max(1.0e-9);
            let radius = cone_radius(swing, vector.y / length, vector.z / length);
            let swung = if length > radius { rotation_from_vector(vector * (radius / length)) } else { swung };
            swung * Quat::from_rotation_x(angle.clamp(twist[0], twist[1]))
        }
        JointKind::Hinge { range } => Quat::from_rotation_x(angle.clamp(range[0], range[1])),
        JointKind::Weld => Quat::IDENTITY,
    }
}
