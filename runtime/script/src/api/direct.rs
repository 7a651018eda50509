//! The calls that behaviours make dozens of times a step, without a detour; [`raw`](crate::raw) says how. Each does what the ordinary
//! binding of its name does, and leaves to that whatever is out of the ordinary.

use crate::handle::Thing;
use crate::raw::{Args, Call, Out};
use crate::shared::{Caller, Shared};
use glam::Vec3;
use simrun_sim::space::{rotation_from_vector, rotation_vector};
use simrun_sim::{Bone, Claim, Figure, FigureHandle, Senses, Want};

/// Module, name, and what is called.
pub(super) const CALLS: &[(&str, &str, Call)] = &[
    ("figure", "position", |shared, args| bone(shared, args, |figure, bone| figure.bone(bone).translation)),
    ("figure", "rotation", |shared, args| bone(shared, args, |figure, bone| rotation_vector(figure.bone(bone).rotation))),
    ("motion", "lean", |shared, args| number(shared, args, |senses| senses.lean)),
    ("motion", "pelvis_height", |shared, args| number(shared, args, |senses| senses.pelvis_height)),
    ("motion", "capture_outside", |shared, args| number(shared, args, |senses| senses.capture_outside)),
    ("motion", "lean_direction", |shared, args| vector(shared, args, |senses| senses.lean_direction)),
    ("motion", "fall_direction", |shared, args| vector(shared, args, |senses| senses.fall_direction)),
    ("motion", "capture_point", |shared, args| vector(shared, args, |senses| senses.capture_point)),
    ("motion", "com", |shared, args| vector(shared, args, |senses| senses.com)),
    ("motion", "com_velocity", |shared, args| vector(shared, args, |senses| senses.com_velocity)),
    ("motion", "phase", phase),
    ("motion", "phase_time", phase_time),
    ("motion", "muscle", muscle),
    ("motion", "point", |shared, args| {
        let direction = args.vector(2)?.try_normalize()?;
        claim(shared, args, Want::Point(direction))
    }),
    ("motion", "bend", |shared, args| claim(shared, args, Want::Bend(args.vector(2)?))),
    ("motion", "aim", |shared, args| claim(shared, args, Want::Aim(rotation_from_vector(args.vector(2)?)))),
];

/// What stands in front of a binding.
pub(super) fn of(module: &str, name: &str) -> Option<Call> {
    CALLS.iter().find(|(home, known, _)| *home == module && *known == name).map(|(.., call)| *call)
}

fn figure_at(args: &Args) -> Option<FigureHandle> {
    if let Thing::Figure(figure) = args.thing(0)? { Some(figure) } else { None }
}

/// A bone by its number; names are looked up by the ordinary binding.
fn bone_at(args: &Args, index: i32) -> Option<Bone> {
    let number = args.number(index)?;
    let whole = number.fract() == 0.0 && (1.0..=f64::from(u8::MAX)).contains(&number);
    if whole { Bone::from_index(number as usize - 1) } else { None }
}

fn bone(shared: &Shared, args: &Args, read: fn(&Figure, Bone) -> Vec3) -> Option<Out> {
    let (figure, bone) = (figure_at(args)?, bone_at(args, 1)?);
    let world = shared.read().ok()?;
    Some(Out::Vector(read(world.figure(figure).ok()?, bone)))
}

fn senses<R>(shared: &Shared, args: &Args, read: impl Fn(&Senses) -> R) -> Option<R> {
    let figure = figure_at(args)?;
    let world = shared.read().ok()?;
    let figure = world.figure(figure).ok()?;
    figure.motion.as_ref()?;
    Some(read(&figure.senses))
}

fn number(shared: &Shared, args: &Args, read: fn(&Senses) -> f32) -> Option<Out> {
    senses(shared, args, read).map(|number| Out::Number(f64::from(number)))
}

fn vector(shared: &Shared, args: &Args, read: fn(&Senses) -> Vec3) -> Option<Out> {
    senses(shared, args, read).map(Out::Vector)
}

fn phase(shared: &Shared, args: &Args) -> Option<Out> {
    let figure = figure_at(args)?;
    let world = shared.read().ok()?;
    Some(Out::Text(world.figure(figure).ok()?.motion.as_ref()?.phase.name()))
}

fn phase_time(shared: &Shared, args: &Args) -> Option<Out> {
    let figure = figure_at(args)?;
    let world = shared.read().ok()?;
    let since = world.figure(figure).ok()?.motion.as_ref()?.phase_since;
    Some(Out::Number(super::motion::seconds_since(&world, since)))
}

fn muscle(shared: &Shared, args: &Args) -> Option<Out> {
    let (figure, bone) = (figure_at(args)?, bone_at(args, 1)?);
    let world = shared.read().ok()?;
    Some(Out::Number(f64::from(world.figure(figure).ok()?.motion.as_ref()?.muscles.share(bone))))
}

/// A claim on the usual terms.
fn claim(shared: &Shared, args: &Args, want: Want) -> Option<Out> {
    let (figure, bone) = (figure_at(args)?, bone_at(args, 1)?);
    let usual = *shared.caller.borrow() != Caller::Prompt && args.is_nil(3);
    let priority = super::claims::BEHAVIOUR_PRIORITY as i32;
    let claim =
        || Claim { bone, want, priority, share: 1.0, blend_in: 0.0, blend_out: 0.0, since_step: 0, owner: shared.owner() };
    if usual { shared.write().ok()?.claim(figure, claim()).ok().map(|()| Out::Nothing) } else { None }
}
