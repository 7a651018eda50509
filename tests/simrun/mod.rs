//! The command: arguments, exit codes, reports, the prompt and its manual.

mod ask;
mod bad_input;
mod clock;
mod command;
mod control;
#[cfg(unix)]
mod costs;
mod edits;
mod live;
mod malformed;
mod manual;
mod measured;
mod past;
mod record;
mod shoves;
mod terminal;
mod told;
mod tune;
#[cfg(unix)]
mod tutorial;

use std::ffi::OsStr;
use std::io::{Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The command, built as this test was.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let test = std::env::current_exe().expect("a test has a path");
        let folder = test.ancestors().nth(2).expect("tests stand in target/PROFILE/deps");
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build.args(["build", "--quiet", "--bin", "simrun"]).current_dir(repository());
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the command does not build");
        folder.join(format!("simrun{}", std::env::consts::EXE_SUFFIX))
    })
}

fn repository() -> PathBuf {
    crate::scene::in_repository(".")
}

/// What a run of the command came to.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs the command in the repository with lines piped to it.
fn simrun<A: AsRef<OsStr>>(args: &[A], lines: &str) -> Ran {
    let mut child = Command::new(binary())
        .args(args)
        .current_dir(repository())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the command speaks UTF-8");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// What a person sees: standard output and standard error in the order in which they were written.
fn seen<A: AsRef<OsStr>>(args: &[A], lines: &str) -> String {
    let (mut read, write) = pipe().expect("a pipe");
    let mut command = Command::new(binary());
    command.args(args).current_dir(repository()).stdin(Stdio::piped());
    command.stdout(write.try_clone().expect("a pipe has two ends")).stderr(write);
    let mut child = command.spawn().expect("the command starts");
    // The writing ends in here would keep the pipe open.
    drop(command);
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    let mut text = String::new();
    read.read_to_string(&mut text).expect("the command speaks UTF-8");
    child.wait().expect("the command ends");
    text
}

/// A folder with a scene `s.json` (a crate on the ground, nobody in it) and its script `scripts/boss.luau`.
fn small_scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = r#"{ "name": "small", "seconds": 0.5, "script": "boss",
  "objects": [
    { "name": "ground", "shape": "plane" },
    { "name": "crate", "shape": { "box": [1, 1, 1] }, "position": [0, 2, 0], "body": "dynamic", "mass": 10, "params": { "speed": 1 } } ] }"#;
    std::fs::write(folder.path().join("s.json"), scene).expect("a file");
    std::fs::create_dir(folder.path().join("scripts")).expect("a folder");
    std::fs::write(folder.path().join("scripts/boss.luau"), "return { step = function(state, dt) end }\n").expect("a file");
    folder
}

/// The street in a folder of its own, so that its scripts can be edited.
fn street() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["scripts", "scenes/assets"] {
        std::fs::create_dir_all(folder.path().join(part)).expect("a folder");
        for entry in std::fs::read_dir(repository().join(part)).expect("it is there").flatten() {
            std::fs::copy(entry.path(), folder.path().join(part).join(entry.file_name())).expect("a copy");
        }
    }
    let scene = repository().join("scenes/street.json");
    std::fs::copy(scene, folder.path().join("scenes/s.json")).expect("a copy");
    folder
}
