//! The twelve bodies: their masses, centres, inertias and shapes, built around a rig's landmarks.
//!
//! Sizes are those of a person of 1.75 m and grow with the height. Masses and the places of mass centres are de Leva's (1996,
//! J. Biomech. 29, table 4, men): neck folded into the head, hands into forearms, feet into shins, the trunk's three parts as
//! pelvis, spine and chest.

use super::ankles::Leg;
use super::inertia;
use super::landmarks::{Landmarks, SIDES};
use crate::figure::{BONES, Bone};
use crate::solve::boundary::{BodyDef, PlacedShape, Shape};
use crate::space::{Quat, Rigid, Vec3, rotation_from_yaw};
use glam::Mat3;

/// Mass (kg) and height (m) of the person that sizes and budgets are given for: a body mass index of 24.5, kept at any height.
pub const USUAL_MASS: f32 = 75.0;
/// See [`USUAL_MASS`].
pub const USUAL_HEIGHT: f32 = 1.75;
/// Skin and clothes on dry ground.
const FRICTION: f32 = 0.9;
/// kg·m² on every axis of every body of the usual person: quietens standing from 0.0165 to 0.006 rad/s at no cost.
const ADDED_INERTIA: f32 = 0.02;
/// Height, width and length (m) of a sole, and how far its heel lies behind the ankle.
const SOLE: Vec3 = Vec3::new(0.10, 0.08, 0.26);
const HEEL_BEHIND: f32 = 0.075;
/// Wrist to the middle of the palm, and to the end of the forearm's capsule at half-closed fingers (m).
const PALM: f32 = 0.08;
const HAND: f32 = 0.11;

/// Shares of the whole mass.
mod share {
    pub const HEAD: f32 = 0.0694;
    pub const CHEST: f32 = 0.1596;
    pub const SPINE: f32 = 0.1633;
    pub const PELVIS: f32 = 0.1117;
    pub const UPPER_ARM: f32 = 0.0271;
    pub const FOREARM: f32 = 0.0162;
    pub const HAND: f32 = 0.0061;
    pub const THIGH: f32 = 0.1416;
    pub const SHIN: f32 = 0.0433;
    pub const FOOT: f32 = 0.0137;
}

/// Mass centres along the bone, from its joint.
mod centre {
    pub const UPPER_ARM: f32 = 0.577;
    pub const FOREARM: f32 = 0.457;
    pub const THIGH: f32 = 0.410;
    pub const SHIN: f32 = 0.446;
}

/// The bodies, and what else is known by building them.
#[derive(Debug)]
pub struct Bodies {
    /// Kilograms in all.
    pub mass: f32,
    /// In the order of [`Bone::ALL`].
    pub defs: Vec<BodyDef>,
    /// Figure from body at rest.
    pub rest: [Rigid; BONES],
    /// Middle of each palm in the forearm's frame (m).
    pub palms: [Vec3; 2],
    /// Corners of each sole's underside in the shin's frame (m).
    pub soles: [[Vec3; 4]; 2],
    /// Shins and feet as bodies of their own, left and right.
    pub legs: [Leg; 2],
}

/// A piece of a bone with a mass of its own, in the figure's frame.
struct Piece {
    mass: f32,
    centre: Vec3,
    solid: Solid,
}

#[derive(Clone, Copy)]
enum Solid {
    Capsule { a: Vec3, b: Vec3, radius: f32 },
    Box { centre: Vec3, size: Vec3, rotation: Quat },
}

impl Solid {
    const fn capsule(a: Vec3, b: Vec3, radius: f32) -> Self {
        Self::Capsule { a, b, radius }
    }

    fn tensor(&self, mass: f32) -> Mat3 {
        match *self {
            Self::Capsule { a, b, radius } => inertia::of_capsule(a, b, radius, mass),
            Self::Box { size, rotation, .. } => inertia::of_box(size, rotation, mass),
        }
    }

    /// In the frame of a body whose centre is at `origin`.
    fn placed(&self, origin: Vec3) -> PlacedShape {
        let (shape, body_from_shape) = match *self {
            Self::Capsule { a, b, radius } => (Shape::Capsule { a: a - origin, b: b - origin, radius }, Rigid::IDENTITY),
            Self::Box { centre, size, rotation } => (Shape::Box(size), Rigid::new(rotation, centre - origin)),
        };
        PlacedShape { shape, body_from_shape, friction: FRICTION }
    }
}

/// Mass (kg) of a person of a height (m) with the usual body mass index.
pub fn usual_mass(height: f32) -> f32 {
    let size = height / USUAL_HEIGHT;
    USUAL_MASS * size * size
}

/// Builds the bodies, which have so many kilograms in all.
pub fn build(marks: &Landmarks, mass: f32) -> Bodies {
    let size = marks.height / USUAL_HEIGHT;
    // Inertia grows with mass × height².
    let added_inertia = ADDED_INERTIA * (mass / USUAL_MASS) * (size * size);
    let body = |pieces: &[Piece]| body(pieces, added_inertia);
    let mut made: Vec<(BodyDef, Vec3)> = trunk(marks, mass).into_iter().map(|piece| body(&[piece])).collect();
    let mut palms = [Vec3::ZERO; 2];
    let mut soles = [[Vec3::ZERO; 4]; 2];
    // Bone::ALL has both arms before both legs.
    for (side, [arm, forearm, ..]) in SIDES.into_iter().enumerate() {
        made.push(body(&[limb(marks, arm, 0.045, share::UPPER_ARM * mass, centre::UPPER_ARM)]));
        let (pieces, palm) = forearm_and_hand(marks, forearm, mass);
        made.push(body(&pieces));
        palms[side] = palm - made[forearm.index()].1;
    }
    let legs = [0, 1].map(|side| {
        let [_, _, thigh, shin] = SIDES[side];
        made.push(body(&[limb(marks, thigh, thigh_radius(marks), share::THIGH * mass, centre::THIGH)]));
        let (pieces, corners) = shin_and_foot(marks, shin, marks.toes[side], mass);
        made.push(body(&pieces));
        soles[side] = corners.map(|corner| corner - made[shin.index()].1);
        let [shin, foot] = pieces;
        Leg { shin: body(&[shin]), foot: body(&[foot]) }
    });
    let mut rest = [Rigid::IDENTITY; BONES];
    for (pose, (_, origin)) in rest.iter_mut().zip(&made) {
        pose.translation = *origin;
    }
    Bodies { mass, defs: made.into_iter().map(|(def, _)| def).collect(), rest, palms, soles, legs }
}

/// A body of its pieces: mass, centre, principal inertia, shapes.
fn body(pieces: &[Piece], added_inertia: f32) -> (BodyDef, Vec3) {
    let mass: f32 = pieces.iter().map(|piece| piece.mass).sum();
    let origin = pieces.iter().map(|piece| piece.centre * piece.mass).sum::<Vec3>() / mass;
    let tensor = pieces.iter().fold(Mat3::ZERO, |sum, piece| {
        sum + piece.solid.tensor(piece.mass) + inertia::shifted(piece.mass, piece.centre - origin)
    });
    let (moments, inertia_frame) = inertia::principal(tensor);
    let principal_inertia = moments + Vec3::splat(added_inertia);
    let shapes = pieces.iter().map(|piece| piece.solid.placed(origin)).collect();
    (BodyDef { mass, principal_inertia, inertia_frame, shapes }, origin)
}

/// Pelvis, spine and chest, lying across, and the upright head.
fn trunk(marks: &Landmarks, mass: f32) -> [Piece; 4] {
    let size = marks.height / USUAL_HEIGHT;
    let joint = |bone: Bone| marks.joint_at[bone.index()];
    let tip = |bone: Bone| marks.tip_at[bone.index()];
    let half_between = |left: Bone, right: Bone| (joint(left) - joint(right)).length() * 0.5;
    let across = |share: f32, centre: Vec3, half: f32, radius: f32| {
        let out = Vec3::X * half.max(0.0);
        Piece { mass: share * mass, centre, solid: Solid::capsule(centre - out, centre + out, radius) }
    };
    let hips = (joint(Bone::ThighL) + joint(Bone::ThighR)) * 0.5;
    let hip_half = half_between(Bone::ThighL, Bone::ThighR);
    let shoulder_half = half_between(Bone::UpperArmL, Bone::UpperArmR);
    let chest_radius = 0.125 * size;
    let pelvis = across(share::PELVIS, (hips + joint(Bone::Spine)) * 0.5, hip_half * 0.9, 0.11 * size);
    let spine = across(share::SPINE, (joint(Bone::Spine) + tip(Bone::Spine)) * 0.5, 0.06 * size, 0.105 * size);
    // The upper arms' joints lie a centimetre outside of the rib cage.
    let chest_half = shoulder_half - chest_radius - 0.01 * size;
    let chest = across(share::CHEST, (joint(Bone::Chest) + tip(Bone::Chest)) * 0.5, chest_half, chest_radius);

    let crown = tip(Bone::Head);
    let from = joint(Bone::Head).y.min(marks.skull.y);
    let radius = (0.09 * size).min((crown.y - from) * 0.5);
    let top = Vec3::new(crown.x, crown.y - radius, crown.z);
    let bottom = Vec3::new(crown.x, (from + radius).min(top.y), crown.z);
    let head = Piece { mass: share::HEAD * mass, centre: (top + bottom) * 0.5, solid: Solid::capsule(bottom, top, radius) };
    [pelvis, spine, chest, head]
}

/// A narrow-hipped figure's thighs must not overlap where they hang.
fn thigh_radius(marks: &Landmarks) -> f32 {
    let between = (marks.joint_at[Bone::ThighL.index()] - marks.joint_at[Bone::ThighR.index()]).length();
    (0.45 * between * USUAL_HEIGHT / marks.height).min(0.075)
}

/// A capsule along a bone from joint to tip, its caps just inside of both. `radius` is the usual person's.
fn limb(marks: &Landmarks, bone: Bone, radius: f32, mass: f32, centre: f32) -> Piece {
    let (from, to) = (marks.joint_at[bone.index()], marks.tip_at[bone.index()]);
    let length = (to - from).length();
    let radius = (radius * marks.height / USUAL_HEIGHT).min(0.4 * length);
    let inset = (to - from) * (radius / length);
    Piece { mass, centre: from.lerp(to, centre), solid: Solid::capsule(from + inset, to - inset, radius) }
}

fn forearm_and_hand(marks: &Landmarks, bone: Bone, mass: f32) -> ([Piece; 2], Vec3) {
    let size = marks.height / USUAL_HEIGHT;
    let forearm = limb(marks, bone, 0.04, share::FOREARM * mass, centre::FOREARM);
    let wrist = marks.tip_at[bone.index()];
    let along = (wrist - marks.joint_at[bone.index()]).normalize();
    let radius = 0.04 * size;
    let palm = wrist + along * (PALM * size);
    let hand = Solid::capsule(wrist, wrist + along * (HAND * size - radius), radius);
    ([forearm, Piece { mass: share::HAND * mass, centre: palm, solid: hand }], palm)
}

fn shin_and_foot(marks: &Landmarks, bone: Bone, toes: Vec3, mass: f32) -> ([Piece; 2], [Vec3; 4]) {
    let size = marks.height / USUAL_HEIGHT;
    let (knee, ankle) = (marks.joint_at[bone.index()], marks.tip_at[bone.index()]);
    let mut shin = limb(marks, bone, 0.05, share::SHIN * mass, centre::SHIN);
    if let Solid::Capsule { b, radius, .. } = &mut shin.solid {
        // It ends where the sole's box begins, so that the box alone meets the ground.
        let above = SOLE.y * size + *radius;
        let share = ((knee.y - above) / (knee.y - ankle.y).max(1.0e-3)).clamp(0.3, 1.0);
        if knee.lerp(ankle, share).y > b.y {
            *b = knee.lerp(ankle, share);
        }
    }
    let sole = SOLE * size;
    let rotation = rotation_from_yaw(libm::atan2f(toes.x, toes.z));
    let heel = Vec3::new(ankle.x, 0.0, ankle.z) - toes * (HEEL_BEHIND * size);
    let centre = heel + toes * (sole.z * 0.5) + Vec3::Y * (sole.y * 0.5);
    let left = rotation * Vec3::X * (sole.x * 0.5);
    let front = toes * sole.z;
    let corners = [heel + left, heel - left, heel + front + left, heel + front - left];
    let foot = Solid::Box { centre, size: sole, rotation };
    ([shin, Piece { mass: share::FOOT * mass, centre, solid: foot }], corners)
}
