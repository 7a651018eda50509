//! Acts, and what hands do meanwhile, whenever they are interrupted: by a blow, going limp, a script that is loaded anew, a snapshot that is
//! gone back to and a scene that is saved and loaded, they do not make a figure jump, do not get stuck, and lose nothing.

use super::interrupted::{MOMENTS, POP, SECOND, steps};
use super::{Stage, shipped};
use simrun_scene::{Models, Overrides, Scene};
use simrun_script::{Eval, ReloadOutcome, ScriptSnapshot};
use simrun_sim::space::Vec3;
use simrun_sim::world::Snapshot;
use simrun_sim::{Command, FigureHandle, Mode, Nobody, Phase};
use std::path::PathBuf;

const SCENE: &str = r#"{ "name": "table",
  "objects": [
    { "name": "road", "shape": "plane", "friction": 0.9 },
    { "name": "bench", "shape": { "box": [2, 0.45, 0.4] }, "position": [0, 0.225, -0.15] },
    { "name": "bowl", "shape": { "cylinder": { "height": 0.07, "radius": 0.08 } }, "position": [0.34, 0.486, 0], "body": "dynamic", "mass": 0.4,
      "grips": { "left": [0.08, 0, 0], "right": [-0.08, 0, 0] } },
    { "name": "cup", "shape": { "cylinder": { "height": 0.1, "radius": 0.04 } }, "position": [-0.34, 0.501, 0], "body": "dynamic", "mass": 0.3,
      "grips": { "handle": [0.06, 0, 0] } } ],
  "figures": [ { "name": "ann", "model": "assets/boxman.glb", "position": [0, 0, 0.6], "motion": { "mode": "powered" }, "behaviours": [ "protective_fall" ] } ] }"#;

const SIT: &str = "ann:sit(vector.create(0, 0.45, 0), 0)";
const BOWL: &str = "ann:hold(scene.find('bowl'), 'left', 'right')";
const CUP: &str = "ann:hold_cup(scene.find('cup'), 'handle')";
/// What it is at, what is done three seconds apart before that, and what brings it about.
const AT: [(&str, &[&str], &str); 8] = [
    ("sit", &[], SIT),
    ("stand_up", &[SIT], "ann:stand_up()"),
    ("lie_down", &[], "ann:move_to(vector.create(0, 0, 3), 0) ann:lie_down(vector.create(0, 0, 1))"),
    ("hold", &[SIT], BOWL),
    ("eat", &[SIT, BOWL], "ann:eat()"),
    ("drink", &[SIT, CUP], "ann:drink()"),
    ("stand up with a bowl", &[SIT, BOWL], "ann:stand_up()"),
    ("carry", &[CUP], SIT),
];

fn scenes() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/table.json"))
}

/// What is so at the end of each, in the same order, as it says at the prompt.
const ENDS: [&str; 8] = [
    "ann:seated()",
    "not ann:acting()",
    "ann:lying_down()",
    "ann:seated() and ann:holding()",
    "ann:seated() and ann:holding() and not ann:eating()",
    "ann:seated() and ann:holding() and not ann:drinking()",
    "not ann:acting() and not ann:holding()",
    "ann:seated() and ann:holding()",
];

/// The scene in a stage, its figure standing by the bench.
fn stage() -> (Stage, Scene, FigureHandle) {
    let mut stage = Stage::new();
    for (name, text) in shipped() {
        stage.texts.write(&name, &text);
    }
    let scene = Scene::parse(&scenes(), SCENE).expect("a good scene");
    stage.world = scene.build(&scenes(), &mut Models::beside(&scenes()), &Overrides::default()).expect("a good scene");
    assert_eq!(stage.scripts.start(&mut stage.world, None), []);
    let ann = stage.world.find_figure("ann").expect("ann");
    tell(&mut stage, "spot = ann:sit_spot(vector.create(0, 0.45, 0), 0) ann:move_to(spot.position, spot.yaw)");
    stage.step(SECOND / 2);
    (stage, scene, ann)
}

/// Has a line run that is not refused.
fn tell(stage: &mut Stage, line: &str) {
    let result = stage.eval(line);
    assert!(!matches!(result, Eval::Error(_)), "{line}: {result:?}");
}

type Before = (Snapshot, ScriptSnapshot);

fn kept(stage: &Stage) -> Before {
    (stage.world.snapshot(), stage.scripts.snapshot().expect("plain data"))
}

fn back(stage: &mut Stage, before: &Before) {
    stage.world.restore(&before.0).expect("back");
    stage.scripts.restore(&mut stage.world, &before.1).expect("back");
}

/// What is saved can be read, and holds what was held; whoever is in it goes on without a fault.
fn save_and_load(stage: &Stage, scene: &Scene, at: &str) {
    let saved = Scene::of(&stage.world, scene);
    let read = Scene::parse(&scenes(), &saved.to_json()).unwrap_or_else(|why| panic!("{at}: {why:?}"));
    assert_eq!(read, saved, "{at}");
    let mut world =
        read.build(&scenes(), &mut Models::beside(&scenes()), &Overrides::default()).expect("what is saved can be built");
    let held = |world: &simrun_sim::World| {
        let ann = world.find_figure("ann").and_then(|ann| world.figure(ann).ok()).expect("ann");
        ann.motion
            .as_ref()
            .and_then(|motion| motion.holds())
            .map(|holding| world.object(holding.item).expect("it is there").name.clone())
    };
    assert_eq!(held(&world), held(&stage.world), "{at}");
    (0..SECOND).for_each(|_| world.step(&mut Nobody));
    assert!(world.figures().all(|figure| figure.drawn.bodies.iter().all(|body| body.is_finite())), "{at}");
}

#[test]
fn no_act_that_is_interrupted_makes_a_figure_jump_or_stick() {
    let mut place = 0.0_f32;
    // Golden ratio: any number of them lie evenly.
    let mut draw = || {
        place = (place + 0.618_034).fract();
        place
    };
    for ((at, first, begin), end) in AT.into_iter().zip(ENDS) {
        let (mut stage, scene, ann) = stage();
        for line in first {
            tell(&mut stage, line);
            stage.step(3 * SECOND);
        }
        let ready = kept(&stage);
        for moment in 0..MOMENTS {
            back(&mut stage, &ready);
            tell(&mut stage, begin);
            stage.step(1 + (draw() * (4 * SECOND) as f32) as usize);
            assert_eq!(stage.problems(), [""; 0], "{at}");
            let before = kept(&stage);
            save_and_load(&stage, &scene, at);

            let worst = steps(&mut stage, ann, SECOND);
            let straight = (stage.world.last_hashes().all(), stage.scripts.script_hash());
            assert!(worst < POP, "{at}, moment {moment}: {worst} rad by itself");
            back(&mut stage, &before);
            stage.step(SECOND);
            assert_eq!((stage.world.last_hashes().all(), stage.scripts.script_hash()), straight, "{at}, restored");

            for interruption in ["blow", "limp", "reload"] {
                back(&mut stage, &before);
                match interruption {
                    "blow" => {
                        let way = Vec3::new(2.0 * draw() - 1.0, 0.0, 2.0 * draw() - 1.0) * 60.0;
                        tell(&mut stage, &format!("ann:hit('chest', vector.create({}, 0, {}))", way.x, way.z));
                    }
                    "limp" => stage.world.command(Command::SetMode { figure: ann, mode: Mode::Limp }).expect("a mode"),
                    _ => {
                        let text = stage.texts.read("protective_fall").expect("it is there").text;
                        stage.texts.write("protective_fall", &format!("{text}\n-- anew"));
                        let outcome = stage.scripts.reload(&mut stage.world, &["protective_fall"]);
                        assert!(matches!(outcome, ReloadOutcome::Swapped { .. }), "{at}: {outcome:?}");
                    }
                }
                let worst = steps(&mut stage, ann, SECOND);
                assert!(worst < POP, "{at}, moment {moment}, {interruption}: a drawn bone jumped by {worst} rad");
                if interruption == "reload" {
                    let ended = (0..8).any(|_| {
                        let ends = stage.value(&format!("not not ({end})")) == "true";
                        if !ends {
                            stage.step(SECOND);
                        }
                        ends
                    });
                    assert!(ended, "{at}, moment {moment}: loaded anew it is not \"{end}\" after 8 s");
                } else {
                    let phase = stage.world.figure(ann).expect("alive").phase();
                    assert_ne!(phase, Phase::Acting, "{at}, moment {moment}, {interruption}");
                }
                let held = |stage: &Stage| stage.world.figure(ann).expect("alive").motion().expect("motion").holds().is_some();
                assert!(interruption != "limp" || !held(&stage), "{at}: it is limp and holds something");
                // Taken back to its animation nothing of it is left, but for what is in its hand.
                stage.world.command(Command::SetMode { figure: ann, mode: Mode::Animated }).expect("a mode");
                stage.step(SECOND);
                let figure = stage.world.figure(ann).expect("alive");
                assert_eq!((figure.mode(), figure.phase()), (Mode::Animated, Phase::Standing), "{at}, moment {moment}");
                if held(&stage) {
                    stage.world.command(Command::LetGo(ann)).expect("it holds something");
                    stage.step(1);
                }
                assert!(stage.world.figure(ann).expect("alive").motion().expect("motion").holding.is_none(), "{at}");
                assert_eq!(stage.problems(), [""; 0], "{at}, moment {moment}, {interruption}");
            }
        }
    }
}
