//! When a figure showed a fault.

use super::round;
use super::scorecard::{Fault, Found};
use serde::Serialize;
use simrun_sim::World;

/// A fault that comes again within so long (s) is the same one still: it flickers about its threshold.
const AGAIN: f64 = 0.5;

/// A stretch of time in which a figure showed a fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spell {
    /// Which.
    pub fault: Fault,
    /// First and last time at which it was seen (s).
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Seconds of it in that time, or hits.
    pub count: f64,
    /// How bad it was at worst.
    pub worst: f64,
    /// When it was so (s).
    pub at: f64,
    /// The unit of `worst`.
    pub unit: &'static str,
    /// Where it was so.
    pub bone: &'static str,
    /// The figure or thing that had to do with it.
    pub with: Option<String>,
}

impl Spell {
    /// With digits that a person can read.
    pub fn rounded(&self) -> Self {
        let Self { from, to, count, worst, at, .. } = *self;
        let digits = |number| round(number, 4);
        Self { from: digits(from), to: digits(to), count: digits(count), worst: digits(worst), at: digits(at), ..self.clone() }
    }
}

/// Notes a fault that a figure shows after the last step.
pub fn note(spells: &mut Vec<Spell>, fault: Fault, found: &Found<'_>, world: &World) {
    let (time, count) = (world.time(), fault.weight(f64::from(world.dt())));
    let now = Spell {
        fault,
        from: time,
        to: time,
        count,
        worst: found.amount,
        at: time,
        unit: found.unit,
        bone: found.bone.name(),
        with: found.with.map(str::to_owned),
    };
    match spells.iter_mut().rev().find(|spell| spell.fault == fault && time - spell.to <= AGAIN) {
        None => spells.push(now),
        Some(spell) => {
            let so_far = (spell.from, spell.count + count);
            if now.worst > spell.worst {
                *spell = now;
            }
            (spell.from, spell.count) = so_far;
            spell.to = time;
        }
    }
}
