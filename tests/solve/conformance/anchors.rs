//! Anchors: how they close their gaps, and what they may give.

use super::on_all;
use super::stage::{DT, Stage, at, ghost, lone, steps};
use simrun_sim::solve::boundary::{Anchor, Axes, Topology};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_vector};

const MASS: f32 = 10.0;
const INERTIA: f32 = 0.4;

fn floating() -> Topology {
    lone(ghost(MASS, Vec3::splat(INERTIA)))
}

/// All of a body, without bounds.
fn held(target: Rigid, tau: f32) -> Anchor {
    Anchor {
        body: 0,
        linear: Axes::ALL,
        angular: Axes::ALL,
        target,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        tau,
        rate_cap: 1.0e3,
        max_force: 1.0e6,
        max_torque: 1.0e6,
    }
}

#[test]
fn anchor_closes_its_gap() {
    on_all("anchor closes its gap", |backend, verdict| {
        for tau in [0.05, 0.1, 0.3] {
            let turn = Vec3::new(0.3, -0.2, 0.25);
            let target = Rigid::new(rotation_from_vector(turn), Vec3::new(0.06, 0.1, -0.08));
            let mut stage = Stage::new(backend, Vec3::ZERO);
            stage.add(&floating(), &[Rigid::IDENTITY]);
            stage.figures[0].input.anchors = vec![held(target, tau)];
            let count = steps(tau);
            for _ in 0..count {
                stage.step();
            }
            // A share of the gap that falls by 1/e in τ; a step later or sooner is allowed.
            let pose = stage.figures[0].output.bodies[0].pose;
            let left = [
                pose.translation.distance(target.translation) / target.translation.length(),
                rotation_vector(target.rotation * pose.rotation.conjugate()).length() / turn.length(),
            ];
            let late = libm::expf(-(count as f32 * DT - DT) / tau);
            let soon = libm::expf(-(count as f32 * DT + DT) / tau);
            for (what, left) in ["way", "turn"].into_iter().zip(left) {
                verdict.most(format_args!("τ {tau}: share of the {what} left"), left, late);
                verdict.least(format_args!("τ {tau}: share of the {what} left"), left, soon);
            }
            stage.run(tau * 8.0);
            let pose = stage.figures[0].output.bodies[0].pose;
            verdict.most(format_args!("τ {tau}: m left at last"), pose.translation.distance(target.translation), 0.001);
            let off = rotation_vector(target.rotation * pose.rotation.conjugate()).length();
            verdict.most(format_args!("τ {tau}: rad left at last"), off, 0.002);
        }
    });
}

/// A target that goes and turns evenly is met, not followed.
#[test]
fn anchor_follows() {
    on_all("anchor follows", |backend, verdict| {
        let (linear, angular) = (Vec3::new(1.0, 0.2, -0.5), Vec3::Y * 1.5);
        let mut stage = Stage::new(backend, Vec3::new(0.0, -9.81, 0.0));
        stage.add(&floating(), &[Rigid::IDENTITY]);
        let mut off = (0.0, 0.0);
        for step in 1..=120 {
            let along = |steps: i32| {
                let time = steps as f32 * DT;
                Rigid::new(rotation_from_vector(angular * time), linear * time)
            };
            // Where it shall be at the step's start, and how that moves.
            let anchor = Anchor { linear_velocity: linear, angular_velocity: angular, ..held(along(step - 1), 1.0 / 31.4) };
            stage.figures[0].input.anchors = vec![anchor];
            stage.step();
            let (pose, target) = (stage.figures[0].output.bodies[0].pose, along(step));
            off.0 = pose.translation.distance(target.translation);
            off.1 = rotation_vector(target.rotation * pose.rotation.conjugate()).length();
        }
        verdict.most("m behind", off.0, 0.002);
        verdict.most("rad behind", off.1, 0.005);
    });
}

/// One that asks for more than it may give gives all that it may, whatever the direction.
#[test]
fn anchor_caps() {
    on_all("anchor caps", |backend, verdict| {
        let ways = [Vec3::X, Vec3::new(1.0, 1.0, 0.0).normalize(), Vec3::new(-1.0, 1.0, 1.0).normalize()];
        for way in ways {
            let mut stage = Stage::new(backend, Vec3::ZERO);
            stage.add(&floating(), &[Rigid::IDENTITY]);
            let target = Rigid::new(rotation_from_vector(way * 2.5), way * 20.0);
            let (max_force, max_torque) = (30.0, 2.0);
            stage.figures[0].input.anchors = vec![Anchor { max_force, max_torque, ..held(target, 0.1) }];
            for step in 1..=15 {
                stage.step();
                let what = format!("toward {way}, step {step}");
                let (force, torque) = stage.figures[0].output.anchors[0];
                verdict.near(format_args!("{what}: N"), force / DT, max_force, 0.001);
                verdict.near(format_args!("{what}: N·m"), torque / DT, max_torque, 0.001);
                let (body, time) = (stage.figures[0].output.bodies[0], step as f32 * DT);
                verdict.near(format_args!("{what}: m/s"), body.linear.dot(way), max_force / MASS * time, 0.005);
                verdict.near(format_args!("{what}: rad/s"), body.angular.dot(way), max_torque / INERTIA * time, 0.005);
            }
        }
    });
}

/// Axes that an anchor does not hold are let be.
#[test]
fn anchor_holds_its_axes_alone() {
    on_all("anchor holds its axes alone", |backend, verdict| {
        let mut stage = Stage::new(backend, Vec3::ZERO);
        stage.add(&floating(), &[Rigid::IDENTITY]);
        let (linear, angular) = (Vec3::new(0.5, 0.7, 0.0), Vec3::Y * 2.0);
        stage.figures[0].input.teleport = Some(vec![(Rigid::IDENTITY, linear, angular)]);
        let anchor = Anchor { linear: Axes::VERTICAL, angular: Axes::LEVEL, ..held(at(0.0, 0.0, 0.0), 0.05) };
        stage.figures[0].input.anchors = vec![anchor];
        stage.run(0.5);
        let body = stage.figures[0].output.bodies[0];
        verdict.near("m/s along what is free", body.linear.x, 0.5, 0.001);
        verdict.near("rad/s about what is free", body.angular.y, 2.0, 0.001);
        verdict.most("m/s along what is held", body.linear.y.abs(), 0.01);
        let tilt = (body.pose.rotation * Vec3::Y).distance(Vec3::Y);
        verdict.most("tilt", tilt, 0.001);
        verdict.hold(body.pose.rotation != Quat::IDENTITY, "it turned");
    });
}
