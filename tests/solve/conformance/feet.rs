//! More bodies than a figure's bones: a person whose feet hang from ankles of their own stands on them.

use super::Verdict;
use super::stage::{DT, GRAVITY, Stage, person};
use simrun_sim::figure::Ragdoll;
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{BodyDef, JointDef, JointKind, JointTarget, PlacedShape, Pull, Shape, Topology};
use simrun_sim::space::{Quat, Rigid, Vec3};
use simrun_sim::{BONES, Bone};

/// Share of a shin with its foot that the foot has (de Leva 1996), and the torque of an ankle (N·m): people's, pressing down.
const FOOT: f32 = 0.0137 / (0.0137 + 0.0433);
const ANKLE: f32 = 120.0;
/// How far ankles bend up and down (rad).
const BENDS: [f32; 2] = [-0.35, 0.87];
/// How far ahead of the heel the ankle is, as a share of the sole.
const AHEAD: f32 = 0.29;

/// The same person with its soles on bodies of their own, and where all of them rest.
fn footed(ragdoll: &Ragdoll) -> (Topology, Vec<Rigid>) {
    let (mut topology, mut poses) = (ragdoll.topology.clone(), ragdoll.rest.to_vec());
    for shin in [Bone::ShinL, Bone::ShinR].map(Bone::index) {
        let body = &mut topology.bodies[shin];
        let at = body.shapes.iter().position(|shape| matches!(shape.shape, Shape::Box(_))).expect("a sole");
        let sole = body.shapes.remove(at);
        let Shape::Box(size) = sole.shape else { unreachable!("it is a box") };
        let Rigid { rotation, translation } = sole.body_from_shape;
        let mass = body.mass * FOOT;
        body.mass -= mass;
        let squares = size * size;
        let moments = Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass / 12.0);
        let ankle = translation + rotation * Vec3::Z * ((AHEAD - 0.5) * size.z) + Vec3::Y * (0.5 * size.y);
        let shape = PlacedShape { body_from_shape: Rigid::new(rotation, Vec3::ZERO), ..sole };
        // As much is added to it as to every body of a figure.
        let principal_inertia = moments + Vec3::splat(0.02);
        let child = topology.bodies.len();
        topology.bodies.push(BodyDef { mass, principal_inertia, inertia_frame: rotation, shapes: vec![shape] });
        topology.joints.push(JointDef {
            parent: shin,
            child,
            parent_from_joint: Rigid::new(rotation, ankle),
            child_from_joint: Rigid::new(rotation, ankle - translation),
            kind: JointKind::Hinge { range: BENDS },
        });
        poses.push(poses[shin] * Rigid::new(Quat::IDENTITY, translation));
    }
    (topology, poses)
}

#[test]
fn feet_of_their_own_bear_who_stands_on_them() {
    let ragdoll = person();
    let (topology, poses) = footed(&ragdoll);
    let mut stage = Stage::new(Backend::Batch, GRAVITY);
    stage.floor(0.9, 0.0);
    let figure = stage.add(&topology, &poses);
    let target = |joint: &JointDef| JointTarget {
        rotation: (poses[joint.parent].rotation.conjugate() * poses[joint.child].rotation).normalize(),
        velocity: Vec3::ZERO,
        pull: Pull::Servo(0.05),
        budget: if joint.child < BONES { ragdoll.budgets[joint.child] } else { ANKLE },
    };
    stage.figures[figure].input.joints = topology.joints.iter().map(target).collect();
    stage.run(2.0);
    let before = stage.figures[figure].poses();
    stage.run(5.0);
    let mut verdict = Verdict::default();
    let after = stage.figures[figure].poses();
    for (body, (before, after)) in before.iter().zip(&after).enumerate() {
        verdict.most(format_args!("body {body} goes (m)"), before.translation.distance(after.translation), 1.0e-3);
    }
    let fastest = stage.figures[figure].output.bodies.iter().map(|body| body.angular.length()).fold(0.0, f32::max);
    verdict.most("it turns (rad/s)", fastest, 0.005);
    let pressed: f32 = stage.figures[figure].output.contacts.iter().map(|contact| contact.impulse).sum();
    let feet = stage.figures[figure].output.contacts.iter().all(|contact| contact.body >= BONES);
    verdict.hold(feet, "all its weight is on its feet");
    let weight = stage.figures[figure].mass() * GRAVITY.length() * DT;
    verdict.near("its feet press (N·s a step)", pressed, weight, 0.01);
    assert!(verdict.0.is_empty(), "{:?}", verdict.0);
}
