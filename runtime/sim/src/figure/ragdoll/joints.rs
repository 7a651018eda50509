//! The neutral posture, and the eleven joints with their limits and budgets measured from it.
//!
//! Limits are people's, rounded outward (Boone & Azen 1979, J. Bone Joint Surg. 61-A; AAOS 1965 for the trunk and neck). They are
//! given in the neutral posture, so that they mean the same for every rig, however it stands at rest.

use super::bodies::{USUAL_HEIGHT, USUAL_MASS};
use super::landmarks::Landmarks;
use crate::figure::{BONES, Bone};
use crate::solve::boundary::{JointDef, JointKind};
use crate::space::{Quat, Rigid, Vec3, angle_between, rotation_from_vector};
use glam::Mat3;

/// Radians that a straight hinge may be bent the wrong way: a limit met exactly would chatter.
const SLACK: f32 = 0.02;
/// Radians that a knee or elbow may be bent the wrong way because the rig is drawn so at rest.
const WORST_SLACK: f32 = 0.2;
/// Most that knees and elbows flex (Boone & Azen: 2.47 and 2.49; a knee's calf meets its thigh before).
const KNEE: f32 = 2.3;
const ELBOW: f32 = 2.45;

/// The least turn that takes one direction to another.
fn arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// A bone's direction at rest, joint to tip.
fn way(marks: &Landmarks, bone: Bone) -> Vec3 {
    (marks.tip_at[bone.index()] - marks.joint_at[bone.index()]).normalize_or_zero()
}

/// Body rotations with every limb straight down and the trunk as at rest: what joint angles are measured from.
pub fn straight(marks: &Landmarks) -> [Quat; BONES] {
    let mut out = [Quat::IDENTITY; BONES];
    for bone in Bone::ALL {
        let Some(parent) = bone.parent().filter(|_| is_limb(bone)) else { continue };
        // The lower bone first goes with the upper one: what is left to turn is the bend, about the hinge's own axis.
        let carried = if bone.is_hinge() { out[parent.index()] } else { Quat::IDENTITY };
        out[bone.index()] = arc(carried * way(marks, bone), Vec3::NEG_Y) * carried;
    }
    out
}

const fn is_limb(bone: Bone) -> bool {
    !matches!(bone, Bone::Pelvis | Bone::Spine | Bone::Chest | Bone::Head)
}

const fn is_left(bone: Bone) -> bool {
    matches!(bone, Bone::UpperArmL | Bone::ForearmL | Bone::ThighL | Bone::ShinL)
}

/// A rotation whose X axis is `x` and whose Y axis is as near to `y` as can be.
fn frame(x: Vec3, y: Vec3) -> Quat {
    let x = x.normalize();
    let z = x.cross(y).normalize();
    Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z)).normalize()
}

/// What a joint allows, in the figure's axes while the figure stands straight: the frame at the middle of the range, the frame
/// that the child bone has there, and the limits about them.
struct Range {
    centre: Quat,
    bone: Quat,
    kind: JointKind,
}

fn range(marks: &Landmarks, bone: Bone, straight: &[Quat; BONES]) -> Range {
    let out = if is_left(bone) { 1.0 } else { -1.0 };
    match bone {
        // Y ahead, Z to the left: bending sideways, then forward and back.
        Bone::Pelvis | Bone::Spine => upright([0.6, 0.7], 0.5),
        Bone::Chest => upright([0.5, 0.6], 0.5),
        Bone::Head => upright([0.8, 0.9], 1.2),
        Bone::UpperArmL | Bone::UpperArmR => {
            // Out and ahead, a little below level: hanging is 1.2 from it, straight up 1.9, across the chest 1.5, straight
            // back 2.1. Azimuth about Y, elevation about Z.
            let middle = Vec3::new(0.75 * out, -0.35, 0.55).normalize();
            cone(middle, Vec3::Y, [1.7, 1.9], 1.4)
        }
        Bone::ThighL | Bone::ThighR => {
            // Standing, this leaves flexion 2.05, extension 0.4, abduction 0.7 and adduction 0.4.
            let flexed = rotation_from_vector(Vec3::NEG_X * 0.825) * Vec3::NEG_Y;
            let middle = rotation_from_vector(Vec3::Z * (0.15 * out)) * flexed;
            // Z across: flexion about Z, abduction about Y.
            cone(middle, middle.cross(Vec3::NEG_X), [0.75, 1.25], 0.7)
        }
        Bone::ShinL | Bone::ShinR => hinge(marks, bone, Vec3::X, KNEE, straight),
        Bone::ForearmL | Bone::ForearmR => hinge(marks, bone, Vec3::NEG_X, ELBOW, straight),
    }
}

fn upright(swing: [f32; 2], twist: f32) -> Range {
    let frame = frame(Vec3::Y, Vec3::Z);
    Range { centre: frame, bone: frame, kind: JointKind::Ball { swing, twist: [-twist, twist] } }
}

/// A cone about `middle` for a bone that hangs straight down; twist is carried along the least turn between the two.
fn cone(middle: Vec3, y: Vec3, swing: [f32; 2], twist: f32) -> Range {
    let centre = frame(middle, y);
    let bone = arc(middle, Vec3::NEG_Y) * centre;
    Range { centre, bone, kind: JointKind::Ball { swing, twist: [-twist, twist] } }
}

/// A hinge about `axis`, positive as people flex, that also allows what the rig does at rest.
fn hinge(marks: &Landmarks, bone: Bone, axis: Vec3, most: f32, straight: &[Quat; BONES]) -> Range {
    let frame = frame(axis, Vec3::Y);
    let upper = bone.parent().unwrap_or(bone);
    // At rest, seen from the straight upper bone.
    let lower = straight[upper.index()] * way(marks, bone);
    let bent = angle_between(lower, Vec3::NEG_Y) * Vec3::NEG_Y.cross(lower).dot(axis).signum();
    let least = (bent - SLACK).clamp(-WORST_SLACK, -SLACK);
    Range { centre: frame, bone: frame, kind: JointKind::Hinge { range: [least, most] } }
}

/// The joints, in the order of the bones that hang from them.
pub fn build(marks: &Landmarks, rest: &[Rigid; BONES], straight: &[Quat; BONES]) -> Vec<JointDef> {
    Bone::ALL
        .into_iter()
        .filter_map(|bone| {
            let parent = bone.parent()?.index();
            let child = bone.index();
            let at = marks.joint_at[child];
            let Range { centre, bone: along, kind } = range(marks, bone, straight);
            let parent_from_joint =
                Rigid::new((straight[parent].conjugate() * centre).normalize(), at - rest[parent].translation);
            let child_from_joint = Rigid::new((straight[child].conjugate() * along).normalize(), at - rest[child].translation);
            Some(JointDef { parent, child, parent_from_joint, child_from_joint, kind })
        })
        .collect()
}

/// Torque budgets (N·m): those of the usual person, growing with mass × height.
pub fn budgets(mass: f32, height: f32) -> [f32; BONES] {
    let scale = mass * height / (USUAL_MASS * USUAL_HEIGHT);
    Bone::ALL.map(|bone| {
        scale
            * match bone {
                Bone::Pelvis => 0.0,
                Bone::Spine | Bone::Chest | Bone::ShinL | Bone::ShinR => 250.0,
                Bone::Head => 40.0,
                Bone::UpperArmL | Bone::UpperArmR => 80.0,
                Bone::ForearmL | Bone::ForearmR => 60.0,
                Bone::ThighL | Bone::ThighR => 300.0,
            }
    })
}
