//! The calls that behaviours make dozens of times a step, without a detour; [`raw`](crate::raw) says how. Each does what the ordinary
//! binding of its name does, and leaves to that whatever is out of the ordinary.

use crate::handle::Thing;
use crate::raw::{Args, Call, Out};
use crate::shared::{Caller, Shared};
use glam::Vec3;
use simrun_sim::motion::Motion;
use simrun_sim::space::{rotation_from_vector, rotation_vector};
use simrun_sim::{Bone, Claim, Figure, FigureHandle, Senses, Want};
use std::ops::RangeInclusive;

/// Module, name, and what is called.
pub(super) const CALLS: &[(&str, &str, Call)] = &[
    ("figure", "position", |shared, args| bone(shared, args, |figure, bone| Some(figure.bone(bone).translation))),
    ("figure", "rotation", |shared, args| bone(shared, args, |figure, bone| Some(rotation_vector(figure.bone(bone).rotation)))),
    ("motion", "lean", |shared, args| number(shared, args, |senses| senses.lean)),
    ("motion", "pelvis_height", |shared, args| number(shared, args, |senses| senses.pelvis_height)),
    ("motion", "capture_outside", |shared, args| number(shared, args, |senses| senses.capture_outside)),
    ("motion", "lean_direction", |shared, args| vector(shared, args, |senses| senses.lean_direction)),
    ("motion", "fall_direction", |shared, args| vector(shared, args, |senses| senses.fall_direction)),
    ("motion", "capture_point", |shared, args| vector(shared, args, |senses| senses.capture_point)),
    ("motion", "feet", |shared, args| senses(shared, args, |senses| Out::Feet { ankles: senses.ankles, down: senses.feet_down })),
    ("motion", "com", |shared, args| vector(shared, args, |senses| senses.com)),
    ("motion", "com_velocity", |shared, args| vector(shared, args, |senses| senses.com_velocity)),
    ("motion", "phase", |shared, args| motion(shared, args, |motion| Out::Text(motion.phase.name()))),
    ("motion", "phase_time", phase_time),
    ("motion", "muscle", muscle),
    ("motion", "mode", |shared, args| motion(shared, args, |motion| Out::Number(f64::from(motion.mode as u8)))),
    ("motion", "landed", |shared, args| motion(shared, args, |motion| Out::Truth(motion.phase.has_landed()))),
    ("motion", "axis", axis),
    ("motion", "tip", |shared, args| {
        bone(shared, args, |figure, bone| Some(figure.bone(bone).point(figure.model.ragdoll.as_ref().ok()?.tip_of(bone))))
    }),
    ("motion", "point", |shared, args| {
        let direction = args.vector(2)?.try_normalize()?;
        claim(shared, args, 3, Want::Point(direction))
    }),
    ("motion", "bend", |shared, args| claim(shared, args, 3, Want::Bend(args.vector(2)?))),
    ("motion", "pose", |shared, args| {
        super::claims::hangs(bone_at(args, 1)?).ok()?;
        claim(shared, args, 3, Want::Hold(rotation_from_vector(args.vector(2)?)))
    }),
    ("motion", "aim", |shared, args| claim(shared, args, 3, Want::Aim(rotation_from_vector(args.vector(2)?)))),
    ("motion", "reach", reach),
    ("motion", "weaken", |shared, args| scale(shared, args, &super::claims::WEAKENS)),
    ("motion", "tense", |shared, args| scale(shared, args, &super::claims::TENSES)),
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

fn bone(shared: &Shared, args: &Args, read: fn(&Figure, Bone) -> Option<Vec3>) -> Option<Out> {
    let (figure, bone) = (figure_at(args)?, bone_at(args, 1)?);
    let world = shared.read().ok()?;
    read(world.figure(figure).ok()?, bone).map(Out::Vector)
}

fn axis(shared: &Shared, args: &Args) -> Option<Out> {
    let (figure, bone, local) = (figure_at(args)?, bone_at(args, 1)?, args.vector(2)?);
    let world = shared.read().ok()?;
    let figure = world.figure(figure).ok()?;
    figure.motion.as_ref()?;
    Some(Out::Vector(figure.body?.bodies[bone.index()].pose.rotation * local))
}

fn motion(shared: &Shared, args: &Args, read: fn(&Motion) -> Out) -> Option<Out> {
    let figure = figure_at(args)?;
    let world = shared.read().ok()?;
    Some(read(world.figure(figure).ok()?.motion.as_ref()?))
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

fn reach(shared: &Shared, args: &Args) -> Option<Out> {
    let point = args.vector(2)?;
    let pole = if args.is_nil(3) { Vec3::ZERO } else { args.vector(3)? };
    super::claims::reaches(bone_at(args, 1)?).then_some(())?;
    claim(shared, args, 4, Want::Reach { point, pole })
}

/// A claim on a bone's muscle alone.
fn scale(shared: &Shared, args: &Args, accepted: &RangeInclusive<f32>) -> Option<Out> {
    let share = args.number(2)? as f32;
    accepted.contains(&share).then(|| put(shared, args, Want::Weaken, |claim| claim.share = share)).flatten()
}

/// A claim on the terms of the options at a place.
fn claim(shared: &Shared, args: &Args, options: i32, want: Want) -> Option<Out> {
    let (mut priority, mut share, mut blend, mut blend_out) = (None, 1.0, 0.0, 0.0);
    if !args.is_nil(options) {
        args.numbers(options, |name, number| {
            match name {
                b"priority" => priority = Some(number as i32),
                b"share" => share = number as f32,
                b"blend" => blend = number as f32,
                b"blend_out" => blend_out = number as f32,
                _ => return None,
            }
            Some(())
        })?;
    }
    put(shared, args, want, |claim| {
        claim.priority = priority.unwrap_or(claim.priority);
        (claim.share, claim.blend_in, claim.blend_out) = (share, blend, blend_out);
    })
}

/// A behaviour's claim, on the usual terms but for what `terms` changes.
fn put(shared: &Shared, args: &Args, want: Want, terms: impl FnOnce(&mut Claim)) -> Option<Out> {
    let (figure, bone) = (figure_at(args)?, bone_at(args, 1)?);
    if *shared.caller.borrow() == Caller::Prompt {
        return None;
    }
    let priority = super::claims::BEHAVIOUR_PRIORITY as i32;
    let mut claim = Claim::new(bone, want, priority, shared.owner());
    terms(&mut claim);
    shared.write().ok()?.claim(figure, claim).ok().map(|()| Out::Nothing)
}
