//! The fuzzer's targets on stable: files of ours with fixed-seed mutations, for `SIMRUN_MUTATE_SECONDS` a target (2 if it does not say;
//! CI says 20). No input may panic, take more than a second of the processor, or need more than a gigabyte.
//!
//! Each target runs in a process of its own, so that memory can be bounded and an abort is a failed test. The last input of one that
//! fails stays in `target/mutate/`.

#[path = "../fuzz/targets/mod.rs"]
pub(crate) mod targets;

mod json;
mod mutator;

use crate::scene::in_repository;
use mutator::Mutator;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Most processor time of one input.
const LONGEST: Duration = Duration::from_secs(1);
/// Most address space of the process (KiB), with what the test binary itself takes.
const MEMORY: u64 = 1 << 20;

type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 4] =
    [("scene", targets::scene), ("glb", targets::glb), ("api", targets::api), ("recording", targets::recording)];

/// What the process of a target is told by.
const ASKED: &str = "SIMRUN_MUTATE_TARGET";

#[test]
fn no_scene_does_more_than_fail() {
    in_a_process("scene");
}

#[test]
fn no_model_does_more_than_fail() {
    in_a_process("glb");
}

#[test]
fn no_call_does_more_than_fail() {
    in_a_process("api");
}

#[test]
fn no_recording_does_more_than_fail() {
    in_a_process("recording");
}

fn in_a_process(target: &str) {
    let test = std::env::current_exe().expect("a test has a path");
    let args = ["mutate::one_target", "--exact", "--ignored", "--nocapture"];
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(&test);
        shell
    } else {
        Command::new(&test)
    };
    let output = command.args(args).env(ASKED, target).output().expect("the test runs itself");
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{target}: {}; the input is {}\n{said}\n{failed}", output.status, kept(target).display());
    assert!(said.contains("inputs"), "{target} did not run:\n{said}");
    let told = said.lines().find(|line| line.contains("inputs")).unwrap_or_default();
    println!("{told}");
}

/// Where the input of the moment is kept.
fn kept(target: &str) -> PathBuf {
    in_repository("target/mutate").join(format!("{target}.input"))
}

#[test]
#[ignore = "the others run it, each in a process of its own"]
fn one_target() {
    let Ok(asked) = std::env::var(ASKED) else { return };
    let (name, target) = TARGETS.into_iter().find(|(name, _)| *name == asked).expect("a target");
    let seconds = crate::support::asked("SIMRUN_MUTATE_SECONDS", 2.0);
    let mut mutator = Mutator::new(seeds(name), name == "glb", 1);
    std::fs::create_dir_all(in_repository("target/mutate")).expect("a folder");
    let kept = kept(name);
    let start = Instant::now();
    let (mut inputs, mut longest) = (0, Duration::ZERO);
    while start.elapsed().as_secs_f64() < seconds {
        let input = mutator.input();
        std::fs::write(&kept, &input).expect("the input is kept");
        let before = busy();
        target(&input);
        let took = busy().saturating_sub(before);
        longest = longest.max(took);
        assert!(took < LONGEST, "the input takes {took:?}");
        inputs += 1;
    }
    // What is left is the input of a failure.
    let _ = std::fs::remove_file(&kept);
    println!("{name}: {inputs} inputs, the longest {:.1} ms", longest.as_secs_f64() * 1000.0);
}

/// The processor time of this thread; elsewhere than on Linux the time that passes.
fn busy() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = nanoseconds.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// What mutations begin with: the fuzzer's seeds and the files that are shipped.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let shipped = match target {
        "scene" => Some("scenes/street.json"),
        "glb" => Some("scenes/assets/boxman.glb"),
        _ => None,
    };
    let shipped = shipped.map(|file| std::fs::read(in_repository(file)).expect("a shipped file can be read"));
    seeds_of_its_own(target).into_iter().chain(shipped).collect()
}

fn seeds_of_its_own(target: &str) -> Vec<Vec<u8>> {
    // Another build refuses a recording of this one: it is made anew.
    if target == "recording" {
        return vec![targets::seed()];
    }
    let folder = in_repository("tests/fuzz/seeds").join(target);
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("seeds").flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a seed can be read")).collect()
}

#[test]
fn the_seeds_are_small_and_there() {
    for (target, _) in TARGETS {
        let bytes: usize = seeds_of_its_own(target).iter().map(Vec::len).sum();
        assert!((1..70_000).contains(&bytes), "{target}: {bytes} bytes");
    }
}

#[test]
#[ignore = "a folder for the fuzzer: cargo test --release -- --ignored the_recording_to_begin_with"]
fn the_recording_to_begin_with_is_written() {
    let folder = in_repository("target/corpus/recording");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("seed"), targets::seed()).expect("written");
}
