//! The scripts that are shipped: they load, describe what they can be tuned by, and run through a fall without a fault.

use super::Stage;
use simrun_sim::command::Switch;
use simrun_sim::{Command, Phase};
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

fn stage() -> Stage {
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
