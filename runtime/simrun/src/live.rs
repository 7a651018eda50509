//! At a terminal: real time, a prompt, watched scripts, until the person leaves.

use crate::Failure;
use crate::clock::Clock;
use crate::prompt::{self, Answer, Message};
use crate::session::{Reply, Session};
use crate::watch::{self, Change};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long the loop sleeps while the clock stands.
const IDLE: Duration = Duration::from_millis(50);

/// Runs until somebody asks for the end, or to `seconds` if the person said so.
///
/// # Errors
/// A terminal that cannot be used.
pub fn run(session: &mut Session, seconds: Option<f64>, poll: bool) -> Result<(), Failure> {
    let (messages, inbox) = channel();
    let changes = messages.clone();
    let tell = move |change| changes.send(Message::Changed(change)).is_ok();
    let watch = watch::watch(session.folder().root(), session.file(), poll, tell);
    if let Err(error) = &watch {
        session.console().error(&format!("scripts are not watched: {error}; :reload reads them again"));
    }
    let prompt = prompt::start(messages, session.console()).map_err(|error| Failure::of(error.to_string()))?;
    let mut clock = Clock::new(Instant::now());
    let stopped = |session: &Session| session.wants_quit() || session.stop().load(Ordering::Relaxed);
    while !stopped(session) && seconds.is_none_or(|end| session.world().time() < end) {
        let rate = session.speed() * f64::from(session.world().settings().step_hz);
        let wait = if session.is_paused() {
            clock.skip(Instant::now());
            IDLE
        } else {
            for _ in 0..clock.due(Instant::now(), rate) {
                session.step();
            }
            clock.wait(rate)
        };
        if !attend(session, &inbox, wait) {
            break;
        }
    }
    prompt.stop();
    Ok(())
}

/// Answers what comes in within a time; `false` when the person has left.
fn attend(session: &mut Session, inbox: &Receiver<Message>, wait: Duration) -> bool {
    let until = Instant::now() + wait;
    while let Ok(message) = inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
        match message {
            Message::Line { text, answer } => {
                let reply = session.line(&text);
                // While a line runs Ctrl-C is a signal that ends the line; at the prompt it is a key.
                session.stop().store(false, Ordering::Relaxed);
                let text = match &reply {
                    Reply::Value(text) => Some(text.clone()),
                    Reply::Error(text) => Some(session.console().red(text)),
                    Reply::Nothing | Reply::More => None,
                };
                let quit = session.wants_quit();
                // A prompt that is gone needs no answer.
                let _ = answer.send(Answer { text, more: reply == Reply::More, quit });
                if quit {
                    return true;
                }
            }
            Message::Complete { line, at, answer } => {
                let _ = answer.send(session.complete(&line, at));
            }
            Message::Abandon => {
                session.abandon();
            }
            Message::Changed(change) => changed(session, change),
            Message::Leave => return false,
        }
    }
    true
}

fn changed(session: &mut Session, change: Change) {
    match change {
        Change::Written(name) => match session.reload(&name) {
            Reply::Value(text) => session.console().note(&text),
            reply => session.say(&reply),
        },
        Change::Gone(name) => session.console().error(&format!("scripts/{name}.luau is gone; the loaded one goes on")),
        Change::Scene => session.console().note("the scene's file has changed; start again to see it"),
    }
}
