//! The scripts that are shipped: they load, describe what they can be tuned by, and run through a fall without a fault.

use super::Stage;
use simrun_sim::command::{ObjectSpec, Switch};
use simrun_sim::event::Happening;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Rigid, Vec3, rotation_from_yaw};
use simrun_sim::{Bone, Command, Hit, Phase};
use std::path::PathBuf;

pub(crate) fn shipped() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scripts");
    let files = std::fs::read_dir(folder).expect("the folder of scripts").flatten().map(|entry| entry.path());
    let mut all: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "luau"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a readable script"))
        })
        .collect();
    all.sort();
    all
}

pub(super) fn stage() -> Stage {
    let stage = Stage::new();
    for (name, text) in shipped() {
        stage.texts.write(&name, &text);
    }
    stage
}

#[test]
fn every_script_loads_and_describes_its_parameters() {
    let mut stage = stage();
    for (name, _) in shipped() {
        let docs = stage.scripts.described_params(&name).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(docs.iter().all(|doc| !doc.doc.is_empty()), "{name}");
    }
}

#[test]
fn a_hurt_figure_falls_and_writhes_without_a_fault() {
    let mut stage = stage();
    stage.add("ann", &["protective_fall", "writhe"]);
    let ann = stage.world.find_figure("ann").expect("ann");
    stage.world.command(Command::SetSwitch { figure: ann, switch: Switch::Writhing(3.0) }).expect("a switch");
    stage.step(10);
    stage.eval("ann:hit('chest', nil, vector.create(0, 0, -4 * ann:mass()))");
    let mut phases = Vec::new();
    let mut owners = Vec::new();
    for _ in 0..300 {
        stage.step(1);
        let figure = stage.world.figure(ann).expect("ann");
        phases.push(figure.phase());
        owners.extend(figure.claims.iter().map(|claim| claim.owner.to_string()));
    }
    assert_eq!(stage.problems(), [""; 0]);
    assert!(phases.contains(&Phase::Falling) && phases.contains(&Phase::Landed), "{phases:?}");
    assert!(owners.iter().any(|owner| owner == "protective_fall") && owners.iter().any(|owner| owner == "writhe"));
}

#[test]
fn the_street_drives_into_whoever_stands_in_its_way() {
    let mut stage = stage();
    stage.add("ann", &["protective_fall"]);
    assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
    stage.eval("heard = {} sim.on('struck', function(event) table.insert(heard, event.bone) end)");
    stage.step(300);
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.value("#heard"), "1");
}

/// What met a wall, in which step and how fast (m/s): the head, and the first hand.
#[derive(Default)]
struct Met {
    head: Option<(usize, f32)>,
    hand: Option<(usize, f32)>,
}

/// Shoves a figure at a wall that is so far (m) before it: so fast (m/s), so far off straight ahead (rad).
fn thrown_at_a_wall(protective: bool, distance: f32, speed: f32, aside: f32) -> Met {
    let mut stage = stage();
    let size = Vec3::new(4.0, 3.0, 0.5);
    let wall = ObjectSpec {
        name: "wall".to_owned(),
        shape: Shape::Box(size),
        kind: BodyKind::Fixed,
        pose: Rigid { translation: Vec3::new(0.0, 0.5 * size.y, distance + 0.5 * size.z), ..Rigid::IDENTITY },
        mass: 0.0,
        friction: 0.6,
        restitution: 0.0,
        grips: Default::default(),
        params: Default::default(),
    };
    let handle = stage.world.reserve_object("wall").expect("a free name");
    stage.world.command(Command::AddObject { handle, spec: Box::new(wall) }).expect("a wall");
    stage.add("ann", &["startle", "brace"]);
    let ann = stage.world.find_figure("ann").expect("ann");
    stage.world.command(Command::SetSwitch { figure: ann, switch: Switch::Protective(protective) }).expect("a switch");
    stage.step(60);
    let mass = stage.world.figure(ann).expect("ann").model.ragdoll.as_ref().expect("a ragdoll").mass;
    let blow = rotation_from_yaw(aside) * Vec3::Z * (speed * mass);
    stage.world.command(Command::Hit(Hit::new(ann, Bone::Chest, blow))).expect("a blow");
    let mut met = Met::default();
    for step in 0..240 {
        stage.step(1);
        for event in stage.world.events() {
            let Happening::Touched { bone, object, speed, .. } = event.what else { continue };
            match bone {
                Bone::Head if object == handle => met.head = met.head.or(Some((step, speed))),
                Bone::ForearmL | Bone::ForearmR if object == handle => met.hand = met.hand.or(Some((step, speed))),
                _ => {}
            }
        }
    }
    assert_eq!(stage.problems(), [""; 0]);
    met
}

#[test]
fn a_wall_is_met_with_the_hands() {
    let cases: Vec<(f32, f32, f32)> =
        [0.75, 0.8, 0.85].iter().flat_map(|at| [(*at, 1.5, 0.0), (*at, 1.75, 0.15), (*at, 2.0, -0.15)]).collect();
    let all = |protective| cases.iter().map(move |(at, speed, aside)| thrown_at_a_wall(protective, *at, *speed, *aside));
    let (braced, twins): (Vec<Met>, Vec<Met>) = (all(true).collect(), all(false).collect());
    let head = |all: &[Met]| all.iter().map(|met| met.head.map_or(0.0, |(_, speed)| speed)).sum::<f32>() / all.len() as f32;
    let first = |met: &&Met| met.hand.is_some_and(|(hand, _)| met.head.is_none_or(|(head, _)| hand < head));
    assert!(braced.iter().filter(first).count() >= 8);
    let (own, twin) = (head(&braced), head(&twins));
    assert!(own <= 0.8 && twin >= 1.5, "heads met the wall at {own} m/s, unbraced ones at {twin}");
}
