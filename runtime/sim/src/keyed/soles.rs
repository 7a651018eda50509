//! Legs whose soles stay on the ground: a foot is rigid on its shin, so the shins are where the soles say, and the hips where thighs reach.

use crate::figure::{BONES, Bone, Ragdoll};
use crate::space::{Quat, Rigid, Vec3, level, rotation_from_vector, rotation_from_yaw, rotation_vector, turn_between, yaw_of};
use serde::{Deserialize, Serialize};

/// Thigh and shin, left and right.
const LEGS: [[Bone; 2]; 2] = [[Bone::ThighL, Bone::ShinL], [Bone::ThighR, Bone::ShinR]];
/// The most that a shin tilts so that its thigh reaches hips that are set down off their spot (rad), and the halvings that find it.
const MOST_TILT: f32 = 0.7;
const HALVINGS: usize = 24;
/// Rounds of turning a foot and rolling it.
const TURNS: usize = 3;
/// Rounds in which hips and shins come to where both thighs reach their knees; what keeps the hips from going too far where the thighs are
/// parallel and say the same twice, and a shin where its tilt hardly moves the knee off the hip (m a rad).
const ROUNDS: usize = 6;
const DAMPED: f32 = 0.05;
const BLUNT: f32 = 0.05;
/// Turn over which a tilt's effect is looked at (rad).
const A_LITTLE: f32 = 1.0e-3;

/// Where a sole stands.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Sole {
    /// The ball of the foot (world), at the height of the sole's lowest point.
    ball: Vec3,
    /// World from shin.
    shin: Quat,
}

impl Sole {
    /// Where both stand.
    pub(super) fn of(ragdoll: &Ragdoll, bodies: &[Rigid; BONES]) -> [Self; 2] {
        [0, 1].map(|side| {
            let shin = bodies[LEGS[side][1].index()];
            Self { ball: ball_of(ragdoll, side, &shin), shin: shin.rotation }
        })
    }

    /// The same flat on the ground, turned as it is, its shin upright.
    pub(super) fn on(self, ground: f32) -> Self {
        Self { ball: self.ball.with_y(ground), shin: rotation_from_yaw(yaw_of(self.shin)) }
    }

    /// The ball of the foot on the ground (world).
    pub(super) fn ball(&self) -> Vec3 {
        self.ball
    }

    fn between(&self, to: &Self, share: f32) -> Self {
        Self { ball: self.ball.lerp(to.ball, share), shin: self.shin.slerp(to.shin, share) }
    }

    pub(super) fn carry(&mut self, moved: &Rigid) {
        self.ball = moved.point(self.ball);
        self.shin = (moved.rotation * self.shin).normalize();
    }

    pub(super) fn is_finite(&self) -> bool {
        self.ball.is_finite() && self.shin.is_finite()
    }

    /// World from shin.
    fn shin(&self, ragdoll: &Ragdoll, side: usize) -> Rigid {
        let ball = ball_of(ragdoll, side, &Rigid::new(self.shin, Vec3::ZERO));
        Rigid::new(self.shin, self.ball - ball)
    }

    /// The knee over it (world).
    fn knee(&self, ragdoll: &Ragdoll, side: usize) -> Vec3 {
        let shin = LEGS[side][1].index();
        self.shin(ragdoll, side).point(ragdoll.joint_at[shin] - ragdoll.rest[shin].translation)
    }

    /// Rolled over its ball or its heel, forward by an angle (rad).
    fn tilted(self, by: f32) -> Self {
        let across = rotation_from_yaw(yaw_of(self.shin)) * Vec3::X;
        Self { shin: (rotation_from_vector(across * by) * self.shin).normalize(), ..self }
    }

    /// A step toward where a thigh reaches from a hip joint (world) to its knee, by a tilt.
    fn nearer(self, ragdoll: &Ragdoll, side: usize, hip: Vec3) -> Self {
        let gap = |sole: &Self| sole.knee(ragdoll, side).distance(hip) - thigh(ragdoll, side).length();
        let is = gap(&self);
        let slope = (gap(&self.tilted(A_LITTLE)) - is) / A_LITTLE;
        self.tilted(-is * slope / (slope * slope + BLUNT * BLUNT))
    }

    /// Turned on its ball and rolled so that a thigh reaches from a hip joint behind (world) to its knee, which bends about its own axis.
    fn reaching(self, ragdoll: &Ragdoll, side: usize, hip: Vec3) -> Self {
        (0..TURNS).fold(self, |sole, _| sole.facing(ragdoll, side, hip).rolled(ragdoll, side, hip))
    }

    /// Turned on its ball so that its knee bends toward a hip joint (world).
    fn facing(self, ragdoll: &Ragdoll, side: usize, hip: Vec3) -> Self {
        let joint = &ragdoll.topology.joints[LEGS[side][1].index() - 1];
        let axis = level(self.shin * joint.child_from_joint.rotation * Vec3::X);
        let across = Vec3::Y.cross(level(self.knee(ragdoll, side) - hip));
        let across = across * axis.dot(across).signum();
        let turn = libm::atan2f(axis.cross(across).y, axis.dot(across));
        Self { shin: (rotation_from_yaw(turn) * self.shin).normalize(), ..self }
    }

    /// Rolled so that a thigh reaches from a hip joint behind (world) to its knee.
    fn rolled(self, ragdoll: &Ragdoll, side: usize, hip: Vec3) -> Self {
        let tilted = |by: f32| self.tilted(by);
        let length = thigh(ragdoll, side).length();
        let (mut near, mut far) = (-MOST_TILT, MOST_TILT);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            if tilted(middle).knee(ragdoll, side).distance(hip) < length { near = middle } else { far = middle }
        }
        tilted(0.5 * (near + far))
    }
}

/// Soles rolled so that both thighs reach from a pelvis behind them.
pub(super) fn reaching(ragdoll: &Ragdoll, soles: &[Sole; 2], pelvis: &Rigid) -> [Sole; 2] {
    [0, 1].map(|side| soles[side].reaching(ragdoll, side, pelvis.point(hip_in_pelvis(ragdoll, side))))
}

/// Between the knees over two soles (world).
pub(super) fn knees(ragdoll: &Ragdoll, soles: &[Sole; 2]) -> Vec3 {
    (soles[0].knee(ragdoll, 0) + soles[1].knee(ragdoll, 1)) * 0.5
}

/// Soles and hips a share of the way from one stand to another, the hips about the knees.
pub(super) fn between(ragdoll: &Ragdoll, from: (&[Sole; 2], Vec3), to: (&[Sole; 2], Vec3), share: f32) -> ([Sole; 2], Vec3) {
    let soles = [0, 1].map(|side| from.0[side].between(&to.0[side], share));
    let [first, last, now] = [from.0, to.0, &soles].map(|soles| knees(ragdoll, soles));
    (soles, now + arc(from.1 - first, to.1 - last, share))
}

/// On the way from one point to another about the origin.
fn arc(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let (Some(first), Some(last)) = (from.try_normalize(), to.try_normalize()) else { return from.lerp(to, share) };
    let turn = rotation_from_vector(rotation_vector(turn_between(first, last)) * share);
    turn * first * (from.length() + (to.length() - from.length()) * share)
}

/// Between the hip joints (world).
pub(super) fn hips(ragdoll: &Ragdoll, pelvis: &Rigid) -> Vec3 {
    (pelvis.point(hip_in_pelvis(ragdoll, 0)) + pelvis.point(hip_in_pelvis(ragdoll, 1))) * 0.5
}

/// The pelvis of a turn whose hips are there.
pub(super) fn pelvis_of(ragdoll: &Ragdoll, rotation: Quat, hips: Vec3) -> Rigid {
    let middle = (hip_in_pelvis(ragdoll, 0) + hip_in_pelvis(ragdoll, 1)) * 0.5;
    Rigid::new(rotation, hips - rotation * middle)
}

/// Puts legs under a pelvis so that the soles stand where they are to: the turns of thighs and shins into `turned`. The pelvis moves to
/// where both thighs reach, and shins tilt a little where they cannot both.
pub(super) fn stand(ragdoll: &Ragdoll, pelvis: &mut Rigid, mut soles: [Sole; 2], turned: &mut [Quat; BONES]) {
    let hip = |pelvis: &Rigid, side: usize| pelvis.point(hip_in_pelvis(ragdoll, side));
    for _ in 0..ROUNDS {
        let knees = [0, 1].map(|side| soles[side].knee(ragdoll, side));
        let ways = [0, 1].map(|side| hip(pelvis, side) - knees[side]);
        let [left, right] = [0, 1].map(|side| ways[side].length() - thigh(ragdoll, side).length());
        let [a, b] = ways.map(|way| way.normalize_or(Vec3::Y));
        // The least move that takes both gaps away, damped.
        let (own, other) = (1.0 + DAMPED, a.dot(b));
        let whole = own * own - other * other;
        pelvis.translation -= (a * (own * left - other * right) + b * (own * right - other * left)) / whole;
        soles = [0, 1].map(|side| soles[side].nearer(ragdoll, side, hip(pelvis, side)));
    }
    for side in 0..2 {
        let [upper, lower] = LEGS[side];
        let way = (soles[side].knee(ragdoll, side) - hip(pelvis, side)).normalize_or(Vec3::NEG_Y);
        let along = turned[0] * thigh(ragdoll, side).normalize_or(Vec3::NEG_Y);
        let swung = turn_between(along, way) * turned[0];
        // Turned about itself so that the knee bends about its own axis.
        let joint = &ragdoll.topology.joints[lower.index() - 1];
        let is = (swung * joint.parent_from_joint.rotation * Vec3::X).reject_from(way);
        let wanted = (soles[side].shin * joint.child_from_joint.rotation * Vec3::X).reject_from(way);
        let twist = libm::atan2f(is.cross(wanted).dot(way), is.dot(wanted));
        turned[upper.index()] = (rotation_from_vector(way * twist) * swung).normalize();
        turned[lower.index()] = soles[side].shin;
    }
}

fn thigh(ragdoll: &Ragdoll, side: usize) -> Vec3 {
    let [upper, lower] = LEGS[side].map(Bone::index);
    ragdoll.joint_at[lower] - ragdoll.joint_at[upper]
}

fn hip_in_pelvis(ragdoll: &Ragdoll, side: usize) -> Vec3 {
    ragdoll.joint_at[LEGS[side][0].index()] - ragdoll.rest[0].translation
}

/// The ball of a foot, at the height of the sole's lowest corner, its shin being somewhere.
fn ball_of(ragdoll: &Ragdoll, side: usize, shin: &Rigid) -> Vec3 {
    let corners = ragdoll.soles[side].map(|corner| shin.point(corner));
    let lowest = corners.iter().map(|corner| corner.y).fold(f32::MAX, f32::min);
    level((corners[2] + corners[3]) * 0.5).with_y(lowest)
}
