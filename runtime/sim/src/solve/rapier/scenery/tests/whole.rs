//! A figure by itself, what it passes through, and questions.

use super::*;

fn bar() -> Shape {
    Shape::Capsule { a: Vec3::Z * -0.3, b: Vec3::Z * 0.3, radius: 0.05 }
}

#[test]
fn a_figure_meets_itself_but_for_what_is_jointed_or_overlaps_at_rest() {
    // Bodies 1 and 3 overlap at rest: 3 reaches back over 2 m.
    let reaching = Shape::Capsule { a: Vec3::X * -2.0, b: Vec3::X * -1.9, radius: 0.05 };
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[bar(), bar(), bar(), reaching]));
    // All in one place, but for the one that reaches: it is where the others are, too.
    let mut bodies = [still(Vec3::ZERO), still(Vec3::ZERO), still(Vec3::ZERO), still(Vec3::X * 1.95)];
    let pairs = |found: &Detected| {
        let mut pairs: Vec<_> = found.points.iter().map(|point| (point.one, point.two)).collect();
        pairs.dedup();
        pairs
    };
    let of = Touched::Figure;
    let found = detect(&mut scenery, &[figure(1, &bodies)]);
    assert_eq!(pairs(&found), [(of(1, 0), of(1, 2)), (of(1, 0), of(1, 3))]);
    let mut alone = figure(1, &bodies);
    alone.self_contacts = BodySet::NONE;
    assert!(detect(&mut scenery, &[alone]).points.is_empty());
    alone.self_contacts = BodySet::of(|body| body == 3);
    assert_eq!(pairs(&detect(&mut scenery, &[alone])), [(of(1, 0), of(1, 3))], "what is loose meets the others");
    // A figure that flies as a whole is no nearer to itself.
    bodies[2].pose.translation.x = 0.5;
    bodies.iter_mut().for_each(|body| body.linear = Vec3::Y * 40.0);
    let found = detect(&mut scenery, &[figure(1, &bodies)]);
    assert_eq!(pairs(&found), [(of(1, 0), of(1, 3))]);
}

#[test]
fn thirty_two_bodies_fit() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&vec![Shape::Sphere(0.1); 32]));
    let mut bodies: Vec<_> = (0..32).map(|index| still(Vec3::X * index as f32)).collect();
    bodies[31].pose.translation = Vec3::new(0.0, 0.19, 0.0);
    let found = detect(&mut scenery, &[figure(1, &bodies)]);
    assert_eq!(found.points.len(), 1);
    assert_eq!((found.points[0].one, found.points[0].two), (Touched::Figure(1, 0), Touched::Figure(1, 31)));
}

#[test]
fn what_is_passed_through_is_not_met() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[bar()]));
    scenery.add_object(2, &ground());
    scenery.add_object(3, &crate_at(Vec3::new(0.0, 0.25, 0.5)));
    let bodies = [still(Vec3::Y * 0.05)];
    let mut at = figure(1, &bodies);
    assert!(detect(&mut scenery, &[at]).points.iter().any(|point| point.two == Touched::Object(2)));
    at.fixed_contacts = BodySet::NONE;
    let found = detect(&mut scenery, &[at]);
    assert!(found.points.iter().all(|point| point.one != Touched::Figure(1, 0) || point.two == Touched::Object(3)));
    assert_eq!(found.guests.len(), 1);
    at.pass_through = &[3];
    let found = detect(&mut scenery, &[at]);
    assert!(found.points.is_empty() && found.guests.is_empty());
}

#[test]
fn a_car_turns_and_drives_under_a_foot() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Box(Vec3::new(0.1, 0.06, 0.25))]));
    scenery.add_object(2, &thing(Shape::Box(Vec3::new(4.0, 1.0, 2.0)), BodyKind::Kinematic, Vec3::new(1.0, 0.5, 0.0)));
    let (linear, angular) = (Vec3::new(5.0, 0.0, 1.0), Vec3::Y * 1.0);
    scenery.move_object(2, linear, angular);
    let found = detect(&mut scenery, &[figure(1, &[still(Vec3::new(0.2, 1.03, 0.3))])]);
    assert_eq!((found.points.len(), found.guests.len()), (4, 0));
    for point in &found.points {
        let wanted = linear + angular.cross(point.on_two - Vec3::new(1.0, 0.5, 0.0));
        assert!(point.scenery_velocity.distance(wanted) < 1.0e-5, "{point:?}");
    }
    scenery.step(DT);
    let moved = scenery.object(2).unwrap().pose.translation - Vec3::new(1.0, 0.5, 0.0);
    assert!(moved.distance(linear * DT) < 1.0e-4, "{moved}");
    // It is found where it has gone, and where it is put.
    (0..120).for_each(|_| scenery.step(DT));
    assert!(detect(&mut scenery, &[figure(1, &[still(Vec3::new(0.2, 1.03, 0.3))])]).points.is_empty());
    scenery.place_object(2, Rigid::new(Quat::IDENTITY, Vec3::new(1.0, 0.5, 0.0)));
    assert_eq!(detect(&mut scenery, &[figure(1, &[still(Vec3::new(0.2, 1.03, 0.3))])]).points.len(), 4);
}

#[test]
fn among_a_thousand_things_the_right_ones_are_found() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Sphere(0.2)]));
    for key in 0..1000 {
        scenery.add_object(
            key,
            &thing(Shape::Box(Vec3::splat(0.9)), BodyKind::Fixed, Vec3::new((key % 40) as f32, 0.0, (key / 40) as f32)),
        );
    }
    for key in [0, 7, 39, 500, 999] {
        let at = Vec3::new((key % 40) as f32, 0.64, (key / 40) as f32);
        let found = detect(&mut scenery, &[figure(1, &[still(at)])]);
        assert_eq!(found.points.iter().map(|point| point.two).collect::<Vec<_>>(), [Touched::Object(key)]);
    }
}

#[test]
fn rays_and_gaps() {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[Shape::Sphere(0.2), Shape::Sphere(0.2)]));
    scenery.add_object(2, &ground());
    scenery.add_object(3, &crate_at(Vec3::new(0.0, 1.0, 0.0)));
    let bodies = [still(Vec3::new(3.0, 2.0, 0.0)), still(Vec3::new(0.0, 2.0, 0.0))];
    let at = [figure(1, &bodies)];
    let down = |from: Vec3, fixed| scenery.raycast(&at, from, Vec3::NEG_Y, 100.0, fixed).map(|hit| (hit.what, hit.distance));
    let close = |found: Option<(Touched, f32)>, what, distance: f32| {
        assert!(found.is_some_and(|(met, along)| met == what && (along - distance).abs() < 1.0e-4), "{found:?}");
    };
    close(down(Vec3::Y * 5.0, false), Touched::Figure(1, 1), 2.8);
    close(down(Vec3::Y * 1.5, false), Touched::Object(3), 0.25);
    close(down(Vec3::Y * 5.0, true), Touched::Object(2), 5.0);
    assert_eq!(down(Vec3::X * 50.0, false), None);
    assert_eq!(scenery.raycast(&at, Vec3::Y * 5.0, Vec3::NEG_Y, 2.0, false), None);
    let gap = scenery.gap(1, &bodies, 3, 1.0).unwrap();
    assert!(gap.body == 1 && (gap.distance - 0.55).abs() < 1.0e-4, "{gap:?}");
    assert_eq!(scenery.gap(1, &bodies, 3, 0.5), None);
    scenery.add_object(4, &thing(Shape::Plane, BodyKind::Fixed, Vec3::Y * -3.0));
    let under = scenery.raycast(&at, Vec3::X * 50.0, Vec3::NEG_Y, 100.0, true).unwrap();
    assert!(under.what == Touched::Object(4) && (under.distance - 3.0).abs() < 1.0e-4);
}
