//! In real time: a prompt at a terminal, watched scripts, the control port, until the person leaves.

use crate::Failure;
use crate::args::Run;
use crate::clock::Clock;
use crate::control::{self, Request, protocol};
use crate::prompt::{self, Answer, Message};
use crate::session::{Reply, Session};
use crate::watch::{self, Change};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long the loop sleeps while the clock stands.
const IDLE: Duration = Duration::from_millis(50);

/// The most that messages hold up the next step where they come without end: a quarter of it at 60 Hz.
const CROWDED: Duration = Duration::from_millis(4);

/// Runs until somebody asks for the end, or to the time that the person said. The prompt is for a terminal.
///
/// # Errors
/// A terminal or a port that cannot be used.
pub fn run(session: &mut Session, args: &Run, at_terminal: bool) -> Result<(), Failure> {
    let (messages, inbox) = channel();
    let changes = messages.clone();
    let tell = move |change| changes.send(Message::Changed(change)).is_ok();
    let watch = watch::watch(session.folder().root(), session.file(), args.poll, tell);
    if let Err(error) = &watch {
        session.console().error(&format!("scripts are not watched: {error}; :reload reads them again"));
    }
    if let Some(port) = args.control {
        let served = control::serve(port, args.token.as_deref(), messages.clone());
        let address = served.map_err(|error| Failure::of(format!("--control {port}: {error}")))?;
        session.console().note(&format!("control port 127.0.0.1:{}, token {}", address.port, address.token));
    }
    let prompt = at_terminal.then(|| prompt::start(messages, session.console()));
    let prompt = prompt.transpose().map_err(|error| Failure::of(error.to_string()))?;
    session.go_live();
    let seconds = args.seconds;
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
        session.attend_measures(false);
        session.attend_tuning();
        if !attend(session, &inbox, wait) {
            break;
        }
    }
    if let Some(prompt) = prompt {
        prompt.stop();
    }
    Ok(())
}

/// Answers what comes in within a time; `false` when the person has left.
fn attend(session: &mut Session, inbox: &Receiver<Message>, wait: Duration) -> bool {
    let until = Instant::now() + wait;
    while let Ok(message) = inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
        if !answer(session, message) {
            return false;
        }
        if session.wants_quit() || Instant::now() > until + CROWDED {
            break;
        }
    }
    true
}

/// Answers one message; `false` when the person has left.
fn answer(session: &mut Session, message: Message) -> bool {
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
        }
        Message::Complete { line, at, answer } => {
            let _ = answer.send(session.complete(&line, at));
        }
        Message::Abandon => {
            session.abandon();
        }
        Message::Changed(change) => changed(session, change),
        Message::Joined { client, lines } => session.hub().join(client, lines),
        Message::Asked { client, request } => {
            let line = asked(session, client, &request);
            session.hub().answer(client, line);
        }
        Message::Left(client) => session.hub().leave(client),
        Message::Leave => return false,
    }
    true
}

/// What a client's request comes to.
fn asked(session: &mut Session, client: u64, request: &Request) -> String {
    if let Some(line) = &request.line {
        let (reply, printed) = session.whole_line(line);
        session.stop().store(false, Ordering::Relaxed);
        return protocol::answered(&request.id, &reply, &printed);
    }
    match request.subscription() {
        Ok((events, frames)) => {
            session.hub().subscribe(client, events, frames);
            protocol::answered(&request.id, &Reply::Nothing, &[])
        }
        Err(why) => protocol::refused(&request.id, &why),
    }
}

fn changed(session: &mut Session, change: Change) {
    for name in change.gone {
        session.console().error(&format!("scripts/{name}.luau is gone; the loaded one goes on"));
    }
    if change.scene {
        session.console().note("the scene's file has changed; start again to see it");
    }
    if !change.written.is_empty() {
        session.saved(&change.written);
    }
}
