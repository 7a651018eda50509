//! Arms: a shoulder that swings, an elbow that is a hinge.

use super::skeleton::{Pose, Side, offset};
use glam::{DMat3, DQuat, DVec3};

/// The axis of a side's elbow at rest, square to the arm and to the way it faces; turning the forearm by a negative angle about it
/// bends the elbow.
fn hinge(side: &Side) -> DVec3 {
    DVec3::Z.cross(offset(side.forearm)).normalize()
}

/// Turns an upper arm ahead and towards the body (rad) from its rest pose.
pub fn swing(pose: &mut Pose, side: &Side, ahead: f64, inwards: f64) {
    pose.turns[side.arm] = DQuat::from_rotation_x(-ahead) * DQuat::from_rotation_z(-side.sign * inwards);
}

/// Bends an elbow by an angle (rad) more than at rest.
pub fn bend(pose: &mut Pose, side: &Side, angle: f64) {
    pose.turns[side.forearm] = DQuat::from_axis_angle(hinge(side), -angle);
}

/// Turns an arm so that its two bones point these ways, given with the axes of the shoulder.
pub fn point(pose: &mut Pose, side: &Side, upper: DVec3, fore: DVec3) {
    let (upper, fore) = (upper.normalize(), fore.normalize());
    let axes = |along: DVec3, hinge: DVec3| DMat3::from_cols(along, hinge, along.cross(hinge));
    let rest = axes(offset(side.forearm).normalize(), hinge(side));
    let wanted = axes(upper, fore.cross(upper).normalize());
    pose.turns[side.arm] = DQuat::from_mat3(&(wanted * rest.transpose()));
    let at_rest = offset(side.forearm).angle_between(offset(side.hand));
    bend(pose, side, upper.angle_between(fore) - at_rest);
}
