//! Every malformed model that there is, each in a process of its own under limits: it loads, or gives one clear error.

use super::binary;
use crate::support::models_below;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// Seconds of the processor, and KiB of address space, that a file may take.
const SECONDS: u32 = 5;
const MEMORY: u64 = 1 << 20;

fn check(file: &Path) -> Output {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY}; ulimit -t {SECONDS}; exec \"$0\" \"$@\"")]).arg(binary());
        shell
    } else {
        Command::new(binary())
    };
    command.arg("check").arg(file).stdin(Stdio::null()).output().expect("the command starts")
}

#[test]
fn every_malformed_model_loads_or_is_refused_within_limits() {
    let files: Vec<_> = ["derived/malformed", "malformed/khronos-validator"].into_iter().flat_map(models_below).collect();
    let wrong = Mutex::new(Vec::new());
    let refused = Mutex::new(0);
    let start = Instant::now();
    let (wrong_files, count) = (&wrong, &refused);
    std::thread::scope(|scope| {
        for part in files.chunks(files.len().div_ceil(4).max(1)) {
            scope.spawn(move || {
                for file in part {
                    let output = check(file);
                    let said = String::from_utf8_lossy(&output.stderr);
                    let errors = said.lines().filter(|line| line.starts_with("error: ")).count();
                    let fine = match output.status.code() {
                        Some(0) => errors == 0,
                        Some(2) => errors == 1 && !said.contains("panicked"),
                        _ => false,
                    };
                    if !fine {
                        wrong_files.lock().expect("no panic").push(format!("{}: {}\n{said}", file.display(), output.status));
                    }
                    *count.lock().expect("no panic") += errors;
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let refused = refused.into_inner().expect("no panic");
    println!("{} files, {refused} refused, in {:.1} s", files.len(), start.elapsed().as_secs_f64());
}
