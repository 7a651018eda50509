//! What a figure costs: microseconds of each room for an awake figure a step, at 1, 4, 16 and 32 figures.
//!
//! The figures bow, so that none is at rest; each number is the least over repeats, which other load on the machine moves least.
//! How high the lowest pelvis is and how far the joints are off their targets stand beside: a solver that does less work shows there.

use crate::stage::crowd;

use simrun_sim::{Bone, Error, Figure, Mode, Model, Nobody, Room};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Numbers of figures that are timed.
const CROWDS: [usize; 4] = [1, 4, 16, 32];
/// Steps before the timing begins: the figures have settled, and bow.
const WARM_UP: usize = 60;
/// Steps of one repeat.
const STEPS: usize = 120;
/// Repeats, of which the least counts.
const REPEATS: usize = 5;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Error> {
    print!("figures");
    Room::ALL.iter().for_each(|room| print!("{:>9}", room.name()));
    println!("{:>9}  pelvis m  joints off °", "step µs");
    for count in CROWDS {
        let (rooms, pelvis, off) = time(model, count)?;
        print!("{count:>7}");
        let each = |time: Duration| time.as_secs_f64() * 1.0e6 / (STEPS * count) as f64;
        rooms.iter().for_each(|time| print!("{:>9.2}", each(*time)));
        println!("{:>9.2}  {pelvis:>8.3}  {off:>12.2}", each(rooms.iter().sum()));
    }
    Ok(())
}

/// The least time that `STEPS` steps spent in each room; the lowest pelvis (m) and the mean gap of all joints (°) at the end.
fn time(model: &Arc<Model>, count: usize) -> Result<([Duration; 7], f32, f32), Error> {
    let mut world = crowd(model, count, Mode::Powered, Some("Bow"), &[])?;
    world.set_clock(|| START.elapsed());
    (0..WARM_UP).for_each(|_| world.step(&mut Nobody));
    let mut least: Option<[Duration; 7]> = None;
    for _ in 0..REPEATS {
        let mut rooms = [Duration::ZERO; 7];
        for _ in 0..STEPS {
            world.step(&mut Nobody);
            rooms.iter_mut().zip(world.profile().rooms).for_each(|(sum, time)| *sum += time);
        }
        let total = |rooms: &[Duration; 7]| rooms.iter().sum::<Duration>();
        if least.as_ref().is_none_or(|least| total(&rooms) < total(least)) {
            least = Some(rooms);
        }
    }
    let pelvis = world.figures().map(|figure| figure.bone(Bone::Pelvis).translation.y).fold(f32::MAX, f32::min);
    let off = world.figures().map(joints_off).sum::<f32>() / count as f32;
    Ok((least.unwrap_or_default(), pelvis, off))
}

/// Mean angle between where a figure's joints are and where the animation has them (°).
fn joints_off(figure: &Figure) -> f32 {
    let gaps = figure.joint_rotations().into_iter().zip(figure.target.joints).skip(1);
    let gaps: Vec<f32> = gaps.map(|(found, wanted)| found.angle_between(wanted).to_degrees()).collect();
    gaps.iter().sum::<f32>() / gaps.len() as f32
}
