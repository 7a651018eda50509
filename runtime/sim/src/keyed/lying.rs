//! How one lies.

use crate::figure::{BONES, Bone};
use crate::space::{Rigid, Vec3, level, yaw_of};

/// Level distance of head and feet (m) under which one lies crumpled.
const CRUMPLED: f32 = 0.3;

/// Whether a figure lies face up (by its whole trunk: propped on its arms, chest and pelvis may point opposite ways), and the way it will
/// face (rad): where its feet lie, face down where its head does; crumpled, where its front is.
pub(crate) fn lies(bodies: &[Rigid; BONES]) -> (bool, f32) {
    let at = |bone: Bone| bodies[bone.index()].translation;
    let face_up = front_up(bodies) > 0.0;
    let feet = level((at(Bone::ShinL) + at(Bone::ShinR)) * 0.5 - at(Bone::Head));
    if feet.length() < CRUMPLED {
        return (face_up, yaw_of(bodies[0].rotation));
    }
    let way = if face_up { feet } else { -feet };
    (face_up, libm::atan2f(way.x, way.z))
}

/// How far up the front of a trunk points: 1 straight up, -1 straight down.
pub(super) fn front_up(bodies: &[Rigid; BONES]) -> f32 {
    let fronts = [Bone::Pelvis, Bone::Spine, Bone::Chest].map(|bone| bodies[bone.index()].rotation * Vec3::Z);
    fronts.into_iter().sum::<Vec3>().y / 3.0
}
