//! `simrun check`: every problem of scenes and their models.

use crate::console::Console;
use crate::sources::Folder;
use simrun_scene::{Models, Overrides, Scene, SceneProblem};
use simrun_script::Sources as _;
use std::path::{Path, PathBuf};

/// Checks files, and the scenes in folders. Whether all is well.
pub fn check(paths: &[PathBuf], console: &Console) -> bool {
    let mut well = true;
    let mut scenes = Vec::new();
    for path in paths {
        if path.is_dir() { scenes.extend(scenes_in(path)) } else { scenes.push(path.clone()) }
    }
    for file in &scenes {
        match problems(file) {
            Ok(()) => console.note(&format!("{}: fine", file.display())),
            Err(problems) => {
                well = false;
                problems.iter().for_each(|problem| console.value(&problem.to_string()));
            }
        }
    }
    if scenes.is_empty() {
        console.error("no scenes there: accepted: .json files, or folders of them");
    }
    well && !scenes.is_empty()
}

fn problems(file: &Path) -> Result<(), Vec<SceneProblem>> {
    let scene = Scene::read(file)?;
    let mut problems = scene.script_problems(file, &Folder::of_scene(file).names());
    problems.extend(scene.build(file, &mut Models::beside(file), &Overrides::default()).err().unwrap_or_default());
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn scenes_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_scene = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".json") && !name.ends_with(".schema.json")
    };
    let mut scenes: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_scene).collect();
    scenes.sort();
    scenes
}
