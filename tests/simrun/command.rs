use super::{simrun, small_scene};
use serde_json::Value;

fn small(args: &[&str], lines: &str) -> super::Ran {
    let folder = small_scene();
    let scene = folder.path().join("s.json");
    let mut all = vec![scene.to_str().expect("a plain path")];
    all.extend(args);
    simrun(&all, lines)
}

#[test]
fn the_report_is_one_document_and_values_go_to_standard_error() {
    let ran = small(&["--headless", "--report=json"], "1 + 2\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("one document on standard output");
    assert_eq!(report["scene"], "small");
    assert_eq!(report["steps"], 30);
    assert_eq!(report["errors"], serde_json::json!([]));
    assert_eq!(report["sim_hash"].as_str().map(str::len), Some(16));
    for key in ["seconds", "script_hash", "wall_s", "step_us", "figures", "scorecard"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    assert!(ran.stderr.lines().any(|line| line == "3"), "{}", ran.stderr);
}

#[test]
fn the_same_run_twice_has_the_same_hashes() {
    let hashes = || {
        let ran = small(&["--headless", "--report=json"], "");
        let report: Value = serde_json::from_str(&ran.stdout).expect("a report");
        (report["sim_hash"].clone(), report["script_hash"].clone())
    };
    assert_eq!(hashes(), hashes());
}

#[test]
fn lines_run_at_their_times_and_an_error_is_counted() {
    let ran = small(&["--report=json"], ":at 0.25 sim.time()\nnothing.there\n:at 0.1 for\n");
    let report: Value = serde_json::from_str(&ran.stdout).expect("a report");
    assert!(ran.stderr.lines().any(|line| line == "0.25"), "{}", ran.stderr);
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(2), "{}", ran.stdout);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn a_script_that_raises_ends_the_run_in_1_after_its_report() {
    let folder = small_scene();
    std::fs::write(folder.path().join("scripts/boss.luau"), "return { step = function() error('oh') end }\n").expect("a file");
    let ran = simrun(&[folder.path().join("s.json").as_os_str(), "--report=json".as_ref()], "");
    let report: Value = serde_json::from_str(&ran.stdout).expect("a report");
    assert_eq!((ran.code, report["steps"].as_u64()), (Some(1), Some(30)), "{}", ran.stderr);
    assert!(report["errors"][0].as_str().is_some_and(|error| error.contains("boss.luau:1: oh")), "{report}");
}

#[test]
fn quitting_ends_without_a_table() {
    let ran = small(&[], "1 + 1\n:quit\n2 + 2\n");
    assert_eq!((ran.code, ran.stdout.trim()), (Some(0), "2"));
}

#[test]
fn a_wrong_name_to_set_is_refused_with_the_nearest() {
    let ran = small(&["--set", "crate.sped=2", "--set", "crat.speed=2"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("has no parameter \"sped\"; accepted: speed (did you mean \"speed\"?)"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean \"crate\"?"), "{}", ran.stderr);
    assert_eq!(small(&["--set", "crate.speed=2"], "").code, Some(0));
}

#[test]
fn what_is_set_is_what_scripts_read() {
    let ran = small(&["--set", "crate.speed=7.5"], "scene.param(crate, \"speed\")\n:quit\n");
    assert_eq!(ran.stdout.trim(), "7.5", "{}", ran.stderr);
}

#[test]
fn bad_usage_and_bad_input_end_in_2() {
    assert_eq!(simrun(&["no_such_scene.json"], "").code, Some(2));
    assert_eq!(simrun(&["scenes/street.json", "--speed", "0"], "").code, Some(2));
    assert_eq!(simrun::<&str>(&[], "").code, Some(2));
    let folder = small_scene();
    let bad = folder.path().join("bad.json");
    std::fs::write(&bad, r#"{ "name": "bad", "sed": 1 }"#).expect("a file");
    let ran = simrun(&["check".as_ref(), folder.path().as_os_str()], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("sed: unknown field \"sed\"") && ran.stderr.contains("did you mean \"seed\"?"), "{}", ran.stderr);
    assert_eq!(simrun(&["check"], "").code, Some(0));
}

#[test]
fn every_code_is_listed() {
    for args in [&["errors"][..], &["help", "errors"]] {
        let ran = simrun(args, "");
        assert_eq!(ran.code, Some(0));
        let missing: Vec<_> = simrun_scene::Code::ALL.iter().filter(|code| !ran.stdout.contains(code.name())).collect();
        assert!(missing.is_empty(), "{args:?}: {missing:?}");
    }
}

#[test]
fn a_check_looks_at_scenes_scripts_and_models_all_at_once() {
    let folder = small_scene();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("scripts/pow.luau", "local x = 2\nreturn { step = function() return x ^ 4, x ^ 2 end }\n");
    write("scripts/syntax.luau", "local x = 2\nreturn { step = function( x end }\n");
    write("scripts/shape.luau", "return { step = 3 }\n");
    write("scripts/raises.luau", "local x = nil\nreturn { step = x.y }\n");
    write("scripts/names.luau", "local step = 1\nstp = function() return Bone.hed end\nreturn {}\n");
    write("scripts/module.luau", "return function(x) return x end\n");
    write(
        "bad.json",
        "{ \"name\": \"bad\", \"sed\": 1,\n \"figures\": [ { \"name\": \"a\", \"model\": \"m.glb\", \"yaw_deg\": \"x\" } ] }",
    );
    std::fs::create_dir(folder.path().join("assets")).expect("a folder");
    write("assets/m.glb", "glTF\u{2}");
    let ran = simrun(&["check".as_ref(), folder.path().as_os_str(), "--json".as_ref()], "");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let said: Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(said["ok"], false);
    let mut found: Vec<String> = said["problems"]
        .as_array()
        .expect("problems")
        .iter()
        .map(|problem| {
            let file = std::path::Path::new(problem["file"].as_str().expect("a file"))
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            format!("{file}:{} {}", problem["line"], problem["code"].as_str().expect("a code"))
        })
        .collect();
    found.sort();
    let expected = [
        "bad.json:1 scene/unknown-field",
        "bad.json:2 scene/wrong-type",
        "m.glb:null model/damaged",
        "names.luau:2 script/undeclared",
        "names.luau:2 script/unknown-name",
        "pow.luau:2 script/pow",
        "raises.luau:2 script/load",
        "shape.luau:1 script/load",
        "syntax.luau:2 script/syntax",
    ];
    assert_eq!(found, expected, "{}", ran.stdout);
    assert!(ran.stdout.contains("\"meant\": \"Bone.head\""), "{}", ran.stdout);
}

#[test]
fn a_parameter_that_two_scripts_have_is_set_of_one_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("scripts")).expect("a folder");
    std::fs::copy(super::repository().join("scenes/assets/boxman.glb"), folder.path().join("m.glb")).expect("a model");
    for script in ["one", "two"] {
        let text = "return { params = { hips = { default = 1, min = 0, max = 2 } }, step = function(fig, state, dt, p) if p.hips == 2 then error('it is set') end end }\n";
        write(&format!("scripts/{script}.luau"), text);
    }
    write(
        "s.json",
        r#"{ "name": "s", "seconds": 0.1, "figures": [ { "name": "ann", "model": "m.glb", "motion": {}, "behaviours": ["one", "two"] } ] }"#,
    );
    let set = |set: &str| simrun(&[folder.path().join("s.json").as_os_str(), "--set".as_ref(), set.as_ref()], "");
    let refused = set("ann.hips=2");
    assert_eq!(refused.code, Some(2));
    let told = "--set ann.hips: a parameter of one and of two; accepted: ann.one.hips or ann.two.hips [usage/set-ambiguous]";
    assert!(refused.stderr.contains(told), "{}", refused.stderr);
    let ran = set("ann.two.hips=2");
    assert!(ran.stderr.contains("two.luau:1: it is set") && !ran.stderr.contains("one.luau"), "{}", ran.stderr);
    assert!(set("ann.two.hips=3").stderr.contains("--set ann.two.hips: 3; accepted: a number from 0 to 2"));
}

#[test]
fn negative_numbers_are_numbers_and_told_with_their_range() {
    for (args, told) in [
        (&["scenes/street.json", "--seed", "-1"][..], "--seed <N>': accepted: a whole number, 0 to 18446744073709551615"),
        (&["scenes/street.json", "--threads", "-2"], "accepted: a whole number, 1 to 256"),
        (&["scenes/street.json", "--seconds", "-3"], "accepted: 0 to 86400"),
        (&["measure", "rest", "--slope", "-5"], "slope is -5; accepted: 0 to 30 degrees"),
        (&["measure", "rest", "--mass", "-5..3"], "mass is -5..3; accepted: 20 to 300 kg"),
        (&["measure", "rest", "--anchor", "-0.5"], "anchor is -0.5; accepted: 0 to 5"),
        (&["measure", "rest", "--runs", "-1"], "accepted: a whole number, 0 to"),
    ] {
        let ran = simrun(args, "");
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn what_is_set_out_of_range_is_told_before_the_run() {
    let street = |set: &str| simrun(&["scenes/street.json", "--headless", "--seconds", "0.1", "--report=json", "--set", set], "");
    for (set, told) in [
        ("protective_fall.tuck=9", "--set protective_fall.tuck: 9; accepted: a number from 0 to 1.2 rad [usage/set-range]"),
        ("protective_fall.tuk=1", "has no parameter \"tuk\""),
        ("ann.tuck=-1", "--set ann.tuck: -1; accepted: a number from 0 to 1.2 rad"),
        ("ann.strength=7", "--set ann.strength: 7; accepted: 0 to 1"),
        ("ann.mode=powred", "--set ann.mode: unknown variant powred; accepted: animated, powered, limp"),
        ("car.speed=1e999", "--set car.speed: text; accepted: a number"),
        ("car.speed", "accepted: NAME.PARAM=VALUE"),
    ] {
        let ran = street(set);
        assert_eq!(ran.code, Some(2), "{set}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{set}: {}", ran.stderr);
        let said: Value = serde_json::from_str(&ran.stdout).expect("one document");
        assert_eq!((said["ok"].clone(), said["problems"].as_array().map(Vec::len)), (Value::Bool(false), Some(1)), "{set}");
    }
    assert_eq!(street("ann.tuck=1").code, Some(0));
}

#[test]
fn scripts_do_not_leave_their_folder() {
    let ran = small(&[], "require(\"../../s\")\nrequire(\"./bos\")\n:quit\n");
    assert!(ran.stderr.contains("leaves the folder of scripts"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean \"boss\"?"), "{}", ran.stderr);
}

#[test]
fn a_scene_is_saved_in_its_folder_and_reads_the_same() {
    let folder = small_scene();
    let scene = folder.path().join("s.json");
    let ran = simrun(&[scene.as_os_str()], "scene.save(\"../out.json\")\nscene.save(\"t.json\")\n:quit\n");
    assert!(ran.stderr.contains("accepted: a .json file in the scene's folder"), "{}", ran.stderr);
    let read = |name: &str| simrun_scene::Scene::read(&folder.path().join(name)).expect("a good scene");
    assert_eq!(read("t.json"), read("s.json"));
}

#[test]
fn everything_that_a_scene_says_is_saved() {
    let folder = small_scene();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("boxman.glb", include_bytes!("../../scenes/assets/boxman.glb"));
    write("scripts/lean.luau", b"return { params = { far = { default = 0.5, min = 0, max = 1 } }, step = function() end }\n");
    write("scripts/look.luau", b"return { step = function() end }\n");
    let text = r#"{ "$schema": "./scene.schema.json", "name": "all", "seed": 18446744073709551615, "seconds": 2.5, "script": "boss",
      "world": { "gravity": [0.1, -1.62, 0], "step_hz": 120, "substeps": 4 },
      "objects": [
        { "name": "b", "shape": { "box": [0.1, 0.2, 0.3] }, "yaw_deg": 30, "friction": 0.35, "params": { "v": [1, 2, 3], "t": "x", "f": false, "o": { "l": [1, true, "y"] } } },
        { "name": "c", "shape": { "capsule": { "a": [0, 0, 0], "b": [0, 1, 0], "radius": 0.2 } }, "body": "dynamic", "mass": 0.1, "position": [0.3, 5, 0.7] },
        { "name": "d", "shape": { "cylinder": { "height": 1.1, "radius": 0.2 } }, "rotation": [0, 0, 0.6, 0.8], "body": "kinematic", "mass": 3 },
        { "name": "a", "shape": "plane", "position": [0, -0.1, 0] },
        { "name": "s", "shape": { "sphere": 0.3 }, "yaw_deg": -170 },
        { "name": "f", "shape": { "heightfield": { "rows": 2, "heights": [0, 1.5, 0, 1], "size": [4, 1, 4] } } } ],
      "figures": [
        { "name": "z", "model": "boxman.glb", "clip": "Walk", "clip_time": 0.1, "root_motion": false, "yaw_deg": 123.4, "position": [3.3, 0, -2],
          "motion": { "mode": "animated", "strength": 0.7, "protective": false, "stepping": false, "hit_reaction": false, "muscles": true, "writhing": 1.5, "get_up": 2.5, "recovery": 0.9, "anchor": 0.3 },
          "behaviours": [ "look", { "script": "lean", "params": { "far": 0.1 } } ] },
        { "name": "g", "model": "boxman.glb", "position": [-3, 0, 0] },
        { "name": "h", "model": "boxman.glb", "position": [-5, 0, 0], "motion": { "mode": "powered" }, "behaviours": [ "lean" ] } ] }"#;
    write("s.json", text.as_bytes());
    let ran = simrun(&[folder.path().join("s.json").as_os_str()], "scene.save(\"t.json\")\n:quit\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let read = |name: &str| simrun_scene::Scene::read(&folder.path().join(name)).expect("a good scene");
    assert_eq!(read("t.json"), read("s.json"));
    // What is saved is saved the same again.
    let ran = simrun(&[folder.path().join("t.json").as_os_str()], "scene.save(\"u.json\")\n:quit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let bytes = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(bytes("u.json"), bytes("t.json"));
}

#[test]
fn lines_put_off_to_one_time_may_take_steps_themselves() {
    let lines = ":at 0.1 :step 1\n".repeat(20_000) + ":at 0.2 print('there')\n";
    let ran = small(&["--seconds", "400"], &lines);
    assert_eq!(ran.code, Some(0), "{}", &ran.stderr[..ran.stderr.len().min(400)]);
    assert!(ran.stderr.contains("there") || ran.stdout.contains("there"));
}

#[test]
fn a_figure_that_came_later_is_saved_with_its_models_path() {
    let folder = small_scene();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("assets")).expect("a folder");
    std::fs::copy(super::repository().join("scenes/assets/boxman.glb"), at("assets/boxman.glb")).expect("a copy");
    let lines = "scene.spawn('cat', { model = 'assets/boxman.glb' })\n:step 2\nscene.save('s2.json')\n";
    let ran = simrun(&[at("s.json").as_os_str(), "--headless".as_ref()], lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let checked = simrun(&["check".as_ref(), at("s2.json").as_os_str()], "");
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
}

#[test]
fn a_measure_is_taken_with_the_solver_asked_for() {
    let of = |args: &[&str]| simrun(&[&["measure", "--runs", "2"], args].concat(), "");
    let held = of(&["walls", "--solver", "rapier"]);
    assert_eq!(held.code, Some(0), "{}", held.stdout);
    assert!(held.stdout.contains("· rapier, "), "{}", held.stdout);
    // rapier says no muscle's work: that row fails, and the exit code says so.
    let failed = of(&["limits", "--solver", "rapier", "--json"]);
    let table: Value = serde_json::from_str(&failed.stdout).expect("one JSON document");
    assert_eq!((failed.code, &table["solver"], &table["ok"]), (Some(1), &"rapier".into(), &false.into()));
    let refused = of(&["walls", "--solver", "rapeir"]);
    assert_eq!(refused.code, Some(2));
    let known: Vec<&str> = simrun_sim::solve::Backend::ALL.iter().map(|solver| solver.name()).collect();
    assert!(refused.stderr.contains(&format!("there is no such solver; there are: {}", known.join(", "))), "{}", refused.stderr);
}

#[test]
fn a_measure_is_taken_of_other_people_and_says_what_its_rows_mean() {
    let of = |args: &[&str]| simrun(&[&["measure"], args].concat(), "");
    let heavy = of(&["shove", "--runs", "1", "--mass", "80..110", "--height", "1.6", "--slope", "2", "--json"]);
    let table: Value = serde_json::from_str(&heavy.stdout).expect("one JSON document");
    assert_eq!(table["mass"], serde_json::json!([80.0, 110.0]));
    assert_eq!((&table["slope_deg"], &table["headings"]), (&2.0.into(), &"default".into()));
    let explained = of(&["falls", "--explain"]);
    assert_eq!(explained.code, Some(0));
    assert!(explained.stdout.contains("second_impacts"), "{}", explained.stdout);
    let help = of(&["--help"]);
    assert!(help.stdout.contains("impact_shows") && help.stdout.contains("--explain"), "{}", help.stdout);
    let refused = of(&["falls", "--headings", "up"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("'up'; accepted: all, default"), "{}", refused.stderr);
    let refused = of(&["falls", "--headings", "up", "--json"]);
    let document: Value = serde_json::from_str(&refused.stdout).expect("one JSON document");
    assert_eq!((refused.code, &document["ok"]), (Some(2), &false.into()));
    assert!(document["error"].as_str().is_some_and(|error| error.contains("accepted: all, default")), "{document}");
}

#[test]
fn a_sweep_is_one_document_or_tables() {
    let of =
        |args: &[&str]| simrun(&[&["sweep", "balance", "--runs", "2", "--random", "2", "--row", "stand:all"], args].concat(), "");
    let document: Value = serde_json::from_str(&of(&["past", "--json"]).stdout).expect("one JSON document");
    assert_eq!((&document["trials"], &document["better"][0]), (&2.into(), &"more".into()));
    let tables = of(&["past"]);
    assert_eq!(tables.code, Some(0));
    assert!(tables.stdout.contains("what stand:all depends on"), "{}", tables.stdout);
    let refused = of(&["past=1..0"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("trigger=0.2..0.4:5") || refused.stderr.contains("0.2..0.4:5 on a grid"),
        "{}",
        refused.stderr
    );
    assert_eq!(of(&["--cmaes", "2"]).code, Some(2));
}
