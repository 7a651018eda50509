//! What a second thread gives: wall time of the figures' part of SOLVE beside that of plain arithmetic, which needs nothing but a
//! processor. On a machine that others use the second tells what a thread can give at all.

use crate::stage::Crowd;
use crate::timing::Spent;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use simrun_sim::solve::Width;
use simrun_sim::{Model, Nobody};
use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Figures that bow.
const FIGURES: usize = 64;
/// Threads that are compared.
const THREADS: [usize; 2] = [1, 2];
/// Steps before the timing begins.
const WARM_UP: usize = 60;
/// Steps whose least time counts: each is short, and some meet a machine that does nothing else.
const STEPS: usize = 1200;
/// Pieces of the plain arithmetic: as many as the figures' groups of eight.
const PIECES: usize = FIGURES / 8;
/// Rounds of arithmetic of a piece: about as long as a group's step.
const ROUNDS: usize = 12_000;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The least times with so many threads.
#[derive(Clone, Copy, Debug)]
struct Least {
    figures: Duration,
    step: Duration,
    arithmetic: Duration,
}

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    let mut worlds = Vec::new();
    let mut pools = Vec::new();
    for threads in THREADS {
        let mut world = Crowd { threads, ..Crowd::bowing(FIGURES) }.world(model)?;
        world.set_clock(|| START.elapsed());
        (0..WARM_UP).for_each(|_| world.step(&mut Nobody));
        worlds.push(world);
        pools.push(ThreadPoolBuilder::new().num_threads(threads).build()?);
    }
    let mut least = [Least { figures: Duration::MAX, step: Duration::MAX, arithmetic: Duration::MAX }; THREADS.len()];
    for _ in 0..STEPS {
        for ((world, pool), least) in worlds.iter_mut().zip(&pools).zip(&mut least) {
            let spent = Spent::of(world, 1);
            least.figures = least.figures.min(spent.parts.figures);
            least.step = least.step.min(spent.total());
            least.arithmetic = least.arithmetic.min(arithmetic(pool));
        }
    }
    print_table(&least);
    Ok(())
}

fn print_table(least: &[Least; THREADS.len()]) {
    println!("{FIGURES} figures, {}, wall time, the least of {STEPS} steps in turns", Width::best().name());
    println!("threads  solve's figures µs  whole step µs  arithmetic µs");
    let micros = |time: Duration| time.as_secs_f64() * 1.0e6;
    for (threads, least) in THREADS.iter().zip(least) {
        println!(
            "{threads:>7}  {:>18.1}  {:>13.1}  {:>13.1}",
            micros(least.figures),
            micros(least.step),
            micros(least.arithmetic)
        );
    }
    let [one, two] = least;
    let gain = |of: fn(&Least) -> Duration| of(one).as_secs_f64() / of(two).as_secs_f64();
    let (figures, step, arithmetic) = (gain(|least| least.figures), gain(|least| least.step), gain(|least| least.arithmetic));
    println!("speed-up {figures:>18.2}  {step:>13.2}  {arithmetic:>13.2}");
    println!("of what arithmetic gains: figures {:.2}, whole step {:.2}", figures / arithmetic, step / arithmetic);
}

/// Time of all pieces.
fn arithmetic(pool: &ThreadPool) -> Duration {
    let mut pieces = [1.0_f32; PIECES];
    let start = Instant::now();
    pool.install(|| pieces.par_iter_mut().for_each(|piece| *piece = turn(black_box(*piece))));
    let took = start.elapsed();
    black_box(pieces);
    took
}

/// Numbers that depend on one another, in registers.
fn turn(from: f32) -> f32 {
    let mut numbers = [from, from + 0.1, from + 0.2, from + 0.3];
    for _ in 0..ROUNDS {
        numbers.iter_mut().for_each(|number| *number = *number * 0.999 + 0.001);
    }
    numbers.iter().sum()
}
