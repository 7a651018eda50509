//! What a figure costs: microseconds of each room for an awake figure a step, at 1, 4, 16 and 32 figures.
//!
//! The figures bow, so that none is at rest; each number is the least over repeats, which other load on the machine moves least.

use simrun_measure::boxman;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Bone, Command, Error, FigureSpec, MotionRecord, Nobody, ObjectSpec, Rigid, Room, World, WorldSettings};
use simrun_sim::{Mode, Model};
use std::collections::BTreeMap;
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = boxman()?;
    print!("figures");
    Room::ALL.iter().for_each(|room| print!("{:>9}", room.name()));
    println!("{:>9}  pelvis m", "step µs");
    for count in CROWDS {
        let (rooms, pelvis) = time(&model, count)?;
        print!("{count:>7}");
        let each = |time: Duration| time.as_secs_f64() * 1.0e6 / (STEPS * count) as f64;
        rooms.iter().for_each(|time| print!("{:>9.2}", each(*time)));
        println!("{:>9.2}  {pelvis:.3}", each(rooms.iter().sum()));
    }
    Ok(())
}

/// The least time that `STEPS` steps spent in each room, and the lowest pelvis at the end.
fn time(model: &Arc<Model>, count: usize) -> Result<([Duration; 7], f32), Error> {
    let mut world = bowing(model, count)?;
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
    Ok((least.unwrap_or_default(), pelvis))
}

fn bowing(model: &Arc<Model>, count: usize) -> Result<World, Error> {
    let mut world = World::new(WorldSettings::default());
    let ground = ObjectSpec {
        name: "ground".to_owned(),
        shape: Shape::Box(Vec3::new(200.0, 1.0, 200.0)),
        kind: BodyKind::Fixed,
        pose: Rigid::new(Quat::IDENTITY, Vec3::Y * -0.5),
        mass: 0.0,
        friction: 0.9,
        params: BTreeMap::new(),
    };
    let handle = world.reserve_object(&ground.name)?;
    world.command(Command::AddObject { handle, spec: Box::new(ground) })?;
    for index in 0..count {
        let spec = FigureSpec {
            position: Vec3::new((index % 8) as f32 * 2.0, 0.0, (index / 8) as f32 * 2.0),
            clip: Some("Bow".to_owned()),
            motion: Some(MotionRecord { mode: Mode::Powered, ..MotionRecord::default() }),
            ..FigureSpec::new(&format!("figure {index}"), Arc::clone(model))
        };
        let handle = world.reserve_figure(&spec.name)?;
        world.command(Command::Spawn { handle, spec: Box::new(spec) })?;
    }
    Ok(world)
}
