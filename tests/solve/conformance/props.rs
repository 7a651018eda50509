//! Figures and things: what one gives the other takes.

use super::stage::{Stage, box_inertia, person, push, steps};
use super::{Verdict, on_all};
use simrun_sim::solve::Backend;
use simrun_sim::space::{Rigid, Vec3};

const SIZE: Vec3 = Vec3::new(0.35, 0.3, 0.25);

/// kg·m/s and kg·m²/s about the origin of all that is there.
fn momentum(stage: &Stage, crates: &[(u64, f32)]) -> (Vec3, Vec3) {
    let of_figures = stage.figures.iter().map(super::stage::Actor::momentum);
    let of_crates = crates.iter().filter_map(|(key, mass)| {
        let state = stage.solver.object(*key)?;
        let linear = state.linear * *mass;
        let rotation = state.pose.rotation;
        let spin = rotation * (box_inertia(*mass, SIZE) * (rotation.conjugate() * state.angular));
        Some((linear, state.pose.translation.cross(linear) + spin))
    });
    of_figures.chain(of_crates).fold((Vec3::ZERO, Vec3::ZERO), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// Crates thrown at limp people in the void.
fn thrown(backend: Backend, verdict: &mut Verdict, name: &str, people: usize, crates: &[(u64, f32)]) {
    let ragdoll = person();
    let mut stage = Stage::new(backend, Vec3::ZERO);
    for index in 0..people {
        let by = Vec3::new(0.0, 0.0, 0.9 * index as f32);
        let poses: Vec<_> = ragdoll.rest.iter().map(|pose| Rigid::new(pose.rotation, pose.translation + by)).collect();
        stage.add(&ragdoll.topology, &poses);
    }
    for (index, (key, mass)) in crates.iter().enumerate() {
        let at = Vec3::new(0.06 + 0.3 * index as f32, 1.3 - 0.4 * index as f32, -1.0);
        stage.crate_at(*key, SIZE, at, *mass);
        stage.solver.push_object(*key, Vec3::new(-0.3 * index as f32, 0.0, 4.0) * *mass, None);
    }
    let (linear, angular) = momentum(&stage, crates);
    let mut met = 0.0_f32;
    for step in 1..=steps(1.5) {
        stage.step();
        let (linear_now, angular_now) = momentum(&stage, crates);
        let what = format!("{name}, step {step}");
        verdict.most(format_args!("{what}: share of momentum lost"), linear_now.distance(linear) / linear.length(), 0.01);
        verdict.most(
            format_args!("{what}: share of angular momentum lost"),
            angular_now.distance(angular) / angular.length(),
            0.01,
        );
        met = met.max(stage.figures[people - 1].momentum().0.length());
    }
    verdict.least(format_args!("{name}: share of momentum that the last one took"), met / linear.length(), 0.2);
}

#[test]
fn guest_momentum() {
    on_all("guest momentum", |backend, verdict| {
        thrown(backend, verdict, "a crate", 1, &[(2, 6.0)]);
        thrown(backend, verdict, "a light crate", 1, &[(2, 0.5)]);
        thrown(backend, verdict, "a heavy crate", 1, &[(2, 60.0)]);
        thrown(backend, verdict, "two crates and two people", 2, &[(2, 20.0), (3, 5.0)]);
    });
}

/// Two people thrown at each other.
#[test]
fn momentum_between_figures() {
    on_all("momentum between figures", |backend, verdict| {
        let ragdoll = person();
        let mut stage = Stage::new(backend, Vec3::ZERO);
        for z in [0.0, 1.0] {
            let by = Vec3::new(0.1 * z, 0.05 * z, z);
            let poses: Vec<_> = ragdoll.rest.iter().map(|pose| Rigid::new(pose.rotation, pose.translation + by)).collect();
            stage.add(&ragdoll.topology, &poses);
        }
        let blows =
            (0..12).map(|body| push(body, Vec3::Z * 2.5 * ragdoll.topology.bodies[body].mass, ragdoll.rest[body].translation));
        stage.figures[0].input.impulses = blows.collect();
        let wanted = Vec3::Z * 2.5 * ragdoll.mass;
        let mut angular = None;
        for step in 1..=steps(1.5) {
            stage.step();
            let (linear_now, angular_now) = momentum(&stage, &[]);
            let first = *angular.get_or_insert(angular_now);
            let what = format!("step {step}");
            verdict.most(format_args!("{what}: share of momentum lost"), linear_now.distance(wanted) / wanted.length(), 0.01);
            verdict.most(
                format_args!("{what}: share of angular momentum lost"),
                angular_now.distance(first) / first.length(),
                0.01,
            );
        }
        verdict.least("m/s of the other's chest", stage.figures[1].output.bodies[2].linear.length(), 0.3);
    });
}
