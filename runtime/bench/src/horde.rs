//! Hordes: a frame of 400 members with and without a pool, and members by the ten thousand beside a plain loop over arrays.

use crate::timing::{Spent, cpu_time, in_turns};
use simrun_sim::crowd::{Members, PoseBank};
use simrun_sim::handover::Strike;
use simrun_sim::space::Vec3;
use simrun_sim::{Command, Error, HordeCommand, HordeSpec, Model, Nobody, PoolSpec, Room, World, WorldSettings};
use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Turns whose least time counts.
const TURNS: usize = 15;
/// Steps of a turn.
const STEPS: usize = 30;
/// Figures of the pool.
const FIGURES: usize = 12;
/// Poses that are taken from the bank in a turn.
const POSES: usize = 10_000;

/// Where those go who have a goal (m): nobody gets there.
const FAR: Vec3 = Vec3::new(0.0, 0.0, 9000.0);

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Prints the tables.
pub fn run(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    frame(model)?;
    println!();
    members(model)?;
    println!();
    println!("a member's columns: {} bytes, and 8 of the grid while they keep off each other", Members::BYTES);
    poses(model)
}

fn tell(world: &mut World, command: HordeCommand) -> Result<(), Error> {
    world.command(Command::Horde { horde: "crowd".to_owned(), command })
}

fn world(spec: HordeSpec, threads: usize) -> Result<World, Error> {
    let mut world = World::new(WorldSettings { threads, ..WorldSettings::default() });
    let ground = world.reserve_object("ground")?;
    let plane = simrun_sim::ObjectSpec {
        name: "ground".to_owned(),
        shape: simrun_sim::solve::boundary::Shape::Plane,
        kind: simrun_sim::solve::boundary::BodyKind::Fixed,
        pose: simrun_sim::Rigid::IDENTITY,
        mass: 0.0,
        friction: 0.9,
        restitution: 0.0,
        grips: Default::default(),
        params: std::collections::BTreeMap::new(),
    };
    world.command(Command::AddObject { handle: ground, spec: Box::new(plane) })?;
    tell(&mut world, HordeCommand::Add(Box::new(spec)))?;
    Ok(world)
}

/// 400 idlers: alone, before a parked pool, and with all of it handed over.
fn frame(model: &Arc<Model>) -> Result<(), Error> {
    let spec = |pool: Option<PoolSpec>| HordeSpec { pool, ..HordeSpec::new("crowd", Arc::clone(model), "Idle", 400) };
    let mut worlds =
        [world(spec(None), 1)?, world(spec(Some(PoolSpec::new(FIGURES))), 1)?, world(spec(Some(PoolSpec::new(FIGURES))), 1)?];
    // They stand over a shove for as long as the timing lasts.
    tell(&mut worlds[2], HordeCommand::SetSettle(600.0))?;
    for member in 0..FIGURES as u32 {
        if let Some(figure) = worlds[2].taker("crowd", member)? {
            let strike = Strike { member, figure, point: Vec3::Y, impulse: Vec3::Z * 10.0, kills: false };
            tell(&mut worlds[2], HordeCommand::Strike(strike))?;
        }
    }
    let spent = in_turns(&mut worlds, STEPS, TURNS);
    let micros = |spent: &Spent| spent.total().as_secs_f64() * 1.0e6 / STEPS as f64;
    println!("400 members, all rooms, CPU time, the least of {TURNS} turns of {STEPS} steps");
    println!("pool                  µs a step");
    for (what, spent) in ["none", "twelve parked", "twelve handed over"].iter().zip(&spent) {
        println!("{what:20}  {:>9.1}", micros(spent));
    }
    Ok(())
}

/// Walkers by the number, beside a loop that does the least that walking is.
fn members(model: &Arc<Model>) -> Result<(), Error> {
    println!("walkers, wall time of a step, ns a member, the least of {} steps", TURNS * STEPS);
    println!("members  threads  plain loop  walking  × plain  to a goal  keeping off  RECORD's hash");
    for count in [10_000, 100_000] {
        for threads in [1, 2] {
            let spec = |clearance: f32| HordeSpec { clearance, ..HordeSpec::new("crowd", Arc::clone(model), "Walk", count) };
            let plain = plain_loop(count);
            let walking = least(&mut world(spec(0.0), threads)?);
            let to_a_goal = least(&mut world(HordeSpec { goal: Some(FAR), ..spec(0.0) }, threads)?);
            let keeping = least(&mut world(spec(0.9), threads)?);
            let nanos = |time: Duration| time.as_secs_f64() * 1.0e9 / count as f64;
            println!(
                "{count:>7}  {threads:>7}  {:>10.2}  {:>7.2}  {:>7.2}  {:>9.2}  {:>11.2}  {:>13.2}",
                nanos(plain),
                nanos(walking.0),
                nanos(walking.0) / nanos(plain),
                nanos(to_a_goal.0),
                nanos(keeping.0),
                nanos(walking.1),
            );
        }
    }
    Ok(())
}

/// The least times of SAMPLE and RECORD.
fn least(world: &mut World) -> (Duration, Duration) {
    world.set_clock(|| START.elapsed());
    let mut least = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS * STEPS {
        world.step(&mut Nobody);
        let rooms = world.profile().rooms;
        least = (least.0.min(rooms[Room::Sample as usize]), least.1.min(rooms[Room::Record as usize]));
    }
    least
}

/// The least time of a loop over arrays that moves every member along its heading, and its phase.
fn plain_loop(count: usize) -> Duration {
    let (mut positions, mut facings) = (vec![[0.0_f32; 3]; count], vec![[0.6_f32, 0.8]; count]);
    let (speeds, turns, mut phases) = (vec![1.3_f32; count], vec![0.1_f32; count], vec![0.2_f32; count]);
    let (dt, by_way) = (1.0 / 60.0, 0.7);
    let mut least = Duration::MAX;
    for _ in 0..TURNS * STEPS {
        let start = START.elapsed();
        for member in 0..count {
            let (way, turn) = (speeds[member] * dt, turns[member] * dt);
            let [sine, cosine] = facings[member];
            facings[member] = [sine + cosine * turn, cosine - sine * turn];
            positions[member][0] += sine * way;
            positions[member][2] += cosine * way;
            let phase = phases[member] + way * by_way;
            phases[member] = if phase >= 1.0 { phase - 1.0 } else { phase };
        }
        black_box((&mut positions, &mut facings, &mut phases));
        least = least.min(START.elapsed() - start);
    }
    least
}

/// What a pose from the bank takes.
fn poses(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    let clip = model.rig.clip("Walk").ok_or("the box man walks")?;
    let bank = PoseBank::bake(model, clip).ok_or("the box man walks")?;
    let mut pose = Vec::new();
    let mut least = Duration::MAX;
    for _ in 0..TURNS {
        let start = cpu_time();
        for index in 0..POSES {
            bank.pose(black_box(index as f32 * 0.618).fract(), &mut pose);
            black_box(&mut pose);
        }
        least = least.min(cpu_time() - start);
    }
    let micros = least.as_secs_f64() * 1.0e6 / POSES as f64;
    let of_25 = micros * 25.0 / bank.nodes() as f64;
    println!("a pose from the bank: {micros:.3} µs at {} joints, {of_25:.3} µs at 25", bank.nodes());
    let kilobytes = size_of_val(bank.poses()) / 1024;
    println!("the bank of a walk of {:.2} s: {} poses, {kilobytes} KB, for all who walk it", bank.duration(), bank.len());
    Ok(())
}
