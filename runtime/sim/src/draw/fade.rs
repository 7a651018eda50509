//! The fades of a hand-over.

use super::joints_of;
use crate::figure::{BONES, Bone, Ragdoll};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_vector, smoothstep};
use serde::{Deserialize, Serialize};

/// Seconds of a hand-over between the animation and the bodies, either way: held by `impact_shows`, 91 % of a blow drawn at 0.2 s.
pub const FADE_SECONDS: f32 = 0.25;

/// A hand-over in progress: what is drawn has been let go of by one side and not yet taken by the other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum Fade {
    /// None.
    #[default]
    None,
    /// From the animation to the bodies: the offset that the drawn pose had from the bodies, and seconds since.
    ToBodies {
        /// Joint offsets (axis × angle, in the joint's frame after the body's rotation); the pelvis's is in its own frame.
        turns: [Vec3; BONES],
        /// The drawn pelvis from the body's (world, m).
        shift: Vec3,
        /// Seconds.
        age: f32,
    },
    /// From a drawn pose to the animation, and seconds since.
    ToAnimation {
        /// Joint rotations as they were drawn.
        joints: [Quat; BONES],
        /// The pelvis as it was drawn (world).
        pelvis: Rigid,
        /// Seconds.
        age: f32,
    },
}

impl Fade {
    /// Whether nothing fades.
    pub(crate) const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Starts a hand-over to the bodies from what is drawn.
    #[must_use]
    pub fn to_bodies(drawn: &[Rigid; BONES], bodies: &[Rigid; BONES]) -> Self {
        let (shown, pelvis) = joints_of(drawn);
        let (under, body) = joints_of(bodies);
        let mut turns = [Vec3::ZERO; BONES];
        for bone in 0..BONES {
            turns[bone] = rotation_vector(under[bone].conjugate() * shown[bone]);
        }
        Self::ToBodies { turns, shift: pelvis.translation - body.translation, age: 0.0 }
    }

    /// Starts a hand-over to the animation from what is drawn.
    #[must_use]
    pub fn to_animation(drawn: &[Rigid; BONES]) -> Self {
        let (joints, pelvis) = joints_of(drawn);
        Self::ToAnimation { joints, pelvis, age: 0.0 }
    }

    /// The bodies under what is left of the offset. The offset is taken each step along what then lies between the bodies and the
    /// pose last shown, and never more than that: kept as it was, it would count twice once the bodies themselves move the shown
    /// pose's way, and draw a straightening knee past straight.
    pub(super) fn toward_bodies(
        &mut self,
        ragdoll: &Ragdoll,
        bodies: &[Rigid; BONES],
        last: &[Rigid; BONES],
        dt: f32,
    ) -> [Rigid; BONES] {
        let Self::ToBodies { turns, shift, age } = self else { return *bodies };
        *age += dt;
        let left = 1.0 - *age / FADE_SECONDS;
        if left <= 0.0 {
            *self = Self::None;
            return *bodies;
        }
        let (under, pelvis) = joints_of(bodies);
        let (shown, last_pelvis) = joints_of(last);
        let mut rotations = under;
        for bone in 0..BONES {
            let gap = rotation_vector(under[bone].conjugate() * shown[bone]);
            rotations[bone] = under[bone] * rotation_from_vector(along(turns[bone] * left, gap));
        }
        let shift = along(*shift * left, last_pelvis.translation - pelvis.translation);
        hang(ragdoll, pelvis.translation + shift, &rotations)
    }

    /// The animation, blended from what was drawn at the change.
    pub(super) fn toward_animation(&mut self, ragdoll: &Ragdoll, animated: &[Rigid; BONES], dt: f32) -> [Rigid; BONES] {
        let Self::ToAnimation { joints, pelvis, age } = self else { return *animated };
        *age += dt;
        let share = smoothstep(*age / FADE_SECONDS);
        if *age >= FADE_SECONDS {
            *self = Self::None;
            return *animated;
        }
        let (wanted, wanted_pelvis) = joints_of(animated);
        let mut rotations = wanted;
        for bone in 0..BONES {
            rotations[bone] = joints[bone].slerp(wanted[bone], share);
        }
        hang(ragdoll, pelvis.translation.lerp(wanted_pelvis.translation, share), &rotations)
    }
}

/// What an offset has along a gap, no more than the gap and never against it.
fn along(offset: Vec3, gap: Vec3) -> Vec3 {
    let length = gap.length();
    if length.is_nan() || length < 1.0e-7 {
        return Vec3::ZERO;
    }
    let way = gap / length;
    way * offset.dot(way).clamp(0.0, length)
}

/// Hangs joint rotations (the pelvis's in the world) from a pelvis.
pub(super) fn hang(ragdoll: &Ragdoll, pelvis: Vec3, joints: &[Quat; BONES]) -> [Rigid; BONES] {
    let mut rotations = *joints;
    for bone in Bone::ALL {
        if let Some(parent) = bone.parent() {
            rotations[bone.index()] = rotations[parent.index()] * joints[bone.index()];
        }
    }
    ragdoll.hang(pelvis, &rotations)
}
