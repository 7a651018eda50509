//! Feet that hang from ankles of their own.

use crate::support::{boxman, road, run, shove, spawn, standing};
use simrun_sim::figure::Build;
use simrun_sim::solve::boundary::Touched;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, FigureHandle, FigureSpec, Mode, Model, Nobody, Phase, World, WorldSettings};
use std::sync::Arc;

/// The box man with ankles.
fn footed() -> Arc<Model> {
    Arc::new(boxman().built(Build { ankles: true, ..Build::default() }))
}

fn add(world: &mut World, spec: FigureSpec) -> FigureHandle {
    spawn(world, FigureSpec { model: footed(), ..spec })
}

fn bent(world: &World, figure: FigureHandle) -> [f32; 2] {
    world.figure(figure).unwrap().bent()
}

#[test]
fn it_stands_on_flat_soles_and_weighs_what_it_weighs() {
    let mut world = road(WorldSettings::default());
    let ann = add(&mut world, standing("ann", Mode::Powered));
    run(&mut world, 3.0);
    let figure = world.figure(ann).unwrap();
    let ragdoll = figure.model.ragdoll.as_ref().unwrap();
    let masses = |topology: &simrun_sim::solve::boundary::Topology| topology.bodies.iter().map(|body| body.mass).sum::<f32>();
    assert!((masses(ragdoll.solved()) - ragdoll.mass).abs() < 1.0e-3 && ragdoll.solved().bodies.len() == 14);
    for (side, shin) in [Bone::ShinL, Bone::ShinR].into_iter().enumerate() {
        for corner in ragdoll.sole(side, figure.bone(shin), figure.bent()[side]) {
            assert!(corner.y.abs() < 4.0e-3, "a corner of its sole is at {corner}");
        }
    }
    let up: f32 = figure.solved.contacts.iter().map(|contact| contact.impulse * contact.normal.y).sum();
    assert!((up * 60.0 / (ragdoll.mass * 9.81) - 1.0).abs() < 0.01, "its feet press {up} N·s a step");
    assert!(
        figure.solved.contacts.iter().all(|contact| matches!(Bone::from_index(contact.body), Some(Bone::ShinL | Bone::ShinR)))
    );
    assert!(figure.solved.contacts.is_sorted_by_key(|contact| contact.body), "in the order of the bones");
    assert!(figure.solved.contacts.iter().all(|contact| matches!(contact.other, Touched::Object(_))));
}

#[test]
fn a_heel_rises_under_who_is_shoved_and_is_shown_to() {
    let most = |model: Arc<Model>| {
        let mut world = road(WorldSettings::default());
        let ann = spawn(&mut world, FigureSpec { model, ..standing("ann", Mode::Powered) });
        run(&mut world, 0.5);
        shove(&mut world, ann, Bone::Chest, Vec3::Z * 2.4);
        let mut most = 0.0_f32;
        for _ in 0..60 {
            world.step(&mut Nobody);
            let figure = world.figure(ann).unwrap();
            most = most.max(bent(&world, ann)[0].abs());
            let shown = figure.drawn_bent()[0];
            assert!((shown - figure.bent()[0]).abs() < 0.2, "{shown} rad is shown of {}", figure.bent()[0]);
        }
        assert!(world.figure(ann).unwrap().senses.support.len() >= 3);
        most
    };
    let bends = most(footed());
    assert!((0.1..=0.9).contains(&bends), "its ankle bends by {bends} rad");
    assert_eq!(most(boxman()), 0.0, "without ankles nothing does");
}

#[test]
fn limp_feet_flop_and_come_back_with_the_muscles() {
    let mut world = road(WorldSettings::default());
    let ann = add(&mut world, FigureSpec { position: Vec3::Y * 0.5, ..standing("ann", Mode::Limp) });
    let mut furthest = 0.0_f32;
    for _ in 0..180 {
        world.step(&mut Nobody);
        for angle in bent(&world, ann) {
            assert!((-0.4..=0.95).contains(&angle), "an ankle is bent by {angle} rad");
            furthest = furthest.max(angle.abs());
        }
    }
    assert!(furthest > 0.25, "they bend by {furthest} rad at most");
}

#[test]
fn who_follows_its_clip_is_drawn_as_the_clip_is() {
    let drawn = |model: Arc<Model>| {
        let mut world = road(WorldSettings::default());
        let clip = Some("Walk".to_owned()).filter(|name| model.rig.clip(name).is_some());
        assert!(clip.is_some(), "the box man walks");
        let ann = spawn(&mut world, FigureSpec { model, clip, ..standing("ann", Mode::Animated) });
        run(&mut world, 1.3);
        world.figure(ann).unwrap().drawn.locals.clone()
    };
    for (with, without) in drawn(footed()).iter().zip(drawn(boxman())) {
        let off = with.rotation.angle_between(without.rotation);
        assert!(off < 1.0e-3, "a node is turned {off} rad away");
        assert_eq!(with.translation, without.translation);
    }
}

#[test]
fn going_back_brings_the_same_bits() {
    let mut world = road(WorldSettings::default());
    let ann = add(&mut world, standing("ann", Mode::Powered));
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.8, 0.0, 2.4));
    run(&mut world, 0.4);
    let kept = world.snapshot();
    let hashes = |world: &mut World| {
        (0..90)
            .map(|_| {
                world.step(&mut Nobody);
                world.last_hashes().all()
            })
            .collect::<Vec<_>>()
    };
    let straight = hashes(&mut world);
    world.restore(&kept).unwrap();
    assert_eq!(hashes(&mut world), straight);
    // It is put elsewhere with the feet as they are.
    let before = bent(&world, ann);
    world.command(Command::MoveTo { figure: ann, position: Vec3::X * 3.0, yaw: Some(1.0) }).unwrap();
    world.step(&mut Nobody);
    let after = bent(&world, ann);
    assert!((before[0] - after[0]).abs() < 0.25, "{before:?}, then {after:?}");
    assert_ne!(world.figure(ann).unwrap().phase(), Phase::Standing);
}
