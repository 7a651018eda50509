//! REPL.md's transcripts are run: what the manual shows is what a person sees.

use super::{repository, seen};

/// A block of the manual: the command's arguments, and its lines.
struct Transcript {
    args: Vec<String>,
    lines: Vec<String>,
    at: usize,
}

fn transcripts(manual: &str) -> Vec<Transcript> {
    let mut found = Vec::new();
    let mut open: Option<Transcript> = None;
    for (index, line) in manual.lines().enumerate() {
        match (&mut open, line.strip_prefix("```simrun")) {
            (None, Some(args)) => {
                let args = args.split_whitespace().map(str::to_owned).collect();
                open = Some(Transcript { args, lines: Vec::new(), at: index + 1 });
            }
            (Some(_), _) if line == "```" => found.extend(open.take()),
            (Some(transcript), _) => transcript.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    found
}

/// What a person typed on a line, if it is one of theirs.
fn typed(line: &str) -> Option<&str> {
    line.strip_prefix(">> ").or_else(|| line.strip_prefix("> "))
}

#[test]
fn the_manual_shows_what_a_person_sees() {
    let manual = std::fs::read_to_string(repository().join("REPL.md")).expect("there is a manual");
    let transcripts = transcripts(&manual);
    assert!(transcripts.len() >= 5, "the manual shows how things are done");
    for Transcript { args, lines, at } in transcripts {
        let input: String = lines.iter().filter_map(|line| typed(line)).map(|line| format!("{line}\n")).collect();
        let expected: Vec<&str> = lines.iter().filter(|line| typed(line).is_none()).map(|line| line.trim_end()).collect();
        let seen = seen(&args, &format!("{input}:quit\n"));
        let seen: Vec<&str> = seen.lines().map(str::trim_end).collect();
        assert_eq!(seen, expected, "the transcript at line {at} of REPL.md");
    }
}
