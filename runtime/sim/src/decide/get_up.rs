//! The native controller of getting up: when, by which way, and whether there is room.

use crate::event::Happening;
use crate::id::FigureHandle;
use crate::keyed::{Course, Key, Leg, Plant, Spot, Way, lies};
use crate::space::{Vec3, rotation_from_yaw};
use crate::trace::What;
use crate::world::{Figure, World};
use std::f32::consts::FRAC_PI_4;

// Seconds a stage: 0.7 in an engine before this one; with these people's 2 to 6 s from the floor to standing are kept, `get_up` holds it.
/// Face up: it sits, comes over its feet, stands.
const FACE_UP: &[Leg] = &[
    Leg { to: Key::Sit, plant: Plant::Spots([Spot::Seat, Spot::Seat]), seconds: 0.8 },
    Leg { to: Key::Crouch, plant: Plant::Spots([Spot::Toes, Spot::Toes]), seconds: 0.8 },
    Leg { to: Key::Animation, plant: Plant::Spots([Spot::Toes, Spot::Toes]), seconds: 0.8 },
];
/// Face down: onto hands and knees, one foot under, up.
const FACE_DOWN: &[Leg] = &[
    Leg { to: Key::AllFours, plant: Plant::Spots([Spot::Knees, Spot::Knees]), seconds: 0.8 },
    Leg { to: Key::DrawKnee, plant: Plant::Spots([Spot::KneeR, Spot::KneeR]), seconds: 0.5 },
    Leg { to: Key::HalfKneel, plant: Plant::Spots([Spot::KneeR, Spot::KneeR]), seconds: 0.5 },
    Leg { to: Key::Stride, plant: Plant::Spots([Spot::ToesL, Spot::ToesL]), seconds: 0.5 },
    Leg { to: Key::Beside, plant: Plant::Spots([Spot::ToesL, Spot::ToesL]), seconds: 0.4 },
    Leg { to: Key::Animation, plant: Plant::Spots([Spot::ToesL, Spot::ToesL]), seconds: 0.5 },
];
/// Steps between two looks of one who waits for room.
const LOOK_AGAIN: u64 = 15;
/// Share of its strength under which nobody gets up: with less it would stand for a moment and collapse. Held by `tests/motion/get_up.rs`.
const LEAST_STRENGTH: f32 = 0.1;
/// Radius of the room that a figure needs where it rises (m), and how high (m) a thing may lie in it.
const ROOM: f32 = 0.25;
const STEPS_OVER: f32 = 0.45;

/// Tells once why it waits.
fn wait(figure: &mut Figure, why: String, step: u64) {
    let Some(motion) = &mut figure.motion else { return };
    if motion.get_up.waits.as_ref() != Some(&why) {
        figure.happened.push(Happening::GetUpWaits { figure: figure.handle, why: why.clone() });
        figure.trace.put(step, What::Waits { why: why.clone() });
        motion.get_up.waits = Some(why);
    }
}

/// Whether it is down, has come to rest and is to get up; notes why not, where it was told to.
pub(super) fn wants(figure: &mut Figure, step: u64, dt: f32) -> bool {
    let writhes = figure.is_writhing();
    let (Some(motion), Some(body)) = (&mut figure.motion, &figure.body) else { return false };
    let down = motion.phase.has_landed();
    motion.get_up.look(&body.bodies, writhes);
    if !motion.phase.is_down() {
        motion.get_up.wanted = false;
        motion.get_up.waits = None;
    }
    let lain = motion.get_up.lain(dt).filter(|_| down);
    let by_itself = motion.record.get_up > 0.0 && lain.is_some_and(|lain| lain >= motion.record.get_up);
    motion.get_up.wanted |= by_itself;
    if !motion.get_up.wanted {
        return false;
    }
    let why = if writhes {
        Some("it writhes")
    } else if lain.is_none() {
        Some("it moves")
    } else {
        (motion.muscles.strength < LEAST_STRENGTH).then_some("it has no strength")
    };
    if let Some(why) = why {
        wait(figure, why.to_owned(), step);
    }
    why.is_none()
}

/// Sets a figure on its way, if there is room.
pub(super) fn rise(world: &mut World, handle: FigureHandle) {
    let step = world.step_index();
    let Ok(figure) = world.figure(handle) else { return };
    let waits = figure.motion.as_ref().is_some_and(|motion| motion.get_up.waits.is_some());
    if waits && !step.is_multiple_of(LOOK_AGAIN) {
        return;
    }
    let (Ok(ragdoll), Some(animation)) = (&figure.model.ragdoll, &figure.pose_in_place) else { return };
    let from = figure.drawn.bodies;
    let (face_up, yaw) = lies(&from);
    let clip = if face_up { &figure.acts.get_up_face_up } else { &figure.acts.get_up_face_down };
    let way = match clip.as_ref().and_then(|clip| Course::through(&figure.model, clip)) {
        // It comes to face where the clip does, from where the clip lies.
        Some(course) => Way::plan(ragdoll, from, animation, &course.up(ragdoll), yaw - lies(course.begins()).1),
        None => Way::plan(ragdoll, from, animation, if face_up { FACE_UP } else { FACE_DOWN }, yaw),
    };
    let place = way.end(ragdoll, animation).translation.with_y(figure.senses.lowest);
    let obstacle = in_the_way(world, handle, ragdoll.height, place);
    let Some(figure) = world.figure_mut(handle) else { return };
    match obstacle {
        Some(what) => wait(figure, format!("{what} is in its way"), step),
        None => figure.go(way, None, step),
    }
}

/// What stands or lies in the room of a figure that is to stand on a place, looked for from above.
fn in_the_way(world: &World, handle: FigureHandle, height: f32, place: Vec3) -> Option<String> {
    let around = (0..8).map(|side| rotation_from_yaw(side as f32 * FRAC_PI_4) * (Vec3::Z * ROOM));
    around.chain([Vec3::ZERO]).find_map(|aside| {
        let hit = world.raycast(place + aside + Vec3::Y * height, Vec3::NEG_Y, height - STEPS_OVER)?;
        match (hit.figure, hit.object) {
            (Some((own, _)), _) if own == handle => None,
            (Some((other, _)), _) => world.figure(other).ok().map(|figure| figure.name.clone()),
            (None, object) => world.object(object?).ok().map(|object| object.name.clone()),
        }
    })
}
