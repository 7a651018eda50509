//! The JSON schema: what the format takes it takes too, and what it must not take it refuses.

use super::in_repository;
use serde_json::{Value, json};

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&simrun_scene::schema()).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

#[test]
fn the_scenes_of_the_repository_keep_to_the_schema_and_name_it() {
    let validator = validator();
    let mut count = 0;
    for folder in ["scenes", "tests/fuzz/seeds/scene"] {
        for entry in std::fs::read_dir(in_repository(folder)).expect("scenes").flatten() {
            let path = entry.path();
            let name = path.to_string_lossy().into_owned();
            if !name.ends_with(".json") || name.ends_with(".schema.json") {
                continue;
            }
            let scene: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
            let faults: Vec<String> = validator.iter_errors(&scene).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{name}: {faults:?}");
            assert!(folder != "scenes" || scene["$schema"] == "./scene.schema.json", "{name} names the schema");
            count += 1;
        }
    }
    assert!(count >= 3, "{count} scenes");
}

#[test]
fn bad_scenes_do_not_keep_to_the_schema() {
    let validator = validator();
    let object = |fields: Value| {
        let mut object = json!({ "name": "o", "shape": "plane" });
        object.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
        json!({ "name": "s", "objects": [object] })
    };
    let figure = |motion: Value| json!({ "name": "s", "figures": [{ "name": "a", "model": "a.glb", "motion": motion }] });
    assert!(validator.is_valid(&object(json!({}))) && validator.is_valid(&figure(json!({}))));
    for bad in [
        json!([]),
        json!({}),
        json!({ "name": "" }),
        json!({ "name": "s", "sed": 1 }),
        json!({ "name": "s", "seconds": -1 }),
        json!({ "name": "s", "world": { "substeps": 0 } }),
        object(json!({ "shape": "plain" })),
        object(json!({ "shape": { "box": [1, 0, 1] } })),
        object(json!({ "shape": { "box": [1, 1] } })),
        object(json!({ "shape": { "sphere": "1" } })),
        object(json!({ "mass": -1 })),
        object(json!({ "friction": 3 })),
        object(json!({ "position": [0, 1e30, 0] })),
        figure(json!({ "mode": "powred" })),
        figure(json!({ "strength": 2 })),
        figure(json!({ "recovery": 0 })),
    ] {
        assert!(!validator.is_valid(&bad), "{bad}");
    }
}
