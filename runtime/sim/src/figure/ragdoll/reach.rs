//! Two-bone reach in closed form.

use super::Ragdoll;
use crate::figure::Bone;
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, turn_between};

impl Ragdoll {
    /// Joint rotations (child in parent) of an upper arm or thigh and of the bone below that bring `tip`, a point of the lower bone
    /// (its body's frame, m), to `point` (world), for the bone above standing at `parent`. The elbow or knee bends about its own
    /// hinge; `pole` (world, may be zero) is where it looks. Out of reach, the limb points there, all but straight.
    #[must_use]
    pub fn reach(&self, upper: Bone, parent: &Rigid, tip: Vec3, point: Vec3, pole: Vec3) -> (Quat, Quat) {
        let Some(lower) = Bone::ALL.into_iter().find(|bone| bone.parent() == Some(upper)) else {
            return (Quat::IDENTITY, Quat::IDENTITY);
        };
        let root = parent.point(self.joint_at[upper.index()] - self.rest[parent_index(upper)].translation);
        let first = self.joint_at[lower.index()] - self.joint_at[upper.index()];
        let second = tip + self.rest[lower.index()].translation - self.joint_at[lower.index()];
        let hinge_axis = self.hinge_axis(lower);
        let to = parent.rotation.conjugate() * (point - root);
        let length = to.length().min((first.length() + second.length()) * 0.999).max(0.05);
        let bend = bend_for(first, second, hinge_axis, length);
        let hinge = rotation_from_vector(hinge_axis * bend);
        // Turn the bent limb so that its end lies along the way to the point, then about that way toward the pole.
        let end = first + hinge * second;
        let mut turn = turn_between(end.normalize_or(Vec3::NEG_Y), to.normalize_or(Vec3::NEG_Y));
        let pole = parent.rotation.conjugate() * pole;
        let axis = to.normalize_or_zero();
        let (elbow, look) = ((turn * first).reject_from(axis), pole.reject_from(axis));
        if elbow.length_squared() > 1.0e-6 && look.length_squared() > 1.0e-6 {
            let angle = libm::atan2f(elbow.cross(look).dot(axis), elbow.dot(look));
            turn = rotation_from_vector(axis * angle) * turn;
        }
        (turn, hinge)
    }
}

fn parent_index(bone: Bone) -> usize {
    bone.parent().map_or(0, Bone::index)
}

/// The angle about the hinge at which the two bones span `length` (bisection: the bones' rest bend is in `first` and `second`).
fn bend_for(first: Vec3, second: Vec3, axis: Vec3, length: f32) -> f32 {
    let span = |angle: f32| (first + rotation_from_vector(axis * angle) * second).length();
    let (mut straight, mut folded) = (0.0_f32, 2.3_f32);
    for _ in 0..24 {
        let middle = 0.5 * (straight + folded);
        if span(middle) > length { straight = middle } else { folded = middle }
    }
    0.5 * (straight + folded)
}
