//! What a figure costs: microseconds of CPU of each room for an awake figure a step, by what solves it and at several numbers of figures.
//!
//! The figures bow, so that none is at rest. How high the lowest pelvis is and how far the joints are off their targets stand beside: a
//! solver that does less work shows there. At the greatest number the usual solver is timed without a trace too: what it costs to keep why.

use crate::stage::{Crowd, Solving};
use crate::timing::{Spent, in_turns, reading_takes};
use simrun_sim::solve::Width;
use simrun_sim::{Bone, Error, Figure, Model, Nobody, Room, SolveParts, World};
use std::sync::Arc;
use std::time::Duration;

/// Numbers of figures that are timed.
const CROWDS: [usize; 4] = [1, 4, 16, 32];
/// Sub-steps that are timed at the greatest number of figures, beside the usual.
const FEW_SUBSTEPS: usize = 4;
/// Steps before the timing begins: the figures have settled, and bow.
const WARM_UP: usize = 60;
/// Steps of one turn.
const STEPS: usize = 120;
/// Turns, of which the least counts.
const TURNS: usize = 5;

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Error> {
    println!(
        "CPU time; a reading of its clock takes {:.2} µs, and each number has about one a step in it",
        micros(reading_takes())
    );
    print!("solver  sub-steps figures trace");
    Room::ALL.iter().for_each(|room| print!("{:>8}", room.name()));
    println!("{:>8} | of solve: {:>7}{:>9}{:>8} | pelvis m  joints off °  awake", "all", "found", "figures", "things");
    for count in CROWDS {
        let crowds = crowds(count);
        let mut worlds = crowds.iter().map(|crowd| crowd.world(model)).collect::<Result<Vec<_>, _>>()?;
        worlds.iter_mut().for_each(|world| (0..WARM_UP).for_each(|_| world.step(&mut Nobody)));
        let spent = in_turns(&mut worlds, STEPS, TURNS);
        crowds.iter().zip(&worlds).zip(&spent).for_each(|((crowd, world), spent)| print_row(crowd, world, spent));
    }
    Ok(())
}

/// Every way of solving so many figures.
fn crowds(count: usize) -> Vec<Crowd<'static>> {
    let usual = Crowd::bowing(count);
    let widths = || Width::available().into_iter().map(Solving::Batch);
    let mut crowds: Vec<_> = widths().chain([Solving::Rapier]).map(|solving| Crowd { solving, ..usual }).collect();
    if count == CROWDS[CROWDS.len() - 1] {
        crowds.push(Crowd { trace: false, ..usual });
        crowds.extend(widths().map(|solving| Crowd { solving, substeps: FEW_SUBSTEPS, ..usual }));
    }
    crowds
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1.0e6
}

fn print_row(crowd: &Crowd<'_>, world: &World, spent: &Spent) {
    let each = |time: Duration| micros(time) / (STEPS * crowd.count) as f64;
    let trace = if crowd.trace { "kept" } else { "-" };
    print!("{:<7} {:>9} {:>7} {trace:>5}", crowd.solving.name(), crowd.substeps, crowd.count);
    spent.rooms.iter().for_each(|time| print!("{:>8.2}", each(*time)));
    let SolveParts { detection, figures, things } = spent.parts;
    print!("{:>8.2} | {:>17.2}{:>9.2}{:>8.2}", each(spent.total()), each(detection), each(figures), each(things));
    let pelvis = world.figures().map(|figure| figure.bone(Bone::Pelvis).translation.y).fold(f32::MAX, f32::min);
    let off = world.figures().map(joints_off).sum::<f32>() / crowd.count as f32;
    let awake = world.figures().filter(|figure| !figure.solved.asleep).count();
    println!(" | {pelvis:>8.3}  {off:>12.2}  {awake:>5}");
}

/// Mean angle between where a figure's joints are and where the animation has them (°).
fn joints_off(figure: &Figure) -> f32 {
    let gaps = figure.joint_rotations().into_iter().zip(figure.target.joints).skip(1);
    let gaps: Vec<f32> = gaps.map(|(found, wanted)| found.angle_between(wanted).to_degrees()).collect();
    gaps.iter().sum::<f32>() / gaps.len() as f32
}
