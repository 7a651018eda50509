//! Budgets: what a muscle may give, and what comes of it.

use super::stage::{DT, Noise, OPEN_BALL, OPEN_HINGE, Stage, ghost, pair, person, rest};
use super::{Verdict, on_all};
use simrun_sim::Rigid;
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{JointKind, JointTarget, Pull};
use simrun_sim::space::{Quat, Vec3, rotation_from_vector};

const MASSES: [f32; 2] = [8.0, 3.0];
const INERTIAS: [f32; 2] = [0.3, 0.06];
const BUDGET: f32 = 0.6;

/// Two bodies float free; the muscle between them asks for more than it may give.
#[test]
fn budget_moves_what_it_can() {
    on_all("budget moves what it can", |backend, verdict| {
        let skew = Vec3::new(1.0, -0.7, 0.5).normalize();
        drive(backend, verdict, "hinge", OPEN_HINGE, Vec3::X, [0.0, 0.0]);
        drive(backend, verdict, "hinge between the ends", OPEN_HINGE, Vec3::X, [0.2, 0.25]);
        drive(backend, verdict, "ball about Y", OPEN_BALL, Vec3::Y, [0.0, 0.0]);
        drive(backend, verdict, "ball askew", OPEN_BALL, skew, [0.0, 0.0]);
    });
}

fn drive(backend: Backend, verdict: &mut Verdict, name: &str, kind: JointKind, axis: Vec3, arms: [f32; 2]) {
    let bodies = [0, 1].map(|body| ghost(MASSES[body], Vec3::splat(INERTIAS[body])));
    let topology = pair(bodies, [Vec3::NEG_Y * arms[0], Vec3::Y * arms[1]], Quat::IDENTITY, kind);
    let mut stage = Stage::new(backend, Vec3::ZERO);
    let figure = stage.add(&topology, &rest(&topology, Rigid::IDENTITY));
    let rotation = rotation_from_vector(axis * 1.5);
    stage.figures[figure].input.joints =
        vec![JointTarget { rotation, velocity: Vec3::ZERO, pull: Pull::Servo(0.05), budget: BUDGET }];
    let count = 6;
    for _ in 0..count {
        stage.step();
        let torque = stage.figures[figure].output.joints[0].torque;
        verdict.near(format_args!("{name}: torque"), torque, BUDGET, 0.002);
    }
    // The two ends meet: the turn that the point between them takes part in is lighter by its share.
    let [one, two] = INERTIAS;
    let lean = arms[1] / two - arms[0] / one;
    let point = 1.0 / MASSES[0] + 1.0 / MASSES[1] + arms[0] * arms[0] / one + arms[1] * arms[1] / two;
    let per_torque = 1.0 / one + 1.0 / two - lean * lean / point;
    let rate = stage.figures[figure].joint_rate(0);
    let wanted = BUDGET * per_torque * DT * count as f32;
    verdict.near(format_args!("{name}: rate"), rate.dot(axis), wanted, 0.02);
    verdict.most(format_args!("{name}: rate across"), (rate - axis * rate.dot(axis)).length(), 0.02 * wanted);
}

/// A person flung about by its own muscles, each asked for another pose every few steps.
#[test]
fn budgets_are_kept() {
    on_all("budgets are kept", |backend, verdict| {
        let ragdoll = person();
        let mut stage = Stage::new(backend, super::stage::GRAVITY);
        stage.floor(0.8, 0.0);
        let figure = stage.add(&ragdoll.topology, &ragdoll.rest);
        let mut noise = Noise::new(7);
        for step in 0..240 {
            if step % 12 == 0 {
                let budgets = &ragdoll.budgets[1..];
                let target = |budget: &f32| JointTarget {
                    rotation: noise.rotation(),
                    velocity: noise.vector() * 3.0,
                    pull: Pull::Servo(0.05),
                    budget: budget * noise.within(0.0, 1.0),
                };
                stage.figures[figure].input.joints = budgets.iter().map(target).collect();
            }
            stage.step();
            let actor = &stage.figures[figure];
            for (joint, (state, target)) in actor.output.joints.iter().zip(&actor.input.joints).enumerate() {
                verdict.most(format_args!("step {step}: torque of joint {joint}"), state.torque, target.budget * 1.001);
            }
        }
    });
}
