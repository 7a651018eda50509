//! Acts: what a figure does by keyed ways and stays in. Planned when they are asked for, on the contacts that they are done on, or refused
//! with what is in the way of them; gone, stayed in and ended in DECIDE. One who sits can have things in its hands, and eat and drink.

mod bed;
mod held;
mod hold;
mod seat;
mod table;

pub(crate) use bed::lie_down;
pub use bed::lie_spot;
pub(crate) use held::{drop_held, place as place_held, run as run_held};
pub(crate) use hold::{bring, held_at_first, hold, let_go};
pub use seat::sit_spot;
pub(crate) use seat::{sit, stand_up};

use crate::error::Error;
use crate::figure::{BONES, Ragdoll};
use crate::id::FigureHandle;
use crate::keyed::Way;
use crate::motion::{Act, ActKind, Mode, Phase};
use crate::space::{Rigid, Vec3, level, rotation_vector, yaw_of};
use crate::trace::Because;
use crate::world::{Figure, World};

/// How far (m) and turned (rad) from its spot one may stand who is to sit or lie down: its legs take up the rest.
const SPOT_OFF: f32 = 0.2;
const SPOT_TURNED: f32 = 0.8;
/// How far (m) and turned (rad) what is sat on may go before it bears nobody any more.
const SEAT_OFF: f32 = 0.02;
const SEAT_TURNED: f32 = 0.05;

/// Where to stand before sitting or lying down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// World, m.
    pub position: Vec3,
    /// The way to face (rad).
    pub yaw: f32,
}

/// A figure's ragdoll and its animation's pose in its own frame.
fn rig(figure: &Figure) -> Result<(&Ragdoll, &[Rigid; BONES]), Error> {
    figure.motion()?;
    match (&figure.model.ragdoll, &figure.pose_in_place) {
        (Ok(ragdoll), Some(animation)) => Ok((ragdoll, animation)),
        _ => Err(Error::NoMotion(figure.name.clone())),
    }
}

/// One who stands where it is to, and is free to do something.
fn stands_ready<'a>(world: &'a World, handle: FigureHandle, what: &str, spot: &Spot) -> Result<&'a Figure, Error> {
    let figure = world.figure(handle)?;
    let refused = |why: String| Err(Error::Act { figure: figure.name.clone(), what: what.to_owned(), why });
    if figure.is_frozen() {
        return refused("its numbers went bad, and it is frozen until its mode is set".to_owned());
    }
    if !matches!(figure.mode(), Mode::Powered | Mode::Animated) || figure.phase() != Phase::Standing {
        let does = figure.motion()?.in_words();
        return refused(format!("it {does}; accepted: powered or animated, and standing"));
    }
    let off = level(figure.place.translation - spot.position).length();
    let turned = rotation_vector(crate::space::rotation_from_yaw(yaw_of(figure.place.rotation) - spot.yaw)).length();
    if off > SPOT_OFF || turned > SPOT_TURNED {
        let Vec3 { x, y, z } = spot.position;
        let (yaw, turned) = (spot.yaw.to_degrees(), turned.to_degrees());
        let where_to = format!("({x:.2}, {y:.2}, {z:.2}) facing {yaw:.0}°");
        return refused(format!(
            "it stands {off:.2} m and {turned:.0}° off its spot; accepted: {SPOT_OFF} m and 45° off {where_to}"
        ));
    }
    Ok(figure)
}

/// A step of one who acts: it loses what it is done on, is kept from its way, or has left.
pub(crate) fn run(world: &mut World, handle: FigureHandle) {
    let step = world.step_index();
    let lost = world.figure(handle).is_ok_and(|figure| !has_hold(world, figure));
    let ground = world.figure(handle).ok().and_then(|figure| world.ground_under(figure.bone(crate::Bone::Pelvis).translation));
    let Some(figure) = world.figure_mut(handle) else { return };
    if lost {
        figure.change_mode(Mode::Powered, Because::LostHold, step, ground);
    }
}

/// Whether what it is done on is where it was.
fn has_hold(world: &World, figure: &Figure) -> bool {
    let on = figure.motion.as_ref().and_then(|motion| motion.act.as_ref()).and_then(|act| act.on);
    on.is_none_or(|(object, was)| {
        world.object(object).is_ok_and(|object| {
            let turned = rotation_vector(object.pose.rotation * was.rotation.conjugate()).length();
            object.pose.translation.distance(was.translation) <= SEAT_OFF && turned <= SEAT_TURNED
        })
    })
}

/// Whether it lies down by its own act and has been told to get up.
pub(crate) fn rises(figure: &Figure) -> bool {
    figure.motion.as_ref().is_some_and(|motion| motion.get_up.wanted && motion.stays(ActKind::Lie))
}

/// An act that begins.
pub(crate) type Begun = (Way, Act);
