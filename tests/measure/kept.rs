//! What is said from kept poses is what the poses say.

use simrun_measure::kept::{Frame, Kept, most_drawn_turn, turn_rates};
use simrun_sim::figure::BONES;
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_from_yaw};

const STEP_HZ: f64 = 60.0;

/// A figure whose bodies are all one pose.
fn frame(pose: Rigid) -> Frame {
    let still = [Rigid::new(Quat::IDENTITY, Vec3::Y); BONES];
    Frame {
        bodies: [pose; BONES],
        target: still,
        drawn: [pose; BONES],
        bent: [0.0; 2],
        drawn_bent: [0.0; 2],
        contacts: Vec::new(),
        opening: 0.0,
        touching: Vec::new(),
        strain: 0.0,
        ground: 0.0,
    }
}

fn at(translation: Vec3) -> Frame {
    frame(Rigid::new(Quat::IDENTITY, translation))
}

#[test]
fn a_slow_turn_is_read_to_a_hundredth() {
    let turning = |step: u16| frame(Rigid::new(rotation_from_yaw(2.0 + f32::from(step) * 0.03 / 60.0), Vec3::Y));
    let frames: Vec<Frame> = (0..120).map(turning).collect();
    let (mean, most) = turn_rates(&frames, STEP_HZ);
    assert!((mean - 0.03).abs() < 3.0e-4 && (most - 0.03).abs() < 3.0e-4, "{mean} {most}");
    assert!((most_drawn_turn(&frames) - 0.03 / 60.0).abs() < 5.0e-6);
}

#[test]
fn drift_is_level_and_heading_ignores_lean() {
    let start = at(Vec3::Y);
    assert!((at(Vec3::new(0.03, 0.2, 0.04)).drift(&start) - 0.05).abs() < 1.0e-6);
    let leaning = frame(Rigid::new(rotation_from_yaw(0.2) * rotation_from_vector(Vec3::X * 0.3), Vec3::Y));
    assert!((leaning.heading_change(&start) - 0.2).abs() < 1.0e-6);
    assert!((leaning.lean() - 0.3).abs() < 1.0e-6);
}

#[test]
fn joints_that_stay_do_not_count_a_turn_of_the_whole() {
    let turned = frame(Rigid::new(rotation_from_yaw(1.0), Vec3::Y));
    assert!(turned.worst_joint_since(&at(Vec3::Y)) < 1.0e-6);
}

#[test]
fn low_or_leaning_is_down() {
    let kept = Kept { step_hz: STEP_HZ, standing_height: 1.0, frames: vec![at(Vec3::Y)] };
    assert!(!kept.is_down(&at(Vec3::Y * 0.61)));
    assert!(kept.is_down(&at(Vec3::Y * 0.59)));
    assert!(kept.is_down(&frame(Rigid::new(rotation_from_vector(Vec3::Z * 0.61), Vec3::Y))));
}
