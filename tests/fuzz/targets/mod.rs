//! What is done with bytes from anywhere: shared by the fuzzer (`tests/fuzz`) and the stable tests (`tests/mutate`). A target panics
//! where something is wrong that is no refusal.

mod api;
mod blocks;
mod recording;

pub use api::api;
pub use blocks::{put_together, seal, taken_apart};
pub use recording::{recording, seed};

use simrun_scene::{Models, Overrides, Scene, model};
use simrun_sim::{Command, FigureSpec, Mode, Model, MotionRecord, Nobody, World, WorldSettings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// More than this is built in no run of a target: what it finds, it finds in few.
const FEW: usize = 8;
/// Most nodes of a model that is made to move.
const MODERATE: usize = 2000;

/// A scene's text: read, written and read again, built into a world and stepped.
pub fn scene(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let file = Path::new("fuzz.json");
    let scene = match Scene::parse(file, text) {
        Ok(scene) => scene,
        Err(problems) => {
            assert!(!problems.is_empty(), "a refusal says why");
            for problem in problems {
                assert!(!problem.found.is_empty() && problem.at.is_none_or(|(line, column)| line > 0 && column > 0), "{problem}");
            }
            return;
        }
    };
    let again = Scene::parse(file, &scene.to_json());
    assert!(again.as_ref() == Ok(&scene), "what is written reads the same: {again:?}\n{scene:?}");
    if scene.figures.len() + scene.objects.len() > FEW {
        return;
    }
    match scene.build(file, &mut models(), &Overrides::default()) {
        Ok(mut world) => {
            (0..2).for_each(|_| world.step(&mut Nobody));
            let saved = Scene::of(&world, &scene).to_json();
            assert!(Scene::parse(file, &saved).is_ok(), "what a world saves can be read: {saved}");
        }
        Err(problems) => assert!(!problems.is_empty(), "a refusal says why"),
    }
}

/// A model's bytes: decoded, and made to move where a ragdoll fits.
pub fn glb(data: &[u8]) {
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let rig = match model::decode("fuzz.glb", data, &nothing) {
        Ok(rig) => rig,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if rig.nodes.len() > MODERATE {
        return;
    }
    let model = Arc::new(Model::new(rig));
    let mut world = World::new(WorldSettings::default());
    let clip = model.rig.clips.first().map(|clip| clip.name.clone());
    let motion = model.ragdoll.is_ok().then(|| MotionRecord { mode: Mode::Powered, ..MotionRecord::default() });
    let spec = FigureSpec { clip, motion, ..standing("ann", model) };
    let handle = world.reserve_figure("ann").expect("a free name");
    if world.command(Command::Spawn { handle, spec: Box::new(spec) }).is_ok() {
        (0..3).for_each(|_| world.step(&mut Nobody));
    }
}

/// A figure that stands at the origin.
fn standing(name: &str, model: Arc<Model>) -> FigureSpec {
    FigureSpec {
        name: name.to_owned(),
        model,
        position: [0.0; 3].into(),
        yaw: 0.0,
        clip: None,
        root_motion: true,
        clip_time: 0.0,
        acts: Default::default(),
        motion: Some(MotionRecord { mode: Mode::Powered, ..MotionRecord::default() }),
        holds: None,
        behaviours: Vec::new(),
    }
}

/// The project's own figure, and nothing else.
fn models() -> Models {
    Models::in_memory(BTreeMap::from([(PathBuf::from("assets/boxman.glb"), boxman())]))
}

fn boxman() -> Arc<Model> {
    static MODEL: OnceLock<Arc<Model>> = OnceLock::new();
    let bytes = include_bytes!("../../../scenes/assets/boxman.glb");
    let load = || model::decode("boxman.glb", bytes, &|_| Err(std::io::ErrorKind::NotFound.into()));
    Arc::clone(MODEL.get_or_init(|| Arc::new(Model::new(load().expect("the box man is a model")))))
}
