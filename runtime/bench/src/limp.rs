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
/// kg m/s at the chest: each to another side, so that they lie in all ways.
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

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Error> {
    let batches = Width::available().into_iter().map(Solving::Batch);
    let kinds: Vec<Solving> = batches.chain([Solving::Rapier]).collect();
    let mut worlds = kinds.iter().map(|kind| lying(model, *kind)).collect::<Result<Vec<_>, _>>()?;
    let mut bowing = Crowd { solving: Solving::Rapier, ..Crowd::bowing(FIGURES) }.world(model)?;
    (0..STEPS).for_each(|_| bowing.step(&mut Nobody));
    worlds.push(bowing);
    let spent = in_turns(&mut worlds, STEPS, TURNS);
    println!("solver  lie  contacts  solve µs    found  figures   things");
    let each = |time: Duration| time.as_secs_f64() * 1.0e6 / (STEPS * FIGURES) as f64;
    for ((kind, world), Spent { rooms, parts }) in kinds.iter().zip(&worlds).zip(&spent) {
        let lie = world.figures().filter(|figure| figure.phase() == Phase::Lying).count();
        let contacts = world.figures().map(|figure| figure.solved.contacts.len()).sum::<usize>() as f64 / FIGURES as f64;
        print!("{:<7} {lie:>3}  {contacts:>8.1}  {:>8.2}", kind.name(), each(rooms[Room::Solve as usize]));
        println!(" {:>8.2} {:>8.2} {:>8.2}", each(parts.detection), each(parts.figures), each(parts.things));
    }
    let rapier = each(spent[spent.len() - 1].rooms[Room::Solve as usize]);
    println!(
        "rapier with figures that bow, in this run: {rapier:.1} µs; {BOUND} µs where that costs {RAPIER} are {:.1} here",
        rapier * BOUND / RAPIER
    );
    Ok(())
}

/// Figures that were shoved while limp, and lie.
fn lying(model: &Arc<Model>, solving: Solving) -> Result<World, Error> {
    let crowd = Crowd { spacing: SPACING, mode: Mode::Limp, clip: None, solving, ..Crowd::bowing(FIGURES) };
    let mut world = crowd.world(model)?;
    world.step(&mut Nobody);
    let figures: Vec<_> = world.figures().map(|figure| figure.handle).collect();
    for (index, figure) in figures.into_iter().enumerate() {
        let side = Quat::from_rotation_y(index as f32) * Vec3::X;
        world.command(Command::Hit(Hit::new(figure, Bone::Chest, side * SHOVE)))?;
    }
    (0..FALLING).for_each(|_| world.step(&mut Nobody));
    Ok(world)
}
