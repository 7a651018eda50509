//! Callbacks that wait: for an event, or for their step.

use crate::shared::Caller;
use mlua::Function;
use simrun_sim::Value;

/// What is called.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A function of the caller's table, by name: it survives a reload.
    Named(String),
    /// A closure made at the prompt.
    Closure(Function),
}

impl Target {
    /// The function's name; a closure has none.
    pub(crate) fn name(&self) -> Option<&str> {
        if let Self::Named(name) = self { Some(name) } else { None }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(a), Self::Named(b)) => a == b,
            (Self::Closure(a), Self::Closure(b)) => a == b,
            _ => false,
        }
    }
}

/// Waits for an event of a name.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    pub(crate) event: String,
    pub(crate) caller: Caller,
    pub(crate) target: Target,
}

/// Waits for a step.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    pub(crate) id: u64,
    pub(crate) due: u64,
    /// Steps between calls; `None` calls once.
    pub(crate) every: Option<u64>,
    pub(crate) caller: Caller,
    pub(crate) target: Target,
    pub(crate) args: Vec<Value>,
}

/// All that waits, in the order in which it was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) listeners: Vec<Listener>,
    pub(crate) timers: Vec<Timer>,
    last_id: u64,
}

/// Timers of all scripts together: one that sets two doubles with every step. So many that are due in every step take 2.7 ms of its 16.
pub(crate) const MOST_TIMERS: usize = 4096;

impl Schedule {
    /// What a snapshot held.
    pub(crate) fn of(listeners: Vec<Listener>, timers: Vec<Timer>, last_id: u64) -> Self {
        Self { listeners, timers, last_id }
    }

    /// The number that was given last.
    pub(crate) const fn last_id(&self) -> u64 {
        self.last_id
    }

    /// Adds a listener, unless the same one is there.
    pub(crate) fn listen(&mut self, listener: Listener) {
        let known = |other: &Listener| {
            other.event == listener.event && other.caller == listener.caller && other.target.is(&listener.target)
        };
        if !self.listeners.iter().any(known) {
            self.listeners.push(listener);
        }
    }

    /// Adds a timer and returns its number.
    pub(crate) fn wait(&mut self, due: u64, every: Option<u64>, caller: Caller, target: Target, args: Vec<Value>) -> u64 {
        self.last_id += 1;
        self.timers.push(Timer { id: self.last_id, due, every, caller, target, args });
        self.last_id
    }

    /// Takes what is due at a step, in the order of due step and number; what repeats is set again.
    pub(crate) fn due(&mut self, step: u64) -> Vec<Timer> {
        let mut due: Vec<Timer> = self.timers.iter().filter(|timer| timer.due <= step).cloned().collect();
        due.sort_by_key(|timer| (timer.due, timer.id));
        self.timers.retain_mut(|timer| match timer.every {
            _ if timer.due > step => true,
            Some(every) => {
                timer.due = step + every;
                true
            }
            None => false,
        });
        due
    }

    /// Forgets what a caller asked for.
    pub(crate) fn forget(&mut self, gone: impl Fn(&Caller) -> bool) {
        self.listeners.retain(|listener| !gone(&listener.caller));
        self.timers.retain(|timer| !gone(&timer.caller));
    }
}
