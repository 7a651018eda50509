//! Live sessions: what was typed and saved is in the recording, and comes to the same bits again.

use super::control::Served;
use super::{Ran, simrun, street};
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
    let expected = [&typed[..], &[reload, more[0], reload, more[1], reload, more[2]], &more[3..], &[":step 1", ":quit"]].concat();
    assert_eq!(lines, expected);
    let kept = |text: &String| {
        notes
            .iter()
            .any(|note| matches!(note, Note::Text { path, text: kept } if path == "scripts/protective_fall.luau" && kept == text))
    };
    assert!(texts.iter().all(kept), "every text that ran is there");
    assert!(notes.iter().any(|note| matches!(note, Note::Text { path, .. } if path == "stdlib/legs.luau")), "modules too");
}

fn test(folder: &Path) -> Ran {
    simrun(&["test", &folder.join("tests").display().to_string()], "")
}

#[test]
fn a_live_session_becomes_a_test() {
    let folder = street();
    let file = folder.path().join("live.rec").display().to_string();
    let served = Served::with(&folder.path().join("scenes/s.json"), &["--record", &file, "--seed", "7"]);
    let mut client = served.client();
    for line in [
        ":pause",
        "size = 300",
        "for _, name in { 'ann' } do\nscene.find(name):hit('chest', vector.create(0, 0, size))\nend",
        ":step 200",
        ":revert",
        ":rewind 3.25",
        ":step 195",
        "scene.save('saved.json')",
        ":step 1",
        ":quit",
    ] {
        client.ask(line);
    }
    served.ended();
    let args = ["replay", &file, "--as-test", "ann_falls"];
    let ran = simrun(&args, "");
    let path = folder.path().join("tests/ann_falls.test.json");
    assert!(ran.code == Some(0) && ran.stderr.contains("ann_falls.test.json; `simrun test` runs it"), "{}", ran.stderr);
    let again = simrun(&args, "");
    assert!(again.code == Some(2) && again.stderr.contains("is there already; accepted: another name"), "{}", again.stderr);
    let text = std::fs::read_to_string(&path).expect("it is written");
    let form: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(form["scene"], "../scenes/s.json");
    let after: Vec<u64> = form["lines"].as_array().expect("lines").iter().filter_map(|line| line["after"].as_u64()).collect();
    // It may have gone on for a step or two before it was paused.
    let steps = after[0] + 396;
    assert_eq!(after, [0, 0, 0, 200, 200, 395, 395].map(|step| after[0] + step), "{text}");
    assert_eq!(form["steps"], steps);
    assert_eq!(form["figures"]["ann"]["fell"], true);

    std::fs::remove_file(folder.path().join("scenes/saved.json")).expect("the session has saved it");
    let ran = test(folder.path());
    assert!(
        ran.code == Some(0) && ran.stdout.ends_with(&format!("ann_falls.test.json: {steps} steps, to the bit\n")),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert!(!folder.path().join("scenes/saved.json").exists(), "a test writes nothing");

    edit(folder.path(), "0.99");
    let ran = test(folder.path());
    assert!(ran.code == Some(0) && ran.stdout.contains("(other scripts: not to the bit)"), "{}{}", ran.stdout, ran.stderr);
    std::fs::write(folder.path().join("scripts/protective_fall.luau"), "return { step = function() end }\n").expect("a file");
    let ran = test(folder.path());
    assert!(ran.code == Some(1) && ran.stdout.contains("FAILED  ") && ran.stdout.contains("ann head_mps "), "{}", ran.stdout);

    for (from, to, said) in [
        ("\n  \"steps\": ", "\n  \"setps\": ", "unknown field `setps`"),
        ("\"--seed=7\"", "\"--sede=7\"", "args: unexpected argument '--sede' found"),
        ("../scenes/s.json", "../scenes/t.json", "there is no such file"),
        ("\"fell\": true", "\"fell\": 1", "invalid type"),
    ] {
        std::fs::write(&path, text.replace(from, to)).expect("a file");
        let ran = test(folder.path());
        let told = ran.stdout.starts_with("FAILED  ") && ran.stdout.contains(said) && ran.stdout.lines().count() == 1;
        assert!(ran.code == Some(1) && told && ran.stderr.is_empty(), "{said}: {}{}", ran.stdout, ran.stderr);
        let checked = simrun(&["check", &path.display().to_string()], "");
        let told = checked.stderr.contains(said) && checked.stderr.lines().count() == 1;
        assert!(checked.code == Some(2) && told, "{said}: {}", checked.stderr);
    }
    // Those beside one that is none are run.
    let beside = path.with_file_name("a.test.json");
    std::fs::write(&path, text).expect("a file");
    std::fs::write(&beside, "{ \"scene\": 1 }").expect("a file");
    let ran = test(folder.path());
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let told = matches!(lines[..], [first, then] if first.contains("invalid type") && then.contains("ann head_mps "));
    assert!(ran.code == Some(1) && told, "{}", ran.stdout);
    std::fs::remove_file(&beside).expect("gone");
    std::fs::remove_file(&path).expect("gone");
    let ran = test(folder.path());
    assert!(
        ran.code == Some(2) && ran.stderr.contains("no tests there; accepted: files that end in .test.json"),
        "{}",
        ran.stderr
    );
}

/// What the scenes here are held to.
#[test]
fn sessions_that_were_kept_come_out_as_they_did() {
    let ran = simrun(&["test", "tests/sessions"], "");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}
