//! Without a person: lines from a pipe, then the scene to its end, as fast as it goes.

use crate::session::{Reply, Session};
use std::io::{BufRead, IsTerminal};
use std::string::FromUtf8Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Seconds of simulation where neither the scene nor the person says.
const SECONDS: f64 = 10.0;
/// How long a pipe may stay silent before the run begins without it: a parent that leaves its end open would hold it for ever.
const SILENCE: Duration = Duration::from_secs(2);

/// Runs to `seconds`, or the scene's. Whether it got there: not if somebody asked for the end before.
pub fn run(session: &mut Session, seconds: Option<f64>) -> bool {
    let stop = Arc::clone(session.stop());
    if !std::io::stdin().is_terminal() {
        piped(session);
    }
    let seconds = seconds.or_else(|| session.scene_seconds()).unwrap_or(SECONDS);
    let steps = (seconds * f64::from(session.world().settings().step_hz)).round() as u64;
    while session.world().step_index() < steps && !session.wants_quit() && !stop.load(Ordering::Relaxed) {
        session.step();
    }
    !session.wants_quit()
}

/// Runs the lines of a pipe in order, before the first step.
fn piped(session: &mut Session) {
    let lines = reader();
    let mut patience = SILENCE;
    loop {
        match lines.recv_timeout(patience) {
            Ok(line) => {
                let reply = line.map_or_else(
                    |_| Reply::Error("a line of standard input is not UTF-8: it is left out".to_owned()),
                    |line| session.line(&line),
                );
                session.say(&reply);
                if session.wants_quit() || session.stop().load(Ordering::Relaxed) {
                    return;
                }
                // It speaks: its end is waited for.
                patience = Duration::MAX;
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                session.console().note("standard input is open and silent: the run begins without it");
                break;
            }
        }
    }
    if session.abandon() {
        session.say(&Reply::Error("the last lines are not complete".to_owned()));
    }
}

/// Lines of standard input, each as text or as what is none.
fn reader() -> Receiver<Result<String, FromUtf8Error>> {
    let (lines, receiver) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().split(b'\n') {
            // Neither an input that breaks off nor a run that is over leaves anything to do.
            let Ok(mut line) = line else { return };
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            if lines.send(String::from_utf8(line)).is_err() {
                return;
            }
        }
    });
    receiver
}
