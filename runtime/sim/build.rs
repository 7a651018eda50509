//! Names the build: recordings of one build are checked bit by bit only by the same. The name goes by the sources of the simulation
//! and the versions that are locked, not by profile: debug and release give the same bits.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    let lock = PathBuf::from("../../Cargo.lock");
    // A published crate has no lock beside it: the one who builds it has.
    if lock.exists() {
        println!("cargo:rerun-if-changed={}", lock.display());
        files.push(lock);
    }
    let hash = files.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, file| {
        let text = std::fs::read(file).unwrap_or_default();
        // Line ends differ between checkouts.
        text.iter()
            .filter(|byte| **byte != b'\r')
            .fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    });
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    println!("cargo:rustc-env=SIMRUN_BUILD={} {arch} {hash:016x}", std::env::var("CARGO_PKG_VERSION").unwrap_or_default());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}
