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
        "pow.luau:2 script/pow",
        "raises.luau:2 script/load",
        "shape.luau:1 script/load",
        "syntax.luau:2 script/syntax",
    ];
    assert_eq!(found, expected, "{}", ran.stdout);
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
