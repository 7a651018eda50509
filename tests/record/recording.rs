//! Recordings: replayed without the one who decided, checked, and told apart from what is damaged.

use super::{NAMES, crowd_at};
use crate::support::{run, standing};
use simrun_sim::record::{Recorder, Recording, RecordingError, Replay};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Bone, Claim, Command, Decide, Hit, Mode, Want, World, WorldSettings};
use std::sync::Arc;

/// Decides as scripts do: claims that change from step to step, commands, somebody who comes and somebody who goes.
struct Busy;

impl Decide for Busy {
    fn decide(&mut self, world: &mut World) {
        let step = world.step_index();
        let claim = |bone: Bone, want: Want, owner: &str| {
            let owner: Arc<str> = owner.into();
            Claim { bone, want, priority: 10, share: 0.9, blend_in: 0.1, blend_out: 0.2, since_step: 0, owner }
        };
        for figure in world.figures().map(|figure| figure.handle).collect::<Vec<_>>() {
            let turn = step as f32 * 0.01;
            for bone in [Bone::UpperArmL, Bone::UpperArmR, Bone::ForearmL, Bone::ForearmR] {
                let way = Vec3::new(libm::sinf(turn), -0.3, libm::cosf(turn)).normalize();
                world.claim(figure, claim(bone, Want::Point(way), "busy")).expect("a good claim");
            }
            world.claim(figure, claim(Bone::Head, Want::Aim(Quat::from_rotation_y(turn)), "looker")).expect("a good claim");
            if step.is_multiple_of(7) {
                world.release(figure, "looker", None).expect("alive");
            }
            if step.is_multiple_of(30) {
                let blow = Hit::new(figure, Bone::Chest, Vec3::new(0.0, 0.0, 20.0));
                world.command(Command::Hit(blow)).expect("a good blow");
            }
        }
        if step == 40 {
            let dan = world.find_figure("dan").expect("dan");
            world.command(Command::DestroyFigure(dan)).expect("alive");
        }
        if step == 45 || step == 70 {
            let name = if step == 45 { "eve" } else { "dan" };
            let handle = world.reserve_figure(name).expect("a free name");
            let mut spec = standing(name, Mode::Powered);
            spec.position = Vec3::new(step as f32 * 0.2, 0.0, 3.0);
            world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect("a good figure");
        }
    }
}

const STEPS: usize = 100;

/// A run from its twentieth step on, and its last hash.
fn recorded() -> (Vec<u8>, u64) {
    let mut world = crowd_at(WorldSettings::default(), &NAMES, 200.0, 20);
    // A command that waits for its step when the recording begins.
    world.step(&mut Busy);
    let mut recorder = Recorder::new(&mut world, "crowd", Vec::new());
    for step in 0..STEPS {
        if step == 33 {
            let ben = world.find_figure("ben").expect("ben");
            world.command(Command::Hit(Hit::new(ben, Bone::Head, Vec3::X * 9.0))).expect("a good blow");
        }
        world.step(&mut Busy);
        recorder.after_step(&mut world, 7);
    }
    recorder.end();
    (recorder.take_bytes(), world.sim_hash())
}

#[test]
fn a_replay_comes_to_the_same_bits_on_any_number_of_threads() {
    let (bytes, hash) = recorded();
    let recording = Recording::decode(&bytes).expect("a recording");
    assert!(recording.is_complete() && recording.len() == STEPS as u64);
    for threads in [1, 2] {
        let (mut world, mut replay) = Replay::new(&recording, threads).expect("of this build");
        while let Some(difference) = replay.step(&mut world).expect("a sound log") {
            assert_eq!(difference, None);
        }
        assert_eq!(world.sim_hash(), hash);
    }
}

/// A run that ends on what was asked after its last step, and its hash.
fn recorded_beyond_its_last_step() -> (Vec<u8>, u64) {
    let mut world = crowd_at(WorldSettings::default(), &NAMES, 200.0, 20);
    let mut recorder = Recorder::new(&mut world, "crowd", Vec::new());
    for _ in 0..5 {
        world.step(&mut Busy);
        recorder.after_step(&mut world, 7);
    }
    let ben = world.find_figure("ben").expect("ben");
    world.command(Command::SetStrength { figure: ben, strength: 0.5 }).expect("a good strength");
    let handle = world.reserve_figure("eve").expect("a free name");
    world.command(Command::Spawn { handle, spec: Box::new(standing("eve", Mode::Powered)) }).expect("a good figure");
    world.release(ben, "busy", Some(Bone::UpperArmL)).expect("alive");
    let entries = world.take_journal();
    recorder.write_closing(&world, entries, 8);
    recorder.end();
    (recorder.take_bytes(), world.sim_hash())
}

#[test]
fn what_was_asked_after_the_last_step_is_in_the_recording() {
    let (bytes, hash) = recorded_beyond_its_last_step();
    let recording = Recording::decode(&bytes).expect("a recording");
    assert!(recording.is_complete() && recording.len() == 5 && recording.last_script_hash() == Some(8));
    let (_, names, poses) = recording.all_shown().last().expect("poses");
    assert!(names.iter().any(|name| name == "eve") && names.len() == poses.len());
    let (mut world, mut replay) = Replay::new(&recording, 2).expect("of this build");
    assert_eq!(replay.finish(&mut world).expect("nothing yet"), None);
    while let Some(difference) = replay.step(&mut world).expect("a sound log") {
        assert_eq!(difference, None);
    }
    assert_ne!(world.sim_hash(), hash);
    assert_eq!(replay.finish(&mut world).expect("a sound log"), None);
    assert_eq!(world.sim_hash(), hash);
    assert!(replay.step(&mut world).expect("the end").is_none());

    let (mut world, mut replay) = Replay::new(&recording, 1).expect("of this build");
    while replay.step(&mut world).expect("a sound log").is_some() {}
    let ann = world.find_figure("ann").expect("ann");
    world.command(Command::SetStrength { figure: ann, strength: 0.25 }).expect("a good strength");
    let differs = replay.finish(&mut world).expect("a sound log").expect("a difference");
    assert_eq!((differs.room, differs.closing), ("DECIDE", true));

    // Cut off before its end it still plays, and says that it is not whole; nothing may come after what came last.
    let cut = Recording::decode(&bytes[..bytes.len() - 3]).expect("a recording");
    assert!(!cut.is_complete() && cut.len() == 5);
}

#[test]
fn the_first_step_that_differs_is_named_with_its_room() {
    let (bytes, _) = recorded();
    let recording = Recording::decode(&bytes).expect("a recording");
    let (mut world, mut replay) = Replay::new(&recording, 1).expect("of this build");
    let mut first = None;
    for step in 0..STEPS {
        if step == 50 {
            let ann = world.find_figure("ann").expect("ann");
            world.command(Command::SetStrength { figure: ann, strength: 0.5 }).expect("a good strength");
        }
        first = first.or(replay.step(&mut world).expect("a sound log").expect("a step"));
    }
    let first = first.expect("a difference");
    assert_eq!((first.step, first.room), (recording.header().first_step + 50, "DECIDE"));
}

#[test]
fn every_flipped_byte_is_named() {
    let (bytes, _) = recorded();
    let whole = Recording::decode(&bytes).expect("a recording").len();
    let mut by_step = 0;
    // A prime stride, so that every kind of byte comes up.
    for at in (0..bytes.len()).step_by(101).chain(bytes.len() - 400..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        match Recording::decode(&damaged) {
            Err(RecordingError::Damaged { what, .. }) => by_step += usize::from(what.starts_with("step ")),
            Err(RecordingError::Foreign) => assert!(at < 16),
            Err(RecordingError::Version { .. }) => assert!((16..20).contains(&at)),
            Err(RecordingError::Cut { .. }) => {}
            Err(error) => panic!("byte {at}: {error}"),
            // A length that now reaches past the end looks as if the file had been cut off there.
            Ok(recording) => assert!(!recording.is_complete() && recording.len() <= whole, "byte {at} passed unseen"),
        }
    }
    assert!(by_step > 300, "{by_step} named by their step");
}

#[test]
fn a_recording_cut_anywhere_plays_to_its_last_whole_step() {
    let (bytes, _) = recorded();
    let mut last = STEPS as u64;
    for length in (0..bytes.len()).rev().step_by(997) {
        match Recording::decode(&bytes[..length]) {
            Ok(recording) => {
                assert!(!recording.is_complete() && recording.len() <= last);
                last = recording.len();
            }
            Err(RecordingError::Cut { .. } | RecordingError::Foreign) => last = 0,
            Err(error) => panic!("cut at {length}: {error}"),
        }
    }
    assert_eq!(last, 0);
}

#[test]
fn another_builds_recording_is_played_from_its_poses_and_not_computed() {
    let (bytes, _) = recorded();
    let build = simrun_sim::record::build_id().as_bytes();
    let at = bytes.windows(build.len()).position(|window| window == build).expect("the build stands in the header");
    let mut other = bytes.clone();
    other[at] = b'9';
    let other = super::seal(&other);
    let recording = Recording::decode(&other).expect("a recording");
    assert!(!recording.is_of_this_build());
    let refused = Replay::new(&recording, 1).expect_err("of another build").to_string();
    assert!(refused.contains("made by build 9"), "{refused}");
    assert_eq!(recording.shown(0).len(), 4);
    // dan goes, eve comes, dan comes again: what is shown goes by name.
    for (step, names, poses) in recording.all_shown() {
        assert_eq!(names.len(), poses.len());
        assert_eq!(names.iter().any(|name| name == "eve"), step + 21 > 45, "step {step}");
    }
    let (mut world, mut replay) = Replay::new(Box::leak(Box::new(Recording::decode(&bytes).unwrap())), 1).expect("of this build");
    for step in 0..STEPS {
        replay.step(&mut world).expect("a sound log");
        if step.is_multiple_of(6) {
            for (figure, shown) in world.figures().zip(recording.shown(step)) {
                let (turned, kept) = (figure.drawn.bodies[2].rotation, shown.rotation(Bone::Chest));
                assert_eq!(shown.pelvis, figure.drawn.bodies[0].translation);
                assert!(turned.dot(kept).abs() > 1.0 - 1.0e-6, "{turned} {kept}");
            }
        }
    }
}

#[test]
fn a_recording_is_no_stored_film() {
    let mut world = crowd_at(WorldSettings::default(), &NAMES, 200.0, 20);
    let mut recorder = Recorder::new(&mut world, "crowd", Vec::new());
    for _ in 0..STEPS {
        world.step(&mut Busy);
        recorder.after_step(&mut world, 7);
    }
    let spent = recorder.spent();
    let figure_seconds = STEPS as f64 / 60.0 * 4.0;
    // Five changing claims a figure; hashes take 16 bytes a step.
    assert!((spent.claims as f64) < 6144.0 * figure_seconds, "{} bytes of claims", spent.claims);
    assert!(spent.hashes < STEPS * 32, "{} bytes of hashes and checks", spent.hashes);
    run(&mut world, 0.1);
}
