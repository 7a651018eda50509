//! Holds scripts to Luau's strict types, against the definitions of all that they can call: `simrun-types ROOT [FILE…]`, all that is
//! shipped where no file is named. `cargo xtask types` runs it.

mod bundle;

use bundle::Bundle;
use luau_analyze::{Checker, Severity};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What scripts can call.
const DEFINITIONS: &str = "stdlib/types/simrun.d.luau";
/// Where the shipped scripts are.
const FOLDERS: [&str; 2] = ["stdlib", "scripts"];

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let root = args.next().unwrap_or_else(|| PathBuf::from("."));
    match check(&root, args.collect()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("types: {wrong} of what was found is wrong");
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("types: {why}");
            ExitCode::from(2)
        }
    }
}

/// Says all that is wrong, a line each. How much that is.
fn check(root: &Path, files: Vec<PathBuf>) -> Result<usize, String> {
    let mut checker = Checker::new().map_err(|error| error.to_string())?;
    let definitions = read(&root.join(DEFINITIONS))?;
    checker.add_definitions_with_name(&definitions, DEFINITIONS).map_err(|error| error.to_string())?;
    let files = if files.is_empty() { shipped(root)? } else { files };
    let mut wrong = 0;
    for file in &files {
        let bundle = Bundle::of(&read(file)?, |name| read(&root.join("stdlib").join(name).with_extension("luau")))?;
        let found = checker.check(&bundle.text).map_err(|error| format!("{}: {error}", file.display()))?;
        for said in found.diagnostics {
            // What is wrong in a module is told with that module.
            let Some(line) = bundle.line_of(said.line as usize) else { continue };
            let kind = if said.severity == Severity::Error { "" } else { "warning: " };
            let shown = file.strip_prefix(root).unwrap_or(file).display();
            println!("{shown}:{}:{}: {kind}{}", line + 1, said.col + 1, shortened(&said.message));
            wrong += 1;
        }
    }
    println!("types: {} files against {DEFINITIONS}", files.len());
    Ok(wrong)
}

/// One line: a table's type may be longer than the script.
fn shortened(message: &str) -> String {
    const LONGEST: usize = 300;
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST { line } else { line.chars().take(LONGEST).chain(" …".chars()).collect() }
}

fn shipped(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(root.join(folder)).map_err(|why| format!("{folder}: {why}"))?;
        let paths = entries.flatten().map(|entry| entry.path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "luau")));
    }
    files.sort();
    Ok(files)
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_a_script_is_counted_and_what_is_right_is_not() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let file = std::env::temp_dir().join(format!("simrun-types-{}.luau", std::process::id()));
        let wrong = |line: &str| {
            let text = format!(
                "local vectors = require(\"@std/vectors\")\nlocal function step(fig: Figure, p: {{ near: number }})\n\t{line}\nend\nreturn step\n"
            );
            std::fs::write(&file, text).unwrap();
            check(&root, vec![file.clone()]).unwrap()
        };
        assert_eq!(wrong("motion.point(fig, Bone.chest, vectors.up * p.near)"), 0);
        for line in [
            "motion.point(fig, Bone.chest, vectors.upp * p.near)",
            "motion.point(fig, Bone.chst, vectors.up * p.near)",
            "motion.piont(fig, Bone.chest, vectors.up * p.near)",
            "motion.point(fig, Bone.chest, vectors.up * p.nere)",
            "motion.point(fig, Bone.chest, p.near)",
            "fig:hti(\"chest\", vectors.up, vectors.up)",
        ] {
            assert!(wrong(line) > 0, "{line}");
        }
        std::fs::remove_file(&file).unwrap();
    }
}
