//! The control port: what the prompt can do, over a loopback socket, as lines of JSON. See `CONTROL.md` for the protocol.
//!
//! A client has two threads, one that reads and one that writes. Requests go to the simulation's thread as messages and are answered
//! there, between two steps, in the order in which they came; what is published goes through a bounded queue, so that a client that does
//! not read holds nobody up.

pub mod protocol;
mod server;

pub use protocol::Request;
pub use server::serve;

use crate::moment::Frame;
use protocol::{event_json, frame_json};
use simrun_sim::World;
use std::sync::mpsc::{SyncSender, TrySendError};

/// Lines that wait for a client: two seconds of frames, or the answers to a thousand requests.
const WAITING: usize = 1024;

/// A client as the simulation knows it.
#[derive(Debug)]
pub struct Client {
    number: u64,
    lines: SyncSender<String>,
    /// Whether it hears of events.
    events: bool,
    /// Steps between two frames that it is sent; 0 for none.
    frames: u64,
}

/// Every client.
#[derive(Debug, Default)]
pub struct Hub {
    clients: Vec<Client>,
}

impl Hub {
    /// A client has shown the token.
    pub fn join(&mut self, number: u64, lines: SyncSender<String>) {
        self.clients.push(Client { number, lines, events: false, frames: 0 });
    }

    /// A client is gone.
    pub fn leave(&mut self, number: u64) {
        self.clients.retain(|client| client.number != number);
    }

    /// What a client hears of from now on.
    pub fn subscribe(&mut self, number: u64, events: bool, frames: u64) {
        if let Some(client) = self.clients.iter_mut().find(|client| client.number == number) {
            (client.events, client.frames) = (events, frames);
        }
    }

    /// Sends a client an answer. One that lets a thousand of them lie is dropped.
    pub fn answer(&mut self, number: u64, line: String) {
        self.clients.retain(|client| client.number != number || client.lines.try_send(line.clone()).is_ok());
    }

    /// Whether anybody sees frames.
    pub fn shows_frames(&self) -> bool {
        self.clients.iter().any(|client| client.frames > 0)
    }

    /// Tells of a step. Who does not read misses frames and events.
    pub fn after_step(&mut self, world: &World, ghost: &[Frame]) {
        let step = world.step_index();
        if self.clients.iter().any(|client| client.events) {
            for event in world.events() {
                let line = event_json(world, event);
                self.publish(&line, |client| client.events);
            }
        }
        let due = |client: &Client| client.frames > 0 && step.is_multiple_of(client.frames);
        if self.clients.iter().any(due) {
            let line = frame_json(world, ghost.iter().find(|frame| frame.step == step));
            self.publish(&line, due);
        }
    }

    fn publish(&mut self, line: &str, to: impl Fn(&Client) -> bool) {
        self.clients.retain(|client| {
            !to(client) || !matches!(client.lines.try_send(line.to_owned()), Err(TrySendError::Disconnected(_)))
        });
    }
}
