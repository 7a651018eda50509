//! Limits, driven against from inside.

use super::stage::{LIMP, Stage, ghost, pair, rest, steps, wrench};
use super::{Verdict, on_all};
use simrun_sim::Rigid;
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{JointKind, JointTarget};
use simrun_sim::space::{Quat, Vec3, rotation_from_vector, rotation_vector, swing_twist};

/// rad past a limit that a second's drive may lead to.
const MOST: f32 = 0.02;
/// kg·m² of the limb about its length and across it, about its centre; its joint is 0.2 m away.
const LIMB: Vec3 = Vec3::new(0.006, 0.03, 0.03);

/// How a joint is driven.
#[derive(Clone, Copy, Debug)]
enum Drive {
    /// Pulled from outside by so much (N·m, joint's axes), whatever the joint does.
    Pull(Vec3),
    /// By its muscle of so much (N·m), toward what is far past the limit.
    Muscle(Vec3),
}

/// Drives a limb on a heavy trunk for a second; the farthest that `past` comes to (rad).
fn farthest(backend: Backend, kind: JointKind, drive: Drive, past: impl Fn(Quat) -> f32) -> f32 {
    let topology = pair([ghost(60.0, Vec3::splat(4.0)), ghost(2.5, LIMB)], [Vec3::X * 0.1, Vec3::X * -0.2], Quat::IDENTITY, kind);
    let mut stage = Stage::new(backend, Vec3::ZERO);
    let figure = stage.add(&topology, &rest(&topology, Rigid::IDENTITY));
    let mut worst = f32::MIN;
    for _ in 0..steps(1.0) {
        let actor = &mut stage.figures[figure];
        let frame = actor.output.bodies[0].pose.rotation;
        match drive {
            Drive::Pull(torque) => actor.input.forces = wrench(1, 0, frame * torque).to_vec(),
            Drive::Muscle(torque) => {
                let rotation = rotation_from_vector(torque.normalize() * 3.0);
                actor.input.joints = vec![JointTarget { rotation, budget: torque.length(), ..LIMP }];
            }
        }
        stage.step();
        let now = past(stage.figures[figure].joint_rotation(0));
        // `max` would pass over what is not a number.
        worst = if now <= worst { worst } else { now };
    }
    worst
}

fn both(torque: Vec3) -> [Drive; 2] {
    [Drive::Pull(torque), Drive::Muscle(torque)]
}

fn met(verdict: &mut Verdict, what: impl std::fmt::Display, past: f32) {
    verdict.most(format_args!("{what}: past the limit (rad)"), past, MOST);
    // Else nothing was driven.
    verdict.least(format_args!("{what}: short of the limit (rad)"), past, -MOST);
}

#[test]
fn hinge_limit() {
    on_all("hinge limit", |backend, verdict| {
        for range in [[-0.4, 1.0], [0.0, 2.45]] {
            let past = |joint: Quat| {
                let angle = rotation_vector(joint).x;
                (angle - range[1]).max(range[0] - angle)
            };
            for torque in [Vec3::X * 4.0, Vec3::X * -4.0] {
                for drive in both(torque) {
                    let worst = farthest(backend, JointKind::Hinge { range }, drive, past);
                    met(verdict, format_args!("{range:?} by {drive:?}"), worst);
                }
            }
        }
    });
}

#[test]
fn twist_limit() {
    on_all("twist limit", |backend, verdict| {
        for twist in [[-0.7, 0.7], [-0.2, 1.4]] {
            let kind = JointKind::Ball { swing: [1.0, 1.0], twist };
            let past = |joint: Quat| {
                let angle = rotation_vector(swing_twist(joint, Vec3::X).1).x;
                (angle - twist[1]).max(twist[0] - angle)
            };
            for torque in [Vec3::X * 4.0, Vec3::X * -4.0] {
                for drive in both(torque) {
                    met(verdict, format_args!("{twist:?} by {drive:?}"), farthest(backend, kind, drive, past));
                }
            }
        }
    });
}

/// How far a swing is past the ellipse's radius in its own direction (rad).
fn past_cone(joint: Quat, half: [f32; 2]) -> f32 {
    let vector = rotation_vector(swing_twist(joint, Vec3::X).0);
    let angle = vector.length();
    let (y, z) = (vector.y / angle.max(1.0e-6), vector.z / angle.max(1.0e-6));
    let radius = 1.0 / ((y / half[0]).powi(2) + (z / half[1]).powi(2)).max(1.0e-6).sqrt();
    angle - radius
}

/// `pull`: N·m that bring the limb to its limit at some ten radians a second.
fn swings(backend: Backend, verdict: &mut Verdict, half: [f32; 2], pull: f32) {
    let kind = JointKind::Ball { swing: half, twist: [-0.7, 0.7] };
    for azimuth in (0..8).map(|eighth| eighth as f32 * 45.0) {
        let (sine, cosine) = libm::sincosf(azimuth.to_radians());
        let way = Vec3::new(0.0, cosine, sine);
        for drive in [Drive::Pull(way * pull), Drive::Muscle(way * 30.0)] {
            let worst = farthest(backend, kind, drive, |joint| past_cone(joint, half));
            met(verdict, format_args!("{half:?} at {azimuth}° by {drive:?}"), worst);
        }
    }
}

#[test]
fn round_swing_limit() {
    on_all("round swing limit", |backend, verdict| swings(backend, verdict, [0.8, 0.8], 8.0));
}

#[test]
fn eccentric_swing_limit() {
    on_all("eccentric swing limit", |backend, verdict| swings(backend, verdict, [0.75, 1.25], 6.0));
}

#[test]
fn wide_swing_limit() {
    on_all("wide swing limit", |backend, verdict| {
        swings(backend, verdict, [2.2, 2.2], 3.0);
        swings(backend, verdict, [2.1, 2.6], 3.0);
    });
}

/// Met at some twenty radians a second, as fast as a muscle turns, by what goes on pulling.
#[test]
fn struck_limit() {
    on_all("struck limit", |backend, verdict| {
        let twist = [-0.7, 0.7];
        for half in [[0.8, 0.8], [0.75, 1.25]] {
            for azimuth in (0..8).map(|eighth| eighth as f32 * 45.0) {
                let (sine, cosine) = libm::sincosf(azimuth.to_radians());
                let drive = Drive::Pull(Vec3::new(0.0, cosine, sine) * 30.0);
                let worst = farthest(backend, JointKind::Ball { swing: half, twist }, drive, |joint| past_cone(joint, half));
                verdict.most(format_args!("{half:?} at {azimuth}°: past the limit (rad)"), worst, 0.05);
            }
        }
        let range = [-0.4, 0.8];
        let past = |joint: Quat| rotation_vector(joint).x - range[1];
        let worst = farthest(backend, JointKind::Hinge { range }, Drive::Pull(Vec3::X * 4.0), past);
        verdict.most("hinge: past the limit (rad)", worst, 0.05);
    });
}
