//! Frames of any length come to the same steps.

#[path = "../../runtime/simrun/src/clock.rs"]
#[allow(dead_code, reason = "the run loop uses the rest")]
mod run_loop;

use crate::support::{add_figure, road, shove};
use run_loop::Clock;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Mode, Nobody, WorldSettings};
use std::time::{Duration, Instant};

/// Steps a second of the simulation.
const RATE: f64 = 60.0;

/// Hashes of the steps that frames of these lengths (s) come to.
fn steps(frames: impl Iterator<Item = f64>) -> Vec<u64> {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    shove(&mut world, ann, Bone::Chest, Vec3::Z * 2.9);
    let start = Instant::now();
    let (mut clock, mut now) = (Clock::new(start), 0.0);
    let mut hashes = Vec::new();
    for frame in frames {
        now += frame;
        for _ in 0..clock.due(start + Duration::from_secs_f64(now), RATE) {
            world.step(&mut Nobody);
            hashes.push(world.last_hashes().all());
        }
    }
    hashes
}

#[test]
fn thirty_to_a_thousand_frames_a_second_give_the_same_steps() {
    // Half a step past two seconds: the last frame does not end on the edge of a step.
    let seconds = 2.0 + 0.5 / RATE;
    let frames = |rate: f64| {
        let whole = (seconds * rate).floor();
        std::iter::repeat_n(1.0 / rate, whole as usize).chain([seconds - whole / rate])
    };
    let straight = steps(frames(60.0));
    assert_eq!(straight.len(), 120);
    for rate in [30.0, 144.0, 1000.0] {
        assert_eq!(steps(frames(rate)), straight, "{rate} frames a second");
    }
    // Frames of all lengths under the four steps that may be owed.
    let uneven = (0..).map(|frame| 0.002 + 0.019 * f64::from(frame % 4));
    let mut passed = 0.0;
    let uneven = uneven.take_while(|frame| {
        passed += frame;
        passed < seconds
    });
    let found = steps(uneven);
    assert_eq!(found[..], straight[..found.len()]);
    assert!(found.len() > 110);
}

#[test]
fn a_frame_of_five_seconds_does_not_storm() {
    let start = Instant::now();
    let mut clock = Clock::new(start);
    let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
    assert_eq!(clock.due(at(5.0), RATE), 4, "as many as may be owed, not three hundred");
    let after: u32 = (1..=60).map(|frame| clock.due(at(5.0 + f64::from(frame) / 60.0), RATE)).sum();
    assert!((59..=61).contains(&after), "{after} steps in the second after it");
}
