use super::parse;
use simrun_scene::nearest;

/// Every problem of a text, a line each.
fn problems(text: &str) -> String {
    let problems = parse(text).expect_err("this scene is wrong");
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

#[test]
fn a_misspelt_field_is_named_with_its_place_and_what_was_meant() {
    let text = r#"{ "name": "s", "objects": [
  { "name": "road", "shape": "plane", "frction": 1 } ] }"#;
    let said = problems(text);
    assert!(said.starts_with("s.json:2:"), "{said}");
    assert!(said.contains("objects[0].frction: unknown field \"frction\"; accepted: name, shape, position"), "{said}");
    assert!(said.contains("did you mean \"friction\"?"), "{said}");
}

#[test]
fn a_wrong_type_says_what_was_found_and_what_is_accepted() {
    let text = r#"{ "name": "s", "figures": [ { "name": "ann", "model": "a.glb", "motion": { "strength": "strong" } } ] }"#;
    let said = problems(text);
    assert!(said.contains("figures[0].motion.strength"), "{said}");
    assert!(said.contains("string \"strong\"; accepted: a number"), "{said}");
}

#[test]
fn a_wrong_mode_names_the_modes() {
    let text = "{ \"name\": \"s\", \"figures\": [\n { \"name\": \"ann\", \"model\": \"a.glb\",\n \"motion\": { \"mode\": \"powred\" } } ] }";
    let said = problems(text);
    assert!(said.starts_with("s.json:3:"), "{said}");
    assert!(said.contains("figures[0].motion.mode: unknown variant \"powred\"; accepted: animated, powered, limp"), "{said}");
    assert!(said.contains("did you mean \"powered\"?"), "{said}");
}

#[test]
fn a_behaviour_keeps_its_line_whether_text_or_object() {
    let text = "{ \"name\": \"s\", \"figures\": [ { \"name\": \"ann\", \"model\": \"a.glb\", \"behaviours\": [ \"fall\",\n { \"scirpt\": \"x\" } ] } ] }";
    let said = problems(text);
    assert!(said.starts_with("s.json:2:"), "{said}");
    assert!(said.contains("figures[0].behaviours[1].scirpt"), "{said}");
    assert!(said.contains("did you mean \"script\"?"), "{said}");
}

#[test]
fn every_problem_of_meaning_is_told_at_once_with_its_line() {
    let text = r#"{ "name": "s", "seconds": -1,
  "world": { "substeps": 0 },
  "objects": [ { "name": "car", "shape": { "box": [1, 0, 1] }, "body": "dynamic", "restitution": 1.5 } ],
  "figures": [ { "name": "car", "model": "a.glb",
    "motion": { "strength": 2 }, "behaviours": ["fall", "fall"] } ] }"#;
    let said = problems(text);
    for (line, path) in [
        (1, "seconds"),
        (2, "world.substeps"),
        (3, "objects[0].shape.box[1]"),
        (3, "objects[0].mass"),
        (3, "objects[0].restitution"),
        (4, "figures[0].name"),
        (5, "figures[0].motion.strength"),
        (5, "figures[0].behaviours[1]"),
    ] {
        let found = said.lines().any(|told| told.starts_with(&format!("s.json:{line}:")) && told.contains(&format!(" {path}: ")));
        assert!(found, "line {line}, {path} in\n{said}");
    }
    assert_eq!(said.lines().count(), 8, "{said}");
}

#[test]
fn what_is_looked_at_must_be_there() {
    let text = r#"{ "name": "s", "objects": [ { "name": "car", "shape": "plane" } ],
  "figures": [ { "name": "ann", "model": "a.glb", "motion": {}, "look_at": "cra" },
    { "name": "ben", "model": "a.glb", "look_at": "car" }, { "name": "cleo", "model": "a.glb", "motion": {}, "look_at": 3 } ] }"#;
    let said = problems(text);
    assert!(said.contains("figures[2].look_at") && said.contains("a name or a place [x, y, z]"), "{said}");
    let said = problems(&text.replace(r#""look_at": 3"#, r#""look_at": "ann""#));
    assert!(said.starts_with("s.json:2:") && said.contains("did you mean \"car\"?"), "{said}");
    assert!(said.contains("figures[1].look_at: look_at without motion"), "{said}");
}

#[test]
fn what_is_held_must_be_there_and_have_that_grip() {
    let text = r#"{ "name": "s", "objects": [
  { "name": "cup", "shape": { "sphere": 0.1 }, "body": "dynamic", "mass": 1, "grips": { "handle": [0.1, 0, 0] } },
  { "name": "road", "shape": "plane", "grips": { "edge": [99, 0, 0] } } ],
  "figures": [
  { "name": "ann", "model": "a.glb", "motion": {}, "holds": { "item": "cpu", "left": "handle" } },
  { "name": "ben", "model": "a.glb", "motion": {}, "holds": { "item": "cup", "right": "handel" } },
  { "name": "cleo", "model": "a.glb", "holds": { "item": "cup" } } ] }"#;
    let said = problems(text);
    for (line, told) in [
        (3, "objects[1].grips.edge[0]: 99; accepted: -10 to 10 m"),
        (3, "objects[1].grips: grips on what nobody can hold; accepted: a \"dynamic\" box"),
        (5, "figures[0].holds.item: no object \"cpu\"; accepted: cup, road (did you mean \"cup\"?)"),
        (6, "figures[1].holds.right: no grip \"handel\" of \"cup\"; accepted: handle (did you mean \"handle\"?)"),
        (7, "figures[2].holds: hands of a figure without motion"),
        (7, "figures[2].holds: neither left nor right; accepted: a grip for a hand: handle"),
        (7, "figures[2].holds.item: \"cup\", which \"ben\" holds; accepted: an object that nobody else holds"),
    ] {
        let found = said.lines().any(|problem| problem.starts_with(&format!("s.json:{line}:")) && problem.contains(told));
        assert!(found, "{told} in\n{said}");
    }
}

#[test]
fn numbers_beyond_single_precision_are_refused() {
    let said = problems(r#"{ "name": "s", "objects": [ { "name": "a", "shape": { "sphere": 1e39 } } ] }"#);
    assert!(said.contains("objects[0].shape.sphere: the number 1e39; accepted: a finite number"), "{said}");
}

#[test]
fn no_text_makes_it_panic() {
    for text in ["", "{", "[]", "null", "{\"name\":1}", "{\"name\":\"s\"} x", "{\"name\":\"s\",\"figures\":[{}]}", "\u{feff}{}"] {
        assert!(parse(text).is_err(), "{text:?}");
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
}

#[test]
fn nearest_counts_a_swap_as_one_slip_and_gives_up_when_nothing_is_near() {
    assert_eq!(nearest("frist", ["first", "last"]), Some("first"));
    assert_eq!(nearest("Car", ["car"]), Some("car"));
    assert_eq!(nearest("phse", ["pose", "phase", "phases"]), Some("phase"), "of two as near, the one more alike");
    assert_eq!(nearest("tractor", ["car", "road"]), None);
}

#[test]
fn a_script_that_is_not_there_is_told_with_its_place_and_what_was_meant() {
    let text = "{ \"name\": \"s\", \"script\": \"stret\" }";
    let scene = parse(text).expect("a scene");
    let known = ["street".to_owned(), "writhe".to_owned()];
    let told: Vec<String> =
        scene.script_problems(std::path::Path::new("s.json"), &known).iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("no script \"stret\"") && told[0].contains("did you mean \"street\""), "{told:?}");
    assert!(scene.script_problems(std::path::Path::new("s.json"), &["stret".to_owned()]).is_empty());
}
