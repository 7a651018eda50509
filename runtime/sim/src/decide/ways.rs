//! Keyed ways: who begins one, a step along each, and how it ends.

use super::get_up;
use crate::acts;
use crate::figure::Bone;
use crate::id::FigureHandle;
use crate::keyed::Way;
use crate::motion::Mode;
use crate::space::Vec3;
use crate::trace::Because;
use crate::world::{Figure, World};

/// Gap (m) between the pelvis and its way past which something holds the figure back, and the steps until it gives up. Held by
/// `tests/motion/get_up.rs`.
const HELD_BACK: f32 = 0.2;
const GIVES_UP: u32 = 15;
/// How far over a point the ground is looked for (m), and how far from the figure's lowest point it may be.
const LOOKS_UP: f32 = 0.4;

/// Every figure that is down, acts, or is on its way up.
pub(super) fn run(world: &mut World) {
    let (step, dt) = (world.step_index(), world.dt());
    for index in 0..world.order().len() {
        let handle = world.order()[index];
        let Some(figure) = world.figure_mut(handle) else { continue };
        if figure.is_frozen() {
            continue;
        }
        match figure.mode() {
            Mode::GettingUp => end(figure, step),
            Mode::Acting => {
                end(figure, step);
                acts::run(world, handle);
            }
            _ => {
                if get_up::wants(figure, step, dt) {
                    get_up::rise(world, handle);
                }
            }
        }
        if world.figure(handle).is_ok_and(acts::rises) {
            get_up::rise(world, handle);
        }
        acts::run_held(world, handle);
        advance(world, handle);
    }
}

/// Ends a way that has been gone, or one that something holds the bodies back from.
fn end(figure: &mut Figure, step: u64) {
    let gap = figure.bone(Bone::Pelvis).translation.distance(figure.target.from_bodies[0].translation);
    let gets_up = figure.mode() == Mode::GettingUp;
    let Some(motion) = &mut figure.motion else { return };
    let get_up = &mut motion.get_up;
    get_up.held_back = if gap > HELD_BACK { get_up.held_back + 1 } else { 0 };
    if get_up.held_back > GIVES_UP {
        get_up.wanted = gets_up;
        figure.change_mode(Mode::Powered, Because::HeldBack, step, None);
    } else if motion.way.as_ref().is_none_or(|way| way.ends_in_animation() && way.is_over()) {
        let up = motion.record.mode;
        figure.change_mode(up, Because::Arrived, step, None);
    }
}

/// A step along the way of a figure that is on one: SAMPLE takes it from there.
fn advance(world: &mut World, handle: FigureHandle) {
    let dt = world.dt();
    let way = |figure: &mut Figure| figure.motion.as_mut().and_then(|motion| motion.way.take());
    let Some(mut way) = world.figure_mut(handle).and_then(way) else { return };
    if let Ok(figure) = world.figure(handle) {
        step_along(world, figure, &mut way, dt);
    }
    if let Some(motion) = world.figure_mut(handle).and_then(|figure| figure.motion.as_mut()) {
        motion.way = Some(way);
    }
}

fn step_along(world: &World, figure: &Figure, way: &mut Way, dt: f32) {
    let (Ok(ragdoll), Some(animation)) = (&figure.model.ragdoll, &figure.pose_in_place) else { return };
    let lowest = figure.senses.lowest;
    way.advance(ragdoll, animation, dt, |point| {
        let found = world.ground_under(point + Vec3::Y * LOOKS_UP);
        // Within a wall, over an abyss: no ground to rise from.
        found.filter(|height| (height - lowest).abs() < LOOKS_UP * 0.99).unwrap_or(lowest)
    });
}
