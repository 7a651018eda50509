//! The prompt at a terminal, in a pty.
#![cfg(unix)]

use super::control::Client;
use super::{binary, small_scene, street};
use expectrl::Session;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

pub fn start(folder: &Path) -> Session {
    let mut session = begin(folder, &[]);
    session.expect("> ").expect("a prompt");
    session
}

/// Begins a scene in a pty; a prompt has yet to come.
fn begin(folder: &Path, args: &[&str]) -> Session {
    let mut command = Command::new(binary());
    command.arg(folder.join("s.json")).args(args).env("XDG_STATE_HOME", folder).env("TERM", "xterm").env("NO_COLOR", "1");
    let mut session = Session::spawn(command).expect("a pty");
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    session
}

fn save(folder: &Path, text: &str) {
    std::fs::write(folder.join("scripts/boss.luau"), text).expect("a file");
}

#[test]
fn lines_are_evaluated_completed_and_kept_for_the_next_run() {
    let folder = small_scene();
    let mut session = start(folder.path());
    session.send_line("20 + 22").expect("a line");
    session.expect("42").expect("its value");
    session.send("sim.ti\t").expect("a key");
    session.expect("sim.time").expect("completion");
    session.send("\x15:quit\r").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
    let history = std::fs::read_to_string(folder.path().join("simrun/history")).expect("a history");
    assert!(history.contains("20 + 22"), "{history}");
}

#[test]
fn lines_typed_ahead_are_all_run() {
    let folder = small_scene();
    let mut session = start(folder.path());
    session.send("print(11 * 11)\rprint(12 * 12)\rprint(13 * 13)\r").expect("three lines at once");
    for value in ["121", "144", "169"] {
        session.expect(value).expect("its value");
    }
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

#[test]
fn a_saved_script_is_swapped_and_a_broken_one_is_not() {
    let folder = small_scene();
    let mut session = start(folder.path());
    save(folder.path(), "return { step = function(state, dt) state.n = 1 end }\n");
    session.expect("reloaded boss (state kept)").expect("a good save is swapped in");
    save(folder.path(), "return { step = function(state, dt) \n");
    session.expect("scripts/boss.luau:").expect("a broken one says where");
    session.expect("the loaded boss goes on").expect("and leaves the good one running");
    save(folder.path(), "return { step = function(state, dt) state.n = 2 end }\n");
    session.expect("reloaded boss (state kept)").expect("mended, it is swapped in");
    // Saved as vim and helix do: written beside, and renamed.
    let beside = folder.path().join("scripts/.boss.tmp");
    std::fs::write(&beside, "return { step = function(state, dt) state.n = 3 end }\n").expect("a file");
    std::fs::rename(&beside, folder.path().join("scripts/boss.luau")).expect("a new name");
    session.expect("reloaded boss (state kept)").expect("a renamed one is noticed");
    std::fs::remove_file(folder.path().join("scripts/boss.luau")).expect("it was there");
    session.expect("scripts/boss.luau is gone; the loaded one goes on").expect("a deleted one is told");
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

#[test]
fn the_same_blow_again_with_an_edited_behaviour() {
    let folder = street();
    let mut session = begin(&folder.path().join("scenes"), &["--control", "0", "--token", "sesame"]);
    let said = session.expect(expectrl::Regex("control port 127.0.0.1:([0-9]+),")).expect("it says where");
    let port = std::str::from_utf8(&said[1]).ok().and_then(|port| port.parse().ok()).expect("a port");
    session.expect("> ").expect("a prompt");
    session.send_line(":pause").expect("a line");
    session.send_line(":mark shove").expect("a line");
    session.send_line("ann:hit('chest', vector.create(0, 0, 300)) sim.advance(150) return 'over'").expect("a line");
    session.expect("\"over\"").expect("it is over");
    let file = folder.path().join("scripts/protective_fall.luau");
    let text = std::fs::read_to_string(&file).expect("it is there");
    let at = text.find("tuck = {").expect("a parameter");
    let value = at + text[at..].find("default = ").expect("a default") + "default = ".len();
    let end = value + text[value..].find([',', ' ', '}']).expect("its end");
    std::fs::write(&file, format!("{}0{}", &text[..value], &text[end..])).expect("a file");
    session.expect("reloaded protective_fall").expect("it is swapped in");
    let mut client = Client::open(port);
    client.send(&json!({ "id": 1, "subscribe": ["frames"], "every": 5 }));
    client.receive();
    session.send_line(":again shove").expect("a line");
    session.expect("2.500 s\r\n").expect("the same blow, to the same length");
    session.expect(" → ").expect("and what has changed");
    // The run as it was is shown beside the one that is, step by step.
    client.send(&json!({ "id": 2, "line": "" }));
    let frames: Vec<Value> = std::iter::repeat_with(|| client.receive()).take_while(|line| line["id"] != 2).collect();
    let apart = |line: &Value, name: &str| line["frame"]["ghost"][name] != line["frame"]["figures"][name]["bones"];
    assert!(frames.len() == 30 && frames.iter().all(|line| line["frame"]["ghost"]["ann"].is_array()), "{} frames", frames.len());
    assert!(
        apart(&frames[29], "ann") && !frames.iter().any(|line| apart(line, "dan")),
        "of ann, who has been struck, and not of dan"
    );
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

#[test]
fn functions_are_listed_with_their_parameters() {
    let folder = small_scene();
    let mut session = start(folder.path());
    session.send("physics.set_v\t").expect("a key");
    session.expect("physics.set_velocity").expect("one that fits is put in");
    session.send("\x15physics.\t").expect("a key");
    session.expect("raycast(from, direction, reach)").expect("a call with its parameters");
    session.expect("{ point, normal").expect("what it returns");
    session.expect("set_velocity(object, linear, angular?)").expect("a call with its parameters");
    session.send("\x15crate:\t").expect("a key");
    session.expect("put(position, rotation?)").expect("behind a colon the object stands before it");
    session.send("\x15:s\t").expect("a key");
    session.expect("simulated seconds a second").expect("commands too");
    session.send("\x15:quit\r").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

/// What stands in the last line of a terminal that was sent this: enough of one for an editor of lines.
fn last_line(sent: &str) -> String {
    let (mut line, mut at): (Vec<char>, usize) = (Vec::new(), 0);
    let mut letters = sent.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => at = 0,
            '\n' => (line, at) = (Vec::new(), 0),
            '\x1b' => {
                let mut sequence = String::new();
                for letter in letters.by_ref() {
                    sequence.push(letter);
                    if letter.is_ascii_alphabetic() {
                        break;
                    }
                }
                let count = sequence.trim_start_matches('[').trim_end_matches(char::is_alphabetic).parse().unwrap_or(1);
                match sequence.pop() {
                    Some('C') => at += count,
                    Some('D') => at = at.saturating_sub(count),
                    Some('K' | 'J') => line.truncate(at),
                    _ => {}
                }
            }
            letter if letter.is_control() => {}
            letter => {
                line.resize(line.len().max(at + 1), ' ');
                line[at] = letter;
                at += 1;
            }
        }
    }
    line.into_iter().collect()
}

#[test]
fn lines_of_the_log_do_not_break_into_the_line_that_is_typed() {
    let folder = small_scene();
    let mut session = start(folder.path());
    session.send_line("sim.every(0.1, function() print('tick', sim.step()) end)").expect("a line");
    session.expect("tick").expect("the log goes on");
    let typed = "print('whole', 6 * 7, 'line')";
    let mut seen = String::new();
    for letter in typed.chars() {
        session.send(letter.to_string()).expect("a key");
        std::thread::sleep(Duration::from_millis(60));
        seen += &read(&mut session);
    }
    let ticks = seen.matches("tick ").count();
    assert!(ticks >= 5, "the log goes on while the line is typed: {ticks} lines in {seen:?}");
    for line in seen.split('\n').filter(|line| line.contains("tick ")) {
        let line = last_line(line);
        let line = line.trim_end();
        let number = line.strip_prefix("tick ").unwrap_or_default();
        assert!(!number.is_empty() && number.chars().all(|c| c.is_ascii_digit()), "a line of the log and nothing else: {line:?}");
    }
    assert_eq!(last_line(&seen).trim_end(), format!("> {typed}"), "what was typed stands whole behind the prompt");
    session.send("\r").expect("a key");
    session.expect("whole 42 line").expect("it runs as it was typed");
    session.send_line(":quit").expect("the end");
    session.expect(expectrl::Eof).expect("it ends");
}

/// What has come up to now.
fn read(session: &mut Session) -> String {
    let mut bytes = [0; 4096];
    let count = session.try_read(&mut bytes).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}
