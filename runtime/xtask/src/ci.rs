//! `cargo xtask ci`: what must hold before a change is taken in, stage by stage.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A stage: what it is for, and the command that does it, run at the root.
struct Stage {
    name: &'static str,
    command: &'static [&'static str],
}

/// In the order of what fails soonest. All in release, the lints too: build scripts (Luau's C++) and macros are then built once.
const STAGES: &[Stage] = &[
    Stage { name: "format", command: &["cargo", "fmt", "--all", "--check"] },
    Stage { name: "format of scripts", command: FORMAT },
    Stage { name: "models as made", command: &["cargo", "run", "--release", "-qp", "simrun-xtask", "--", "figures", "--check"] },
    Stage { name: "models valid", command: &["node", VALIDATE, NPM, "scenes/assets"] },
    Stage { name: "docs as made", command: &["cargo", "run", "--release", "-qp", "simrun-xtask", "--", "docs", "--check"] },
    Stage { name: "lints", command: &["cargo", "clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"] },
    Stage { name: "tests", command: &["cargo", "test", "--release"] },
    Stage { name: "tests of xtask", command: &["cargo", "test", "--release", "-p", "simrun-xtask"] },
    // Three seconds of the street as files, from a release and a debug build: they are the same, byte by byte.
    Stage {
        name: "a recording",
        command: &[
            "cargo",
            "run",
            "--release",
            "-q",
            "--",
            STREET,
            "--headless",
            "--seconds",
            "3",
            "--record",
            "target/release.rec",
        ],
    },
    Stage {
        name: "the same in debug",
        command: &["cargo", "run", "-q", "--", STREET, "--headless", "--seconds", "3", "--record", "target/debug.rec"],
    },
    Stage { name: "the same bits", command: &["cmp", "target/release.rec", "target/debug.rec"] },
];

/// The scene that is shipped.
const STREET: &str = "scenes/street.json";

/// Luau's type checker, a workspace of its own.
const TYPES: &str = "runtime/xtask/types/Cargo.toml";

/// Runs the Khronos validator over a folder; it asks for the validator in another.
const VALIDATE: &str = "runtime/xtask/src/validate.js";

/// Lays Luau out, or looks whether it is laid out so.
const FORMAT: &[&str] = &["node", "runtime/xtask/src/format.js", NPM, ".", "--check"];

/// Where npm's packages are put.
pub(crate) const NPM: &str = "target/npm";

/// npm's packages: the Khronos glTF validator, at the release that the models were last seen clean in; StyLua, at the one that the scripts were.
const PACKAGES: [(&str, &str); 2] = [("gltf-validator", "2.0.0-dev.3.10"), ("@johnnymorganz/stylua", "2.5.2")];

/// Runs every stage at `root`; with `only`, those whose names contain it. The first that fails ends the run.
///
/// # Errors
/// The stage that failed, and its command.
pub fn run(root: &Path, only: Option<&str>) -> Result<(), String> {
    let stages: Vec<&Stage> = STAGES.iter().filter(|stage| only.is_none_or(|only| stage.name.contains(only))).collect();
    if stages.is_empty() {
        let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
        return Err(format!("no stage is named like {:?}; there are: {}", only.unwrap_or_default(), names.join(", ")));
    }
    let began = Instant::now();
    for (place, stage) in stages.iter().enumerate() {
        println!("ci [{}/{}] {}: {}", place + 1, stages.len(), stage.name, stage.command.join(" "));
        if stage.command.contains(&NPM) {
            install_packages(root)?;
        }
        let stage_began = Instant::now();
        run_command(root, stage.command).map_err(|why| format!("stage \"{}\" failed: {why}", stage.name))?;
        println!("ci [{}/{}] {}: fine, {:.0} s", place + 1, stages.len(), stage.name, stage_began.elapsed().as_secs_f64());
    }
    println!("ci: all {} stages fine, {:.0} s", stages.len(), began.elapsed().as_secs_f64());
    Ok(())
}

/// Holds scripts to Luau's strict types, those that are shipped where none is named. It is no stage: the checker is C++ of its own that takes two
/// to five minutes to build, and the stages shall be through in half an hour from nothing.
///
/// # Errors
/// The checker does not build, or finds something; it has said what.
pub fn check_types(root: &Path, files: &[PathBuf]) -> Result<(), String> {
    let here = std::env::current_dir().map_err(|why| why.to_string())?;
    let files: Vec<String> = files.iter().map(|file| here.join(file).display().to_string()).collect();
    let of = |task| ["cargo", task, "--quiet", "--locked", "--manifest-path", TYPES, "--target-dir", "target/types"];
    if files.is_empty() {
        // Whether it tells what is wrong at all.
        run_command(root, &of("test"))?;
    }
    let files = ["--", "."].into_iter().chain(files.iter().map(String::as_str));
    run_command(root, &of("run").into_iter().chain(files).collect::<Vec<_>>())
}

/// Lays the repository's Luau out as `stylua.toml` says, or looks whether it is.
///
/// # Errors
/// StyLua cannot be had, or a script cannot be read; where it only looks, one that is laid out otherwise.
pub fn format_scripts(root: &Path, check: bool) -> Result<(), String> {
    install_packages(root)?;
    run_command(root, if check { FORMAT } else { &FORMAT[..FORMAT.len() - 1] })
}

/// Puts npm's packages under `target/`, where nothing of them is committed.
///
/// # Errors
/// npm does not install them.
pub fn install_packages(root: &Path) -> Result<(), String> {
    let there = |name: &str| root.join(NPM).join("node_modules").join(name).join("package.json").exists();
    if PACKAGES.iter().all(|(name, _)| there(name)) {
        return Ok(());
    }
    std::fs::create_dir_all(root.join(NPM)).map_err(|why| format!("{NPM}: {why}"))?;
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    // All at once: npm takes out those that it is not asked for.
    let packages = PACKAGES.map(|(name, version)| format!("{name}@{version}"));
    let command = [npm, "install", "--no-save", "--no-audit", "--no-fund", "--silent", "--prefix", NPM];
    run_command(root, &command.into_iter().chain(packages.iter().map(String::as_str)).collect::<Vec<_>>())
}

/// Runs a command at the root.
///
/// # Errors
/// One that cannot be run, or that fails.
pub(crate) fn run_command(root: &Path, command: &[&str]) -> Result<(), String> {
    // How long each target of the mutation tests goes on (s).
    let seconds = std::env::var("SIMRUN_MUTATE_SECONDS").unwrap_or_else(|_| "20".to_owned());
    let status = Command::new(command[0]).args(&command[1..]).env("SIMRUN_MUTATE_SECONDS", seconds).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` ended with {status}", command.join(" "))),
        Err(why) => Err(format!("`{}` cannot be run: {why}", command[0])),
    }
}
