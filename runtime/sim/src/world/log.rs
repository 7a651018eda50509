//! What happened, kept for as long as somebody may still ask.

use crate::event::Event;
use serde::{Deserialize, Serialize};

/// Events in order. Scripts hear each once, in DECIDE; observers see those of a step once it has ended.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct EventLog {
    events: Vec<Event>,
    /// Where the events begin that DECIDE has not heard.
    unheard: usize,
    /// Where the events of the last step begin.
    last_step: usize,
    /// Where the last step ended.
    ended: usize,
}

impl EventLog {
    /// Whether its marks stand within its events.
    pub(super) fn is_sound(&self) -> bool {
        [self.unheard, self.last_step, self.ended].into_iter().all(|mark| mark <= self.events.len())
    }

    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn since_decide(&self) -> &[Event] {
        &self.events[self.unheard..]
    }

    pub(super) fn since_step(&self) -> &[Event] {
        &self.events[self.last_step..]
    }

    /// DECIDE has heard the first `heard` events.
    pub(super) fn decided(&mut self, heard: usize) {
        self.unheard = heard;
    }

    pub(super) fn end_step(&mut self) {
        self.last_step = self.ended;
        let done = self.unheard.min(self.last_step);
        self.events.drain(..done);
        self.unheard -= done;
        self.last_step -= done;
        self.ended = self.events.len();
    }
}
