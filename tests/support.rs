//! What tests of several rooms share.

use simrun_sim::figure::{Model, Ragdoll};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{
    Bone, Command, FigureHandle, FigureSpec, Hit, Mode, MotionRecord, Nobody, ObjectHandle, ObjectSpec, Rigid, World,
    WorldSettings,
};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// The folder of test models, which are not part of the repository: `SIMRUN_ASSETS`, or `../shared/assets` beside it.
pub fn assets() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/assets");
    std::env::var_os("SIMRUN_ASSETS").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// The number that a variable of the environment asks for, or the usual one.
pub fn asked<N: FromStr>(name: &str, usual: N) -> N {
    let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}: found {text:?}; accepted: a number"));
    std::env::var(name).map_or(usual, number)
}

/// Those of some test models that are there; says how many are not.
pub fn present<'a>(names: &'a [&'a str]) -> Vec<(&'a str, PathBuf)> {
    let found: Vec<_> = names.iter().map(|name| (*name, assets().join(name))).filter(|(_, path)| path.exists()).collect();
    if found.len() < names.len() {
        println!("skipped: {} of {} test models are not there", names.len() - found.len(), names.len());
    }
    found
}

/// Every model file below a folder of the test models, by path; says so when there is no such folder.
pub fn models_below(folder: &str) -> Vec<PathBuf> {
    let mut open = vec![assets().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: no test models in {}", folder.display());
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "glb" || kind == "gltf" || kind == "vrm") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A test model that loads.
pub fn model(path: &Path) -> Arc<Model> {
    let rig = simrun_scene::model::load(path).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(Model::new(rig))
}

/// The ragdoll of a model that has one.
pub fn ragdoll(model: &Model) -> &Ragdoll {
    model.ragdoll.as_ref().unwrap_or_else(|why| panic!("{}: {why}", model.rig.name))
}

/// The project's own figure.
pub fn boxman() -> Arc<Model> {
    static MODEL: std::sync::OnceLock<Arc<Model>> = std::sync::OnceLock::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/assets/boxman.glb");
    Arc::clone(MODEL.get_or_init(|| model(Path::new(path))))
}

/// A world with a flat road at height 0.
pub fn road(settings: WorldSettings) -> World {
    let mut world = World::new(settings);
    add_box(&mut world, "road", Vec3::new(80.0, 1.0, 80.0), Vec3::new(0.0, -0.5, 0.0), BodyKind::Fixed, 0.0);
    world
}

/// A box of a size (m) at a place (m).
pub fn add_box(world: &mut World, name: &str, size: Vec3, at: Vec3, kind: BodyKind, mass: f32) -> ObjectHandle {
    let handle = world.reserve_object(name).expect("a free name");
    let spec = ObjectSpec {
        name: name.to_owned(),
        shape: Shape::Box(size),
        kind,
        pose: Rigid::new(Quat::IDENTITY, at),
        mass,
        friction: 0.9,
        restitution: 0.0,
        grips: Default::default(),
        params: std::collections::BTreeMap::new(),
    };
    world.command(Command::AddObject { handle, spec: Box::new(spec) }).expect("a good object");
    handle
}

/// A box man in a mode, standing at a place (m), playing nothing.
pub fn add_figure(world: &mut World, name: &str, at: Vec3, mode: Mode) -> FigureHandle {
    spawn(world, FigureSpec { position: at, ..standing(name, mode) })
}

/// A box man at the origin that holds the built-in stance.
pub fn standing(name: &str, mode: Mode) -> FigureSpec {
    FigureSpec {
        name: name.to_owned(),
        model: boxman(),
        position: Vec3::ZERO,
        yaw: 0.0,
        clip: None,
        root_motion: true,
        clip_time: 0.0,
        acts: Default::default(),
        motion: Some(MotionRecord { mode, ..MotionRecord::default() }),
        holds: None,
        behaviours: Vec::new(),
    }
}

/// Puts a figure in.
pub fn spawn(world: &mut World, spec: FigureSpec) -> FigureHandle {
    let handle = world.reserve_figure(&spec.name).expect("a free name");
    world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect("a good figure");
    handle
}

/// Steps without behaviours.
pub fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds * world.settings().step_hz).round() as usize {
        world.step(&mut Nobody);
    }
}

/// A blow at a bone's centre that would give the whole figure this velocity (m/s).
pub fn shove(world: &mut World, figure: FigureHandle, bone: Bone, velocity: Vec3) {
    let mass = world.figure(figure).expect("alive").model.ragdoll.as_ref().expect("a person").mass;
    let hit = Hit { figure, bone, point: None, impulse: velocity * mass, cost: None, closing_speed: None, by: None };
    world.command(Command::Hit(hit)).expect("a good blow");
}

/// Where a bone's body is.
pub fn bone(world: &World, figure: FigureHandle, bone: Bone) -> Rigid {
    world.figure(figure).expect("alive").bone(bone)
}
