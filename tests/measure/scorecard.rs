//! The scorecard counts what someone watching would call wrong: each fault is planted alone, and seen alone.

use crate::support::{add_box, add_figure, bone, boxman, ragdoll, road, run, shove, spawn, standing};
use simrun_measure::report::{Fault, Observer, Report, Run};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Vec3, rotation_from_vector};
use simrun_sim::{BONES, Bone, Command, FigureHandle, FigureSpec, Hit, Mode, Nobody, ObjectSpec, Rigid, World, WorldSettings};
use std::time::Duration;

fn world() -> World {
    road(WorldSettings { sleep: false, ..WorldSettings::default() })
}

/// The report of so many steps, before each of which something is done.
fn watched(world: &mut World, steps: usize, mut before: impl FnMut(&mut World)) -> Report {
    let mut observer = Observer::new(world);
    for _ in 0..steps {
        before(world);
        world.step(&mut Nobody);
        observer.after_step(world, Duration::ZERO);
    }
    observer.report(world, &Run::default())
}

/// What was counted.
fn counted(report: &Report) -> Vec<(Fault, f64)> {
    report.scorecard.iter().filter(|(_, count)| *count > 0.0).collect()
}

/// This fault was counted, so often at least, and no other.
#[track_caller]
fn only(fault: Fault, least: f64, report: &Report) {
    let counted = counted(report);
    assert!(matches!(counted[..], [(found, count)] if found == fault && count >= least), "{counted:?}\n{report}");
    let spell = report.figures.iter().flat_map(|figure| &figure.faults).find(|spell| spell.fault == fault);
    assert!(spell.is_some_and(|spell| spell.from > 0.0 && spell.count > 0.0 && spell.worst > 0.0), "{spell:?}");
}

fn give(world: &mut World, command: Command) {
    world.command(command).expect("a good command");
}

fn lay(world: &mut World, figure: FigureHandle, bodies: [Rigid; BONES]) {
    give(world, Command::SetBodies { figure, bodies: Box::new(bodies) });
}

/// A figure's rest pose, somewhere.
fn rest(at: Rigid) -> [Rigid; BONES] {
    ragdoll(&boxman()).rest.map(|body| at * body)
}

fn walker(name: &str, at: Vec3) -> FigureSpec {
    FigureSpec { position: at, clip: Some("Walk".to_owned()), ..standing(name, Mode::Animated) }
}

#[test]
fn who_stands_is_shoved_walks_and_lies_does_nothing_wrong() {
    let mut world = world();
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    spawn(&mut world, walker("ben", Vec3::X * 2.0));
    add_figure(&mut world, "cleo", Vec3::X * -2.0, Mode::Limp);
    run(&mut world, 3.0);
    shove(&mut world, ann, Bone::Chest, Vec3::Z * 0.4);
    let report = watched(&mut world, 300, |_| {});
    assert_eq!(counted(&report), [], "{report}");
    assert!(report.figures.iter().all(|figure| figure.faults.is_empty()));
}

#[test]
fn every_count_is_in_the_document_and_in_the_table() {
    let report = watched(&mut world(), 1, |_| {});
    let json = serde_json::to_value(&report).expect("a report is plain data");
    let text = report.to_string();
    for fault in Fault::ALL {
        assert_eq!(json["scorecard"][fault.name()], 0.0, "{json:#}");
        assert!(text.contains(&format!("{} 0", fault.name().replace('_', " "))), "{text}");
    }
}

#[test]
fn who_is_put_elsewhere_does_not_jump() {
    let mut world = world();
    let [ann, ben] = [("ann", Mode::Animated), ("ben", Mode::Powered)]
        .map(|(name, mode)| add_figure(&mut world, name, Vec3::X * if name == "ann" { 0.0 } else { 3.0 }, mode));
    let mut step = 0;
    let report = watched(&mut world, 60, |world| {
        step += 1;
        if step % 20 == 0 {
            let far = Vec3::Z * step as f32;
            give(world, Command::MoveTo { figure: ann, position: far, yaw: Some(1.0) });
            lay(world, ben, rest(Rigid::new(Quat::IDENTITY, far + Vec3::X * 3.0)));
        }
    });
    assert_eq!(counted(&report), [], "{report}");
}

#[test]
fn a_knee_bent_backwards_is_counted() {
    let mut world = world();
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Limp);
    let mut pose = rest(Rigid::new(Quat::IDENTITY, Vec3::Y * 2.0));
    let knee = ragdoll(&boxman()).joint_at[Bone::ShinL.index()] + Vec3::Y * 2.0;
    let shin = &mut pose[Bone::ShinL.index()];
    let turn = rotation_from_vector(Vec3::NEG_X * 0.8);
    *shin = Rigid::new(turn, knee + turn * (shin.translation - knee));
    let report = watched(&mut world, 10, |world| lay(world, ann, pose));
    only(Fault::BackwardJoints, 0.15, &report);
}

#[test]
fn figures_in_each_other_are_counted_each() {
    let mut world = world();
    add_figure(&mut world, "ann", Vec3::ZERO, Mode::Animated);
    add_figure(&mut world, "ben", Vec3::X * 0.2, Mode::Animated);
    let report = watched(&mut world, 30, |_| {});
    only(Fault::InsideOneAnother, 0.99, &report);
    let with: Vec<_> = report.figures.iter().map(|figure| figure.faults[0].with.as_deref()).collect();
    assert!(with.contains(&Some("ann")) && with.contains(&Some("ben")), "{with:?}");
}

#[test]
fn a_figure_in_the_ground_or_a_thing_is_counted() {
    for (name, at) in [("road", Vec3::Y * -0.2), ("shelf", Vec3::ZERO)] {
        let mut world = world();
        if name == "shelf" {
            add_box(&mut world, name, Vec3::new(0.5, 0.1, 0.3), Vec3::new(0.0, 1.2, 0.2), BodyKind::Fixed, 0.0);
        }
        add_figure(&mut world, "ann", at, Mode::Animated);
        let report = watched(&mut world, 30, |_| {});
        only(Fault::Sunk, 0.49, &report);
        assert_eq!(report.figures[0].faults[0].with.as_deref(), Some(name));
    }
}

#[test]
fn a_thing_that_a_figure_passes_through_is_counted_by_itself() {
    let mut world = world();
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let post = add_box(&mut world, "post", Vec3::new(0.1, 0.1, 0.1), Vec3::Y * 1.2, BodyKind::Kinematic, 1.0);
    give(&mut world, Command::PassThrough { figure: ann, object: post });
    only(Fault::PassingThrough, 0.49, &watched(&mut world, 30, |_| {}));
}

#[test]
fn a_hand_off_its_grip_is_counted() {
    let seconds = |half: f32| {
        let mut world = world();
        add_box(&mut world, "bench", Vec3::new(3.0, 0.45, 0.4), Vec3::new(0.0, 0.225, -0.15), BodyKind::Fixed, 0.0);
        let tray = world.reserve_object("tray").expect("a free name");
        let spec = ObjectSpec {
            name: "tray".to_owned(),
            shape: Shape::Box(Vec3::new(2.0 * half, 0.02, 0.2)),
            kind: BodyKind::Dynamic,
            pose: Rigid::new(Quat::IDENTITY, Vec3::new(0.0, 2.0, 5.0)),
            mass: 0.5,
            friction: 0.9,
            restitution: 0.0,
            grips: [("left", half), ("right", -half)].map(|(name, x)| (name.to_owned(), Vec3::X * x)).into(),
            params: std::collections::BTreeMap::new(),
        };
        give(&mut world, Command::AddObject { handle: tray, spec: Box::new(spec) });
        let grips = ["left", "right"].map(|name| Some(name.to_owned()));
        let holds = Some(simrun_sim::Holds { item: "tray".to_owned(), grips });
        let ann = spawn(&mut world, FigureSpec { holds, ..standing("ann", Mode::Powered) });
        let seat = Vec3::new(0.0, 0.45, 0.0);
        let spot = simrun_sim::acts::sit_spot(&world, ann, seat, 0.0).expect("a seat");
        give(&mut world, Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) });
        run(&mut world, 0.3);
        give(&mut world, Command::Sit { figure: ann, seat, facing: 0.0 });
        run(&mut world, 5.0);
        watched(&mut world, 60, |_| {}).scorecard.of(Fault::OffGrip)
    };
    assert_eq!(seconds(0.15), 0.0);
    assert!(seconds(0.9) > 0.95, "no arms are as long as that");
}

/// Ground that is drawn away from under a figure at a speed (m/s).
fn on_a_belt(speed: f32, friction: f32) -> Report {
    let mut world = World::new(WorldSettings::default());
    let belt = world.reserve_object("belt").expect("a free name");
    let spec = ObjectSpec {
        name: "belt".to_owned(),
        shape: Shape::Box(Vec3::new(80.0, 1.0, 80.0)),
        kind: BodyKind::Kinematic,
        pose: Rigid::new(Quat::IDENTITY, Vec3::Y * -0.5),
        mass: 0.0,
        friction,
        restitution: 0.0,
        grips: Default::default(),
        params: std::collections::BTreeMap::new(),
    };
    give(&mut world, Command::AddObject { handle: belt, spec: Box::new(spec) });
    add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    give(&mut world, Command::SetVelocity { object: belt, linear: Vec3::X * speed, angular: Vec3::ZERO });
    watched(&mut world, 60, |_| {})
}

#[test]
fn feet_that_slide_are_counted_and_feet_that_ride_are_not() {
    only(Fault::SlidingFeet, 0.8, &on_a_belt(0.3, 0.0));
    assert_eq!(counted(&on_a_belt(0.3, 0.9)), []);
}

#[test]
fn a_clip_that_is_cut_to_is_a_pop_and_one_that_is_faded_to_is_none() {
    let cut = |fade: f32| {
        let mut world = world();
        let ann = spawn(&mut world, FigureSpec { clip_time: 0.4, ..walker("ann", Vec3::ZERO) });
        run(&mut world, 0.5);
        let mut step = 0;
        watched(&mut world, 60, |world| {
            step += 1;
            if step == 10 {
                give(world, Command::Play { figure: ann, clip: "Idle".to_owned(), speed: 1.0, looped: true, fade });
            }
        })
    };
    only(Fault::Pops, 0.016, &cut(0.0));
    assert_eq!(counted(&cut(0.0)).first().map(|(_, seconds)| *seconds), Some(0.0167));
    assert_eq!(counted(&cut(0.3)), []);
}

#[test]
fn a_head_that_is_dropped_is_a_hit() {
    let mut world = world();
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Limp);
    let over = Rigid::new(rotation_from_vector(Vec3::X * std::f32::consts::PI), Vec3::Y * 2.1);
    lay(&mut world, ann, rest(over));
    let report = watched(&mut world, 25, |_| {});
    only(Fault::HeadHits, 1.0, &report);
    assert!((2.0..3.5).contains(&report.figures[0].faults[0].worst), "{report}");
}

#[test]
fn who_stands_in_the_air_hovers_and_who_falls_does_not() {
    let mut world = world();
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    lay(&mut world, ann, rest(Rigid::new(Quat::IDENTITY, Vec3::Y)));
    let masses: Vec<f32> = ragdoll(&boxman()).topology.bodies.iter().map(|body| body.mass).collect();
    let report = watched(&mut world, 60, |world| {
        // What weighs it down is taken off each bone.
        for (bone, mass) in Bone::ALL.into_iter().zip(&masses) {
            let impulse = Vec3::Y * (mass * world.settings().gravity.length() * world.dt());
            give(world, Command::Hit(Hit { cost: Some(0.0), ..Hit::new(ann, bone, impulse) }));
        }
    });
    only(Fault::Hovering, 0.6, &report);
    lay(&mut world, ann, rest(Rigid::new(Quat::IDENTITY, Vec3::Y * 3.0)));
    assert_eq!(counted(&watched(&mut world, 40, |_| {})), []);
}

#[test]
fn who_is_under_the_ground_has_fallen_through() {
    let mut world = world();
    add_figure(&mut world, "ann", Vec3::Y * -5.0, Mode::Animated);
    only(Fault::FallenThrough, 0.49, &watched(&mut world, 30, |_| {}));
}

#[test]
fn a_bone_that_spins_is_counted() {
    let mut world = World::new(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() });
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Limp);
    let mut step = 0;
    let report = watched(&mut world, 12, |world| {
        step += 1;
        if step == 3 {
            // Equal and opposite on both sides of the head: a couple.
            let head = bone(world, ann, Bone::Head).translation;
            for side in [1.0, -1.0] {
                let point = Some(head + Vec3::X * (0.1 * side));
                give(world, Command::Hit(Hit { point, ..Hit::new(ann, Bone::Head, Vec3::Z * (-8.0 * side)) }));
            }
        }
    });
    only(Fault::FastBones, 0.016, &report);
}
