//! What measures say of depth, limits, energy and momentum is what the poses say: planted faults are seen, to their size.

use glam::DVec3;
use proptest::prelude::*;
use simrun_measure::boxman;
use simrun_measure::depth::{Solid, depth, depth_over};
use simrun_measure::limit::past;
use simrun_measure::momentum::{Momentum, solid_box};
use simrun_sim::Rigid;
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::solve::boundary::{BodyState, JointDef, JointKind, Shape};
use simrun_sim::space::{Quat, Vec3, rotation_from_vector};

fn capsule(a: [f32; 3], b: [f32; 3], radius: f32) -> Solid {
    let shape = Shape::Capsule { a: a.into(), b: b.into(), radius };
    Solid::of_shape(Rigid::IDENTITY, &shape).expect("a capsule")
}

fn cuboid(size: [f32; 3], rotation: Quat, at: [f32; 3]) -> Solid {
    Solid::of_shape(Rigid::new(rotation, at.into()), &Shape::Box(size.into())).expect("a box")
}

#[track_caller]
fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1.0e-6, "{found}, not {wanted}");
}

#[test]
fn capsules_are_in_each_other_by_their_radii_less_the_distance_of_their_axes() {
    let across = capsule([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.1);
    near(depth(&across, &capsule([0.3, -1.0, 0.15], [0.3, 1.0, 0.15], 0.1)), 0.05);
    near(depth(&across, &capsule([1.15, 0.0, 0.0], [2.0, 0.0, 0.0], 0.1)), 0.05);
    near(depth(&across, &capsule([-3.0, 0.15, 0.0], [3.0, 0.15, 0.0], 0.1)), 0.05);
    near(depth(&across, &capsule([0.0, 0.3, 0.0], [0.5, 0.3, 0.0], 0.1)), -0.1);
    near(depth(&across, &capsule([0.2, 0.15, 0.0], [0.2, 0.15, 0.0], 0.1)), 0.05);
}

#[test]
fn a_capsule_is_in_a_box_by_its_radius_and_how_far_its_axis_is_inside() {
    let ground = cuboid([80.0, 1.0, 80.0], Quat::IDENTITY, [0.0, -0.5, 0.0]);
    near(depth(&capsule([0.0, 0.08, 0.0], [1.0, 0.5, 0.0], 0.1), &ground), 0.02);
    near(depth(&ground, &capsule([0.0, -0.02, 0.0], [1.0, 0.5, 0.0], 0.1)), 0.12);
    assert!(depth(&capsule([0.0, 0.2, 0.0], [1.0, 0.5, 0.0], 0.1), &ground) < 0.0);
    // Over a corner, where neither a face nor an edge says it.
    let cube = cuboid([1.0, 1.0, 1.0], Quat::IDENTITY, [0.0, 0.0, 0.0]);
    let corner = DVec3::splat(0.5);
    let off = (DVec3::splat(0.55) - corner).length();
    near(depth(&capsule([0.55, 0.55, 0.55], [2.0, 2.0, 2.0], 0.1), &cube), 0.1 - off);
}

#[test]
fn boxes_are_in_each_other_by_their_corners_and_edges() {
    let one = cuboid([1.0, 1.0, 1.0], Quat::IDENTITY, [0.0, 0.0, 0.0]);
    near(depth(&one, &cuboid([0.2, 0.2, 0.2], Quat::IDENTITY, [0.0, 0.58, 0.0])), 0.02);
    near(depth(&cuboid([0.2, 0.2, 0.2], Quat::IDENTITY, [0.0, 0.58, 0.0]), &one), 0.02);
    // On its edge, turned by 45°: half its diagonal reaches down.
    let turned = rotation_from_vector(Vec3::Z * std::f32::consts::FRAC_PI_4);
    near(depth(&one, &cuboid([0.2, 0.2, 0.2], turned, [0.0, 0.6, 0.0])), 0.1 * 2.0_f64.sqrt() - 0.1);
    // Two long edges that cross, and no corner of either near.
    let bar = |way: Vec3, at: [f32; 3]| cuboid([0.2, 4.0, 0.2], rotation_from_vector(way * std::f32::consts::FRAC_PI_2), at);
    near(depth(&bar(Vec3::X, [0.0, 0.0, 0.0]), &bar(Vec3::Z, [0.0, 0.17, 0.0])), 0.03);
    assert!(depth(&one, &cuboid([0.2, 0.2, 0.2], Quat::IDENTITY, [0.0, 0.7, 0.0])) < 0.0);
}

fn form(shape: &Shape, rotation: Vec3, at: [f32; 3]) -> Solid {
    Solid::of_shape(Rigid::new(rotation_from_vector(rotation), at.into()), shape).expect("a convex form")
}

#[test]
fn what_stands_in_the_ground_or_in_a_pillar_is_in_it_by_its_lowest_point() {
    let ground = form(&Shape::Plane, Vec3::ZERO, [0.0, 0.0, 0.0]);
    near(depth(&capsule([0.0, 0.08, 0.0], [1.0, 0.5, 0.0], 0.1), &ground), 0.02);
    near(depth(&cuboid([0.2, 0.2, 0.2], Quat::IDENTITY, [9.0, 0.07, 0.0]), &ground), 0.03);
    let slope = form(&Shape::Plane, Vec3::Z * 0.5, [0.0, 0.0, 0.0]);
    near(depth(&slope, &capsule([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.1)), 0.1);

    let pillar = form(&Shape::Cylinder { height: 2.0, radius: 0.5 }, Vec3::ZERO, [0.0, 1.0, 0.0]);
    near(depth(&capsule([0.58, 0.5, 0.0], [0.58, 1.5, 0.0], 0.1), &pillar), 0.02);
    near(depth(&pillar, &capsule([0.0, 2.06, 0.0], [0.3, 2.06, 0.0], 0.1)), 0.04);
    near(depth(&cuboid([0.2, 0.2, 0.2], Quat::IDENTITY, [0.55, 1.0, 0.0]), &pillar), 0.05);
    // A lying one, whose rim reaches into the ground by a chord's share less.
    let rolled = form(&Shape::Cylinder { height: 1.0, radius: 0.5 }, Vec3::Z * std::f32::consts::FRAC_PI_2, [0.0, 0.4, 0.0]);
    assert!((0.09..0.1 + 1.0e-6).contains(&depth(&rolled, &ground)), "{}", depth(&rolled, &ground));
}

fn ragdoll() -> Ragdoll {
    boxman().expect("the box man").ragdoll.clone().expect("his ragdoll")
}

/// The child's rotation under an upright parent when the joint is turned so in its own frame.
fn turned(joint: &JointDef, by: Quat) -> Quat {
    joint.parent_from_joint.rotation * by * joint.child_from_joint.rotation.conjugate()
}

#[test]
fn a_joint_past_its_limit_is_past_it_by_as_much() {
    for joint in &ragdoll().topology.joints {
        let at = |by: Quat| past(joint, Quat::IDENTITY, turned(joint, by));
        match joint.kind {
            JointKind::Ball { swing, twist } => {
                let about = |x: f32, y: f32, z: f32| at(rotation_from_vector(Vec3::new(0.0, y, z)) * Quat::from_rotation_x(x));
                let is = |found: Option<f64>, wanted: f64| assert!((found.expect("a ball's") - wanted).abs() < 1.0e-5);
                is(about(0.0, swing[0] + 0.1, 0.0).swing, 0.1);
                is(about(0.0, 0.0, -swing[1] - 0.1).swing, 0.1);
                is(about(twist[1] + 0.05, swing[0] - 0.2, 0.0).swing, -0.2);
                is(about(twist[1] + 0.05, swing[0] - 0.2, 0.0).twist, 0.05);
                is(about(twist[0] - 0.05, 0.0, 0.3).twist, 0.05);
                // Along the ellipse's diagonal: a point of it, pushed out.
                let (y, z) = (swing[0] * 0.6, swing[1] * 0.8);
                let length = y.hypot(z);
                is(about(0.0, y * (length + 0.1) / length, z * (length + 0.1) / length).swing, 0.1);
            }
            JointKind::Hinge { range } => {
                let about = |x: f32| at(Quat::from_rotation_x(x)).worst();
                assert!((about(range[1] + 0.1) - 0.1).abs() < 1.0e-5 && (about(range[0] - 0.1) - 0.1).abs() < 1.0e-5);
                assert!(about(0.5 * (range[0] + range[1])) < 0.0);
            }
            JointKind::Weld => {}
        }
    }
}

#[test]
fn at_rest_every_joint_is_within_its_limits() {
    for joint in &ragdoll().topology.joints {
        let worst = past(joint, Quat::IDENTITY, Quat::IDENTITY).worst();
        assert!(worst < 0.0, "{}: {worst}", Bone::ALL[joint.child].name());
    }
}

#[test]
fn a_spinning_box_has_the_energy_and_momentum_of_one() {
    let def = solid_box(Vec3::new(0.2, 0.4, 0.6), 6.0);
    let state = |at: Vec3, linear: Vec3, angular: Vec3| BodyState { pose: Rigid::new(Quat::IDENTITY, at), linear, angular };
    let spinning = state(Vec3::X, Vec3::Y * 2.0, Vec3::X * 3.0);
    // 6 / 12 × (0.16 + 0.36) = 0.26.
    let alone = Momentum::of(std::iter::once((&def, &spinning)));
    near(alone.energy, 0.5 * 6.0 * 4.0 + 0.5 * 0.26 * 9.0);
    assert!((alone.linear - DVec3::Y * 12.0).length() < 1.0e-6 && (alone.angular - DVec3::X * 0.78).length() < 1.0e-6);
    // Two that pass each other a metre either side of the middle: each carries mass × speed × lever.
    let bodies = [state(Vec3::X, Vec3::Y * 2.0, Vec3::ZERO), state(Vec3::NEG_X, Vec3::NEG_Y * 2.0, Vec3::ZERO)];
    let both = Momentum::of(bodies.iter().map(|body| (&def, body)));
    assert!(both.linear.length() < 1.0e-9 && (both.angular - DVec3::Z * 24.0).length() < 1.0e-6);
    near(both.moving, 24.0);
}

/// A ball joint whose frames are turned in both bodies, as a shoulder's.
fn ball(swing: [f32; 2], twist: [f32; 2]) -> JointDef {
    let frame = |vector: Vec3| Rigid::new(rotation_from_vector(vector), Vec3::ZERO);
    JointDef {
        parent: 0,
        child: 1,
        parent_from_joint: frame(Vec3::new(0.4, -1.1, 0.7)),
        child_from_joint: frame(Vec3::new(-0.9, 0.3, 1.6)),
        kind: JointKind::Ball { swing, twist },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same as trying many points along both axes.
    #[test]
    fn depths_of_capsules_are_those_of_their_nearest_points(numbers in prop::array::uniform12(-1.0_f32..1.0)) {
        let [a, b, c, d] = std::array::from_fn(|point| [numbers[point * 3], numbers[point * 3 + 1], numbers[point * 3 + 2]]);
        let (one, two) = (capsule(a, b, 1.0), capsule(c, d, 1.0));
        let at = |from: [f32; 3], to: [f32; 3], share: f64| {
            Vec3::from(from).as_dvec3().lerp(Vec3::from(to).as_dvec3(), share)
        };
        let shares = || (0..=200).map(|step| f64::from(step) / 200.0);
        let tried = shares().flat_map(|s| shares().map(move |t| (s, t)));
        let nearest = tried.map(|(s, t)| at(a, b, s).distance(at(c, d, t))).fold(f64::INFINITY, f64::min);
        let (found, wanted) = (depth(&one, &two), 2.0 - nearest);
        // Of what is apart it says that it is, by the gap or less.
        let most = if wanted < -0.02 { 0.0 } else { wanted + 0.02 };
        prop_assert!(found >= wanted - 1.0e-9 && found <= most, "{found} {wanted}");
    }

    /// What is deeper than asked for is told as deep as it is, and nothing else is told.
    #[test]
    fn a_depth_is_told_where_it_is_over_the_least(
        kinds in prop::array::uniform2(0..5_usize),
        turns in prop::array::uniform6(-2.0_f32..2.0),
        off in prop::array::uniform3(-0.6_f32..0.6),
        least in -0.1..0.3_f64,
    ) {
        let forms = [
            Shape::Box(Vec3::new(0.6, 0.2, 0.9)),
            Shape::Sphere(0.3),
            Shape::Capsule { a: Vec3::NEG_X * 0.4, b: Vec3::X * 0.4, radius: 0.15 },
            Shape::Cylinder { height: 0.5, radius: 0.3 },
            Shape::Plane,
        ];
        let turn = |index: usize| Vec3::new(turns[index], turns[index + 1], turns[index + 2]);
        let (one, two) = (form(&forms[kinds[0]], turn(0), [0.0; 3]), form(&forms[kinds[1]], turn(3), off));
        let whole = depth(&one, &two);
        let told = depth_over(&one, &two, least);
        // Apart, a depth is a bound on the gap.
        prop_assume!(whole.is_finite() && (whole > 0.0 || least >= 0.0) && (whole - least).abs() > 1.0e-6);
        prop_assert_eq!(told, Some(whole).filter(|whole| *whole > least));
    }

    /// A swing and a twist that were put together come apart as they were, up to a swing of nearly half a turn.
    #[test]
    fn swing_and_twist_are_told_apart(way in -3.1_f32..3.1, swung in 0.05_f32..3.0, twisted in -3.0_f32..3.0, parent in -3.0_f32..3.0) {
        let joint = ball([1.0, 1.0], [-1.0, 1.0]);
        let swing = rotation_from_vector(Vec3::new(0.0, way.cos(), way.sin()) * swung);
        let parent = rotation_from_vector(Vec3::new(0.3, 0.8, -0.5) * parent);
        let found = past(&joint, parent, parent * turned(&joint, swing * Quat::from_rotation_x(twisted)));
        let near = |found: Option<f64>, wanted: f32| found.is_some_and(|found| (found - f64::from(wanted)).abs() < 2.0e-4);
        prop_assert!(near(found.swing, swung - 1.0) && near(found.twist, twisted.abs() - 1.0), "{found:?}");
    }
}
