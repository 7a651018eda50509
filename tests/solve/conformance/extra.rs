//! A person with something in the hand: one body more than a person has.

use super::on_all;
use super::stage::{DT, GRAVITY, Stage, block, person, push, steps};
use simrun_sim::Bone;
use simrun_sim::figure::Ragdoll;
use simrun_sim::solve::boundary::{Anchor, Axes, BodyState, FigureInput, JointDef, JointKind, JointTarget, Pull, Topology};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_vector, turn_between};

/// A person with a box of a kilogram welded into the right hand, where it stands.
fn holding(ragdoll: &Ragdoll) -> (Topology, Vec<Rigid>) {
    let (mut topology, mut poses) = (ragdoll.topology.clone(), ragdoll.rest.to_vec());
    let (hand, child) = (Bone::ForearmR.index(), topology.bodies.len());
    // The forearm's far end is the wrist: the box hangs below it, a little ahead.
    let palm = ragdoll.palms[1];
    topology.bodies.push(block(1.0, Vec3::new(0.12, 0.08, 0.2), 0.5));
    topology.joints.push(JointDef {
        parent: hand,
        child,
        parent_from_joint: Rigid::new(Quat::IDENTITY, palm),
        child_from_joint: Rigid::new(Quat::IDENTITY, Vec3::new(0.0, 0.0, -0.1)),
        kind: JointKind::Weld,
    });
    poses.push(poses[hand] * Rigid::new(Quat::IDENTITY, palm + Vec3::Z * 0.1));
    (topology, poses)
}

/// Muscles toward the pose at rest, the right arm waving, and what keeps it upright.
fn stand(ragdoll: &Ragdoll, pelvis: &BodyState, time: f32, input: &mut FigureInput) {
    let joints = &ragdoll.topology.joints;
    let target = |joint: &JointDef| {
        let still = JointTarget {
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            pull: Pull::Servo(0.05),
            budget: ragdoll.budgets[joint.child],
        };
        if joint.child != Bone::UpperArmR.index() {
            return still;
        }
        let (sine, cosine) = libm::sincosf(time * std::f32::consts::TAU);
        let turn = |share: f32| Vec3::X * (-0.6 * share);
        let rate = std::f32::consts::TAU * 0.5;
        JointTarget { rotation: rotation_from_vector(turn(0.5 - 0.5 * cosine)), velocity: turn(rate * sine), ..still }
    };
    // The box is welded: its joint has no muscle.
    let weld = JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, pull: Pull::Servo(0.05), budget: 0.0 };
    input.joints = joints.iter().map(target).chain([weld]).collect();
    let up = pelvis.pose.rotation * Vec3::Y;
    input.anchors = vec![Anchor {
        body: 0,
        linear: Axes::NONE,
        angular: Axes::LEVEL,
        target: Rigid::new(turn_between(up, Vec3::Y) * pelvis.pose.rotation, pelvis.pose.translation),
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        tau: 0.05,
        rate_cap: 20.0,
        max_force: 0.0,
        max_torque: 800.0,
    }];
}

#[test]
fn thirteen_bodies() {
    on_all("thirteen bodies", |backend, verdict| {
        let ragdoll = person();
        let (topology, poses) = holding(&ragdoll);
        let (hand, held) = (Bone::ForearmR.index(), topology.bodies.len() - 1);
        let mut stage = Stage::new(backend, GRAVITY);
        stage.floor(0.9, 0.0);
        stage.add(&topology, &poses);
        let weld = topology.joints.len() - 1;
        let (mut open, mut bent) = (0.0_f32, 0.0_f32);
        for step in 0..steps(6.0) {
            let actor = &mut stage.figures[0];
            stand(&ragdoll, &actor.output.bodies[0], step as f32 * DT, &mut actor.input);
            if step == 240 {
                // As much as gives the whole 0.3 m/s.
                let chest = actor.output.bodies[Bone::Chest.index()].pose.translation;
                actor.input.impulses = vec![push(Bone::Chest.index(), Vec3::Z * 0.3 * actor.mass(), chest)];
            }
            stage.step();
            let actor = &stage.figures[0];
            let rotation = |body: usize| actor.output.bodies[body].pose.rotation;
            open = open.max(actor.separation(weld));
            bent = bent.max(rotation_vector(rotation(hand).conjugate() * rotation(held)).length().to_degrees());
        }
        verdict.most("m that the weld opened", open, 0.001);
        verdict.most("° that the weld bent", bent, 0.5);
        let bodies = &stage.figures[0].output.bodies;
        let sunk = ragdoll.rest[0].translation.y - bodies[0].pose.translation.y;
        verdict.most("m that the pelvis sank", sunk, 0.03);
        let head = bodies[Bone::Head.index()].pose.translation - bodies[0].pose.translation;
        verdict.least("the head is above the pelvis", head.normalize().y, 0.97);
    });
}
