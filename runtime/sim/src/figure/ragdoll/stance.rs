//! The postures that every rig can be put into: neutral, and the built-in still stance.

use super::Ragdoll;
use crate::figure::{BONES, Bone, Part};
use crate::solve::boundary::Shape;
use crate::space::{Quat, Vec3, rotation_from_vector};

/// Least turn of the hanging arms away from the body (rad), and the most that a broad pelvis may ask for.
const ARMS_OUT: f32 = 0.09;
const ARMS_OUT_MOST: f32 = 0.5;
/// Air between a hanging hand and the hips (m).
const CLEARANCE: f32 = 0.02;

/// Body rotations in neutral: arms straight down, trunk and legs as they stand at rest. A foot is rigid on its shin, and flat on
/// the ground at rest: drawing the legs straight would tip the soles (by 9° on a common rig, whose shins lean back), and what
/// is carried over from another rig would stand on its heels. Joint angles count from straight legs all the same.
pub(super) fn neutral(straight: &[Quat; BONES]) -> [Quat; BONES] {
    Bone::ALL.map(|bone| match bone.part() {
        Part::ArmL | Part::ArmR => straight[bone.index()],
        Part::Head | Part::Spine | Part::LegL | Part::LegR => Quat::IDENTITY,
    })
}

impl Ragdoll {
    /// The built-in still stance, as body rotations in the figure's frame: neutral, the arms hanging clear of the hips.
    #[must_use]
    pub fn stance(&self) -> [Quat; BONES] {
        let mut out = self.neutral;
        for (upper, lower, side) in [(Bone::UpperArmL, Bone::ForearmL, 1.0), (Bone::UpperArmR, Bone::ForearmR, -1.0)] {
            let turn = rotation_from_vector(Vec3::Z * (side * self.arms_out(upper, lower)));
            for bone in [upper, lower] {
                out[bone.index()] = (turn * out[bone.index()]).normalize();
            }
        }
        out
    }

    /// How far (rad) a straight arm turns out to pass the pelvis and the thigh with air between.
    fn arms_out(&self, upper: Bone, lower: Bone) -> f32 {
        let shoulder = self.joint_at[upper.index()];
        let reach = [Bone::Pelvis, Bone::ThighL, Bone::ThighR].into_iter().map(|bone| {
            let side = self.capsules(bone).map(|(a, b, radius)| a.x.abs().max(b.x.abs()) + radius).fold(0.0, f32::max);
            (side, self.rest[bone.index()].translation.y)
        });
        let hand = self.capsules(lower).map(|(_, _, radius)| radius).fold(0.0, f32::max);
        reach
            .filter(|(_, y)| *y < shoulder.y)
            .map(|(side, y)| {
                let drop = shoulder.y - y;
                libm::asinf(((side + hand + CLEARANCE - shoulder.x.abs()) / drop).clamp(-1.0, 1.0))
            })
            .fold(ARMS_OUT, f32::max)
            .min(ARMS_OUT_MOST)
    }

    /// A bone's capsules at rest, in the figure's frame.
    fn capsules(&self, bone: Bone) -> impl Iterator<Item = (Vec3, Vec3, f32)> + '_ {
        let origin = self.rest[bone.index()].translation;
        self.topology.bodies[bone.index()].shapes.iter().filter_map(move |placed| match placed.shape {
            Shape::Capsule { a, b, radius } => Some((a + origin, b + origin, radius)),
            _ => None,
        })
    }
}
