//! What acts cost: microseconds of CPU of each room for a figure a step while it sits down, lies down, gets up, eats, beside one that stands on
//! its muscles, and what asking for each takes.
//!
//! Every turn is the act's first second, from the same moment.

use crate::stage::Crowd;
use crate::timing::{cpu_time, in_turns_from_now};
use simrun_sim::acts::sit_spot;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Command, Error, FigureHandle, Model, Nobody, ObjectHandle, ObjectSpec, Rigid, Room, World};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Figures that do the same.
const FIGURES: usize = 8;
/// m from one to the next: there is room to lie.
const SPACING: f32 = 4.0;
/// Steps of one turn: a second.
const STEPS: usize = 60;
/// Turns, of which the least counts.
const TURNS: usize = 7;
/// Steps after each thing that is done before the one that is timed: all of them are over by then.
const LATER: usize = 330;
/// Height of a seat (m), and how far beside the hips (m) a thing lies on it.
const SEAT: f32 = 0.45;
const ASIDE: f32 = 0.32;
/// From a seat to where there is room to lie (m).
const BEFORE: Vec3 = Vec3::new(0.0, 0.0, 2.0);

/// What a figure is told to do.
#[derive(Clone, Copy)]
enum Does {
    Sit,
    StandUp,
    LieDown,
    GetUp,
    HoldBowl,
    HoldCup,
    Eat,
    Drink,
}

use Does::{Drink, Eat, GetUp, HoldBowl, HoldCup, LieDown, Sit, StandUp};

/// What is timed: the last of what it is told, or how it is after all of it.
const ROWS: [(&str, &[Does], Option<Does>); 11] = [
    ("stands on its muscles", &[], None),
    ("sits down", &[], Some(Sit)),
    ("sits", &[Sit], None),
    ("stands up", &[Sit], Some(StandUp)),
    ("lies down", &[], Some(LieDown)),
    ("lies", &[LieDown], None),
    ("gets up", &[LieDown], Some(GetUp)),
    ("takes hold of a bowl", &[Sit], Some(HoldBowl)),
    ("holds it", &[Sit, HoldBowl], None),
    ("eats", &[Sit, HoldBowl], Some(Eat)),
    ("drinks", &[Sit, HoldCup], Some(Drink)),
];

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Error> {
    let mut worlds = Vec::new();
    let mut asking = Vec::new();
    for (_, before, now) in ROWS {
        let mut stage = Stage::new(model)?;
        for does in before {
            stage.tell(*does)?;
            (0..LATER).for_each(|_| stage.world.step(&mut Nobody));
        }
        let began = cpu_time();
        now.map_or(Ok(()), |does| stage.tell(does))?;
        asking.push(now.map(|_| cpu_time().saturating_sub(began)));
        worlds.push(stage.world);
    }
    let spent = in_turns_from_now(&mut worlds, STEPS, TURNS)?;
    let micros = |time: Duration, times: usize| time.as_secs_f64() * 1.0e6 / (times * FIGURES) as f64;
    print!("{:<22}", "it");
    Room::ALL.iter().for_each(|room| print!("{:>8}", room.name()));
    println!("{:>8}  × standing  asking for it, µs", "all");
    let standing = spent.first().map_or(f64::NAN, |spent| micros(spent.total(), STEPS));
    for (((what, ..), spent), asking) in ROWS.iter().zip(&spent).zip(&asking) {
        print!("{what:<22}");
        spent.rooms.iter().for_each(|time| print!("{:>8.2}", micros(*time, STEPS)));
        let all = micros(spent.total(), STEPS);
        let asking = asking.map_or_else(String::new, |asking| format!("{:>19.0}", micros(asking, 1)));
        println!("{all:>8.2}  {:>10.2}{asking}", all / standing);
    }
    Ok(())
}

/// Figures that stand before seats, a bowl and a cup at hand on each.
struct Stage {
    world: World,
    places: Vec<Place>,
}

struct Place {
    figure: FigureHandle,
    seat: Vec3,
    bowl: ObjectHandle,
    cup: ObjectHandle,
}

impl Stage {
    fn new(model: &Arc<Model>) -> Result<Self, Error> {
        let mut world = Crowd { spacing: SPACING, clip: None, ..Crowd::bowing(FIGURES) }.world(model)?;
        let figures: Vec<_> = world.figures().map(|figure| (figure.handle, figure.place.translation)).collect();
        let mut places = Vec::new();
        for (index, (figure, at)) in figures.into_iter().enumerate() {
            let seat = at.with_y(SEAT);
            let block = Shape::Box(Vec3::new(2.0, SEAT, 0.4));
            add(&mut world, &format!("seat {index}"), block, BodyKind::Fixed, at + Vec3::new(0.0, 0.5 * SEAT, -0.15), &[])?;
            let thing = |height: f32, radius: f32| Shape::Cylinder { height, radius };
            let beside = |side: f32, height: f32| seat + Vec3::new(side * ASIDE, 0.5 * height + 0.001, 0.0);
            let grips = [("left", Vec3::X * 0.08), ("right", Vec3::NEG_X * 0.08)];
            let bowl =
                add(&mut world, &format!("bowl {index}"), thing(0.07, 0.08), BodyKind::Dynamic, beside(1.0, 0.07), &grips)?;
            let handle = [("handle", Vec3::X * 0.06)];
            let cup = add(&mut world, &format!("cup {index}"), thing(0.1, 0.04), BodyKind::Dynamic, beside(-1.0, 0.1), &handle)?;
            let spot = sit_spot(&world, figure, seat, 0.0)?;
            world.command(Command::MoveTo { figure, position: spot.position, yaw: Some(spot.yaw) })?;
            places.push(Place { figure, seat, bowl, cup });
        }
        (0..STEPS).for_each(|_| world.step(&mut Nobody));
        Ok(Self { world, places })
    }

    fn tell(&mut self, does: Does) -> Result<(), Error> {
        for Place { figure, seat, bowl, cup } in &self.places {
            let (figure, named) = (*figure, |name: &str| Some(name.to_owned()));
            let command = match does {
                Sit => Command::Sit { figure, seat: *seat, facing: 0.0 },
                StandUp => Command::StandUp(figure),
                LieDown => {
                    let position = seat.with_y(0.0) + BEFORE;
                    self.world.command(Command::MoveTo { figure, position, yaw: Some(0.0) })?;
                    Command::LieDown { figure, head: position + Vec3::NEG_Z }
                }
                GetUp => Command::GetUp(figure),
                HoldBowl => Command::Hold { figure, item: *bowl, grips: [named("left"), named("right")] },
                HoldCup => Command::Hold { figure, item: *cup, grips: [None, named("handle")] },
                Eat => Command::Eat(figure),
                Drink => Command::Drink(figure),
            };
            self.world.command(command)?;
        }
        Ok(())
    }
}

fn add(
    world: &mut World,
    name: &str,
    shape: Shape,
    kind: BodyKind,
    at: Vec3,
    grips: &[(&str, Vec3)],
) -> Result<ObjectHandle, Error> {
    let spec = ObjectSpec {
        name: name.to_owned(),
        shape,
        kind,
        pose: Rigid::new(Quat::IDENTITY, at),
        mass: 0.4,
        friction: 0.9,
        restitution: 0.0,
        grips: grips.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect(),
        params: BTreeMap::new(),
    };
    let handle = world.reserve_object(name)?;
    world.command(Command::AddObject { handle, spec: Box::new(spec) })?;
    Ok(handle)
}
