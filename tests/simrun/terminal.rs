//! The prompt at a terminal, in a pty.
#![cfg(unix)]

use super::{binary, small_scene};
use expectrl::Session;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn start(folder: &Path) -> Session {
    let mut command = Command::new(binary());
    command.arg(folder.join("s.json")).env("XDG_STATE_HOME", folder).env("TERM", "xterm").env("NO_COLOR", "1");
    let mut session = Session::spawn(command).expect("a pty");
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    session.expect("> ").expect("a prompt");
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
