//! Model files: what loads, and that nothing else does more than fail.

use crate::support::{assets, models_below};
use simrun_scene::model::{ModelError, decode, load};
use simrun_sim::figure::Rig;
use std::path::Path;

/// Loads a file; a panic fails the test with the file's name.
fn try_load(path: &Path) -> Result<Rig, ModelError> {
    std::panic::catch_unwind(|| load(path)).unwrap_or_else(|_| panic!("{} panics", path.display()))
}

#[test]
fn every_sound_figure_loads() {
    for folder in ["figures", "derived/naming", "derived/transform", "derived/quirk", "derived/tail"] {
        for path in models_below(folder) {
            match try_load(&path) {
                Ok(rig) => assert!(!rig.nodes.is_empty(), "{}", path.display()),
                // The asset generator asks for an extension that nobody has.
                Err(ModelError::Extension { extension, .. }) => assert_eq!(extension, "FAKE_materials_quantumRendering"),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn malformed_files_load_or_give_one_clear_error() {
    for path in ["derived/malformed", "malformed"].into_iter().flat_map(models_below) {
        let Err(error) = try_load(&path) else { continue };
        let message = error.to_string();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        assert!(message.starts_with(&*name) && !message.contains('\n'), "{}: {message}", path.display());
    }
}

#[test]
fn each_fault_is_named_by_its_place() {
    let faults = [
        ("accessor-count-4e9.glb", "vertex 4000000000"),
        ("node-cycle.glb", "nodes[5].children[1]"),
        ("nan-keyframe.glb", "animations[0].samplers[0].output"),
        ("too-few-inverse-binds.glb", "skins[0].inverseBindMatrices is 10 long"),
        ("vertex-index-out-of-range.glb", "65534"),
        ("truncated-half.glb", "the GLB's length"),
        ("zero-quaternion-node.glb", "nodes[3].rotation"),
    ];
    for (file, place) in faults {
        let path = assets().join("derived/malformed").join(file);
        if path.exists() {
            let message = try_load(&path).map(drop).expect_err(file).to_string();
            assert!(message.contains(place), "{message}");
        }
    }
}

#[test]
fn a_required_extension_is_named() {
    let text = r#"{ "asset": { "version": "2.0" }, "extensionsRequired": ["KHR_draco_mesh_compression"] }"#;
    let error = decode("a.gltf", text.as_bytes(), &|_| unreachable!()).expect_err("draco");
    assert!(error.to_string().contains("KHR_draco_mesh_compression"), "{error}");
}

#[test]
fn a_buffer_outside_the_models_folder_is_refused() {
    let outer = tempfile::tempdir().expect("a folder");
    let inner = outer.path().join("inner");
    std::fs::create_dir(&inner).expect("a folder in it");
    std::fs::write(outer.path().join("secret.bin"), [0; 4]).expect("a file");
    for uri in ["../secret.bin", "%2e%2e/secret.bin", "a/../../secret.bin"] {
        let path = inner.join("a.gltf");
        let text = format!(r#"{{ "asset": {{ "version": "2.0" }}, "buffers": [{{ "uri": "{uri}", "byteLength": 4 }}] }}"#);
        std::fs::write(&path, text).expect("a model");
        let error = load(&path).expect_err(uri);
        assert!(error.to_string().contains("buffers[0].uri"), "{error}");
    }
}

#[test]
fn children_come_after_their_parents_in_the_files_order() {
    let text = r#"{ "asset": { "version": "2.0" }, "nodes":
        [{ "name": "hand" }, { "name": "root", "children": [3, 2] }, { "name": "leg" }, { "name": "arm", "children": [0] }] }"#;
    let rig = decode("a.gltf", text.as_bytes(), &|_| unreachable!()).expect("a tree");
    let names: Vec<&str> = rig.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["root", "arm", "hand", "leg"]);
    assert_eq!(rig.nodes.iter().map(|node| node.parent).collect::<Vec<_>>(), [None, Some(0), Some(1), Some(0)]);
}

/// A document with a list of this many elements.
fn many(list: &str, element: &str, count: usize) -> String {
    let elements = vec![element; count].join(",");
    format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{list}\":[{elements}]}}")
}

#[test]
fn more_than_a_model_can_have_is_refused_before_it_fills_the_memory() {
    let nothing = |_: &str| unreachable!("no buffer");
    let mesh = r#"{ "primitives": [{ "attributes": { "POSITION": 0 } }] }"#;
    let zeros = |count: u64, nodes: &str| {
        format!(
            r#"{{ "asset": {{ "version": "2.0" }}, "nodes": [{nodes}], "meshes": [{mesh}],
                "accessors": [{{ "componentType": 5126, "count": {count}, "type": "VEC3" }}] }}"#
        )
    };
    let clips = many("animations", r#"{"channels":[],"samplers":[]}"#, 5000);
    for (text, told) in [
        (many("nodes", "{}", 20_000), "a list longer than 16384; accepted: up to 16384"),
        (clips, "a list longer than 4096; accepted: up to 4096"),
        (zeros(1 << 40, "{\"mesh\":0}"), "vertex 1099511627776; accepted: up to 4194304"),
        (zeros(1 << 20, &["{\"mesh\":0}"; 5].join(",")), "vertex 5242880; accepted: up to 4194304"),
    ] {
        let error = decode("a.gltf", text.as_bytes(), &nothing).expect_err(told).to_string();
        assert!(error.contains(told), "{error}");
    }
    assert_eq!(
        decode("a.gltf", many("nodes", "{}", 16_384).as_bytes(), &nothing).expect("as many as may be").nodes.len(),
        16_384
    );
}

#[test]
fn whole_numbers_with_a_point_and_plain_data_are_read_and_of_keys_at_one_time_the_last_counts() {
    let text = r#"{ "asset": { "version": "2.0" }, "nodes": [{ "children": [1.0] }, { "name": "a" }],
        "buffers": [{ "uri": "data:,%00%00%00%00%00%00%00%00%00%00%80%3f", "byteLength": 12 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 12 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR" }, { "componentType": 5126, "count": 3, "type": "VEC3" }],
        "animations": [{ "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }], "samplers": [{ "input": 0, "output": 1 }] }] }"#;
    let rig = decode("a.gltf", text.as_bytes(), &|_| unreachable!("no file")).expect("a sound model");
    assert_eq!(rig.nodes[1].parent, Some(0));
    assert_eq!((rig.clips[0].tracks[0].times.as_slice(), rig.clips[0].tracks[0].values.len()), ([0.0, 1.0].as_slice(), 6));
}
