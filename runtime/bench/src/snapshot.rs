//! What snapshots, recordings and figures weigh, and how long a snapshot takes.

use crate::stage::Crowd;
use cpu_time::ThreadTime;
use simrun_sim::record::Recorder;
use simrun_sim::{Model, Nobody, World};
use std::sync::Arc;
use std::time::Duration;

/// Repeats, of which the least counts.
const REPEATS: usize = 20;
/// Steps that are recorded: ten seconds.
const RECORDED: usize = 600;

/// Prints the tables.
pub fn run(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "figures  snapshot ms  restore ms  snapshot KB  a figure KB  recording KB a minute  of it commands, claims, poses, hashes"
    );
    for count in [1, 8, 32] {
        let mut world = Crowd::bowing(count).world(model)?;
        (0..60).for_each(|_| world.step(&mut Nobody));
        let (took, snapshot) = least(|| world.snapshot());
        let mut other = World::hollow();
        let (back, restored) = least(|| other.restore(&snapshot));
        restored?;
        let mut recorder = Recorder::new(&mut world, "bench", Vec::new());
        let beginning = recorder.take_bytes().len();
        for _ in 0..RECORDED {
            world.step(&mut Nobody);
            recorder.after_step(&mut world, 0);
        }
        let (spent, bytes) = (recorder.spent(), recorder.take_bytes().len());
        let minute = |bytes: usize| bytes as f64 * 3600.0 / RECORDED as f64 / 1024.0;
        let kilobytes = |bytes: usize| bytes as f64 / 1024.0;
        println!(
            "{count:>7}  {:>11.3}  {:>10.3}  {:>11.1}  {:>11.1}  {:>21.1}  {:.1}, {:.1}, {:.1}, {:.1} (beginning {:.1} once)",
            took.as_secs_f64() * 1e3,
            back.as_secs_f64() * 1e3,
            kilobytes(snapshot.size()),
            kilobytes(snapshot.size()) / count as f64,
            minute(bytes),
            minute(spent.commands),
            minute(spent.claims),
            minute(spent.poses),
            minute(spent.hashes),
            kilobytes(beginning),
        );
    }
    Ok(())
}

fn least<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let began = ThreadTime::now();
        let result = run();
        (began.elapsed(), result)
    };
    let mut best = timed();
    for _ in 1..REPEATS {
        let next = timed();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}
