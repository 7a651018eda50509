//! What a figure costs that lies limp: its contacts are rows too.

use crate::stage::{Crowd, Solving};
use crate::timing::{Spent, in_turns};
use simrun_sim::solve::Width;
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Bone, Command, Error, Hit, Mode, Model, Nobody, Phase, Room, World};
use std::sync::Arc;
use std::time::Duration;

/// Figures that lie.
const FIGURES: usize = 32;
/// m from one to the next: whoever falls meets nobody.
const SPACING: f32 = 5.0;
/// kg m/s at the chest.
const SHOVE: f32 = 80.0;
/// Steps from the shove to the timing: 5 s.
const FALLING: usize = 300;
/// Steps of one turn.
const STEPS: usize = 120;
/// Turns, of which the least counts.
const TURNS: usize = 5;
/// What a figure that lies may cost on a machine where one that rapier solves with eight sub-steps costs `RAPIER` (µs).
const BOUND: f64 = 12.0;
/// See `BOUND`.
const RAPIER: f64 = 40.0;

/// How the figures lie: alike, so that lanes side by side have the same rows, or each its own way, so that most rows have idle lanes.
const WAYS: [(&str, f32); 2] = [("alike", 0.0), ("each its own way", 1.0)];

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Error> {
    let batches = Width::available().into_iter().map(Solving::Batch);
    let kinds: Vec<Solving> = batches.chain([Solving::Rapier]).collect();
    let rows: Vec<_> = WAYS.into_iter().flat_map(|way| kinds.iter().map(move |kind| (*kind, way))).collect();
    let mut worlds = rows.iter().map(|(kind, (_, turn))| lying(model, *kind, *turn)).collect::<Result<Vec<_>, _>>()?;
    let mut bowing = Crowd { solving: Solving::Rapier, ..Crowd::bowing(FIGURES) }.world(model)?;
    (0..STEPS).for_each(|_| bowing.step(&mut Nobody));
    worlds.push(bowing);
    let spent = in_turns(&mut worlds, STEPS, TURNS);
    println!("solver  they lie          lying  contacts  solve µs    found  figures   things");
    for (((kind, (way, _)), world), spent) in rows.iter().zip(&worlds).zip(&spent) {
        print!("{:<7} {way:<16} ", kind.name());
        print_row(world, spent);
    }
    let rapier = each(spent[spent.len() - 1].rooms[Room::Solve as usize]);
    let bound = rapier * BOUND / RAPIER;
    println!(
        "rapier, figures that bow, in this run: {rapier:.1} µs; {BOUND} µs where that costs {RAPIER} µs are {bound:.1} here"
    );
    Ok(())
}

/// µs a figure a step.
fn each(time: Duration) -> f64 {
    time.as_secs_f64() * 1.0e6 / (STEPS * FIGURES) as f64
}

fn print_row(world: &World, Spent { rooms, parts }: &Spent) {
    let lying = world.figures().filter(|figure| figure.phase() == Phase::Lying).count();
    let contacts = world.figures().map(|figure| figure.solved.contacts.len()).sum::<usize>() as f64 / FIGURES as f64;
    print!(" {lying:>5}  {contacts:>8.1}  {:>8.2}", each(rooms[Room::Solve as usize]));
    println!(" {:>8.2} {:>8.2} {:>8.2}", each(parts.detection), each(parts.figures), each(parts.things));
}

/// Figures that were shoved while limp, each by so many radians farther round, and lie.
fn lying(model: &Arc<Model>, solving: Solving, turn: f32) -> Result<World, Error> {
    let crowd = Crowd { spacing: SPACING, mode: Mode::Limp, clip: None, solving, ..Crowd::bowing(FIGURES) };
    let mut world = crowd.world(model)?;
    world.step(&mut Nobody);
    let figures: Vec<_> = world.figures().map(|figure| figure.handle).collect();
    for (index, figure) in figures.into_iter().enumerate() {
        let side = Quat::from_rotation_y(index as f32 * turn) * Vec3::X;
        world.command(Command::Hit(Hit::new(figure, Bone::Chest, side * SHOVE)))?;
    }
    (0..FALLING).for_each(|_| world.step(&mut Nobody));
    Ok(world)
}
