//! What saves are measured by, and kept or taken back.

use super::{repository, simrun};
use std::path::Path;

const SCENE: &str = r#"{ "name": "nods", "objects": [ { "name": "ground", "shape": "plane" } ],
  "figures": [ { "name": "ann", "model": "boxman.glb", "clip": "Idle", "motion": { "mode": "powered" }, "behaviours": ["nod"] } ] }"#;

const MEASURE: &str = r#"
local function step(fig, state)
	state.nod = math.max(state.nod or 0, vector.magnitude(figure.rotation(fig, Bone.head) - figure.rotation(fig, Bone.chest)))
end
return {
	step = step, about = "how far a head nods", runs = 2, seconds = 1, figure = { behaviours = { "nod" } },
	rows = { { name = "nod_rad", unit = "rad", of = "nod", over = "mean", at_most = 0.45, says = "how far" } },
}"#;

/// A behaviour that bends its figure's head so far (rad).
fn nod(angle: &str) -> String {
    format!(
        "return {{ measure = \"nodding.luau\",\n\tstep = function(fig) motion.bend(fig, Bone.head, vector.create({angle}, 0, 0)) end }}\n"
    )
}

pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("scripts")).expect("a folder");
    std::fs::copy(repository().join("scenes/assets/boxman.glb"), folder.path().join("boxman.glb")).expect("a copy");
    write("s.json", SCENE);
    write("scripts/nodding.luau", MEASURE);
    write("scripts/nod.luau", &nod("0.1"));
    folder
}

pub(super) fn run(folder: &Path, lines: &str) -> super::Ran {
    simrun(&[&folder.join("s.json").display().to_string(), "--headless", "--seconds", "0.1"], lines)
}

#[test]
fn a_behaviour_is_measured_by_what_it_names() {
    let folder = folder();
    let ran = run(folder.path(), ":measure nod\n:measure nodding\n:measure nodd\n:keep\n:revert nod\n");
    assert!(ran.stderr.contains("measuring nod by nodding.luau\nnod, nodding.luau: 1 of 1 rows hold\n"), "{}", ran.stderr);
    for line in [
        ":measure: nodding names no measure; accepted: one whose table has an entry such as measure = \"falls\"",
        ":measure: there is no scripts/nodd.luau; there are: nod, nodding (did you mean \"nod\"?)",
        ":keep: nothing has been saved yet; accepted: :keep NAME",
        ":revert: nod has not been saved",
    ] {
        assert!(ran.stderr.lines().any(|said| said == line), "{line}: {}", ran.stderr);
    }
}

/// A behaviour whose angle is a module's.
const ASKS: &str = r#"local x = require("./x")
return { measure = "nodding.luau",
	params = { more = { default = 0, min = 0, max = 0.4, doc = "How much further." } },
	step = function(fig, _, _, p) motion.bend(fig, Bone.head, vector.create(x.angle + p.more, 0, 0)) end }
"#;

#[test]
fn a_behaviour_is_measured_with_the_modules_that_it_requires() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("scripts/deep")).expect("a folder");
    for place in ["scripts", "scripts/deep"] {
        write(&format!("{place}/nod.luau"), ASKS);
        write(&format!("{place}/x.luau"), "return { angle = 0.1 }\n");
    }
    let ran = run(folder.path(), ":measure nod\n:tune more=0..0.4:2 --row nod_rad --better more\n");
    assert!(ran.stderr.contains("nod, nodding.luau: 1 of 1 rows hold\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains(" at more 0.4: set_param(\"nod\", \"more\", 0.4)\n"), "{}", ran.stderr);
    // One in a folder means what is beside it.
    write("scripts/nodding.luau", &MEASURE.replace("{ \"nod\" }", "{ \"deep/nod\" }"));
    write("s.json", &SCENE.replace("\"nod\"", "\"deep/nod\""));
    write("scripts/x.luau", "return { angle = 0.6 }\n");
    let ran = run(folder.path(), ":measure deep/nod\n");
    assert!(ran.stderr.contains("deep/nod, nodding.luau: 1 of 1 rows hold\n"), "{}", ran.stderr);
}

/// A module names no measure, and is not run again for one.
#[cfg(unix)]
#[test]
fn a_module_that_is_saved_is_not_measured() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("scripts/nod.luau", &ASKS.replace("x.angle", "x()"));
    write("scripts/x.luau", "return function() return 0.1 end\n");
    let mut session = super::terminal::start(folder.path());
    write("scripts/x.luau", "return function() return 0.2 end\n");
    session.expect("reloaded x with nod (1 figure, state kept)").expect("it is read");
    session.send_line("'after' .. 'wards'").expect("a line");
    let said = session.expect("\"afterwards\"").expect("its value");
    let said = String::from_utf8_lossy(said.before()).into_owned();
    assert!(!said.contains("measured") && !said.contains("returns"), "{said}");
    write("scripts/nod.luau", &ASKS.replace("x.angle", "0.1 + x()"));
    session.expect("measuring nod by nodding.luau").expect("what requires it is");
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

#[test]
fn a_measure_that_is_none_is_told_before_a_run() {
    for (measure, said) in [
        ("\"fals\"", "measure: there is no measure 'fals'; there are: rest, "),
        ("\"../outside.luau\"", "measure: \"../outside\" leaves the folder of scripts"),
        ("{ name = \"falls\", run = 3 }", "measure has an unknown key 'run'; did you mean 'runs'?"),
        ("{ name = \"falls\", runs = 0 }", "measure.runs is 0; accepted: a whole number, 1 and more"),
        ("7", "measure is 7; accepted: a measure's name, or { name = \"falls\", runs = 12 }"),
    ] {
        let folder = folder();
        let text = nod("0.1").replace("\"nodding.luau\"", measure);
        std::fs::write(folder.path().join("scripts/nod.luau"), text).expect("a file");
        let ran = run(folder.path(), "");
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{measure}: {}", ran.stderr);
    }
}

/// What else the figures of a measure carry is the project's at the prompt as on the command line, with a file in the first one's place
/// or without.
#[test]
fn the_prompt_measures_what_the_command_line_measures() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let nothing = "return { measure = { name = \"falls\", runs = 1 }, step = function() end }\n";
    write("scripts/protective_fall.luau", nothing);
    write("s.json", &SCENE.replace("\"nod\"", "\"protective_fall\""));
    let shipped = std::fs::read_to_string(repository().join("scripts/protective_fall.luau")).expect("it is there");
    let held = |startle: &str| {
        write("scripts/startle.luau", startle);
        let said = run(folder.path(), ":measure protective_fall\n").stderr;
        let at_the_prompt = said.lines().find_map(|line| line.strip_prefix("protective_fall, falls: ")).expect("it is measured");
        for more in [&[][..], &["--script", "scripts/protective_fall.luau"]] {
            let mut command = std::process::Command::new(super::binary());
            command.args(["measure", "falls", "--runs=1", "--jobs=1", "--json"]).args(more).current_dir(folder.path());
            let table: serde_json::Value = serde_json::from_slice(&command.output().expect("it runs").stdout).expect("a table");
            let rows = table["rows"].as_array().expect("rows");
            let ok = rows.iter().filter(|row| row["ok"] == true).count();
            assert_eq!(at_the_prompt, format!("{ok} of {} rows hold", rows.len()), "{more:?}");
        }
        at_the_prompt.to_owned()
    };
    assert_ne!(held(&shipped), held(nothing), "what is carried beside it tells");
}

/// At a terminal, where files are watched.
#[cfg(unix)]
#[test]
fn a_save_is_measured_beside_what_was_kept() {
    let folder = folder();
    let mut session = super::terminal::start(folder.path());
    let file = folder.path().join("scripts/nod.luau");
    let save = |text: &str| std::fs::write(&file, text).expect("a file");
    save(&nod("0.5"));
    for line in [
        "reloaded nod (1 figure, state kept)",
        "measuring nod by nodding.luau",
        "nod, nodding.luau: nod_rad ",
        " rad, 2 of 2 worse (no longer ≤ 0.45); of 1 rows 1 worse, 0 better",
    ] {
        session.expect(line).expect(line);
    }
    session.send_line(":keep").expect("a line");
    session.expect("nod is kept: saves are compared with it from now on").expect("it is");
    save(&nod("0.3"));
    session.expect("0 of 2 worse (now ≤ 0.45); of 1 rows 0 worse, 1 better").expect("beside the one that was kept");
    session.send_line(":measure off").expect("a line");
    session.send_line(":revert").expect("a line");
    session.expect("nod is as it was kept; what was edited is in ").expect("it is");
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), nod("0.5"));
    let copy = std::fs::read_to_string(folder.path().join("scripts/.edited/nod.1.luau"));
    assert_eq!(copy.expect("what was edited is not lost"), nod("0.3"));
    session.send_line(":revert").expect("a line");
    session.expect("nod is as it was kept already").expect("there is nothing to do");
    // What does not go is not measured, and a text that was kept takes its place.
    save("return {\n");
    session.expect("the loaded nod goes on").expect("a broken one is told");
    session.send_line(":revert").expect("a line");
    session.expect("reloaded nod (1 figure, state kept)").expect("it runs");
    session.expect(".edited/nod.2.luau").expect("the broken one is there too");
    // A file that is gone is written again, and nothing is put beside it.
    std::fs::remove_file(&file).expect("gone");
    session.send_line(":revert").expect("a line");
    session.expect("nod is as it was kept; its file was gone").expect("it is told");
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), nod("0.5"));
    assert!(!folder.path().join("scripts/.edited/nod.3.luau").exists());
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

/// While a measure is taken nothing waits for it.
#[cfg(unix)]
#[test]
fn the_scene_goes_on_while_a_save_is_measured() {
    let folder = folder();
    let slow = MEASURE.replace("runs = 2, seconds = 1", "runs = 400, seconds = 20");
    std::fs::write(folder.path().join("scripts/nodding.luau"), slow).expect("a file");
    let mut session = super::terminal::start(folder.path());
    std::fs::write(folder.path().join("scripts/nod.luau"), nod("0.5")).expect("a file");
    session.expect("measuring nod by nodding.luau").expect("it begins");
    session
        .send_line("before = sim.step() sim.after(0.5, function() print('went', sim.step() - before, 'on') end)")
        .expect("a line");
    session.expect("went 30 on").expect("it goes on");
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends, and the measure with it");
}
