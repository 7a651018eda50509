//! The clips that stay on the spot.

use super::arm;
use super::clip::{Clip, periodic, wave};
use super::skeleton::{CHEST, HEAD, NECK, Pose, RIGHT, SIDES, SPINE};
use core::f64::consts::TAU;
use glam::{DQuat, DVec3};

/// A turn about X by degrees: ahead for a trunk.
fn pitch_deg(angle: f64) -> DQuat {
    DQuat::from_rotation_x(angle.to_radians())
}

/// A turn about Y by degrees: to the left.
fn yaw_deg(angle: f64) -> DQuat {
    DQuat::from_rotation_y(angle.to_radians())
}

fn sine(phase: f64, times: f64) -> f64 {
    libm::sin(TAU * times * phase)
}

/// Standing at ease for 4 s: a breath, and the trunk swaying by a degree over hips and legs that are still. A ragdoll's soles are
/// rigid on its shins: hips that went from foot to foot by a centimetre rocked it on them, 14 cm of creep in 20 s.
///
/// Whole, or who stands after walking would do so in mid-stride.
pub fn idle() -> Clip {
    let cycle = Clip::cycle("Idle", 240, DVec3::ZERO, |phase| {
        let mut pose = Pose::default();
        let list = (0.8 * sine(phase, 1.0)).to_radians();
        let breath = wave(phase, 0.5, 1.0);
        pose.turns[SPINE] = DQuat::from_rotation_z(list) * pitch_deg(0.5 - 0.3 * breath);
        pose.turns[CHEST] = DQuat::from_rotation_z(-0.5 * list) * pitch_deg(-0.8 * breath);
        pose.turns[NECK] = pitch_deg(0.6 * breath);
        pose.turns[HEAD] = DQuat::from_rotation_z(-0.5 * list) * pitch_deg(0.5 * breath);
        for side in &SIDES {
            arm::swing(&mut pose, side, (1.5 + 0.6 * breath).to_radians(), (1.0 - 0.7 * breath).to_radians());
            arm::bend(&mut pose, side, (6.0 + 1.5 * breath).to_radians());
        }
        pose
    });
    Clip { whole: true, ..cycle }
}

/// The chest bowing by 15° ahead and back, a sine of 3 s; the pelvis and the legs are still.
pub fn bow() -> Clip {
    Clip::cycle("Bow", 180, DVec3::ZERO, |phase| {
        let mut pose = Pose::default();
        let half = pitch_deg(7.5 * sine(phase, 1.0));
        pose.turns[SPINE] = half;
        pose.turns[CHEST] = half;
        pose
    })
}

/// The head turning to the left and to the right, and up a little, for 4 s; only neck and head have keys.
pub fn look() -> Clip {
    const YAW_DEG: &[(f64, f64)] = &[(0.0, 0.0), (0.2, 35.0), (0.32, 35.0), (0.5, 0.0), (0.7, -35.0), (0.82, -35.0)];
    const UP_DEG: &[(f64, f64)] = &[(0.0, 0.0), (0.26, 8.0), (0.5, 2.0), (0.76, 12.0)];
    Clip::cycle("Look", 240, DVec3::ZERO, |phase| {
        let mut pose = Pose::default();
        let (yaw, up) = (periodic(YAW_DEG, phase), periodic(UP_DEG, phase));
        pose.turns[NECK] = yaw_deg(0.4 * yaw) * pitch_deg(-0.4 * up);
        pose.turns[HEAD] = yaw_deg(0.6 * yaw) * pitch_deg(-0.6 * up);
        pose
    })
}

/// The right arm raised and waving twice in 2 s; only its upper arm, forearm and hand have keys.
pub fn wave_hand() -> Clip {
    Clip::cycle("Wave", 120, DVec3::ZERO, |phase| {
        let mut pose = Pose::default();
        let swing = sine(phase, 2.0);
        // The elbow a little under the shoulder and ahead; the forearm up, swinging 22° either way.
        let upper = DVec3::new(-0.9, -0.25 + 0.05 * swing, 0.35);
        let aside = (5.0 + 22.0 * swing).to_radians();
        let fore = DVec3::new(-libm::sin(aside), libm::cos(aside), 0.15);
        arm::point(&mut pose, &RIGHT, upper, fore);
        pose.turns[RIGHT.hand] = DQuat::from_rotation_z((8.0 * sine(phase - 0.04, 2.0)).to_radians());
        pose
    })
}
