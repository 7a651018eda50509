//! The tutorial of REPL.md, done as a person does it: lines typed at a terminal, files edited beside it.

use super::{repository, street};
use expectrl::Session;
use std::path::Path;

/// What stands between what is always the same: numbers, times, what else is said meanwhile.
const ANYTHING: char = '…';

/// What a block of the tutorial holds.
enum Block {
    /// Lines that are typed, and those that are seen.
    Prompt(Vec<String>),
    /// A file, and what is done to it.
    Edit(String, Vec<String>),
}

fn blocks(manual: &str) -> Vec<Block> {
    let tutorial = manual.split("## A first hour").nth(1).expect("there is a tutorial");
    let tutorial = tutorial.split("\n## ").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in tutorial.lines() {
        match &mut open {
            None if line == "```text" => open = Some(Block::Prompt(Vec::new())),
            None => open = line.strip_prefix("```diff ").map(|file| Block::Edit(file.to_owned(), Vec::new())),
            Some(_) if line == "```" => found.extend(open.take()),
            Some(Block::Prompt(lines) | Block::Edit(_, lines)) => lines.push(line.to_owned()),
        }
    }
    found
}

/// Replaces what follows `-` by what follows `+`.
fn edit(file: &Path, lines: &[String]) {
    let marked = |mark: char| lines.iter().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>().join("\n");
    let (before, after) = (marked('-'), marked('+'));
    let text = std::fs::read_to_string(file).expect("it is there");
    assert_eq!(text.matches(&before).count(), 1, "{before} stands once in {}", file.display());
    std::fs::write(file, text.replacen(&before, &after, 1)).expect("a file");
}

fn type_and_see(session: &mut Session, lines: &[String]) {
    for line in lines {
        match line.strip_prefix("> ") {
            Some(typed) => session.send_line(typed).expect("a line"),
            None => line.split(ANYTHING).filter(|part| !part.trim().is_empty()).for_each(|part| {
                session.expect(part).unwrap_or_else(|error| panic!("{part:?} of {line:?}: {error}"));
            }),
        }
    }
}

#[test]
fn the_tutorial_goes_as_it_says() {
    let folder = street();
    let scripts = folder.path().join("scripts");
    // What takes a person's machine half a minute.
    edit(&scripts.join("protective_fall.luau"), &["-runs = 12".to_owned(), "+runs = 2".to_owned()]);
    let manual = std::fs::read_to_string(repository().join("REPL.md")).expect("there is a manual");
    let blocks = blocks(&manual);
    assert!(blocks.len() >= 6, "it goes from a first run to a behaviour that is kept");
    let mut session = super::terminal::start(&folder.path().join("scenes"));
    for block in &blocks {
        match block {
            Block::Prompt(lines) => type_and_see(&mut session, lines),
            Block::Edit(file, lines) => edit(&folder.path().join(file), lines),
        }
    }
    session.expect(expectrl::Eof).expect("it ends");
    assert!(scripts.join(".edited/protective_fall.1.luau").exists(), "what was taken back is not lost");
    let kept = std::fs::read_to_string(scripts.join("protective_fall.luau")).expect("it is there");
    assert!(kept.contains("tuck = { default = 1.1,"), "what was kept is in the file");
}
