//! What a figure holds in memory: bytes that the allocator was asked for, and given back when the world goes.

use crate::stage::crowd;
use simrun_sim::{Error, Mode, Model, Nobody};
use std::alloc::System;
use std::sync::Arc;

/// Counts what is asked for.
#[global_allocator]
static COUNTED: stats_alloc::StatsAlloc<System> = stats_alloc::StatsAlloc::system();

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Error> {
    println!("figures  held KB  a figure KB  asked for in a step B, after a second");
    for count in [1, 8, 32] {
        let begin = COUNTED.stats();
        let mut world = crowd(model, count, Mode::Powered, Some("Bow"), &[])?;
        (0..60).for_each(|_| world.step(&mut Nobody));
        let stood = COUNTED.stats();
        (0..60).for_each(|_| world.step(&mut Nobody));
        let stepped = COUNTED.stats() - stood;
        let held = stood - begin;
        let kilobytes = (held.bytes_allocated.saturating_sub(held.bytes_deallocated)) as f64 / 1024.0;
        println!("{count:>7}  {kilobytes:>7.1}  {:>11.1}  {:>8}", kilobytes / count as f64, stepped.bytes_allocated / 60);
    }
    Ok(())
}
