//! Walking and running, planned from the feet up.
//!
//! A foot that stands is planted: it comes down on its heel, rolls flat, stands, and rolls off over its toe, and the edge that it
//! rolls over stays where it is. Between two plants the ankle goes along a smooth arc. The pelvis rides above, and the legs are
//! solved from it to the ankles. All of it is planned in a frame that travels with the figure at its even speed, where a planted
//! foot goes backwards as fast.

use super::arm;
use super::clip::{Clip, hermite, periodic, wave};
use super::leg;
use super::skeleton::{CHEST, HEAD, HIPS, NECK, Pose, SIDES, SKELETON, SPINE, Side};
use glam::{DQuat, DVec3};

/// From the ankle at rest back to the edge that the heel rolls over (m).
pub const HEEL: f64 = 0.055;
/// From the ankle at rest ahead to the edge that the toe rolls over (m).
pub const TOE: f64 = 0.18;

/// A way of going. Phases are shares of a cycle of two steps; a foot's own phase is 0 when it comes down, the figure's is the left
/// foot's.
pub struct Gait {
    name: &'static str,
    /// Length of the cycle in sixtieths of a second; even, so that the right foot's keys are the left's.
    frames: u32,
    /// Metres a cycle.
    stride: f64,
    /// Share of the cycle that a foot is planted.
    planted: f64,
    /// How far ahead of the hips the ankle would be at phase 0 if the foot came down flat (m).
    ahead: f64,
    /// From the middle to a foot (m).
    track: f64,
    /// How far a foot is turned toes down, by its own phase (degrees). Above 0 it is on its toe, below 0 on its heel.
    pitch_deg: &'static [(f64, f64)],
    /// How far the ankle is lifted above its arc in mid-swing (m), by a parabola: no toe drags as it leaves, no heel as it lands.
    lift: f64,
    /// The hips' mean height under their rest (m).
    drop: f64,
    /// Half the way that the hips go up and down in a step (m), and the phase at which they are highest.
    bob: (f64, f64),
    /// Half the way that the hips go aside, over the planted foot (m).
    sway: f64,
    /// The pelvis turned forward on the side of the leg in front (degrees either way); the chest turns as far against it.
    twist_deg: f64,
    /// The pelvis falling on the side of the swinging leg (degrees either way).
    list_deg: f64,
    /// The trunk leaning ahead (degrees).
    lean_deg: f64,
    /// The upper arm swinging against the leg of its side (degrees either way), about an angle ahead of hanging.
    arm_deg: (f64, f64),
    /// The elbow's bend at the back and at the front of the swing (degrees).
    elbow_deg: (f64, f64),
}

/// 1.35 m/s: steps of 72 cm, 112 a minute.
pub const WALK: Gait = Gait {
    name: "Walk",
    frames: 64,
    stride: 1.44,
    planted: 0.6,
    ahead: 0.305,
    track: 0.075,
    pitch_deg: &[(0.0, -15.0), (0.1, 0.0), (0.32, 0.0), (0.44, 11.0), (0.5, 19.0), (0.6, 50.0), (0.88, 0.0), (0.96, -15.0)],
    lift: 0.036,
    drop: 0.037,
    bob: (0.015, 0.3),
    sway: 0.018,
    twist_deg: 4.0,
    list_deg: 3.0,
    lean_deg: 3.0,
    arm_deg: (18.0, 2.0),
    elbow_deg: (8.0, 22.0),
};

/// 3.2 m/s: steps of 1.17 m, 164 a minute, an eighth of a second off the ground between them.
pub const RUN: Gait = Gait {
    name: "Run",
    frames: 44,
    stride: 3.2 * 44.0 / 60.0,
    planted: 0.33,
    ahead: 0.19,
    track: 0.05,
    pitch_deg: &[(0.0, -6.0), (0.05, 0.0), (0.14, 0.0), (0.25, 25.0), (0.33, 52.0), (0.55, 62.0), (0.85, 0.0), (0.95, -8.0)],
    lift: 0.12,
    drop: 0.06,
    bob: (0.025, 0.415),
    sway: 0.008,
    twist_deg: 7.0,
    list_deg: 4.0,
    lean_deg: 9.0,
    arm_deg: (38.0, -4.0),
    elbow_deg: (70.0, 95.0),
};

impl Gait {
    /// The clip of a cycle; the hips travel by the stride.
    #[must_use]
    pub fn clip(&self) -> Clip {
        Clip::cycle(self.name, self.frames, DVec3::Z * self.stride, |phase| self.pose(phase))
    }

    fn pose(&self, phase: f64) -> Pose {
        let mut pose = self.trunk(phase);
        for side in &SIDES {
            let own = (phase + if side.sign > 0.0 { 0.0 } else { 0.5 }).fract();
            let (ankle, pitch) = self.foot(own);
            leg::reach(&mut pose, side, ankle.with_x(side.sign * self.track), DQuat::from_rotation_x(pitch));
            self.swing_arm(&mut pose, side, own);
        }
        pose
    }

    /// Hips, trunk and head.
    fn trunk(&self, phase: f64) -> Pose {
        let mut pose = Pose::default();
        let (bob, highest) = self.bob;
        // Over the left foot in the middle of its stance.
        let over_left = self.planted / 2.0;
        pose.hips.x += self.sway * wave(phase, over_left, 1.0);
        pose.hips.y += bob * wave(phase, highest, 2.0) - self.drop;
        let twist = -self.twist_deg.to_radians() * wave(phase, 0.0, 1.0);
        let list = self.list_deg.to_radians() * wave(phase, over_left - 0.1, 1.0);
        let lean = self.lean_deg.to_radians();
        pose.turns[HIPS] = DQuat::from_rotation_y(twist) * DQuat::from_rotation_z(list) * DQuat::from_rotation_x(0.3 * lean);
        pose.turns[SPINE] = DQuat::from_rotation_z(-list) * DQuat::from_rotation_y(-twist) * DQuat::from_rotation_x(0.35 * lean);
        pose.turns[CHEST] = DQuat::from_rotation_y(-twist) * DQuat::from_rotation_x(0.35 * lean);
        // The head looks ahead: it undoes the chest's twist and the lean, half in the neck.
        let level = DQuat::from_rotation_x(-0.45 * lean) * DQuat::from_rotation_y(0.5 * twist);
        pose.turns[NECK] = level;
        pose.turns[HEAD] = level;
        pose
    }

    /// The arm of a side at its leg's phase: back when the leg is in front.
    fn swing_arm(&self, pose: &mut Pose, side: &Side, own: f64) {
        let (swing, mean) = self.arm_deg;
        let (least, most) = self.elbow_deg;
        let forward = -wave(own, 0.03, 1.0);
        arm::swing(pose, side, (mean + swing * forward).to_radians(), 6.0_f64.to_radians());
        // The elbow follows a little behind the shoulder.
        let share = 0.5 - 0.5 * wave(own, 0.08, 1.0);
        arm::bend(pose, side, (least + (most - least) * share).to_radians());
    }

    /// Where an ankle is at its foot's own phase, in the travelling frame (its X is left 0), and how far the foot is turned toes
    /// down (rad).
    fn foot(&self, own: f64) -> (DVec3, f64) {
        let pitch = |own| periodic(self.pitch_deg, own).to_radians();
        let standing = |own: f64| {
            let spot = DVec3::Z * (self.ahead - self.stride * own);
            spot + rolled(pitch(own))
        };
        if own <= self.planted {
            return (standing(own), pitch(own));
        }
        // From where it leaves the ground to where it comes down, as fast at both ends as the foot rolls there.
        const INSTANT: f64 = 1e-4;
        let swing = 1.0 - self.planted;
        let (off, on) = (standing(self.planted), standing(0.0));
        let off_speed = (off - standing(self.planted - INSTANT)) / INSTANT * swing;
        let on_speed = (standing(INSTANT) - on) / INSTANT * swing;
        let t = (own - self.planted) / swing;
        let lift = self.lift * 4.0 * t * (1.0 - t);
        let y = hermite(off.y, off_speed.y, on.y, on_speed.y, t) + lift;
        let z = hermite(off.z, off_speed.z, on.z, on_speed.z, t);
        (DVec3::new(0.0, y, z), pitch(own))
    }
}

/// Where the ankle of a foot turned toes down by `pitch` (rad) is, seen from the spot on the ground that is under it when the foot
/// stands flat: the foot is turned about its toe's edge, or about its heel's when the toes are up.
fn rolled(pitch: f64) -> DVec3 {
    let edge = DVec3::Z * if pitch > 0.0 { TOE } else { -HEEL };
    let ankle = DVec3::Y * SKELETON[SIDES[0].foot].at.y;
    edge + DQuat::from_rotation_x(pitch) * (ankle - edge)
}
