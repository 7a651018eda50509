//! Dynamic things near a figure.

use super::*;

/// Three crates on a body, one far away, all over ground.
fn stack() -> Scenery {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Box(Vec3::new(1.0, 0.2, 1.0))]));
    scenery.add_object(10, &ground());
    scenery.add_object(13, &crate_at(Vec3::Y * 0.455));
    scenery.add_object(11, &crate_at(Vec3::Y * 0.96));
    scenery.add_object(12, &crate_at(Vec3::Y * 1.465));
    scenery.add_object(14, &crate_at(Vec3::new(5.0, 0.25, 0.0)));
    scenery
}

fn keys(found: &Detected) -> Vec<u64> {
    found.guests.iter().map(|guest| guest.key).collect()
}

#[test]
fn a_whole_stack_is_guest_and_nothing_else() {
    let mut scenery = stack();
    let body = [still(Vec3::Y * 0.1)];
    let found = detect(&mut scenery, &[figure(1, &body)]);
    assert_eq!(keys(&found), [11, 12, 13]);
    let count = |one, two| found.points.iter().filter(|point| (point.one, point.two) == (one, two)).count();
    let object = Touched::Object;
    assert_eq!(count(Touched::Figure(1, 0), object(10)), 4);
    assert_eq!(count(Touched::Figure(1, 0), object(13)), 4);
    assert_eq!(count(object(11), object(13)), 4);
    assert_eq!(count(object(11), object(12)), 4);
    assert_eq!(found.points.len(), 16);
    let crate_of = found.guests[0];
    assert!((crate_of.mass - 10.0).abs() < 1.0e-4);
    let inertia = 10.0 * 0.25 / 6.0;
    assert!(crate_of.principal_inertia.distance(Vec3::splat(inertia)) < 1.0e-3, "{crate_of:?}");
    assert!((found.points[4].distance - 0.005).abs() < 1.0e-4);
}

#[test]
fn no_figure_near_no_guest() {
    let mut scenery = stack();
    let far = [still(Vec3::new(0.0, 0.1, 8.0))];
    let found = detect(&mut scenery, &[figure(1, &far)]);
    assert!(found.guests.is_empty());
    assert_eq!(found.points.len(), 4);
    assert!(detect(&mut scenery, &[]).points.is_empty());
}

#[test]
fn a_guest_meets_what_stands_and_what_is_driven() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Sphere(0.2)]));
    scenery.add_object(9, &ground());
    scenery.add_object(2, &crate_at(Vec3::Y * 0.25));
    let mut car = thing(Shape::Box(Vec3::splat(0.5)), BodyKind::Kinematic, Vec3::new(0.51, 0.3, 0.0));
    car.friction = 0.3;
    scenery.add_object(1, &car);
    scenery.move_object(1, Vec3::ZERO, Vec3::Y * 2.0);
    let found = detect(&mut scenery, &[figure(1, &[still(Vec3::Y * 0.71)])]);
    assert_eq!(keys(&found), [2]);
    let with =
        |two| found.points.iter().filter(move |point| (point.one, point.two) == (Touched::Object(2), Touched::Object(two)));
    assert_eq!(with(9).count(), 4);
    assert_eq!(with(1).count(), 4);
    for point in with(1) {
        let wanted = (Vec3::Y * 2.0).cross(point.on_two - car.pose.translation);
        assert!(point.scenery_velocity.distance(wanted) < 1.0e-5, "{point:?}");
        assert_eq!(point.friction, 0.3);
    }
    assert!(with(9).all(|point| point.scenery_velocity == Vec3::ZERO));
}

#[test]
fn a_guest_is_held_and_let_go_as_it_was() {
    let mut scenery = stack();
    let body = [still(Vec3::Y * 0.1)];
    let found = detect(&mut scenery, &[figure(1, &body)]);
    let mut states: Vec<_> = found.guests.iter().map(|guest| (guest.key, guest.state)).collect();
    states[1].1.linear = Vec3::new(1.0, 2.0, 0.0);
    states[1].1.pose.translation.y += 0.5;
    scenery.set_guests(&states);
    scenery.step(DT);
    for (key, state) in &states {
        assert_eq!(scenery.object(*key), Some(*state));
    }
    // The one that moved off is no guest; those that stay are.
    let found = detect(&mut scenery, &[figure(1, &body)]);
    assert_eq!(keys(&found), [11, 13]);
    scenery.set_guests(&[states[0], states[2]]);
    scenery.step(DT);
    let (freed, was) = (scenery.object(12).unwrap(), states[1].1);
    assert!((freed.linear - was.linear - GRAVITY * DT).length() < 1.0e-4, "{freed:?}");
    // Four sub-steps, each with the velocity at its end.
    let fallen = was.pose.translation + was.linear * DT + GRAVITY * (DT * DT * 0.625);
    assert!(freed.pose.translation.distance(fallen) < 1.0e-5, "{freed:?}");
    assert_eq!(scenery.object(11), Some(states[0].1));
}

#[test]
fn a_guest_can_be_pushed_moved_and_placed() {
    let mut scenery = stack();
    let states = [(13, still(Vec3::Y * 0.455))];
    let held = |scenery: &mut Scenery| scenery.set_guests(&states);
    held(&mut scenery);
    scenery.push_object(13, Vec3::X * 20.0, None);
    let pushed = scenery.object(13).unwrap();
    assert!(pushed.linear.distance(Vec3::X * 2.0) < 1.0e-5, "{pushed:?}");
    held(&mut scenery);
    scenery.move_object(13, Vec3::Z, Vec3::Y);
    assert_eq!(scenery.object(13).map(|state| (state.linear, state.angular)), Some((Vec3::Z, Vec3::Y)));
    held(&mut scenery);
    scenery.place_object(13, Rigid::new(Quat::IDENTITY, Vec3::Y * 9.0));
    assert_eq!(scenery.object(13).map(|state| state.pose.translation), Some(Vec3::Y * 9.0));
    assert!(detect(&mut scenery, &[figure(1, &[still(Vec3::Y * 0.1)])]).guests.is_empty());
    scenery.remove_object(13);
    assert_eq!(scenery.object(13), None);
}

#[test]
fn a_place_that_is_none_does_not_reach_rapier() {
    let mut scenery = stack();
    let body = [still(Vec3::Y * 0.1)];
    let mut bad = still(Vec3::Y * 0.455);
    bad.linear.x = f32::NAN;
    bad.pose.translation.y = f32::NAN;
    scenery.set_guests(&[(13, bad)]);
    assert!(scenery.object(13).is_some_and(|state| !state.is_sound()));
    assert!(keys(&detect(&mut scenery, &[figure(1, &body)])).is_empty());
    scenery.step(DT);
    scenery.place_object(13, Rigid::new(Quat::IDENTITY, Vec3::Y * 0.455));
    scenery.move_object(13, Vec3::ZERO, Vec3::ZERO);
    assert!(scenery.object(13).is_some_and(|state| state.is_sound()));
    assert_eq!(keys(&detect(&mut scenery, &[figure(1, &body)])), [11, 12, 13]);
}

#[test]
fn a_mesh_that_is_guest_lies_on_a_heightfield() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Sphere(0.1)]));
    let heights = vec![0.0; 121];
    scenery.add_object(
        9,
        &thing(Shape::Heightfield { rows: 11, heights, size: Vec3::new(4.0, 1.0, 4.0) }, BodyKind::Fixed, Vec3::ZERO),
    );
    // A tetrahedron on its base.
    let points = vec![Vec3::ZERO, Vec3::X * 0.5, Vec3::Z * 0.5, Vec3::new(0.1, 0.5, 0.1)];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    scenery.add_object(2, &thing(Shape::Mesh { points, triangles }, BodyKind::Dynamic, Vec3::new(0.13, 0.005, 0.07)));
    let found = detect(&mut scenery, &[figure(1, &[still(Vec3::new(0.23, 0.6, 0.17))])]);
    assert_eq!(keys(&found), [2]);
    let under: Vec<_> = found.points.iter().filter(|point| point.two == Touched::Object(9)).collect();
    assert!(under.len() >= 3, "{found:#?}");
    let flat: Vec<_> = under.iter().filter(|point| point.normal.dot(Vec3::Y) > 0.999).collect();
    assert!(flat.len() >= 3 && flat.iter().all(|point| (point.distance - 0.005).abs() < 1.0e-4), "{under:#?}");
}
