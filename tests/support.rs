//! What tests of several rooms share.

use simrun_sim::figure::Model;
use std::path::PathBuf;
use std::sync::Arc;

/// The folder of test models, which are not part of the repository: `SIMRUN_ASSETS`, or `../shared/assets` beside it.
pub fn assets() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/assets");
    std::env::var_os("SIMRUN_ASSETS").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// Those of some test models that are there; says how many are not.
pub fn present<'a>(names: &'a [&'a str]) -> Vec<(&'a str, PathBuf)> {
    let found: Vec<_> = names.iter().map(|name| (*name, assets().join(name))).filter(|(_, path)| path.exists()).collect();
    if found.len() < names.len() {
        println!("skipped: {} of {} test models are not there", names.len() - found.len(), names.len());
    }
    found
}

/// Every model file below a folder of the test models, by path; says so when there is no such folder.
pub fn models_below(folder: &str) -> Vec<PathBuf> {
    let mut open = vec![assets().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: no test models in {}", folder.display());
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "glb" || kind == "gltf" || kind == "vrm") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A test model that loads.
pub fn model(path: &std::path::Path) -> Arc<Model> {
    let rig = simrun_scene::model::load(path).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(Model::new(rig))
}
