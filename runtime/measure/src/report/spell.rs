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

/// A fault that a figure showed after a step.
#[derive(Clone, Debug)]
pub struct Seen {
    /// When (s).
    pub time: f64,
    pub fault: Fault,
    /// Seconds that the step counts for; 1 of a hit.
    pub count: f64,
    amount: f64,
    unit: &'static str,
    bone: &'static str,
    with: Option<String>,
}

impl Seen {
    /// What is seen in a world after its last step.
    pub fn now(fault: Fault, found: &Found<'_>, world: &World) -> Self {
        Self {
            time: world.time(),
            fault,
            count: fault.weight(f64::from(world.dt())),
            amount: found.amount,
            unit: found.unit,
            bone: found.bone.name(),
            with: found.with.map(str::to_owned),
        }
    }
}

/// The stretches of time that all that was seen of a figure makes, in order.
pub fn spells(all: &[Seen]) -> Vec<Spell> {
    let mut spells: Vec<Spell> = Vec::new();
    for Seen { time, fault, count, amount, unit, bone, with } in all {
        let now = Spell {
            fault: *fault,
            from: *time,
            to: *time,
            count: *count,
            worst: *amount,
            at: *time,
            unit,
            bone,
            with: with.clone(),
        };
        match spells.iter_mut().rev().find(|spell| spell.fault == *fault && time - spell.to <= AGAIN) {
            None => spells.push(now),
            Some(spell) => {
                let so_far = (spell.from, spell.count + count);
                if now.worst > spell.worst {
                    *spell = now;
                }
                (spell.from, spell.count) = so_far;
                spell.to = *time;
            }
        }
    }
    spells
}
