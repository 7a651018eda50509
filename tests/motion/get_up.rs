//! Getting up: by itself or told to, into the mode that it had, and only where there is room.

use super::act_clips::{acted, arm_out, moves_evenly, with_clip};
use crate::support::{add_box, add_figure, bone, road, run, shove};
use simrun_sim::motion::ActClips;
use simrun_sim::solve::boundary::BodyKind;
use simrun_sim::space::{Rigid, Vec3};
use simrun_sim::{
    Bone, Command, Error, FigureHandle, FigureSpec, Happening, Mode, Model, Nobody, Phase, Switch, World, WorldSettings,
};
use std::sync::Arc;

/// A world with one who has been felled and lies.
fn felled(mode: Mode) -> (World, FigureHandle) {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, mode);
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::NEG_Z * 3.5);
    run(&mut world, 5.0);
    assert!(mode_of(&world, ann).1.is_down(), "it lies");
    (world, ann)
}

fn mode_of(world: &World, figure: FigureHandle) -> (Mode, Phase) {
    let figure = world.figure(figure).expect("alive");
    (figure.mode(), figure.phase())
}

/// Steps, and keeps why figures that would get up have waited.
fn run_and_hear(world: &mut World, seconds: f32) -> Vec<String> {
    let mut heard = Vec::new();
    for _ in 0..(seconds * world.settings().step_hz) as usize {
        world.step(&mut Nobody);
        heard.extend(world.events().iter().filter_map(|event| match &event.what {
            Happening::GetUpWaits { why, .. } => Some(why.clone()),
            _ => None,
        }));
    }
    heard
}

#[test]
fn told_to_it_gets_up_into_the_mode_that_it_had() {
    for (before, after) in [(Mode::Powered, Mode::Powered), (Mode::Limp, Mode::Animated)] {
        let (mut world, ann) = felled(before);
        world.command(Command::GetUp(ann)).unwrap();
        run(&mut world, 0.5);
        assert_eq!(mode_of(&world, ann), (Mode::GettingUp, Phase::GettingUp));
        run(&mut world, 4.0);
        assert_eq!(mode_of(&world, ann), (after, Phase::Standing));
        let pelvis = bone(&world, ann, Bone::Pelvis).translation.y;
        assert!(pelvis > 0.9, "{before:?}: its pelvis is {pelvis:.2} m up");
    }
}

#[test]
fn it_gets_up_by_itself_once_it_has_lain_still_for_its_seconds() {
    let (mut world, ann) = felled(Mode::Powered);
    run(&mut world, 5.0);
    assert!(mode_of(&world, ann).1.is_down(), "0 s is never");
    world.command(Command::SetSwitch { figure: ann, switch: Switch::GetUp(12.0) }).unwrap();
    run(&mut world, 1.0);
    assert!(mode_of(&world, ann).1.is_down(), "it has not lain for twelve seconds");
    run(&mut world, 2.0);
    assert_eq!(mode_of(&world, ann).0, Mode::GettingUp);
}

#[test]
fn who_stands_is_not_got_up_then_nor_later() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    world.command(Command::GetUp(ann)).unwrap();
    assert!(run_and_hear(&mut world, 0.5).is_empty());
    shove(&mut world, ann, Bone::Chest, Vec3::NEG_Z * 3.5);
    run(&mut world, 5.0);
    assert!(mode_of(&world, ann).1.is_down(), "what was said while it stood is not kept");
}

#[test]
fn told_while_it_falls_it_waits_until_it_lies_still() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::NEG_Z * 3.5);
    run(&mut world, 0.3);
    world.command(Command::GetUp(ann)).unwrap();
    assert_eq!(run_and_hear(&mut world, 0.2), ["it moves"], "told once");
    run(&mut world, 7.0);
    assert_eq!(mode_of(&world, ann), (Mode::Powered, Phase::Standing));
    assert_eq!(world.figure(ann).expect("alive").motion().expect("it has motion").get_up.waits, None, "it waits no more");
}

#[test]
fn it_waits_for_room_and_says_what_is_in_its_way() {
    let (mut world, ann) = felled(Mode::Powered);
    let over = bone(&world, ann, Bone::Pelvis).translation + Vec3::Y * 0.9;
    let shelf = add_box(&mut world, "shelf", Vec3::new(4.0, 0.1, 4.0), over, BodyKind::Fixed, 0.0);
    world.command(Command::GetUp(ann)).unwrap();
    assert_eq!(run_and_hear(&mut world, 3.0), ["shelf is in its way"]);
    assert!(mode_of(&world, ann).1.is_down());
    world.command(Command::DestroyObject(shelf)).unwrap();
    run(&mut world, 5.0);
    assert_eq!(mode_of(&world, ann).1, Phase::Standing);
}

#[test]
fn a_blow_on_the_way_up_puts_it_back_on_its_muscles() {
    let (mut world, ann) = felled(Mode::Limp);
    world.command(Command::GetUp(ann)).unwrap();
    run(&mut world, 1.5);
    shove(&mut world, ann, Bone::Chest, Vec3::X * 3.0);
    assert_eq!(mode_of(&world, ann), (Mode::Powered, Phase::Falling));
    assert!(world.figure(ann).expect("alive").place.translation.y.abs() < 0.05, "its clip stands on the ground");
    run(&mut world, 3.0);
    assert!(mode_of(&world, ann).1.is_down(), "it falls again");
}

#[test]
fn moved_on_its_way_it_gets_up_there() {
    let (mut world, ann) = felled(Mode::Powered);
    world.command(Command::GetUp(ann)).unwrap();
    run(&mut world, 1.0);
    let place = world.figure(ann).expect("alive").place.translation;
    world.command(Command::MoveTo { figure: ann, position: place + Vec3::X * 5.0, yaw: Some(1.0) }).unwrap();
    run(&mut world, 4.0);
    assert_eq!(mode_of(&world, ann), (Mode::Powered, Phase::Standing));
    let pelvis = bone(&world, ann, Bone::Pelvis).translation;
    assert!((pelvis - place).x > 4.0 && pelvis.y > 0.9, "it stands at {pelvis}, from {place}");
}

#[test]
fn without_strength_nobody_gets_up() {
    let (mut world, ann) = felled(Mode::Powered);
    world.command(Command::SetStrength { figure: ann, strength: 0.0 }).unwrap();
    run(&mut world, 1.0);
    world.command(Command::GetUp(ann)).unwrap();
    assert_eq!(run_and_hear(&mut world, 2.0), ["it has no strength"]);
    assert!(mode_of(&world, ann).1.is_down());
}

#[test]
fn on_its_way_its_soles_stay_on_the_ground() {
    let (mut world, ann) = felled(Mode::Powered);
    world.command(Command::GetUp(ann)).unwrap();
    let model = crate::support::boxman();
    let soles = crate::support::ragdoll(&model).soles;
    while mode_of(&world, ann).0 == Mode::GettingUp || world.time() < 6.0 {
        world.step(&mut Nobody);
        let figure = world.figure(ann).expect("alive");
        let pelvis = figure.drawn.bodies[Bone::Pelvis.index()].translation.y;
        let heights = [Bone::ShinL, Bone::ShinR].into_iter().zip(soles);
        let lowest = heights.flat_map(|(shin, sole)| sole.map(|corner| figure.drawn.bodies[shin.index()].point(corner).y));
        let lowest = lowest.fold(f32::MAX, f32::min);
        assert!(pelvis < 0.6 || lowest.abs() < 0.03, "at {:.2} s its soles are {lowest:.3} m up", world.time());
    }
}

#[test]
fn who_is_held_back_gives_up_and_tries_again() {
    let (mut world, ann) = felled(Mode::Powered);
    world.command(Command::GetUp(ann)).unwrap();
    run(&mut world, 0.6);
    // Half a ton comes down on it as it sits up.
    let over = bone(&world, ann, Bone::Pelvis).translation + Vec3::Y * 0.9;
    let load = add_box(&mut world, "load", Vec3::new(2.5, 0.4, 2.5), over, BodyKind::Dynamic, 5000.0);
    run(&mut world, 1.5);
    assert_ne!(mode_of(&world, ann).0, Mode::GettingUp);
    world.command(Command::DestroyObject(load)).unwrap();
    run(&mut world, 8.0);
    assert_eq!(mode_of(&world, ann).1, Phase::Standing);
}

#[test]
fn halfway_up_a_snapshot_goes_on_to_the_same_bits() {
    let (mut world, ann) = felled(Mode::Powered);
    world.command(Command::GetUp(ann)).unwrap();
    run(&mut world, 1.0);
    let snapshot = world.snapshot();
    run(&mut world, 3.0);
    let mut other = World::new(WorldSettings::default());
    other.restore(&snapshot).unwrap();
    run(&mut other, 3.0);
    assert_eq!(other.sim_hash(), world.sim_hash());
    assert_eq!(mode_of(&other, ann).1, Phase::Standing);
}

#[test]
fn a_mode_that_is_got_to_is_not_set() {
    let (mut world, figure) = felled(Mode::Powered);
    let refused = world.command(Command::SetMode { figure, mode: Mode::GettingUp });
    assert_eq!(refused, Err(Error::ModeNotSet("getting_up")));
}

/// The box man with a clip of someone who gets up from the back: as one without a clip does, but with an arm raised on the way.
fn with_a_clip() -> Arc<Model> {
    let (mut world, ann) = felled(Mode::Powered);
    world.command(Command::GetUp(ann)).unwrap();
    world.step(&mut Nobody);
    let frames = acted(&mut world, ann, Mode::GettingUp);
    with_clip(&world.figure(ann).unwrap().model, "StandUpBack", &frames)
}

/// A figure that is laid on its back and gets up: where its bodies were drawn in each step until it stands.
fn gets_up(model: Arc<Model>, acts: ActClips) -> Vec<[Rigid; 12]> {
    let mut world = road(WorldSettings::default());
    let spec = FigureSpec { model, acts, ..crate::support::standing("ann", Mode::Powered) };
    let ann = crate::support::spawn(&mut world, spec);
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::NEG_Z * 3.0);
    run(&mut world, 5.0);
    world.command(Command::GetUp(ann)).unwrap();
    let mut drawn = Vec::new();
    for _ in 0..480 {
        world.step(&mut Nobody);
        drawn.push(world.figure(ann).unwrap().drawn.bodies);
    }
    assert_eq!(mode_of(&world, ann), (Mode::Powered, Phase::Standing));
    drawn
}

#[test]
fn who_has_a_clip_for_it_gets_up_as_the_clip_does() {
    let model = with_a_clip();
    let acts = ActClips { get_up_face_up: Some("StandUpBack".to_owned()), ..ActClips::default() };
    let (own, plain) = (gets_up(Arc::clone(&model), acts), gets_up(model, ActClips::default()));
    let half_up = |drawn: &[[Rigid; 12]]| arm_out(drawn.iter().filter(|bodies| (0.3..0.8).contains(&bodies[0].translation.y)));
    let (raised, usual) = (half_up(&own), half_up(&plain));
    assert!(raised > usual + 0.3, "the arm is {raised:.2} out half way up, without the clip {usual:.2}");
    let mut highest = 0.0_f32;
    for bodies in &own {
        let height = bodies[0].translation.y;
        highest = highest.max(height);
        assert!(highest < 0.8 || height > highest - 0.2, "its hips were {highest:.2} m up and go down to {height:.2} m");
    }
    moves_evenly(&own);
}

#[test]
fn a_clip_that_does_not_begin_so_is_refused() {
    let mut world = road(WorldSettings::default());
    let handle = world.reserve_figure("ann").unwrap();
    let mut refused = |clip: &str| {
        let acts = ActClips { get_up_face_down: Some(clip.to_owned()), ..ActClips::default() };
        let spec = FigureSpec { acts, ..crate::support::standing("ann", Mode::Powered) };
        world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect_err("no such act").to_string()
    };
    let said = refused("Idle");
    assert!(said.contains("get_up_face_down") && said.contains("a clip that begins lying face down"), "{said}");
    assert!(refused("StandUp").contains("StandUp"), "{}", refused("StandUp"));
}
