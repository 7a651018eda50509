//! Live sessions: what was typed and saved is in the recording, and comes to the same bits again.

use super::control::Served;
use super::{simrun, street};
use simrun_sim::record::{Note, Recording};
use std::path::Path;

/// Sets the default of a parameter of the street's protective fall.
fn edit(folder: &Path, value: &str) -> String {
    let file = folder.join("scripts/protective_fall.luau");
    let text = std::fs::read_to_string(&file).expect("it is there");
    let at = text.find("tuck = { default = ").expect("a parameter") + "tuck = { default = ".len();
    let end = at + text[at..].find(',').expect("its end");
    let text = format!("{}{value}{}", &text[..at], &text[end..]);
    std::fs::write(&file, &text).expect("a file");
    text
}

#[test]
fn a_live_session_comes_to_the_same_bits_without_its_scripts() {
    let folder = street();
    let file = folder.path().join("live.rec").display().to_string();
    let served = Served::with(&folder.path().join("scenes/s.json"), &["--record", &file, "--seed", "7"]);
    let mut client = served.client();
    let blow = "ann:hit('chest', vector.create(0, 0, 300))";
    let typed = [":pause", "gap = 20", "sim.advance(gap)", blow, "sim.advance(60)", ":rewind 0.5"];
    let more = [":step 70", ":again", ":step 30", "ben:set_strength(0.5)", "gap * 2"];
    let mut said = String::new();
    let mut ask = |line: &str| said = client.ask(line).to_string();
    typed.iter().for_each(|line| ask(line));
    let mut texts = Vec::new();
    for (value, line) in ["0", "0.4", "0.8"].into_iter().zip(more) {
        texts.push(edit(folder.path(), value));
        ask(":reload protective_fall");
        ask(line);
    }
    more[3..].iter().for_each(|line| ask(line));
    // What was noted before the last step is written with it.
    ask(":step 1");
    ask(":quit");
    served.ended();
    for part in ["scenes", "scripts"] {
        std::fs::remove_dir_all(folder.path().join(part)).expect("gone");
    }
    let ran = simrun(&["replay", &file, "--check"], "");
    assert!(ran.code == Some(0) && ran.stderr.contains("come to the same bits"), "{}", ran.stderr);

    let recording = Recording::decode(&std::fs::read(&file).expect("it is there")).expect("whole");
    let notes: Vec<&Note> = recording.notes().map(|(_, note)| note).collect();
    assert!(matches!(notes[0], Note::Began(args) if args[0].ends_with("s.json") && args[1..] == ["--seed=7"]), "{:?}", notes[0]);
    let lines: Vec<&str> =
        notes.iter().filter_map(|note| if let Note::Line(line) = note { Some(line.as_str()) } else { None }).collect();
    let reload = ":reload protective_fall";
    let expected = [&typed[..], &[reload, more[0], reload, more[1], reload, more[2]], &more[3..], &[":step 1"]].concat();
    assert_eq!(lines, expected);
    let kept = |text: &String| {
        notes
            .iter()
            .any(|note| matches!(note, Note::Text { path, text: kept } if path == "scripts/protective_fall.luau" && kept == text))
    };
    assert!(texts.iter().all(kept), "every text that ran is there");
    assert!(notes.iter().any(|note| matches!(note, Note::Text { path, .. } if path == "stdlib/legs.luau")), "modules too");
}
