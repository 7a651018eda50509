use super::{in_repository, parse};
use simrun_scene::{Scene, schema};
use simrun_sim::Value;

#[test]
fn the_street_reads_and_is_the_same_when_written_and_read_again() {
    let street = Scene::read(&in_repository("scenes/street.json")).expect("the street is a good scene");
    assert_eq!(street.figures.len(), 9);
    let again = parse(&street.to_json()).expect("what is written can be read");
    assert_eq!(again, street);
    assert_eq!(again.to_json(), street.to_json());
}

#[test]
fn everything_a_scene_can_say_survives_writing() {
    let text = r#"{ "name": "all", "seed": 18446744073709551615, "seconds": 2.5,
      "world": { "gravity": [0, -1.62, 0], "step_hz": 120, "substeps": 4 },
      "objects": [
        { "name": "b", "shape": { "box": [0.1, 0.2, 0.3] }, "yaw_deg": 30, "params": { "v": [1, 2, 3], "t": "x", "o": { "l": [1, true] } } },
        { "name": "c", "shape": { "capsule": { "a": [0, 0, 0], "b": [0, 1, 0], "radius": 0.2 } }, "body": "dynamic", "mass": 0.1, "restitution": 0.5, "grips": { "rim": [0.1, 0, 0.2] } },
        { "name": "d", "shape": { "cylinder": { "height": 1, "radius": 0.2 } }, "rotation": [0, 0, 0.6, 0.8] },
        { "name": "e", "shape": "plane" },
        { "name": "f", "shape": { "heightfield": { "rows": 2, "heights": [0, 1, 0, 1], "size": [4, 1, 4] } } } ],
      "figures": [ { "name": "g", "model": "g.glb", "clip_time": 0.1, "root_motion": false, "motion": { "parts": { "arm_l": { "mode": "limp" }, "leg_r": { "strength": 0.3 } } },
        "look_at": [0, 1.5, 3], "holds": { "item": "c", "left": "rim" }, "behaviours": [ "a", { "script": "b", "params": { "tuck": 0.1 } } ] } ] }"#;
    let scene = parse(text).expect("a good scene");
    assert_eq!(parse(&scene.to_json()).expect("what is written can be read"), scene);
    assert_eq!(scene.figures[0].behaviours[1].params["tuck"].0, Value::Number(0.1));
}

#[test]
fn who_looks_at_something_still_does_when_saved() {
    let file = in_repository("scenes/clinic.json");
    let clinic = Scene::read(&file).expect("a good scene");
    let mut models = simrun_scene::Models::new(file.parent().expect("its folder"));
    let mut world = clinic.build(&file, &mut models, &simrun_scene::Overrides::default()).expect("a world");
    let (watcher, crawler) = (world.find_figure("watcher").expect("a figure"), world.find_figure("crawler").expect("a figure"));
    let head = world.figure(crawler).expect("it lives").bone(simrun_sim::Bone::Head).translation;
    assert_eq!(world.looked_at(world.figure(watcher).expect("it lives")), Some(head));
    assert_eq!(Scene::of(&world, &clinic).figures, clinic.figures);
    world.command(simrun_sim::Command::DestroyFigure(crawler)).expect("it goes");
    let left = Scene::of(&world, &clinic);
    assert!(left.figures.iter().all(|figure| figure.look_at.is_none()), "nobody looks at who is gone");
}

#[test]
fn who_has_ankles_has_them_still_when_saved() {
    let file = in_repository("scenes/shoves.json");
    let mut shoves = Scene::read(&file).expect("a good scene");
    shoves.figures[0].motion.as_mut().expect("it has one").ankles = true;
    let mut models = simrun_scene::Models::beside(&file);
    let world = shoves.build(&file, &mut models, &simrun_scene::Overrides::default()).expect("a world");
    let with = |name: &str| world.figures().find(|figure| figure.name == name).expect("it lives").feet.is_some();
    assert!(with(&shoves.figures[0].name) && !with(&shoves.figures[1].name));
    let saved = Scene::of(&world, &shoves);
    assert_eq!(saved.figures, shoves.figures);
    assert_eq!(parse(&saved.to_json()).expect("what is written can be read"), saved);
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    let committed = std::fs::read_to_string(in_repository("scenes/scene.schema.json")).expect("the schema is committed");
    assert_eq!(committed, schema(), "print it anew with `simrun schema`");
}
