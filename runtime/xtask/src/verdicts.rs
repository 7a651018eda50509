//! `cargo xtask verdicts FOLDER`: what the loader and the Khronos validator say of every model in a folder, side by side.

use crate::ci::{NPM, install_packages};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The validator's side, as JSON.
const SCRIPT: &str = "runtime/xtask/src/verdicts.js";

/// What the validator says of a file.
struct Theirs {
    errors: u64,
    warnings: u64,
    /// Codes of its errors.
    codes: Vec<String>,
}

/// Prints a line a file and a summary.
///
/// # Errors
/// The loader or the validator does not run.
pub fn run(root: &Path, folder: &Path) -> Result<(), String> {
    install_packages(root)?;
    let folder = folder.canonicalize().map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut files = Vec::new();
    models(&folder, &mut files);
    let ours = ours(root, &files)?;
    let theirs = theirs(root, &files)?;
    let mut sums: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    println!("{:<70} {:<16} {:<26} why", "file", "simrun", "validator");
    for file in &files {
        let name = file.strip_prefix(&folder).unwrap_or(file).to_string_lossy().into_owned();
        let refusal = ours.get(file);
        let Some(Theirs { errors, warnings, codes }) = theirs.get(file) else { continue };
        let said = refusal.map_or("loads", |_| "refused");
        let verdict = if *errors > 0 { "errors" } else { "valid" };
        *sums.entry((said, verdict)).or_default() += 1;
        let why = match (refusal, *errors) {
            (None, 1..) => fine(codes),
            (None, 0) => String::new(),
            (Some(refusal), _) => refusal.clone(),
        };
        println!("{name:<70} {said:<16} {:<26} {why}", format!("{errors} errors, {warnings} warnings"));
    }
    println!("\n{} files", files.len());
    sums.iter().for_each(|((said, verdict), count)| println!("  {said}, {verdict} to the validator: {count}"));
    Ok(())
}

/// Why what a code is about does no harm, by how the code begins; the first that fits.
const HARMLESS: &[(&[&str], &str)] = &[
    (&["ACCESSOR_ELEMENT", "ACCESSOR_MAX", "ACCESSOR_MIN"], "bounds as declared are not read"),
    (
        &["ROTATION_NON_UNIT", "NODE_MATRIX", "ACCESSOR_WEIGHTS", "ACCESSOR_JOINTS", "ACCESSOR_INVALID_IBM"],
        "put right as it is read",
    ),
    (
        &["GLB_", "ACCESSOR_", "BUFFER_VIEW_", "VALUE_MULTIPLE", "MESH_PRIMITIVE_ACCESSOR", "SKIN_IBM", "INVALID_IBM"],
        "every read is checked",
    ),
    (&["ANIMATION_DUPLICATE"], "the first counts"),
    (&["IMAGE", "TEXTURE", "CAMERA", "MATERIAL", "KHR_", "MESH_PRIMITIVE_MORPH", "MESH_PRIMITIVES", "IO_ERROR"], "not read"),
];

/// Why a file loads that the validator refuses: only skeleton, skin and clips are read, and what they use is checked.
fn fine(codes: &[String]) -> String {
    let reason = |code: &String| {
        let fits = |starts: &&[&str]| starts.iter().any(|start| code.starts_with(start));
        let known = HARMLESS.iter().find(|(starts, _)| fits(starts)).map(|(_, why)| *why);
        format!("{code}: {}", known.unwrap_or("of nothing that skeleton, skin and clips use"))
    };
    codes.iter().map(reason).collect::<Vec<_>>().join("; ")
}

/// The loader's refusals, by file.
fn ours(root: &Path, files: &[PathBuf]) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--release", "-q", "--bin", "simrun", "--", "check", "--json"]).args(files).current_dir(root);
    let output = command.output().map_err(|why| format!("simrun: {why}"))?;
    let said: Value = serde_json::from_slice(&output.stdout).map_err(|why| format!("simrun check --json: {why}"))?;
    let problems = said["problems"].as_array().into_iter().flatten();
    let text = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
    Ok(problems
        .map(|problem| {
            let path = text(problem, "path");
            let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
            let told =
                format!("{}: {place}{}; accepted: {}", text(problem, "code"), text(problem, "found"), text(problem, "accepted"));
            (PathBuf::from(text(problem, "file")), told)
        })
        .collect())
}

/// The validator's verdicts, by file.
fn theirs(root: &Path, files: &[PathBuf]) -> Result<BTreeMap<PathBuf, Theirs>, String> {
    let output = Command::new("node").arg(root.join(SCRIPT)).arg(root.join(NPM)).args(files).output();
    let output = output.map_err(|why| format!("node: {why}"))?;
    let said: Value = serde_json::from_slice(&output.stdout)
        .map_err(|why| format!("{SCRIPT}: {why}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let verdicts = said.as_object().into_iter().flatten();
    Ok(verdicts
        .map(|(file, verdict)| {
            let codes = verdict["codes"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
            let count = |key: &str| verdict[key].as_u64().unwrap_or_default();
            (PathBuf::from(file), Theirs { errors: count("errors"), warnings: count("warnings"), codes: codes.collect() })
        })
        .collect())
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "glb" || kind == "gltf" || kind == "vrm") {
            found.push(path);
        }
    }
}
