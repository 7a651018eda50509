//! Scenes: what is read, what is refused and in which words.

mod json_schema;
mod order;
mod problems;
mod round_trip;

use simrun_scene::{Problem, Scene};
use std::path::{Path, PathBuf};

/// A file or folder of the repository.
pub fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn parse(text: &str) -> Result<Scene, Vec<Problem>> {
    Scene::parse(Path::new("s.json"), text)
}
