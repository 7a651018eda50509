//! Joints alone: how they swing, and how a muscle bears a load.

use super::stage::{GRAVITY, OPEN_BALL, OPEN_HINGE, Stage, at, ghost, lift, steps};
use super::{Verdict, on_all};
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{JointDef, JointKind, JointTarget, Pull, Topology};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_vector};

/// kg, kg·m² and half a length (m) of a thin rod.
const ROD: (f32, f32, f32) = (2.0, 1.0 / 6.0, 0.5);

/// Rods in a row along a way, each `2 × ROD.2` long, on a post that nothing moves.
fn rods(count: usize, way: Vec3, kind: JointKind) -> (Topology, Vec<Rigid>) {
    let (mass, inertia, half) = ROD;
    let mut bodies = vec![ghost(1.0e5, Vec3::splat(1.0e5))];
    bodies.extend((0..count).map(|_| ghost(mass, Vec3::splat(inertia))));
    let joints = (0..count).map(|index| JointDef {
        parent: index,
        child: index + 1,
        parent_from_joint: Rigid::new(Quat::IDENTITY, if index == 0 { Vec3::ZERO } else { way * half }),
        child_from_joint: Rigid::new(Quat::IDENTITY, way * -half),
        kind,
    });
    let topology = Topology { bodies, joints: joints.collect() };
    let poses = super::stage::rest(&topology, at(0.0, 3.0, 0.0));
    (topology, poses)
}

#[test]
fn pendulum() {
    on_all("pendulum", |backend, verdict| {
        for (name, kind) in [("hinge", OPEN_HINGE), ("ball", OPEN_BALL)] {
            swing(backend, verdict, name, kind);
        }
    });
}

fn swing(backend: Backend, verdict: &mut Verdict, name: &str, kind: JointKind) {
    let (mass, inertia, half) = ROD;
    let (topology, mut poses) = rods(1, Vec3::NEG_Y, kind);
    let tilt = Quat::from_rotation_x(0.2);
    poses[1] = Rigid::new(tilt, poses[0].translation + tilt * Vec3::NEG_Y * half);
    let mut stage = Stage::new(backend, GRAVITY);
    let rod = stage.add(&topology, &poses);
    stage.figures[rod].input.forces = vec![lift(&topology, 0)];

    let pull = mass * -GRAVITY.y * half;
    let (mut crossings, mut energies, mut last) = (Vec::new(), Vec::new(), 0.2_f32);
    // The widest of this half swing, and the energy there.
    let mut widest = (0.0_f32, 0.0_f32);
    for step in 1..=steps(20.0) {
        stage.step();
        let body = stage.figures[rod].output.bodies[1];
        let angle = rotation_vector(body.pose.rotation).x;
        let energy = 0.5 * (mass * body.linear.length_squared() + inertia * body.angular.length_squared())
            + pull * (1.0 - libm::cosf(angle));
        if angle.abs() > widest.0 {
            widest = (angle.abs(), energy);
        }
        if last * angle < 0.0 {
            crossings.push(step as f32 - angle / (angle - last));
            energies.push(widest.1);
            widest = (0.0, 0.0);
        }
        last = angle;
    }
    // The closed form for a small swing, and the next term of the series in its amplitude.
    let period = std::f32::consts::TAU * ((inertia + mass * half * half) / pull).sqrt() * (1.0 + 0.2 * 0.2 / 16.0);
    verdict.least(format_args!("{name}: half swings"), crossings.len() as f32, 20.0);
    let Some(((first, last), swings)) = crossings.first().zip(crossings.last()).zip(crossings.len().checked_sub(1)) else {
        return;
    };
    verdict.near(format_args!("{name}: period"), (last - first) * super::stage::DT * 2.0 / swings as f32, period, 0.01);
    // The first is of one step after it was let go: what it was let go with is known.
    let start = pull * (1.0 - libm::cosf(0.2));
    if let Some(first) = energies.first_mut() {
        *first = start;
    }
    for half_swing in 1..energies.len() {
        let (before, after) = (energies[half_swing - 1], energies[half_swing]);
        verdict.most(format_args!("{name}: energy after half swing {half_swing}"), after, before * 1.0005);
        if half_swing > 1 {
            verdict.least(format_args!("{name}: energy a swing later, {half_swing}"), after, energies[half_swing - 2] * 0.97);
        }
        // Nor over all swings.
        verdict.most(format_args!("{name}: energy since the start, {half_swing}"), after, start * 1.001);
        verdict.least(format_args!("{name}: energy left of the start, {half_swing}"), after, start * 0.99);
    }
}

/// A row of rods held out level: what gives way under the load has closed all but half a degree of it.
#[test]
fn static_load() {
    on_all("static load", |backend, verdict| {
        for (name, kind) in [("hinge", OPEN_HINGE), ("ball", OPEN_BALL)] {
            for count in 1..=3 {
                hold_out(backend, verdict, name, kind, count);
            }
        }
    });
}

fn hold_out(backend: Backend, verdict: &mut Verdict, name: &str, kind: JointKind, count: usize) {
    // Hinges turn about X: rods that lie along Z are pulled about it.
    let (topology, poses) = rods(count, Vec3::Z, kind);
    let mut stage = Stage::new(backend, GRAVITY);
    let row = stage.add(&topology, &poses);
    let input = &mut stage.figures[row].input;
    input.forces = vec![lift(&topology, 0)];
    let (mass, _, half) = ROD;
    // Twice what the load asks: the nth joint from the end bears n rods, whose middle is n halves away.
    input.joints = (0..count)
        .map(|joint| {
            let borne = (count - joint) as f32;
            let budget = 2.0 * borne * mass * -GRAVITY.y * half * borne;
            JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, pull: Pull::Servo(0.05), budget }
        })
        .collect();
    stage.run(3.0);
    for joint in 0..count {
        let off = rotation_vector(stage.figures[row].joint_rotation(joint)).length().to_degrees();
        verdict.most(format_args!("{count} {name}s: droop (°) of joint {joint}"), off, 0.5);
        let borne = (count - joint) as f32;
        let torque = stage.figures[row].output.joints[joint].torque;
        verdict.near(
            format_args!("{count} {name}s: torque of joint {joint}"),
            torque,
            borne * mass * -GRAVITY.y * half * borne,
            0.05,
        );
    }
}

/// A spring's frequency and damping are those of the two bodies alone: a rod that swings about its end is as much slower as it is harder to
/// turn there.
#[test]
fn a_spring_swings_what_hangs_on_it() {
    let (mass, inertia, half) = ROD;
    let (topology, poses) = rods(1, Vec3::Z, OPEN_HINGE);
    let mut stage = Stage::new(Backend::default(), Vec3::ZERO);
    let rod = stage.add(&topology, &poses);
    let (hz, ratio) = (2.0, 0.2);
    let pull = Pull::Spring { hz, ratio };
    let rotation = Quat::from_rotation_x(0.1);
    stage.figures[rod].input.joints = vec![JointTarget { rotation, velocity: Vec3::ZERO, pull, budget: 1.0e4 }];
    let (mut crossings, mut tops, mut last, mut top) = (Vec::new(), Vec::new(), -0.1_f32, 0.0_f32);
    for step in 1..=steps(4.0) {
        stage.step();
        let off = rotation_vector(stage.figures[rod].joint_rotation(0)).x - 0.1;
        top = top.max(off.abs());
        if last * off < 0.0 {
            crossings.push(step as f32 - off / (off - last));
            tops.push(std::mem::take(&mut top));
        }
        last = off;
    }
    // With k = ω²·I and d = 2ζω·I of the rod alone, about its end it has ω·√r and ζ·√r, r how much easier it turns without the end held.
    let slower = (inertia / (inertia + mass * half * half)).sqrt();
    let (omega, damping) = (std::f32::consts::TAU * hz * slower, ratio * slower);
    let half_swing = std::f32::consts::PI / (omega * (1.0 - damping * damping).sqrt());
    let found = (crossings[4] - crossings[0]) * super::stage::DT / 4.0;
    assert!((found / half_swing - 1.0).abs() < 0.02, "a half swing takes {found} s, not {half_swing}");
    // Implicit steps damp a little more.
    let (left, expected) = (tops[3] / tops[1], libm::expf(-2.0 * damping * omega * half_swing));
    assert!((left / expected - 1.0).abs() < 0.1, "{left} of a swing is left after the next, not {expected}");
}
