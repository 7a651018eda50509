//! What is found depends on keys, places and forms alone.

use super::*;
use crate::figure::{Ragdoll, stick_person};
use crate::space::rotation_from_vector;

/// A crowd of ragdolls that lean on each other, with things between them, put in forwards or backwards.
fn crowd(backwards: bool) -> (Scenery, Vec<(u64, Vec<BodyState>)>) {
    let ragdoll = Ragdoll::fit(&stick_person()).unwrap();
    let mut scenery = Scenery::new(GRAVITY);
    let mut things = vec![(900, ground())];
    for index in 0..12_u64 {
        let at = Vec3::new((index % 4) as f32 * 0.6 - 0.9, 0.3 + (index / 4) as f32 * 0.51, 0.4);
        things.push((100 + index * 7 % 12, crate_at(at)));
    }
    things.push((50, thing(Shape::Sphere(0.2), BodyKind::Kinematic, Vec3::new(0.3, 1.2, -0.2))));
    things.push((51, thing(Shape::Cylinder { height: 0.4, radius: 0.3 }, BodyKind::Dynamic, Vec3::new(0.3, 0.2, -0.6))));
    let mut figures: Vec<_> = (0..6_u64)
        .map(|index| {
            let turn = rotation_from_vector(Vec3::new(0.2, index as f32, 0.1));
            let from = Rigid::new(turn, Vec3::new(index as f32 * 0.35 - 0.9, 0.05, 0.0));
            let bodies = ragdoll.rest.iter().map(|rest| BodyState { pose: from * *rest, ..still(Vec3::ZERO) }).collect();
            (60 + index * 5 % 6, bodies)
        })
        .collect();
    if backwards {
        things.reverse();
        figures.reverse();
        // Slots that were in use before, too.
        (0..5).for_each(|key| scenery.add_object(key, &crate_at(Vec3::Y)));
        (0..5).for_each(|key| scenery.remove_object(key));
    }
    things.iter().for_each(|(key, object)| scenery.add_object(*key, object));
    figures.iter().for_each(|(key, _)| scenery.add_figure(*key, &ragdoll.topology));
    (scenery, figures)
}

fn found(scenery: &mut Scenery, figures: &[(u64, Vec<BodyState>)]) -> String {
    let figures: Vec<_> = figures.iter().map(|(key, bodies)| figure(*key, bodies)).collect();
    let found = detect(scenery, &figures);
    assert!(found.points.len() > 60 && found.guests.len() > 8, "{} points, {} guests", found.points.len(), found.guests.len());
    format!("{found:?}")
}

#[test]
fn the_order_of_insertion_does_not_matter() {
    let ((mut forwards, one), (mut backwards, two)) = (crowd(false), crowd(true));
    assert_eq!(found(&mut forwards, &one), found(&mut backwards, &two));
}

#[test]
fn detection_keeps_nothing() {
    let (mut scenery, figures) = crowd(false);
    let first = found(&mut scenery, &figures);
    let gone: Vec<_> =
        figures.iter().map(|(key, bodies)| (*key, bodies.iter().map(|_| still(Vec3::Y * 50.0)).collect())).collect();
    let elsewhere: Vec<FigureAt<'_>> = gone.iter().map(|(key, bodies): &(u64, Vec<BodyState>)| figure(*key, bodies)).collect();
    detect(&mut scenery, &elsewhere);
    assert_eq!(first, found(&mut scenery, &figures));
}

#[test]
fn scenery_that_was_saved_goes_on_the_same() {
    let (mut scenery, figures) = crowd(false);
    let at: Vec<_> = figures.iter().map(|(key, bodies)| figure(*key, bodies)).collect();
    let go = |scenery: &mut Scenery| {
        let guests: Vec<_> = detect(scenery, &at).guests.iter().map(|guest| (guest.key, guest.state)).collect();
        scenery.set_guests(&guests[..guests.len() - 2]);
        scenery.step(DT);
    };
    (0..5).for_each(|_| go(&mut scenery));
    let ragdoll = Ragdoll::fit(&stick_person()).unwrap();
    let keys: Vec<u64> = (100..112).chain([900, 50, 51]).collect();
    let figures_of = || figures.iter().map(|(key, _)| (*key, &ragdoll.topology));
    let bytes = scenery.save();
    let mut loaded = Scenery::load(&bytes, &keys, figures_of()).unwrap();
    assert_eq!(bytes, loaded.save());
    for _ in 0..20 {
        assert_eq!(found(&mut scenery, &figures), found(&mut loaded, &figures));
        go(&mut scenery);
        go(&mut loaded);
        for key in &keys {
            assert_eq!(format!("{:?}", scenery.object(*key)), format!("{:?}", loaded.object(*key)));
        }
    }
    // What does not fit is refused.
    assert!(Scenery::load(&bytes, &keys[1..], figures_of()).is_err());
    assert!(Scenery::load(&bytes[..bytes.len() / 2], &keys, figures_of()).is_err());
    let forged = |change: fn(&mut Scenery)| {
        let mut scenery = Scenery::load(&bytes, &keys, figures_of()).unwrap();
        change(&mut scenery);
        Scenery::load(&scenery.save(), &keys, figures_of()).unwrap_err()
    };
    assert!(forged(|scenery| scenery.world.gravity.y = f32::NAN).contains("falls"));
    assert!(forged(|scenery| _ = scenery.world.insert_body(rapier3d::prelude::RigidBodyBuilder::dynamic())).contains("nobody's"));
    assert!(
        forged(|scenery| {
            let slot = scenery.objects.slot(scenery.guests[0]).unwrap();
            scenery.objects.thing_mut(slot).unwrap().guest.as_mut().unwrap().linear.x = f32::NAN;
        })
        .contains("guest")
    );
    assert!(
        forged(|scenery| {
            let body = scenery.objects.bodies[&50];
            *scenery.objects.bodies.get_mut(&51).unwrap() = body;
        })
        .contains("not its own")
    );
}

/// Timed from outside: `cargo test --release -p simrun-sim --lib -- --ignored standing`.
#[test]
#[ignore = "a measure, no test"]
fn many_standing_figures() {
    measure(|ragdoll| (Quat::IDENTITY, Vec3::Y * (0.0 * ragdoll.height)), rounds());
}

/// As above, lying on the back.
#[test]
#[ignore = "a measure, no test"]
fn many_lying_figures() {
    measure(|_| (rotation_from_vector(Vec3::X * -std::f32::consts::FRAC_PI_2), Vec3::Y * 0.1), rounds());
}

fn rounds() -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20_000)
}

fn measure(place: fn(&Ragdoll) -> (Quat, Vec3), rounds: usize) {
    let ragdoll = Ragdoll::fit(&stick_person()).unwrap();
    let (turn, at) = place(&ragdoll);
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_object(1, &ground());
    let all: Vec<Vec<BodyState>> = (0..32)
        .map(|index| {
            let from = Rigid::new(turn, at + Vec3::new((index % 8) as f32 * 2.0 - 8.0, 0.0, (index / 8) as f32 * 3.0));
            ragdoll.rest.iter().map(|rest| BodyState { pose: from * *rest, ..still(Vec3::ZERO) }).collect()
        })
        .collect();
    (0..32).for_each(|key| scenery.add_figure(key, &ragdoll.topology));
    let figures: Vec<_> = all.iter().enumerate().map(|(key, bodies)| figure(key as u64, bodies)).collect();
    let mut out = Detected::default();
    for _ in 0..rounds {
        scenery.detect(DT, &figures, &mut out);
    }
    println!("{} points a figure, {} figure-steps", out.points.len() / 32, rounds * 32);
}
