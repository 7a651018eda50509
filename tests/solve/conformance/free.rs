//! What moves freely: momentum, energy, forces and blows.

use super::on_all;
use super::stage::{DT, Noise, Stage, ghost, lone, person, push, steps};
use simrun_sim::solve::boundary::{BodyDef, Force};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_vector};

/// A limp person thrown into the void, every bone its own way.
#[test]
fn free_momentum() {
    on_all("free momentum", |backend, verdict| {
        let ragdoll = person();
        for seed in 1..=4 {
            let mut noise = Noise::new(seed);
            let mut stage = Stage::new(backend, Vec3::ZERO);
            stage.add(&ragdoll.topology, &ragdoll.rest);
            // Joints that are pulled together cost angular momentum, by the square of the spin: 0.2 % a second at 3 rad/s.
            let (drift, spin) = (noise.vector(), noise.vector() * 1.5);
            let middle = ragdoll.rest[0].translation;
            let moving = ragdoll.rest.iter().map(|pose| {
                let linear = drift + spin.cross(pose.translation - middle) + noise.vector() * 0.3;
                (*pose, linear, spin + noise.vector() * 0.5)
            });
            stage.figures[0].input.teleport = Some(moving.collect());
            // The first step makes bones of one person of what is thrown apart.
            let thrown: Vec<_> = stage.figures[0].input.teleport.clone().unwrap_or_default();
            for (body, (pose, linear, angular)) in stage.figures[0].output.bodies.iter_mut().zip(thrown) {
                (body.pose, body.linear, body.angular) = (pose, linear, angular);
            }
            let (linear, angular, energy) = measured(&stage);
            let mut least = energy;
            for step in 1..=steps(5.0) {
                stage.step();
                let (linear_now, angular_now, energy_now) = measured(&stage);
                let what = format!("person {seed}, step {step}");
                verdict.most(
                    format_args!("{what}: share of momentum lost"),
                    linear_now.distance(linear) / linear.length(),
                    0.005,
                );
                verdict.most(
                    format_args!("{what}: share of angular momentum lost"),
                    angular_now.distance(angular) / angular.length(),
                    0.005,
                );
                verdict.most(format_args!("{what}: J"), energy_now, least + energy * 0.001);
                least = least.min(energy_now);
            }
        }
    });
}

/// kg·m/s, kg·m²/s about the centre of mass, J.
fn measured(stage: &Stage) -> (Vec3, Vec3, f32) {
    let actor = &stage.figures[0];
    let (linear, angular) = actor.momentum();
    let bodies = actor.topology.bodies.iter().zip(&actor.output.bodies);
    let middle = bodies.map(|(def, body)| body.pose.translation * def.mass).sum::<Vec3>() / actor.mass();
    (linear, angular - middle.cross(linear), actor.energy())
}

/// A lopsided body, its principal axes askew.
fn lopsided() -> BodyDef {
    let inertia_frame = rotation_from_vector(Vec3::new(0.4, -0.8, 0.3));
    BodyDef { inertia_frame, ..ghost(4.0, Vec3::new(0.05, 0.12, 0.15)) }
}

/// I⁻¹ · v (world) of the lopsided body as it is turned.
fn turned_by(rotation: Quat, v: Vec3) -> Vec3 {
    let def = lopsided();
    let axes = rotation * def.inertia_frame;
    axes * ((axes.conjugate() * v) / def.principal_inertia)
}

#[test]
fn blows() {
    on_all("blows", |backend, verdict| {
        let mut noise = Noise::new(3);
        for blow in 0..8 {
            let pose = Rigid::new(noise.rotation(), noise.vector() * 3.0);
            let (impulse, arm) = (noise.vector() * 2.0, noise.vector() * 0.2);
            let mut stage = Stage::new(backend, Vec3::ZERO);
            stage.add(&lone(lopsided()), &[pose]);
            stage.figures[0].input.impulses = vec![push(0, impulse, pose.translation + arm)];
            stage.step();
            let body = stage.figures[0].output.bodies[0];
            let (linear, angular) = (impulse / 4.0, turned_by(pose.rotation, arm.cross(impulse)));
            let what = format!("blow {blow}");
            verdict.most(format_args!("{what}: off J/m (m/s)"), body.linear.distance(linear), 0.001 * linear.length());
            // It begins to tumble within the step.
            let tumble = turned_by(pose.rotation, angular.cross(arm.cross(impulse))).length() * DT;
            verdict.most(
                format_args!("{what}: off I⁻¹(r × J) (rad/s)"),
                body.angular.distance(angular),
                0.002 * angular.length() + 1.5 * tumble,
            );
            let moved = body.pose.translation.distance(pose.translation);
            verdict.near(format_args!("{what}: moved in its own step (m)"), moved, linear.length() * DT, 0.01);
        }
    });
}

#[test]
fn forces() {
    on_all("forces", |backend, verdict| {
        let mut noise = Noise::new(5);
        for pull in 0..4 {
            let pose = Rigid::new(noise.rotation(), noise.vector());
            let (force, gravity) = (noise.vector() * 20.0, noise.vector() * 5.0);
            // About a principal axis: it does not tumble.
            let torque = pose.rotation * (lopsided().inertia_frame * Vec3::Y) * 0.3;
            let mut stage = Stage::new(backend, gravity);
            stage.add(&lone(lopsided()), &[pose]);
            stage.figures[0].input.forces = vec![Force { body: 0, force, torque }];
            stage.run(0.5);
            let body = stage.figures[0].output.bodies[0];
            let (linear, angular) = ((force / 4.0 + gravity) * 0.5, turned_by(pose.rotation, torque) * 0.5);
            let what = format!("pull {pull}");
            verdict.most(format_args!("{what}: off F/m (m/s)"), body.linear.distance(linear), 0.001 * linear.length());
            verdict.most(format_args!("{what}: off T/I (rad/s)"), body.angular.distance(angular), 0.005 * angular.length());
            let moved = body.pose.translation.distance(pose.translation);
            verdict.near(format_args!("{what}: m"), moved, linear.length() * 0.25, 0.01);
        }
    });
}

/// A plate that spins about its long axis, disturbed, tumbles as Euler says: its momentum stays where it was, its energy never grows.
#[test]
fn tumbling() {
    on_all("tumbling", |backend, verdict| {
        let pose = Rigid::IDENTITY;
        let mut stage = Stage::new(backend, Vec3::ZERO);
        stage.add(&lone(lopsided()), &[pose]);
        let spin = rotation_from_vector(Vec3::new(0.4, -0.8, 0.3)) * Vec3::new(0.05, 4.0, 0.1);
        stage.figures[0].input.teleport = Some(vec![(pose, Vec3::ZERO, spin)]);
        stage.figures[0].output.bodies[0].angular = spin;
        let (_, angular, energy) = measured(&stage);
        let mut least = energy;
        for step in 1..=steps(5.0) {
            stage.step();
            let (_, now, energy_now) = measured(&stage);
            verdict.most(format_args!("step {step}: share of momentum lost"), now.distance(angular) / angular.length(), 0.01);
            verdict.most(format_args!("step {step}: J"), energy_now, least + 0.001 * energy);
            least = least.min(energy_now);
        }
    });
}
