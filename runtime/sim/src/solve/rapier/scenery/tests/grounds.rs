//! A sole on all kinds of ground, and other forms beside each other.

use super::*;
use crate::space::rotation_from_vector;

const SOLE: Vec3 = Vec3::new(0.1, 0.06, 0.25);
/// Metres between the sole and the ground; less than 0 is inside.
const HEIGHTS: [f32; 3] = [0.004, 0.0, -0.008];

fn field(slope: f32) -> Shape {
    let heights = (0..21).flat_map(|_| (0..21).map(move |column| (column as f32 - 10.0) * slope)).collect();
    Shape::Heightfield { rows: 21, heights, size: Vec3::new(4.0, 1.0, 4.0) }
}

fn mesh() -> Shape {
    let points = (0..21).flat_map(|z| (0..21).map(move |x| Vec3::new(x as f32 * 0.2 - 2.0, 0.0, z as f32 * 0.2 - 2.0))).collect();
    let corner = |x: u32, z: u32| z * 21 + x;
    let cell = |x, z| {
        let (a, b, c, d) = (corner(x, z), corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1));
        [[a, c, b], [b, c, d]]
    };
    let triangles = (0..20).flat_map(|z| (0..20).flat_map(move |x| cell(x, z))).collect();
    Shape::Mesh { points, triangles }
}

/// Puts a sole on ground that goes through the origin, at several places, turned as it lies and by `yaw`.
fn stands(object: &ObjectDef, lie: Quat) {
    let up = lie * Vec3::Y;
    for (place, yaw) in [(Vec3::ZERO, 0.0), (Vec3::new(0.33, 0.0, 0.41), 0.3), (Vec3::new(-0.71, 0.0, 0.2), 1.2)] {
        for height in HEIGHTS {
            let turn = lie * rotation_from_vector(Vec3::Y * yaw);
            let at = lie * (place + Vec3::Y * (SOLE.y * 0.5 + height));
            let state = BodyState { pose: Rigid::new(turn, at), ..BodyState::default() };
            let points = beside(Shape::Box(SOLE), state, object);
            assert_eq!(points.len(), 4, "at {place}, {height}: {points:#?}");
            let corners: Vec<Vec3> = points.iter().map(|point| turn.conjugate() * (point.on_one - at)).collect();
            for (point, corner) in points.iter().zip(corners) {
                assert!((point.distance - height).abs() < 2.0e-4, "{height}: {point:?}");
                assert!(point.normal.dot(up) > 0.99999, "{point:?}");
                let wanted = Vec3::new(SOLE.x * 0.5, SOLE.y * 0.5, SOLE.z * 0.5);
                assert!(corner.abs().distance(wanted) < 1.0e-3, "no corner of the sole: {corner}");
                assert_eq!((point.friction, point.restitution), (0.5, 0.2));
            }
        }
    }
}

fn fixed(shape: Shape, rotation: Quat) -> ObjectDef {
    let mut object = thing(shape, BodyKind::Fixed, Vec3::ZERO);
    object.pose.rotation = rotation;
    object
}

#[test]
fn on_a_plane() {
    stands(&fixed(Shape::Plane, Quat::IDENTITY), Quat::IDENTITY);
}

#[test]
fn on_a_slope() {
    let lie = rotation_from_vector(Vec3::new(0.1, 0.0, 0.35));
    stands(&fixed(Shape::Plane, lie), lie);
    let mut block = fixed(Shape::Box(Vec3::new(10.0, 1.0, 10.0)), lie);
    block.pose.translation = lie * (Vec3::Y * -0.5);
    stands(&block, lie);
}

#[test]
fn on_a_box() {
    stands(&ground(), Quat::IDENTITY);
}

#[test]
fn on_a_mesh() {
    stands(&fixed(mesh(), Quat::IDENTITY), Quat::IDENTITY);
    let lie = rotation_from_vector(Vec3::new(0.1, 0.4, 0.2));
    stands(&fixed(mesh(), lie), lie);
}

#[test]
fn on_a_heightfield() {
    stands(&fixed(field(0.0), Quat::IDENTITY), Quat::IDENTITY);
    // 2 cm a cell of 20.
    stands(&fixed(field(0.02), Quat::IDENTITY), rotation_from_vector(Vec3::Z * 0.1_f32.atan()));
}

#[test]
fn a_sole_over_the_edge_of_a_box_has_its_points_on_the_box() {
    let block = thing(Shape::Box(Vec3::splat(1.0)), BodyKind::Fixed, Vec3::Y * -0.5);
    let points = beside(Shape::Box(SOLE), still(Vec3::new(0.5, 0.03, 0.0)), &block);
    assert_eq!(points.len(), 4, "{points:#?}");
    for point in points {
        assert!(point.on_two.x <= 0.5001 && point.on_two.x >= 0.4499, "{point:?}");
        assert!(point.normal.dot(Vec3::Y) > 0.999, "{point:?}");
    }
}

#[test]
fn a_box_beside_a_wall_is_pushed_out_of_the_wall() {
    let wall = thing(Shape::Box(Vec3::new(0.05, 4.0, 4.0)), BodyKind::Fixed, Vec3::ZERO);
    for side in [-1.0, 1.0] {
        let points = beside(Shape::Box(Vec3::splat(0.3)), still(Vec3::X * (side * 0.18)), &wall);
        assert_eq!(points.len(), 4);
        assert!(points.iter().all(|point| point.normal.dot(Vec3::X * side) > 0.999 && (point.distance - 0.005).abs() < 1.0e-4));
    }
}

#[test]
fn round_forms_on_flat_ground() {
    let ball = beside(Shape::Sphere(0.1), still(Vec3::Y * 0.11), &ground());
    assert_eq!(ball.len(), 1);
    assert!((ball[0].distance - 0.01).abs() < 1.0e-5 && ball[0].on_two.y.abs() < 1.0e-5);
    let lying = Shape::Capsule { a: Vec3::X * -0.2, b: Vec3::X * 0.2, radius: 0.05 };
    let lying = beside(lying, still(Vec3::Y * 0.045), &ground());
    assert_eq!(lying.len(), 2);
    assert!(lying.iter().all(|point| (point.distance + 0.005).abs() < 1.0e-5 && (point.on_one.x.abs() - 0.2).abs() < 1.0e-5));
    let cylinder = Shape::Cylinder { height: 0.4, radius: 0.2 };
    assert_eq!(beside(cylinder.clone(), still(Vec3::Y * 0.2), &ground()).len(), 4);
    let mut fallen = still(Vec3::Y * 0.2);
    fallen.pose.rotation = rotation_from_vector(Vec3::X * std::f32::consts::FRAC_PI_2);
    assert_eq!(beside(cylinder, fallen, &ground()).len(), 2);
}

#[test]
fn round_forms_on_a_mesh() {
    let surface = fixed(mesh(), Quat::IDENTITY);
    for x in [0.0, 0.05, 0.1, 0.13] {
        let ball = beside(Shape::Sphere(0.1), still(Vec3::new(x, 0.09, 0.07)), &surface);
        assert_eq!(ball.len(), 1, "{ball:#?}");
        assert!((ball[0].distance + 0.01).abs() < 1.0e-5 && ball[0].normal.dot(Vec3::Y) > 0.9999, "{ball:#?}");
    }
    let lying = Shape::Capsule { a: Vec3::X * -0.2, b: Vec3::X * 0.2, radius: 0.05 };
    let lying = beside(lying, still(Vec3::new(0.03, 0.045, 0.05)), &surface);
    assert!(lying.len() >= 2 && lying.len() <= 4, "{lying:#?}");
    assert!(lying.iter().all(|point| point.normal.dot(Vec3::Y) > 0.9999));
}

#[test]
fn two_capsules_that_cross_have_one_point() {
    let along = |axis: Vec3| Shape::Capsule { a: axis * -0.3, b: axis * 0.3, radius: 0.05 };
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(7, &chain_of(&[along(Vec3::X)]));
    scenery.add_figure(3, &chain_of(&[along(Vec3::Z)]));
    let (upper, lower) = ([still(Vec3::Y * 1.11)], [still(Vec3::Y)]);
    let points = detect(&mut scenery, &[figure(7, &upper), figure(3, &lower)]).points;
    assert_eq!(points.len(), 1);
    let point = points[0];
    // The lower key is `one`, and it is the one below.
    assert!((point.distance - 0.01).abs() < 1.0e-5 && point.normal.dot(Vec3::NEG_Y) > 0.999, "{point:?}");
    assert!(point.on_one.distance(Vec3::Y * 1.05) < 1.0e-5 && point.on_two.distance(Vec3::Y * 1.06) < 1.0e-5);
    assert_eq!((point.friction, point.restitution), (0.8, 0.0));
}

#[test]
fn nothing_tunnels() {
    let wall = thing(Shape::Box(Vec3::new(0.05, 4.0, 4.0)), BodyKind::Fixed, Vec3::ZERO);
    let hand = Shape::Sphere(0.04);
    for (shape, half, speed) in [(Shape::Box(Vec3::splat(0.3)), 0.15, 20.0), (hand, 0.04, 30.0)] {
        for percent in 0..=100 {
            // From touching to as far as one step reaches.
            let gap = speed * DT * percent as f32 / 100.0;
            let at = Vec3::X * -(0.025 + half + gap);
            let points = beside(shape.clone(), flying(at, Vec3::X * speed), &wall);
            assert!(!points.is_empty(), "{gap} m before the wall at {speed} m/s");
            assert!(points.iter().all(|point| (point.distance - gap).abs() < 1.0e-3 && point.normal.x < -0.999));
            if (gap - 0.02).abs() > 1.0e-5 {
                assert_eq!(beside(shape.clone(), still(at), &wall).is_empty(), gap > 0.02, "at rest {gap} m before the wall");
            }
        }
    }
}

#[test]
fn a_thing_that_flies_is_met_too() {
    let mut ball = thing(Shape::Sphere(0.1), BodyKind::Dynamic, Vec3::X * 1.0);
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Sphere(0.2)]));
    scenery.add_object(2, &ball);
    assert!(detect(&mut scenery, &[figure(1, &[still(Vec3::ZERO)])]).points.is_empty());
    scenery.move_object(2, Vec3::X * -50.0, Vec3::ZERO);
    let found = detect(&mut scenery, &[figure(1, &[still(Vec3::ZERO)])]);
    assert_eq!((found.points.len(), found.guests.len()), (1, 1));
    assert_eq!(found.guests[0].state.linear, Vec3::X * -50.0);
    // A kinematic one is no guest, and its surface moves.
    ball.kind = BodyKind::Kinematic;
    scenery.add_object(2, &ball);
    scenery.move_object(2, Vec3::X * -50.0, Vec3::ZERO);
    let found = detect(&mut scenery, &[figure(1, &[still(Vec3::ZERO)])]);
    assert_eq!((found.points.len(), found.guests.len()), (1, 0));
    assert_eq!(found.points[0].scenery_velocity, Vec3::X * -50.0);
}
