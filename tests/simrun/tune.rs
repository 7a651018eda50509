//! Parameters at the prompt and on the command line: described, set, tuned.

use super::measured::{folder, run};
use super::simrun;
use serde_json::Value;

/// A behaviour that bends its figure's head so far as its parameter says.
const NOD: &str = r#"return { measure = "nodding.luau",
	params = { angle = { default = 0.1, unit = "rad", min = 0, max = 0.6, doc = "How far the head bends." } },
	step = function(fig, _, _, p) motion.bend(fig, Bone.head, vector.create(p.angle, 0, 0)) end }
"#;

#[test]
fn a_parameter_is_tuned_by_the_measure_that_its_behaviour_names() {
    let folder = folder();
    std::fs::write(folder.path().join("scripts/nod.luau"), NOD).expect("a file");
    let ran = run(
        folder.path(),
        ":tune angle=0.1..0.5:3 --row nod_rad --better more --jobs=2 --runs 2\n:tune nod.angle=0..0.1:2 --row nod_rad --better more\n",
    );
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.first(), Some(&"tuning nod by nodding.luau"), "{}", ran.stderr);
    assert!(lines[1].starts_with("nod, nodding.luau: 3 trials: nod_rad 0."), "{}", ran.stderr);
    assert!(lines[1].ends_with(" at angle 0.5: set_param(\"nod\", \"angle\", 0.5)"), "{}", ran.stderr);
    // What it is is tried again, and nothing less does as much.
    assert!(lines[3].starts_with("nod, nodding.luau: 2 trials, none better than it is: nod_rad 0."), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_tuned_is_told() {
    let folder = folder();
    let endless = NOD.replace("params = {", "params = { far = { default = 1 },");
    std::fs::write(folder.path().join("scripts/nod.luau"), endless).expect("a file");
    let ran = run(
        folder.path(),
        ":tune\n:tune far\n:tune angel=0..1:3\n:tune nod.angel\n:tune stop\n:tune angle=0..9:3\n:tune angle=0..0.1:2 --row nodd\n",
    );
    for line in [
        ":tune: accepted: :tune PARAM=A..B:N …, with what simrun sweep takes behind it, or :tune stop",
        ":tune: no behaviour that is loaded has a parameter 'angel' (did you mean \"angle\"?)",
        ":tune: nod has no parameter 'angel' (did you mean \"angle\"?)",
        ":tune stop: nothing is being tuned",
    ] {
        assert!(ran.stderr.lines().any(|said| said == line), "{line}: {}", ran.stderr);
    }
    let far = "far is described without a range; accepted: one here, such as far=0..1";
    assert!(ran.stderr.lines().any(|said| said.starts_with("nod is not tuned: ") && said.contains(far)), "{}", ran.stderr);
    assert!(ran.stderr.contains("nod is not tuned: ") && ran.stderr.contains("accepted: within 0..0.6"), "{}", ran.stderr);
}

#[test]
fn the_scene_goes_on_while_a_parameter_is_tuned() {
    let folder = folder();
    std::fs::write(folder.path().join("scripts/nod.luau"), NOD).expect("a file");
    let slow =
        std::fs::read_to_string(folder.path().join("scripts/nodding.luau")).expect("it").replace("runs = 2", "runs = 5000");
    std::fs::write(folder.path().join("scripts/nodding.luau"), slow).expect("a file");
    let mut session = super::terminal::start(folder.path());
    session.send_line(":tune angle=0.1..0.5:5 --row nod_rad").expect("a line");
    session.expect("tuning nod by nodding.luau").expect("it begins");
    session
        .send_line("before = sim.step() sim.after(0.5, function() print('went', sim.step() - before, 'on') end)")
        .expect("a line");
    session.expect("went 30 on").expect("it goes on");
    session.send_line(":tune angle").expect("a line");
    session.expect("nod is being tuned; :tune stop ends that").expect("one at a time");
    session.send_line(":tune stop").expect("a line");
    session.expect("nod is not tuned any more").expect("it stops");
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

#[test]
fn help_knows_commands_measures_behaviours_functions_events_and_settings() {
    for (topic, parts) in [
        ("sweep", &["Usage: simrun sweep", "--cmaes"][..]),
        ("falls", &["second_impacts"]),
        ("catch_step", &["its parameters", "trigger", "0.5 m (0.02 to 1); How far the capture point leaves the soles"]),
        // Both a measure and a behaviour.
        ("crawl", &["Rows:", "the behaviour crawl; its parameters"]),
        ("motion.hit", &["motion.hit(figure, bone, point?, impulse"]),
        ("struck", &["the event struck"]),
        ("settings", &["recovery", "0.8 (a number from 0.01 to 600 s)", "stepping"]),
    ] {
        let ran = simrun(&["help", topic], "");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(parts.iter().all(|part| ran.stdout.contains(part)), "{topic}: {}", ran.stdout);
    }
    let ran = simrun(&["help", "catch_stp"], "");
    assert_eq!(ran.code, Some(2));
    for part in ["there is no help about 'catch_stp'; accepted: a command, ", " (did you mean \"catch_step\"?)"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert!(simrun(&["help"], "").stdout.contains("Usage: simrun"), "as of old");
}

#[test]
fn the_schema_of_parameters_accepts_defaults_and_refuses_what_the_prompt_refuses() {
    let ran = simrun(&["schema", "--params"], "");
    let schema: Value = serde_json::from_str(&ran.stdout).expect("one document");
    let trigger = &schema["properties"]["catch_step"]["properties"]["trigger"];
    assert_eq!(
        (&trigger["minimum"], &trigger["maximum"], &trigger["unit"]),
        (&0.02.into(), &1.0.into(), &"m".into()),
        "{trigger}"
    );
    assert_eq!(schema["properties"]["motion"]["properties"]["recovery"]["minimum"], 0.01);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let mut all = serde_json::Map::new();
    for (behaviour, of) in schema["properties"].as_object().expect("behaviours") {
        let params = of["properties"].as_object().expect("parameters").iter();
        let defaults: serde_json::Map<_, _> = params.map(|(name, param)| (name.clone(), param["default"].clone())).collect();
        all.insert(behaviour.clone(), defaults.into());
    }
    assert!(all.len() > 8 && validator.is_valid(&Value::Object(all.clone())));
    for (behaviour, name, value) in
        [("catch_step", "trigger", 3.0.into()), ("motion", "stepping", 1.into()), ("writhe", "hipz", 1.into())]
    {
        let mut wrong = all.clone();
        wrong[behaviour][name] = value;
        assert!(!validator.is_valid(&Value::Object(wrong)), "{behaviour}.{name}");
    }
}

#[test]
fn settings_are_set_with_checking_and_a_module_s_typos_are_told_by_check() {
    let ran = simrun(
        &["scenes/street.json", "--headless", "--seconds", "0.1", "--report=json"],
        "print(params(ann).motion.recovery)\nann:set_param('motion', 'recovery', 2)\nprint(ann:param('motion', 'recovery'))\n\
         ann:set_param('motion', 'recovry', 2)\nann:set_param('motion', 'recovery', 'long')\nann:set_param('motion', 'recovery', 0)\n\
         ann:set_param('motion', 'stepping', false)\nprint(params(ann).motion.stepping)\n",
    );
    for part in [
        "0.8\n",
        "\n2\n",
        "'motion' has no setting 'recovry'; did you mean 'recovery'?",
        "the setting 'recovery' is text; accepted: a number from 0.01 to 600 s",
        "the recovery (s) is 0; accepted: 0.01 to 600",
        "\nfalse\n",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("scripts")).expect("a folder");
    let file = folder.path().join("scripts/walks.luau");
    let text = "local legs = require(\"@std/legs\")\nlocal function step(fig)\n\tlegs.grund(fig)\n\tlegs.ground(fig)\nend\nreturn { step = step }\n";
    std::fs::write(&file, text).expect("a file");
    let checked = simrun(&["check".as_ref(), file.as_os_str()], "");
    assert_eq!(checked.code, Some(2));
    assert!(checked.stderr.contains("walks.luau:3:7: "), "{}", checked.stderr);
    assert!(
        checked.stderr.contains("legs.grund, which there is not") && checked.stderr.contains("legs.ground"),
        "{}",
        checked.stderr
    );
    assert_eq!(checked.stderr.matches("which there is not").count(), 1, "{}", checked.stderr);
}
