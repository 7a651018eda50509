//! What a newcomer gets wrong, and what is said then: what there is, and what was probably meant.

use super::measured::folder;
use super::{Ran, simrun};

fn refused(args: &[&str], told: &[&str]) {
    let ran = simrun(args, "");
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{args:?}: {}", ran.stderr);
    told.iter().for_each(|told| assert!(ran.stderr.contains(told), "{args:?}: \"{told}\" is not in {}", ran.stderr));
}

#[test]
fn a_command_that_is_none_is_told_with_the_nearest() {
    refused(&["mesure"], &["there is no file or command \"mesure\"; accepted: measure, sweep, ", "did you mean \"measure\""]);
    refused(&["mesure", "falls"], &["did you mean \"measure\""]);
    let ran = simrun(&["chek", "--json"], "");
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(said["problems"][0]["meant"], "check");
    // What is named like a file is one that is not there.
    refused(&["test.json"], &["test.json: there is no such file"]);
}

#[test]
fn a_sweep_without_parameters_says_which_there_are() {
    refused(
        &["sweep", "balance"],
        &["no parameter is named, and ", "accepted: some of bend, ", ", such as bend=0..0.6:5; or --random N or --cmaes N"],
    );
}

#[test]
fn a_strip_that_ends_before_it_begins_is_told_before_a_run() {
    let args = ["strip", "scenes/shoves.json", "--figure", "back", "--from", "2", "--to", "1", "-o", "x.png"];
    refused(&args, &["--from 2 comes after --to 1; accepted: a time before it"]);
}

#[test]
fn a_default_that_is_no_number_is_told_as_it_is() {
    let folder = folder();
    let script = folder.path().join("scripts/nod.luau");
    std::fs::write(&script, "return { params = { tuck = { default = 0/0 } }, step = function() end }\n").expect("a file");
    let ran = simrun(&["check", &script.display().to_string()], "");
    assert!(ran.stderr.contains("params.tuck.default is not a number (nan, as 0/0 is); accepted: a number"), "{}", ran.stderr);
}

fn reported(set: &str) -> Ran {
    simrun(&["scenes/shoves.json", "--headless", "--seconds", "0.1", "--report=json", "--set", set], "")
}

#[test]
fn settings_are_set_by_the_way_that_scenes_have_them() {
    let hash = |ran: &Ran| {
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a report");
        report["sim_hash"].as_str().expect("a hash").to_owned()
    };
    let plain = hash(&reported("back.strength=1"));
    let [one, same, all] =
        ["back.motion.strength=0.5", "back.strength=0.5", "motion.strength=0.5"].map(|set| hash(&reported(set)));
    assert!(one == same && one != plain && all != plain && all != one);
    for (set, told) in [
        ("back.motion.ancho=1", "\"back.motion\" has no setting \"ancho\""),
        ("motion.ancho=1", "did you mean \"anchor\""),
        ("motion.anchor=99", "--set motion.anchor: 99; accepted: 0 to 10"),
        ("bck.motion.anchor=1", "no object, figure or script \"bck.motion\""),
    ] {
        let ran = reported(set);
        assert!(ran.code == Some(2) && ran.stderr.contains(told), "{set}: {}", ran.stderr);
    }
    let ran = simrun(&["scenes/street.json", "--headless", "--seconds", "0.1"], ":tune anchor\n:tune motion.anchor\n");
    let said =
        ran.stderr.matches(":tune: anchor is a figure's setting and no behaviour's parameter, which are what is tuned; ").count();
    assert!(said == 2 && ran.stderr.contains("ann:set_param(\"motion\", \"anchor\", …)"), "{}", ran.stderr);
}

#[test]
fn what_can_run_and_is_hardly_meant_is_warned_of() {
    let folder = folder();
    let scene = r#"{ "name": "s", "objects": [ { "name": "ground", "shape": "plane" },
        { "name": "bowl", "shape": { "sphere": 0.1 }, "position": [1, 0.1, 0], "body": "dynamic", "mass": 500, "grips": { "left": [1, 0, 0], "right": [-0.1, 0, 0] } } ],
      "figures": [ { "name": "ann", "model": "boxman.glb", "clip": "Idle", "motion": { "mode": "powered" }, "look_at": "bowl", "behaviours": ["nod"] },
        { "name": "ben", "model": "boxman.glb" } ] }"#;
    let file = folder.path().join("s.json");
    std::fs::write(&file, scene).expect("a file");
    let ran = simrun(&["check", &file.display().to_string(), "--json"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for told in [
        "warning: ",
        "s.json:2:",
        "objects[1].grips.left: a grip 0.90 m off its item",
        "objects[1].mass: 500 kg with grips",
        "figures[0].look_at: look_at without the behaviour \"look\"",
        "figures[1].position: the place where \"ann\" stands too",
        "[scene/doubtful]",
        "s.json: fine (warnings: 4)",
    ] {
        assert!(ran.stderr.contains(told), "\"{told}\" is not in {}", ran.stderr);
    }
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!((said["ok"].clone(), said["warnings"].as_array().map(Vec::len)), (true.into(), Some(4)), "{said}");
    let shipped = simrun(&["check", "scenes"], "");
    assert!(shipped.code == Some(0) && !shipped.stderr.contains("warning"), "{}", shipped.stderr);
}

/// A recording that is carried elsewhere with its project finds its scene.
#[test]
fn a_recordings_scene_is_looked_for_where_the_recording_lies() {
    let folder = folder();
    let here = |args: &[&str], at: &std::path::Path| {
        let mut command = std::process::Command::new(super::binary());
        command.args(args).current_dir(at).stdin(std::process::Stdio::null()).output().expect("it runs")
    };
    let ran = here(&["s.json", "--headless", "--seconds", "0.2", "--record", "run.rec"], folder.path());
    assert!(ran.status.success(), "{ran:?}");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.rec").display().to_string();
    let ran = here(&["replay", &file, "--as-test", "stood"], elsewhere.path());
    assert!(ran.status.success() && folder.path().join("tests/stood.test.json").exists(), "{ran:?}");
    std::fs::copy(&file, elsewhere.path().join("run.rec")).expect("a copy");
    let ran = here(&["replay", "run.rec", "--as-test", "stood"], elsewhere.path());
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.code() == Some(2) && said.contains("the scene of the recording is gone; looked for at s.json"), "{said}");
}

#[test]
fn measures_and_parameters_are_told_with_the_nearest() {
    refused(&["measure", "fals"], &["there is no measure 'fals'; there are: ", "(did you mean \"falls\"?)"]);
    refused(&["measure", "falls", "--set", "tuk=1"], &["no parameter 'tuk'; it has: ", "(did you mean \"tuck\"?)"]);
    let ran = simrun(&["test", "nowhere.test.json"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), "FAILED  nowhere.test.json: there is no such file [file/not-found]\n"));
}

#[test]
fn there_is_help_about_settings_parameters_and_lines_of_the_prompt() {
    for (topic, told) in [
        ("anchor", "a figure's settings, as ann:set_param(\"motion\", …)"),
        ("motion.anchor", "  anchor           0.65 "),
        ("tuck", "the behaviour protective_fall; its parameters"),
        ("protective_fall.tuck", "  tuck             1 rad (0 to 1.2); "),
        (":again", ":again NAME: runs what has been since a mark"),
    ] {
        let ran = simrun(&["help", topic], "");
        assert!(ran.code == Some(0) && ran.stdout.contains(told), "{topic}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout.matches(told).count(), 1, "{topic}: {}", ran.stdout);
    }
}

#[test]
fn what_the_prompt_does_not_know_is_told_with_what_was_meant() {
    let lines = "set_param(\"tuck\", 1)\nwhy(ann, 1e300)\nhelp('anchor')\n";
    let ran = simrun(&["scenes/street.json", "--headless", "--seconds", "0.1"], lines);
    assert!(ran.stderr.contains("there is no 'set_param'; did you mean 'scene.set_param'?"), "{}", ran.stderr);
    let far = ran.stderr.lines().find(|line| line.starts_with("motion.why: time: found ")).expect("it is refused");
    assert!(far.len() < 120, "{far}");
    assert!(ran.stdout.contains("Cap of the balance"), "{}", ran.stdout);
}

/// What the check of a folder says of a behaviour with this text, that its scene names.
fn checked(text: &str) -> Ran {
    let folder = folder();
    std::fs::write(folder.path().join("scripts/nod.luau"), text).expect("a file");
    simrun(&["check", &folder.path().display().to_string()], "")
}

#[test]
fn a_script_that_asks_what_there_is_not_or_does_nothing_is_told() {
    for (text, told) in [
        (
            "return { step = function(fig)\n\tmoton.hit(fig) end }",
            "nod.luau:2:2: there is no 'moton'; accepted: a name that is declared, or what help() lists (did you mean \"motion\"?)",
        ),
        ("return { step = function() io.open('x') end }", "nod.luau:1:28: there is no 'io'"),
        (
            "return { step = function() prnt('x') end }",
            "there is no 'prnt'; accepted: a name that is declared, or what help() lists (did you mean \"print\"?)",
        ),
        (
            "return { stp = function() end }",
            "does nothing: its table has neither step nor start; it has stp; accepted: a table with step; did you mean 'step'?",
        ),
        ("return {}", "it has no function; accepted: a table with step"),
        ("return { step = 3 }", "step is a number; accepted: a function"),
        ("return 3", "returns number; accepted: a table with step"),
    ] {
        let ran = checked(text);
        assert!(ran.code == Some(2) && ran.stderr.contains(told), "{text}: {}", ran.stderr);
    }
    // Types, keys, members and what is declared later are names of something.
    for text in [
        "type P = { near: number }\nlocal function f(p: P, g: (x: number) -> (boolean, string)): (number, boolean) return g(p.near) and 1 or 2, true end\n\
         return { step = function() f({ near = 1 }, function(x) return later(x), 'x' .. tostring(x) end) end }\n\
         function later(x) return x > math.pi end",
        "local t: any = { io = 1, f = function(self) return self.io end }\nreturn { step = function() t:f() t.io += 1 end }",
    ] {
        let ran = checked(text);
        assert!(!ran.stderr.contains("there is no"), "{text}: {}", ran.stderr);
    }
}

#[test]
fn what_a_behaviour_fails_with_names_what_there_is_not() {
    let folder = folder();
    std::fs::write(folder.path().join("scripts/nod.luau"), "return { step = function(fig)\n\tmoton.hit(fig)\nend }")
        .expect("a file");
    let ran = super::measured::run(folder.path(), "");
    let told = "scripts/nod.luau:2: attempt to index nil with 'hit'; there is no 'moton'; did you mean 'motion'? (figure 'ann')";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}
