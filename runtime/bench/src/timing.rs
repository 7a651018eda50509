//! Time that worlds spend, in turns: what else the machine does meets all of them alike, and the least of several turns counts.

use cpu_time::ThreadTime;
use simrun_sim::world::Snapshot;
use simrun_sim::{Error, Nobody, SolveParts, World};
use std::time::Duration;

/// Time of a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// By room.
    pub rooms: [Duration; 7],
    /// SOLVE's parts.
    pub parts: SolveParts,
}

impl Spent {
    /// All rooms together.
    pub fn total(&self) -> Duration {
        self.rooms.iter().sum()
    }

    /// Takes so many steps in a world that has a clock.
    pub fn of(world: &mut World, steps: usize) -> Self {
        let mut spent = Self::default();
        for _ in 0..steps {
            world.step(&mut Nobody);
            spent.rooms.iter_mut().zip(world.profile().rooms).for_each(|(sum, time)| *sum += time);
            let parts = world.solve_profile();
            spent.parts.detection += parts.detection;
            spent.parts.figures += parts.figures;
            spent.parts.things += parts.things;
        }
        spent
    }
}

/// CPU time of this thread: a clock for worlds of one thread.
pub fn cpu_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// What reading that clock takes.
pub fn reading_takes() -> Duration {
    const READINGS: u32 = 10_000;
    let start = cpu_time();
    (0..READINGS).for_each(|_| _ = std::hint::black_box(cpu_time()));
    (cpu_time() - start) / READINGS
}

/// The least that each world spends on so many steps, in CPU time of this thread, in so many turns.
pub fn in_turns(worlds: &mut [World], steps: usize, turns: usize) -> Vec<Spent> {
    worlds.iter_mut().for_each(|world| world.set_clock(cpu_time));
    let mut least: Vec<Option<Spent>> = vec![None; worlds.len()];
    for _ in 0..turns {
        for (world, least) in worlds.iter_mut().zip(&mut least) {
            keep_least(least, Spent::of(world, steps));
        }
    }
    least.into_iter().map(Option::unwrap_or_default).collect()
}

/// The same with each turn from where its world is now: for what is over after a turn.
pub fn in_turns_from_now(worlds: &mut [World], steps: usize, turns: usize) -> Result<Vec<Spent>, Error> {
    worlds.iter_mut().for_each(|world| world.set_clock(cpu_time));
    let moments: Vec<Snapshot> = worlds.iter().map(World::snapshot).collect();
    let mut least: Vec<Option<Spent>> = vec![None; worlds.len()];
    for _ in 0..turns {
        for ((world, moment), least) in worlds.iter_mut().zip(&moments).zip(&mut least) {
            world.restore(moment)?;
            keep_least(least, Spent::of(world, steps));
        }
    }
    Ok(least.into_iter().map(Option::unwrap_or_default).collect())
}

fn keep_least(least: &mut Option<Spent>, spent: Spent) {
    if least.is_none_or(|least| spent.total() < least.total()) {
        *least = Some(spent);
    }
}
