//! Recordings that nobody recorded.

use super::blocks::{put_together, seal, taken_apart};
use super::{boxman, standing};
use simrun_sim::record::{Recorder, Recording, Replay};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Bone, Claim, Command, Decide, Hit, Model, ObjectSpec, Rigid, Want, World, WorldSettings};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most steps that are replayed.
const STEPS: usize = 31;
/// Steps of the seed.
const RECORDED: u64 = 30;

/// Bytes as a recording, with its checks and with right ones, and as the form of [`taken_apart`].
pub fn recording(data: &[u8]) {
    play(data);
    play(&seal(data));
    play(&put_together(data));
}

fn play(bytes: &[u8]) {
    let recording = match Recording::decode(bytes) {
        Ok(recording) => recording,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let steps = recording.len() as usize;
    for step in [0, 7, steps, usize::MAX / 2] {
        let figures = recording.shown(step).len();
        assert!(figures < 100_000 && recording.shown_object(step, figures).is_none_or(|pose| pose.rotation.length() < 2.0));
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| PANICKED.set(Some(format!("{}: {info}", whose(info))))));
    replay(&recording);
    std::panic::set_hook(before);
    // What a snapshot says inside the solver's library may make that panic, which is then an error; nothing of ours may.
    if let Some(said) = PANICKED.take() {
        assert!(of_the_library(&said), "{said}");
    }
}

/// The place of a panic. The standard library's own functions do not always name their caller: then the stack says whose it was.
fn whose(info: &std::panic::PanicHookInfo) -> String {
    let place = info.location().map_or_else(String::new, ToString::to_string);
    if !place.starts_with("/rustc/") {
        return place;
    }
    let stack = std::backtrace::Backtrace::force_capture().to_string();
    let frames = stack.lines().map(str::trim);
    frames.into_iter().find(|line| of_the_library(line) || line.contains("simrun_")).map_or(place, str::to_owned)
}

/// Whether a place or a frame is in the solver's library.
fn of_the_library(said: &str) -> bool {
    ["/rapier3d-", "/parry3d-", "rapier3d::", "parry3d::"].into_iter().any(|name| said.contains(name))
}

thread_local! {
    static PANICKED: Cell<Option<String>> = const { Cell::new(None) };
}

fn replay(recording: &Recording) {
    let Ok((mut world, mut replay)) = Replay::new(recording, 1) else { return };
    for _ in 0..STEPS {
        match replay.step(&mut world) {
            Ok(Some(_)) => {}
            Ok(None) => {
                if let Err(error) = replay.finish(&mut world) {
                    assert!(!error.to_string().is_empty());
                }
                return;
            }
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    }
}

/// A recording of half a second, taken apart: one figure, then two, on a road with a car and a crate, with claims, blows and commands.
pub fn seed() -> Vec<u8> {
    let (bytes, hash) = recorded();
    let form = taken_apart(&bytes);
    assert_eq!(put_together(&form), bytes, "what is taken apart can be put together");
    let recording = Recording::decode(&bytes).expect("a recording");
    let (mut world, mut replay) = Replay::new(&recording, 1).expect("of this build");
    while let Some(difference) = replay.step(&mut world).expect("a sound log") {
        assert_eq!(difference, None);
    }
    assert_eq!(replay.finish(&mut world).expect("a sound log"), None);
    assert_eq!(world.sim_hash(), hash);
    form
}

fn recorded() -> (Vec<u8>, u64) {
    let mut world = World::new(WorldSettings::default());
    for (name, size, [y, z], kind) in [
        ("road", [40.0, 0.5, 40.0], [-0.25, 0.0], BodyKind::Fixed),
        ("car", [1.8, 1.4, 4.2], [0.7, -2.6], BodyKind::Kinematic),
        ("crate", [0.5, 0.5, 0.5], [0.26, 0.6], BodyKind::Dynamic),
    ] {
        let handle = world.reserve_object(name).expect("a free name");
        let at = Vec3::new(0.0, y, z);
        let spec = ObjectSpec {
            name: name.to_owned(),
            shape: Shape::Box(size.into()),
            kind,
            pose: Rigid { translation: at, ..Rigid::IDENTITY },
            mass: 10.0,
            friction: 0.8,
            restitution: 0.0,
            grips: BTreeMap::new(),
            params: BTreeMap::new(),
        };
        world.command(Command::AddObject { handle, spec: Box::new(spec) }).expect("a good object");
    }
    let model = short_model();
    spawn(&mut world, "ann", &model);
    let mut busy = Busy(model);
    for _ in 0..5 {
        world.step(&mut busy);
    }
    let mut recorder = Recorder::new(&mut world, "seed", Vec::new());
    for _ in 0..RECORDED {
        world.step(&mut busy);
        recorder.after_step(&mut world, 7);
    }
    let figure = world.find_figure("ann").expect("ann");
    world.command(Command::SetStrength { figure, strength: 0.5 }).expect("a good strength");
    let entries = world.take_journal();
    recorder.write_closing(&world, entries, 7);
    recorder.end();
    (recorder.take_bytes(), world.sim_hash())
}

/// The box man with one clip of a few keys: a seed stays small.
fn short_model() -> Arc<Model> {
    let mut rig = boxman().rig.clone();
    rig.clips.retain(|clip| clip.name == "Idle");
    for track in rig.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let width = track.width();
        let keys = track.times.len().min(3);
        track.times.truncate(keys);
        track.values.truncate(keys * width);
    }
    Arc::new(Model::new(rig))
}

fn spawn(world: &mut World, name: &str, model: &Arc<Model>) {
    let handle = world.reserve_figure(name).expect("a free name");
    let position = Vec3::new(if name == "ann" { 0.0 } else { 1.0 }, 0.0, 0.0);
    let spec = simrun_sim::FigureSpec { position, clip: Some("Idle".to_owned()), ..standing(name, Arc::clone(model)) };
    world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect("a good figure");
}

struct Busy(Arc<Model>);

impl Decide for Busy {
    fn decide(&mut self, world: &mut World) {
        let step = world.step_index();
        for figure in world.figures().map(|figure| figure.handle).collect::<Vec<_>>() {
            let turn = step as f32 * 0.01;
            let way = Vec3::new(libm::sinf(turn), -0.3, libm::cosf(turn)).normalize();
            let wants = [
                (Bone::UpperArmL, Want::Point(way)),
                (Bone::Head, Want::Aim(Quat::from_rotation_y(turn))),
                (Bone::UpperArmR, Want::Reach { point: way, pole: Vec3::ZERO }),
                (Bone::Chest, Want::Bend(Vec3::X * 0.1)),
                (Bone::ShinL, Want::Weaken),
            ];
            for (bone, want) in wants {
                let claim = Claim {
                    bone,
                    want,
                    priority: 10,
                    share: 0.9,
                    blend_in: 0.1,
                    blend_out: 0.2,
                    since_step: 0,
                    owner: "busy".into(),
                };
                world.claim(figure, claim).expect("a good claim");
            }
            if step.is_multiple_of(7) {
                world.release(figure, "busy", Some(Bone::Head)).expect("alive");
            }
            if step == 12 || step == 4 {
                world.command(Command::Hit(Hit::new(figure, Bone::Chest, Vec3::Z * 40.0))).expect("a good blow");
            }
        }
        let car = world.find_object("car").expect("the car");
        let go = Command::SetVelocity { object: car, linear: Vec3::Z * 3.0, angular: Vec3::ZERO };
        world.command(go).expect("a good velocity");
        if step == 8 {
            spawn(world, "ben", &self.0);
        }
        if step == 20 {
            let figure = world.find_figure("ben").expect("ben");
            world.command(Command::PassThrough { figure, object: car }).expect("both are there");
        }
    }
}
