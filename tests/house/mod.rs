//! The walls of the house: which crate may see which, which word may stand where, how long a file may grow. Each test lists every
//! place that breaks a wall, with its line.

mod sources;

use serde_json::Value;
use sources::{Source, is_word, root, sources};
use std::process::Command;

/// What each crate of the workspace may depend on inside it. A crate that is missing here has no place in the house yet.
const ARROWS: &[(&str, &[&str])] = &[
    ("simrun-sim", &[]),
    ("simrun-scene", &["simrun-sim"]),
    ("simrun-script", &["simrun-sim"]),
    ("simrun-view", &["simrun-sim"]),
    ("simrun-measure", &["simrun-sim", "simrun-scene", "simrun-script"]),
    ("simrun", &["simrun-sim", "simrun-scene", "simrun-script", "simrun-view", "simrun-measure"]),
    ("simrun-bench", &["simrun-sim", "simrun-script", "simrun-measure"]),
    ("simrun-xtask", &["simrun-sim", "simrun-scene", "simrun-script", "simrun-view", "simrun-measure", "simrun", "simrun-bench"]),
    ("simrun-tests", &["simrun-sim", "simrun-scene", "simrun-script", "simrun-view", "simrun-measure", "simrun"]),
];

/// Libraries that exactly one crate may depend on.
const KEEPERS: &[(&str, &str)] = &[("rapier3d", "simrun-sim"), ("mlua", "simrun-script")];

/// Words that may stand only in some places.
struct Wall {
    words: &'static [&'static str],
    /// Where they are looked for.
    within: &'static str,
    /// Where they may stand all the same.
    except: &'static [&'static str],
}

const WALLS: &[Wall] = &[
    // The peers are a workspace of its own that times other engines, rapier3d by itself too; several have a C interface only.
    Wall { words: &["rapier3d"], within: "runtime/", except: &["runtime/sim/src/solve/rapier/", "runtime/bench/peers/"] },
    Wall { words: &["mlua"], within: "runtime/", except: &["runtime/script/"] },
    // The corridor opens no files and no sockets, and reads no clock.
    Wall { words: &["fs", "net", "Instant", "SystemTime"], within: "runtime/sim/src/", except: &[] },
    Wall {
        words: &["unsafe"],
        within: "runtime/",
        except: &["runtime/sim/src/solve/batch/lanes.rs", "runtime/script/src/raw.rs", "runtime/bench/peers/"],
    },
];

fn hold(what: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{what}:\n  {}", broken.join("\n  "));
}

#[test]
fn crates_see_only_what_the_arrows_allow() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let asked =
        Command::new(cargo).args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root()).output();
    let answer: Value = serde_json::from_slice(&asked.expect("cargo runs").stdout).expect("cargo metadata answers in JSON");
    let packages = answer["packages"].as_array().expect("packages");
    let name = |of: &Value| of["name"].as_str().expect("a name").to_owned();
    let members: Vec<String> = packages.iter().map(name).collect();

    let mut broken = Vec::new();
    for package in packages {
        let own = name(package);
        let manifest = package["manifest_path"].as_str().expect("a manifest");
        let Some((_, allowed)) = ARROWS.iter().find(|(of, _)| *of == own) else {
            broken.push(format!("{manifest}: {own} has no arrows: give it a row in ARROWS"));
            continue;
        };
        // Build and test dependencies too: an arrow that only a test needs still ties two crates together.
        for seen in package["dependencies"].as_array().expect("dependencies").iter().map(name) {
            let kept = KEEPERS.iter().any(|(library, keeper)| *library == seen && *keeper != own);
            if kept || (members.contains(&seen) && !allowed.contains(&seen.as_str())) {
                let text = std::fs::read_to_string(manifest).expect("the manifest can be read");
                let line = text.lines().position(|line| line.starts_with(seen.as_str())).map_or(0, |line| line + 1);
                broken.push(format!("{manifest}:{line}: {own} must not see {seen}"));
            }
        }
    }
    hold("crates that see what they must not", &broken);
}

#[test]
fn words_stand_only_where_they_may() {
    let mut broken = Vec::new();
    for Source { path, text } in sources("runtime", "rs") {
        for Wall { words, within, except } in WALLS {
            if !path.starts_with(within) || except.iter().any(|place| path.starts_with(place)) {
                continue;
            }
            for (line, code) in text.lines().enumerate() {
                // A comment may speak of what the code must not name.
                let code = code.split("//").next().unwrap_or_default();
                for word in words.iter().filter(|word| is_word(code, word)) {
                    broken.push(format!("{path}:{}: `{word}` may stand only in {except:?}", line + 1));
                }
            }
        }
    }
    hold("words out of place", &broken);
}

#[test]
fn files_stay_short() {
    let mut broken = Vec::new();
    for (folder, extension, most) in [
        ("runtime", "rs", 800),
        ("tests", "rs", 800),
        ("stdlib", "luau", 800),
        ("runtime", "luau", 800),
        ("scripts", "luau", 199),
    ] {
        for Source { path, text } in sources(folder, extension) {
            let lines = text.lines().count();
            if lines > most {
                broken.push(format!("{path}:{lines}: longer than {most} lines"));
            }
        }
    }
    hold("files that have grown too long", &broken);
}

#[test]
fn paths_in_the_architecture_page_exist() {
    const PAGE: &str = "runtime/ARCHITECTURE.md";
    let Ok(text) = std::fs::read_to_string(root().join(PAGE)) else { return };
    let mut broken = Vec::new();
    for (line, words) in text.lines().enumerate() {
        // Every second piece between backticks is code.
        for path in words.split('`').skip(1).step_by(2) {
            let ours = ["runtime/", "scripts/", "stdlib/", "scenes/", "tests/"].iter().any(|folder| path.starts_with(folder));
            if ours && !root().join(path).exists() {
                broken.push(format!("{PAGE}:{}: {path} does not exist", line + 1));
            }
        }
    }
    hold("paths to nowhere", &broken);
}
