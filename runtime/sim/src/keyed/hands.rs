//! Arms whose palms lie somewhere: on the thighs, or on what is held.

use crate::figure::{BONES, Bone, Ragdoll};
use crate::solve::boundary::Shape;
use crate::space::{Quat, Rigid, Vec3};
use serde::{Deserialize, Serialize};

/// Upper arm, forearm and thigh, left and right.
const SIDES: [[Bone; 3]; 2] = [[Bone::UpperArmL, Bone::ForearmL, Bone::ThighL], [Bone::UpperArmR, Bone::ForearmR, Bone::ThighR]];
/// How far along the thigh a palm rests at most, and how much farther up it is looked for where that is out of reach.
const ALONG: f32 = 0.8;
const ALONG_STEP: f32 = 0.05;
/// The least that an elbow bends on a thigh (rad): 30°.
const ELBOW: f32 = 0.52;
/// How far up from the neck's joint to the crown a mouth is: at 0.9 of the height, where those are at 0.82 and 1.
const MOUTH_UP: f32 = 0.44;
/// Where elbows look in the figure's frame, the left one's: down, out and back.
const POLE: Vec3 = Vec3::new(0.35, -0.8, -0.5);

/// What a palm is on beside its thigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grip {
    /// Where it is to be (world, m).
    pub at: Vec3,
    /// How much of the way there from its thigh it is, 0..=1.
    pub share: f32,
}

/// How far along each thigh a palm rests, so that no arm is straight.
pub(super) fn along_thighs(ragdoll: &Ragdoll, bodies: &[Rigid; BONES]) -> [f32; 2] {
    [0, 1].map(|side| {
        let reach = reach_bent(ragdoll, side);
        let shoulder = shoulder(ragdoll, bodies, side);
        let mut along = ALONG;
        while along > ALONG_STEP && on_thigh(ragdoll, bodies, side, along).distance(shoulder) > reach {
            along -= ALONG_STEP;
        }
        along
    })
}

/// Puts palms so far along their thighs, or on their grips, by a share of the arms' turns as they are.
pub(super) fn rest(ragdoll: &Ragdoll, bodies: &mut [Rigid; BONES], along: &[f32; 2], grips: &[Grip; 2], share: f32) {
    let front = bodies[0].rotation;
    for side in 0..2 {
        let [arm, forearm, _] = SIDES[side];
        let grip = grips[side];
        let on_thigh = on_thigh(ragdoll, bodies, side, along[side]);
        let point = eased(ragdoll, side, shoulder(ragdoll, bodies, side), on_thigh).lerp(grip.at, grip.share);
        let out = if side == 0 { 1.0 } else { -1.0 };
        let pole = front * (POLE * Vec3::new(out, 1.0, 1.0));
        let chest = bodies[Bone::Chest.index()];
        let (shoulder, elbow) = ragdoll.reach(arm, &chest, ragdoll.palms[side], point, pole);
        let was = [chest.rotation.conjugate() * bodies[arm.index()].rotation, local(bodies, arm, forearm)];
        let turned = [was[0].slerp(shoulder, share), was[1].slerp(elbow, share)];
        hang(ragdoll, bodies, Bone::Chest, arm, turned[0]);
        hang(ragdoll, bodies, arm, forearm, turned[1]);
    }
}

/// The middle of a palm (world).
pub fn palm(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], side: usize) -> Vec3 {
    bodies[SIDES[side][1].index()].point(ragdoll.palms[side])
}

/// A shoulder's joint (world).
pub fn shoulder(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], side: usize) -> Vec3 {
    let chest = Bone::Chest.index();
    bodies[chest].point(ragdoll.joint_at[SIDES[side][0].index()] - ragdoll.rest[chest].translation)
}

/// How far (m) a palm can be from its shoulder.
#[must_use]
pub fn reach(ragdoll: &Ragdoll, side: usize) -> f32 {
    lengths(ragdoll, side).iter().sum()
}

/// How far (m) it is with the elbow bent as little as it may be on a thigh.
fn reach_bent(ragdoll: &Ragdoll, side: usize) -> f32 {
    let [a, b] = lengths(ragdoll, side);
    (a * a + b * b + 2.0 * a * b * libm::cosf(ELBOW)).sqrt()
}

/// Shoulder to elbow, and elbow to palm (m).
fn lengths(ragdoll: &Ragdoll, side: usize) -> [f32; 2] {
    let [arm, forearm, _] = SIDES[side].map(Bone::index);
    let lower = ragdoll.palms[side] + ragdoll.rest[forearm].translation - ragdoll.joint_at[forearm];
    [(ragdoll.joint_at[forearm] - ragdoll.joint_at[arm]).length(), lower.length()]
}

/// Where a palm is whose thigh goes out of its reach: the arm comes to its full length ever more slowly. One that meets it at once
/// has its elbow snap straight within a step, by 6° and more.
fn eased(ragdoll: &Ragdoll, side: usize, shoulder: Vec3, point: Vec3) -> Vec3 {
    let (bent, straight) = (reach_bent(ragdoll, side), reach(ragdoll, side));
    let (way, slack) = (point - shoulder, straight - bent);
    let past = way.length() - bent;
    if past <= 0.0 || slack <= 0.0 {
        return point;
    }
    shoulder + way * ((straight - slack * libm::expf(-past / slack)) / way.length())
}

/// The top of a thigh at a share of its length (world).
pub(crate) fn thigh_top(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], side: usize, along: f32) -> Vec3 {
    let thigh = SIDES[side][2];
    let (from, to) = (ragdoll.joint_at[thigh.index()], ragdoll.tip_at[thigh.index()]);
    bodies[thigh.index()].point(from.lerp(to, along) - ragdoll.rest[thigh.index()].translation)
        + Vec3::Y * thickness(ragdoll, thigh)
}

/// Where its mouth is (world): between neck and crown, as far ahead of them as the head is thick.
#[must_use]
pub fn mouth(ragdoll: &Ragdoll, bodies: &[Rigid; BONES]) -> Vec3 {
    let head = Bone::Head.index();
    let (neck, crown) = (ragdoll.joint_at[head], ragdoll.tip_at[head]);
    let at = crown.with_y(neck.y + (crown.y - neck.y) * MOUTH_UP) + Vec3::Z * thickness(ragdoll, Bone::Head);
    bodies[head].point(at - ragdoll.rest[head].translation)
}

/// A point on a thigh's front where a palm lies (world).
fn on_thigh(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], side: usize, along: f32) -> Vec3 {
    let [_, forearm, thigh] = SIDES[side];
    let (from, to) = (ragdoll.joint_at[thigh.index()], ragdoll.tip_at[thigh.index()]);
    let over = thickness(ragdoll, thigh) + thickness(ragdoll, forearm);
    let front = Vec3::Z.reject_from((to - from).normalize_or(Vec3::NEG_Y)).normalize_or(Vec3::Z);
    bodies[thigh.index()].point(from.lerp(to, along) + front * over - ragdoll.rest[thigh.index()].translation)
}

/// Radius (m) of a limb.
fn thickness(ragdoll: &Ragdoll, bone: Bone) -> f32 {
    let radius = |shape: &Shape| if let Shape::Capsule { radius, .. } = shape { *radius } else { 0.0 };
    ragdoll.topology.bodies[bone.index()].shapes.iter().map(|placed| radius(&placed.shape)).fold(0.0, f32::max)
}

fn local(bodies: &[Rigid; BONES], parent: Bone, child: Bone) -> Quat {
    bodies[parent.index()].rotation.conjugate() * bodies[child.index()].rotation
}

/// Hangs a bone from its parent by a turn of its joint.
fn hang(ragdoll: &Ragdoll, bodies: &mut [Rigid; BONES], parent: Bone, child: Bone, turned: Quat) {
    let Some(joint) = child.index().checked_sub(1).map(|joint| ragdoll.topology.joints[joint]) else { return };
    let at = bodies[parent.index()].point(joint.parent_from_joint.translation);
    let rotation = (bodies[parent.index()].rotation * turned).normalize();
    bodies[child.index()] = Rigid::new(rotation, at - rotation * joint.child_from_joint.translation);
}
