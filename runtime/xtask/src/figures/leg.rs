//! A leg bent so that its ankle is where it is wanted: two bones, in closed form.

use super::skeleton::{HIPS, Pose, Side, offset};
use glam::{DQuat, DVec3};

/// Turns of the shin below which a plan is asking for a locked knee (rad, from the rest pose). The leg is then as long as it
/// gets and the ankle short of its place.
const STRAIGHTEST: f64 = -0.05;

/// Bends the leg of a side so that its ankle comes to a place with a foot turned so, both in the frame that the hips' place in
/// `pose` is given in. The knee points where the thigh's axis does.
pub fn reach(pose: &mut Pose, side: &Side, ankle: DVec3, foot: DQuat) {
    let hips = pose.turns[HIPS];
    // Where the ankle is wanted, seen from the thigh's joint with the pelvis's axes.
    let wanted = hips.inverse() * (ankle - pose.hips) - offset(side.thigh);
    let (thigh, shin) = (offset(side.shin), offset(side.foot));

    // |thigh + Rx(bend) shin| = |wanted|: both bones lie in the YZ plane, so the cosine law about X.
    let cosine =
        (wanted.length_squared() - thigh.length_squared() - shin.length_squared()) / (2.0 * thigh.length() * shin.length());
    let at_rest = libm::atan2(thigh.y * shin.z - thigh.z * shin.y, thigh.dot(shin));
    let bend = (libm::acos(cosine.clamp(-1.0, 1.0)) - at_rest).max(STRAIGHTEST);
    let reach = thigh + DQuat::from_rotation_x(bend) * shin;

    // Rz(spread) Rx(swing) reach = wanted: the swing puts it as far ahead, the spread as far aside.
    let down = libm::hypot(wanted.x, wanted.y);
    let swing = libm::atan2(wanted.z, -down) - libm::atan2(reach.z, reach.y);
    let spread = libm::atan2(wanted.x, -wanted.y);
    pose.turns[side.thigh] = DQuat::from_rotation_z(spread) * DQuat::from_rotation_x(swing);
    pose.turns[side.shin] = DQuat::from_rotation_x(bend);
    pose.turns[side.foot] = (hips * pose.turns[side.thigh] * pose.turns[side.shin]).inverse() * foot;
}
