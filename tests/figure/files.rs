//! Model files: what loads, and that nothing else does more than fail.

use crate::support::{assets, models_below};
use simrun_scene::model::{ModelError, decode, load};
use std::path::Path;

/// Loads a file; `Err` with the message where it does not load. A panic fails the test with the file's name.
fn try_load(path: &Path) -> Result<(), String> {
    let loaded = std::panic::catch_unwind(|| load(path).map(drop));
    loaded.unwrap_or_else(|_| panic!("{} panics", path.display())).map_err(|error| error.to_string())
}

#[test]
fn every_sound_figure_loads() {
    for folder in ["figures", "derived/naming", "derived/transform", "derived/quirk", "derived/tail"] {
        for path in models_below(folder) {
            if let Err(message) = try_load(&path) {
                println!("{} {message}", path.display());
            }
        }
    }
}

#[test]
fn malformed_files_load_or_give_one_clear_error() {
    for folder in ["derived/malformed", "malformed"] {
        for path in models_below(folder) {
            let r = try_load(&path);
            println!("{} {r:?}", path.strip_prefix(assets()).unwrap().display());
        }
    }
}
