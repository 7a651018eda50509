//! The postures that keyed ways pass through.

use crate::figure::{BONES, Bone, Ragdoll};
use crate::space::{Quat, Rigid, Vec3, level, rotation_from_vector};
use serde::{Deserialize, Serialize};

/// A posture on a keyed way. Each is a lean a bone, so that it is the same posture on every rig.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Key {
    /// On the seat, knees drawn in, hands behind.
    Sit,
    /// On hands and knees, toes tucked under.
    AllFours,
    /// On one knee, the left one drawn under the body, so that its foot passes over the ground.
    DrawKnee,
    /// On one knee, the left foot under the body.
    HalfKneel,
    /// Over the left foot, the right one still behind.
    Stride,
    /// The same, the right foot lifted over its place: let down straight, it drags on no slope.
    Beside,
    /// Over both feet.
    Crouch,
    /// Over a seat, the trunk leaning over the feet.
    LeanDown,
    /// On a seat, upright, palms on the thighs.
    Seated,
    /// On a seat, leaning over the feet to stand up.
    LeanUp,
    /// Flat on the back, arms beside the body.
    Lie,
    /// What the animation has by then.
    Animation,
    /// A clip's, by the rotation of each body in the figure's frame. It is passed through.
    Clip([Quat; BONES]),
}

/// How each bone leans in the world about the axis across the figure (degrees, in the order of [`Bone::ALL`]): 0 is as in the built-in
/// stance, positive takes the head forward and a hanging limb back. Within people's joint limits; held by `get_up`.
type Leans = [f32; BONES];
const SIT: Leans = [-25.0, -15.0, -5.0, 5.0, 30.0, 15.0, 30.0, 15.0, -135.0, -46.0, -135.0, -46.0];
const ALL_FOURS: Leans = [72.0, 75.0, 75.0, 45.0, -5.0, -10.0, -5.0, -10.0, -8.0, 114.0, -8.0, 114.0];
const DRAW_KNEE: Leans = [45.0, 50.0, 48.0, 25.0, -15.0, -35.0, -10.0, -30.0, -64.0, 66.0, 2.0, 114.0];
const HALF_KNEEL: Leans = [18.0, 32.0, 32.0, 15.0, -30.0, -60.0, -10.0, -40.0, -90.0, 5.0, 8.0, 114.0];
const STRIDE: Leans = [18.0, 26.0, 22.0, 8.0, -20.0, -45.0, -10.0, -35.0, -55.0, 20.0, -12.0, 80.0];
const BESIDE: Leans = [10.0, 14.0, 10.0, 4.0, -10.0, -25.0, -5.0, -20.0, -12.0, 4.0, -50.0, 12.0];
const CROUCH: Leans = [38.0, 42.0, 38.0, 10.0, -25.0, -60.0, -25.0, -60.0, -76.0, 30.0, -76.0, 30.0];
// On seats the legs, and the arms of the last two, are found from what they are on. The trunk leans as people's does (Schenkman and
// others, 1990): 35° going down, 42° rising, as little of it in the pelvis as hips leave that bend over a thigh that lies level.
const LEAN_DOWN: Leans = [17.0, 38.0, 47.0, 15.0, -12.0, -40.0, -12.0, -40.0, -60.0, 0.0, -60.0, 0.0];
const SEATED: Leans = [-4.0, 2.0, 5.0, 2.0, -5.0, -60.0, -5.0, -60.0, -90.0, 0.0, -90.0, 0.0];
const LEAN_UP: Leans = [22.0, 47.0, 57.0, 18.0, -15.0, -60.0, -15.0, -60.0, -90.0, 0.0, -90.0, 0.0];
const LIE: Leans = [-90.0, -90.0, -88.0, -82.0, -86.0, -86.0, -86.0, -86.0, -88.0, -86.0, -88.0, -86.0];

impl Key {
    /// Whether the palms rest on the thighs.
    pub(super) const fn rests_hands(self) -> bool {
        matches!(self, Self::Seated | Self::LeanUp)
    }

    /// Whether it is one that a body can be turned to.
    pub(super) fn is_sound(&self) -> bool {
        !matches!(self, Self::Clip(rotations) if !rotations.iter().all(|rotation| rotation.is_normalized()))
    }

    /// Rotation of each body in the figure's frame; `animation` is the clip's pose there.
    #[must_use]
    pub fn rotations(self, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> [Quat; BONES] {
        let leans = match self {
            Self::Sit => &SIT,
            Self::AllFours => &ALL_FOURS,
            Self::DrawKnee => &DRAW_KNEE,
            Self::HalfKneel => &HALF_KNEEL,
            Self::Stride => &STRIDE,
            Self::Beside => &BESIDE,
            Self::Crouch => &CROUCH,
            Self::LeanDown => &LEAN_DOWN,
            Self::Seated => &SEATED,
            Self::LeanUp => &LEAN_UP,
            Self::Lie => &LIE,
            Self::Animation => return animation.map(|body| body.rotation),
            Self::Clip(rotations) => return rotations,
        };
        let stance = ragdoll.stance();
        Bone::ALL.map(|bone| {
            let lean = rotation_from_vector(Vec3::X * leans[bone.index()].to_radians());
            (lean * stance[bone.index()]).normalize()
        })
    }
}

/// What of a figure stays where it is on the ground while the rest moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spot {
    /// The pelvis's middle.
    Seat,
    /// Between the knees.
    Knees,
    /// The left knee.
    KneeL,
    /// The right knee.
    KneeR,
    /// Between the tips of the feet, as they roll.
    Toes,
    /// The tip of the left foot, as it rolls.
    ToesL,
    /// The tip of the right foot, as it rolls.
    ToesR,
}

impl Spot {
    /// Where it is (the frame of `bodies`).
    #[must_use]
    pub fn of(self, ragdoll: &Ragdoll, bodies: &[Rigid; BONES]) -> Vec3 {
        let toes = |side: usize, shin: Bone| rolling_toes(&ragdoll.soles[side], &bodies[shin.index()]);
        let knee =
            |shin: Bone| bodies[shin.index()].point(ragdoll.joint_at[shin.index()] - ragdoll.rest[shin.index()].translation);
        match self {
            Self::Seat => bodies[Bone::Pelvis.index()].translation,
            Self::Knees => (knee(Bone::ShinL) + knee(Bone::ShinR)) * 0.5,
            Self::KneeL => knee(Bone::ShinL),
            Self::KneeR => knee(Bone::ShinR),
            Self::Toes => (toes(0, Bone::ShinL) + toes(1, Bone::ShinR)) * 0.5,
            Self::ToesL => toes(0, Bone::ShinL),
            Self::ToesR => toes(1, Bone::ShinR),
        }
    }
}

/// Where the tip of a sole is, or would be were the sole flat about the heel that it stands on: a foot that rolls from its tip over the
/// whole of it onto its heel does not slide, and this stays.
fn rolling_toes([heel_left, heel_right, tip_left, tip_right]: &[Vec3; 4], shin: &Rigid) -> Vec3 {
    let heel = shin.point((*heel_left + *heel_right) * 0.5);
    let tip = shin.point((*tip_left + *tip_right) * 0.5);
    if tip.y <= heel.y {
        return tip;
    }
    let along = level(tip - heel).normalize_or(Vec3::Z);
    heel + along * (tip - heel).length()
}
