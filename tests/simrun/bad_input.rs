//! A table of bad input: each row ends with 2 and a message that says where, what was found and what is accepted.

use super::{Ran, simrun};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than this no refusal takes.
const PATIENCE: Duration = Duration::from_secs(5);

/// A scene that is wrong: its name, its text, and what the message contains.
struct Row(&'static str, Vec<u8>, &'static [&'static str]);

fn row(name: &'static str, text: impl AsRef<[u8]>, told: &'static [&'static str]) -> Row {
    Row(name, text.as_ref().to_vec(), told)
}

/// An object in a scene.
fn object(fields: &str) -> String {
    format!("{{ \"name\": \"s\",\n \"objects\": [ {{ \"name\": \"o\", {fields} }} ] }}")
}

/// A figure in a scene; the folder has the box man and a rig of two bones.
fn figure(fields: &str) -> String {
    format!("{{ \"name\": \"s\",\n \"figures\": [ {{ \"name\": \"ann\", {fields} }} ] }}")
}

fn boxman(fields: &str) -> String {
    figure(&format!("\"model\": \"boxman.glb\", {fields}"))
}

fn rows() -> Vec<Row> {
    let utf16: Vec<u8> = [0xfeff].into_iter().chain("{ \"name\": \"s\" }".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let deep = |open: &str, close: &str| format!("{{ \"name\": {}{} }}", open.repeat(100_000), close.repeat(100_000));
    vec![
        row("not JSON", "{ \"name\": \"s\",\n figures }", &["s.json:2:", "not JSON", "[scene/syntax]"]),
        row("cut short", "{ \"name\": \"s\"", &["s.json:1:", "EOF", "[scene/syntax]"]),
        row("empty", "", &["an empty file; accepted: a JSON object", "[file/empty]"]),
        row("UTF-16", utf16, &["text in UTF-16; accepted: text in UTF-8", "[file/not-utf8]"]),
        row("not UTF-8", b"{ \"name\":\n \"\xff\" }", &["s.json:2:3: the byte 0xff", "text in UTF-8", "[file/not-utf8]"]),
        row("a list", "[]", &["s.json:1:1: a list; accepted: an object", "[scene/wrong-type]"]),
        row("deep", deep("[", "]"), &["more than 64 deep; accepted: up to 64", "[scene/too-deep]"]),
        row("deep objects", deep("{\"a\":", "}").replace(":}", ":1}"), &["more than 64 deep", "[scene/too-deep]"]),
        row("deep and open", "[".repeat(100_000), &["not JSON", "[scene/syntax]"]),
        row(
            "a list for an object",
            "{ \"name\": \"s\", \"world\": [[0, 0, 0], 60, 8],\n \"objects\": [ [\"o\", \"plane\"] ] }",
            &["s.json:2:15: objects[0]: a list; accepted: an object", "world: a list", "[scene/wrong-type]"],
        ),
        row(
            "unknown field",
            "{ \"name\": \"s\",\n \"sed\": 1 }",
            &["s.json:2:9: sed: unknown field", "accepted: ", "did you mean \"seed\"", "[scene/unknown-field]"],
        ),
        row(
            "missing field",
            object("\"body\": \"fixed\""),
            &["s.json:2:15: objects[0]: missing field \"shape\"", "[scene/missing-field]"],
        ),
        row(
            "wrong type",
            object("\"shape\": \"plane\", \"friction\": [1]"),
            &["objects[0].friction: invalid type: sequence; accepted: a number", "[scene/wrong-type]"],
        ),
        row(
            "wrong shape",
            object("\"shape\": { \"bx\": [1, 1, 1] }"),
            &["s.json:2:", "objects[0].shape", "unknown variant \"bx\"", "did you mean \"box\"", "[scene/unknown-variant]"],
        ),
        row("NaN", object("\"shape\": { \"sphere\": NaN }"), &["s.json:2:", "not JSON", "[scene/syntax]"]),
        row(
            "infinite",
            object("\"shape\": { \"sphere\": 1e999 }"),
            &["objects[0].shape.sphere: the number 1e999; accepted: a finite number", "[scene/range]"],
        ),
        row(
            "infinite parameter",
            object("\"shape\": \"plane\", \"params\": { \"p\": -1e999 }"),
            &["objects[0].params.p: the number -1e999", "[scene/range]"],
        ),
        row(
            "1e30",
            object("\"shape\": \"plane\", \"position\": [0, 1e30, 0]"),
            &["s.json:2:", "objects[0].position[1]: 1", "accepted: -10000 to 10000 m", "[scene/range]"],
        ),
        row(
            "no size",
            object("\"shape\": { \"box\": [1, 0, 1] }"),
            &["objects[0].shape.box[1]: 0; accepted: 0.001 to 10000 m", "[scene/range]"],
        ),
        row(
            "negative mass",
            object("\"shape\": { \"sphere\": 1 }, \"body\": \"dynamic\", \"mass\": -3"),
            &["objects[0].mass: -3; accepted: 0.001 to 1000000 kg", "[scene/range]"],
        ),
        row(
            "no mass",
            object("\"shape\": { \"sphere\": 1 }, \"body\": \"dynamic\""),
            &["objects[0].mass: a dynamic body without a mass; accepted: kilograms", "[scene/conflict]"],
        ),
        row(
            "a key twice",
            "{ \"name\": \"s\",\n \"seed\": 1, \"seed\": 2 }",
            &["s.json:2:10: seed: the key \"seed\" a second time; accepted: each key once", "[scene/duplicate-key]"],
        ),
        row(
            "a parameter twice",
            object("\"shape\": \"plane\", \"params\": { \"a\": 1, \"a\": 2 }"),
            &["objects[0].params.a: the key \"a\" a second time", "[scene/duplicate-key]"],
        ),
        row(
            "a name twice",
            "{ \"name\": \"s\", \"objects\": [ { \"name\": \"o\", \"shape\": \"plane\" },\n { \"name\": \"o\", \"shape\": \"plane\" } ] }",
            &[
                "s.json:2:12: objects[1].name: the name \"o\", which objects[0].name has already; accepted: a name",
                "[scene/name]",
            ],
        ),
        row(
            "missing model",
            figure("\"model\": \"boxmann.glb\""),
            &["s.json:2:", "figures[0].model: ", "there is no such file", "[file/not-found]"],
        ),
        row(
            "a folder as model",
            figure("\"model\": \"scripts\""),
            &["figures[0].model: ", "a folder; accepted: a file", "[file/not-a-file]"],
        ),
        row(
            "a way out",
            figure("\"model\": \"../../etc/passwd\""),
            &["figures[0].model: the path \"../../etc/passwd\" leaves the scene's folder; accepted: a .glb", "[file/outside]"],
        ),
        row("an absolute path", figure("\"model\": \"/etc/passwd\""), &["leaves the scene's folder", "[file/outside]"]),
        row(
            "no glTF",
            figure("\"model\": \"s.txt\""),
            &["figures[0].model: ", "accepted: a GLB (beginning with 'glTF') or a JSON object", "[model/not-gltf]"],
        ),
        row(
            "two bones",
            figure("\"model\": \"two.gltf\", \"motion\": {}"),
            &[
                "figures[0].motion: motion, but the model",
                "gets no ragdoll",
                "accepted: motion on a humanoid",
                "[scene/no-ragdoll]",
            ],
        ),
        row(
            "a ring of nodes",
            figure("\"model\": \"ring.gltf\""),
            &["figures[0].model: ", "nodes[0] is its own ancestor; accepted: a tree", "[model/damaged]"],
        ),
        row(
            "unknown clip",
            boxman("\"clip\": \"Wlak\""),
            &["figures[0].clip: no clip \"Wlak\" in the model; accepted: ", "did you mean \"Walk\"", "[scene/unknown-clip]"],
        ),
        row(
            "unknown mode",
            boxman("\"motion\": { \"mode\": \"powred\" }"),
            &[
                "figures[0].motion.mode: unknown variant \"powred\"; accepted: animated, powered, limp",
                "did you mean \"powered\"",
                "[scene/unknown-variant]",
            ],
        ),
        row(
            "unknown behaviour",
            boxman("\"behaviours\": [ \"lena\" ]"),
            &["figures[0].behaviours[0]: no script \"lena\"; accepted: lean", "did you mean \"lean\"", "[scene/unknown-script]"],
        ),
        row(
            "unknown script",
            "{ \"name\": \"s\",\n \"script\": \"len\" }",
            &["s.json:2:12: script: no script \"len\"; accepted: ", "did you mean \"lean\"", "[scene/unknown-script]"],
        ),
        row(
            "unknown parameter",
            boxman("\"behaviours\": [ { \"script\": \"lean\", \"params\": { \"fra\": 1 } } ]"),
            &[
                "figures[0].behaviours[0].params.fra: the script 'lean' has no parameter \"fra\"; accepted: far",
                "did you mean \"far\"",
                "[scene/unknown-param]",
            ],
        ),
        row(
            "parameter out of range",
            boxman("\"behaviours\": [ { \"script\": \"lean\", \"params\": { \"far\": 9 } } ]"),
            &["s.json:2:", "figures[0].behaviours[0].params.far: 9; accepted: a number from 0 to 1 rad", "[scene/param-range]"],
        ),
        row("a script that raises", "{ \"name\": \"s\", \"script\": \"raises\" }", &["raises.luau:2:", "[script/load]"]),
        row("a script that does not compile", boxman("\"behaviours\": [ \"syntax\" ]"), &["syntax.luau:1:", "[script/syntax]"]),
        row(
            "a require that leaves",
            "{ \"name\": \"s\", \"script\": \"out\" }",
            &["out.luau:1:", "\"../../etc/passwd\" leaves the folder of scripts", "[script/load]"],
        ),
        row(
            "strength out of range",
            boxman("\"motion\": { \"strength\": 2 }"),
            &["figures[0].motion.strength: 2; accepted: 0 to 1", "[scene/range]"],
        ),
    ]
}

/// A folder with what the rows name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("boxman.glb", include_bytes!("../../scenes/assets/boxman.glb"));
    write(
        "two.gltf",
        br#"{ "asset": { "version": "2.0" }, "nodes": [ { "name": "hips", "children": [1] }, { "name": "spine" } ] }"#,
    );
    write("ring.gltf", br#"{ "asset": { "version": "2.0" }, "nodes": [ { "children": [1] }, { "children": [0] } ] }"#);
    write("s.txt", b"no model");
    std::fs::create_dir(folder.path().join("scripts")).expect("a folder");
    write(
        "scripts/lean.luau",
        b"return { params = { far = { default = 0.5, min = 0, max = 1, unit = \"rad\" } }, step = function() end }\n",
    );
    write("scripts/raises.luau", b"local x = nil\nreturn x.y\n");
    write("scripts/syntax.luau", b"return { step = function( }\n");
    write("scripts/out.luau", b"require(\"../../etc/passwd\")\nreturn {}\n");
    folder
}

fn run(scene: &Path, lines: &str) -> (Ran, Duration) {
    let start = Instant::now();
    let ran = simrun(&[scene.as_os_str(), "--headless".as_ref(), "--seconds".as_ref(), "0.05".as_ref()], lines);
    (ran, start.elapsed())
}

#[test]
fn every_row_is_refused_in_words() {
    let folder = folder();
    let scene = folder.path().join("s.json");
    let mut wrong = Vec::new();
    for Row(name, text, told) in rows() {
        std::fs::write(&scene, text).expect("a file");
        let (ran, took) = run(&scene, "");
        let silent: Vec<_> = told.iter().filter(|part| !ran.stderr.contains(**part)).collect();
        if ran.code != Some(2) || !silent.is_empty() || ran.stderr.contains("panicked") || took > PATIENCE {
            wrong.push(format!("{name}: {:?} after {took:?}, without {silent:?}:\n{}", ran.code, ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_scene_without_anything_in_it_runs() {
    let folder = folder();
    let scene = folder.path().join("s.json");
    std::fs::write(&scene, "\u{feff}{ \"name\": \"s\", \"objects\": [], \"figures\": [] }").expect("a file");
    let (ran, _) = run(&scene, "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = folder();
    let mut paths = vec![
        (folder.path().to_owned(), "a folder; accepted: a file"),
        (folder.path().join("none.json"), "there is no such file"),
    ];
    if cfg!(unix) {
        paths.push(("/dev/zero".into(), "a device or a pipe; accepted: a file"));
        let pipe = folder.path().join("pipe.json");
        if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            paths.push((pipe, "a device or a pipe; accepted: a file"));
        }
    }
    let huge = folder.path().join("huge.json");
    // Without a byte of it on the disk.
    std::fs::File::create(&huge).and_then(|file| file.set_len(1 << 40)).expect("a file with a hole");
    paths.push((huge, "1099511627776 bytes; accepted: up to 16777216 bytes"));
    for (path, told) in &paths {
        let (ran, took) = run(path, "");
        assert_eq!(ran.code, Some(2), "{}: {}", path.display(), ran.stderr);
        assert!(ran.stderr.contains(told) && took < PATIENCE, "{}: {took:?}: {}", path.display(), ran.stderr);
    }
    let scene = folder.path().join("s.json");
    std::fs::write(&scene, boxman("\"motion\": {}")).expect("a file");
    for path in paths.iter().map(|(path, _)| path).filter(|path| !path.ends_with("huge.json")) {
        let ran = simrun(&[scene.as_os_str(), "--figure".as_ref(), path.as_os_str()], "");
        assert_eq!(ran.code, Some(2), "{}", path.display());
        assert!(ran.stderr.contains("--figure") && ran.stderr.contains("[file/not-"), "{}", ran.stderr);
    }
}

#[test]
fn bad_calls_at_the_prompt_are_told_and_change_nothing() {
    let folder = folder();
    let scene = folder.path().join("s.json");
    std::fs::write(&scene, boxman("\"motion\": { \"mode\": \"powered\" }")).expect("a file");
    for (lines, told) in [
        ("ann:hit(\"chest\", vector.create(0, 0, 0/0))\n", "motion.hit: impulse"),
        ("ann:hit(\"chest\", vector.create(0, 0, 1e30))\n", "accepted: finite, at most 1000000 an axis"),
        ("ann:hit(\"ches\", vector.create(0, 0, 1))\n", "did you mean 'chest'"),
        ("old = ann\nscene.destroy(ann)\nold:hit(\"chest\", vector.create(0, 0, 1))\n", "the figure 'ann' is gone"),
        ("ann:play(\"Wlak\")\n", "has no clip 'Wlak'"),
        ("ann:set_strength(0/0)\n", "accepted"),
        ("require(\"../../etc/passwd\")\n", "leaves the folder of scripts"),
    ] {
        let (ran, _) = run(&scene, lines);
        assert_eq!(ran.code, Some(1), "{lines}: {}", ran.stderr);
        assert!(ran.stderr.contains(told) && !ran.stderr.contains("panicked"), "{lines}: {}", ran.stderr);
    }
}

#[test]
fn many_problems_of_one_scene_are_told_at_once() {
    let folder = folder();
    let scene = folder.path().join("s.json");
    let text = "{ \"nam\": \"s\",\n \"objects\": [ { \"name\": \"o\", \"shape\": \"plan\" },\n { \"name\": \"p\", \"shape\": \"plane\", \"friction\": 7 } ],\n \"figures\": [ { \"name\": \"a\", \"motion\": { \"strength\": \"x\" } },\n 7 ] }";
    std::fs::write(&scene, text).expect("a file");
    let (ran, _) = run(&scene, "");
    let expected = [
        ":1:10: nam: unknown field",
        ":1:1: missing field \"name\"",
        ":2:39: objects[0].shape: unknown variant",
        ":3:47: objects[1].friction: 7; accepted: 0 to 2",
        ":4:15: figures[0]: missing field \"model\"",
        ":4:54: figures[0].motion.strength: invalid type",
        ":5:2: figures[1]: invalid type",
    ];
    let silent: Vec<_> = expected.iter().filter(|part| !ran.stderr.contains(**part)).collect();
    assert!(silent.is_empty(), "without {silent:?}:\n{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), expected.len(), "{}", ran.stderr);
}

/// A model cut short anywhere is one clear error, also where its header says the length that is left.
#[test]
fn a_model_cut_anywhere_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = include_bytes!("../../scenes/assets/boxman.glb");
    let odd = [1, 4, 7, 11, 12, 13, 19, 20, 21, whole.len() - 1, whole.len() - 4];
    let places: Vec<usize> = (0..16).map(|part| whole.len() * part / 16).chain(odd).collect();
    for (index, place) in places.iter().enumerate() {
        let mut cut = whole[..*place].to_vec();
        std::fs::write(folder.path().join(format!("{index}a.glb")), &cut).expect("a file");
        if *place >= 12 {
            cut[8..12].copy_from_slice(&(*place as u32).to_le_bytes());
        }
        std::fs::write(folder.path().join(format!("{index}b.glb")), &cut).expect("a file");
    }
    std::fs::write(folder.path().join("header.glb"), b"glTF\x02\0\0\0\0\0\0\0").expect("a file");
    let ran = simrun(&["check".as_ref(), folder.path().as_os_str(), "--json".as_ref()], "");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(said["problems"].as_array().map(Vec::len), Some(places.len() * 2 + 1), "{}", ran.stderr);
}
