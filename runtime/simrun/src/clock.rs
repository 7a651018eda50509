//! Real time to steps.

use std::time::{Duration, Instant};

/// The most steps owed at once: after a long frame the simulation falls behind real time instead of chasing it.
const MOST_OWED: f64 = 4.0;

/// Turns the time that passes into steps of a fixed length.
#[derive(Debug)]
pub struct Clock {
    last: Instant,
    /// Steps owed, with a fraction.
    owed: f64,
}

impl Clock {
    /// Owes nothing yet.
    pub fn new(now: Instant) -> Self {
        Self { last: now, owed: 0.0 }
    }

    /// Whole steps due now, at so many steps a second of real time. Each is counted as taken.
    pub fn due(&mut self, now: Instant, rate: f64) -> u32 {
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        // At more than 240 steps a second a frame of the loop itself holds more than a few.
        let most = MOST_OWED.max(rate / 60.0);
        self.owed = (self.owed + passed * rate).min(most);
        let whole = self.owed.floor();
        self.owed -= whole;
        whole as u32
    }

    /// Time passes without steps.
    pub fn skip(&mut self, now: Instant) {
        self.last = now;
        self.owed = 0.0;
    }

    /// How long until the next step is due.
    pub fn wait(&self, rate: f64) -> Duration {
        Duration::from_secs_f64(((1.0 - self.owed) / rate).clamp(0.0, 0.05))
    }
}
