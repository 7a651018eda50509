//! A step of one who has something in its hands.

use super::hold::{is_on_its_feet, leaves, near, put_down};
use super::stand_up;
use super::table::Table;
use crate::figure::{BONES, Ragdoll};
use crate::id::FigureHandle;
use crate::keyed::{Grip, MOST_TURN, Way};
use crate::motion::{ActKind, Doing, Holding};
use crate::space::{Rigid, Vec3, rotation_vector, yaw_of};
use crate::world::{Figure, World};

/// How often a step that would turn an arm too fast is made smaller: an arm that is nearly folded turns the more, the farther it goes.
const SLOWED: usize = 4;
/// Seconds that each part of what is done takes at least; a part in which an arm would turn too fast takes longer.
const fn seconds(doing: Doing, part: usize) -> f32 {
    match (doing, part) {
        (Doing::Reach { .. } | Doing::Leave, _) => 0.7,
        (Doing::Eat, 1) => 0.8,
        (Doing::Drink, 1) => 1.6,
        _ => 0.9,
    }
}

/// How many parts it has; `None` for what lasts.
const fn parts(doing: Doing) -> Option<f32> {
    match doing {
        Doing::Carry | Doing::Rest => None,
        Doing::Eat | Doing::Drink => Some(3.0),
        _ => Some(1.0),
    }
}

/// What is done with an item by now, and where the palms are; `None` once the hands are free.
type Next = Option<(Holding, [Grip; 2])>;

/// A step of what a figure does with its hands: they are brought where they are to be, and what one who falls holds is let go of.
pub(crate) fn run(world: &mut World, handle: FigureHandle) {
    let dt = world.dt();
    let Ok(figure) = world.figure(handle) else { return };
    let Some(holding) = figure.motion.as_ref().and_then(|motion| motion.holding.as_ref()) else { return };
    let next = next(world, figure, holding, dt);
    let rises = holding.then_up && next.is_none();
    // What is put down stays there: it has come to rest with the hand.
    let put_down = if let Doing::PutDown { to, .. } = holding.doing { Some(to) } else { None };
    let put_down = put_down.filter(|_| next.is_some());
    let lets_go = holding.holds() && !next.as_ref().is_some_and(|(after, _)| after.holds());
    if lets_go {
        drop_held(world, handle, put_down);
    }
    let step = world.step_index();
    if let Some(figure) = world.figure_mut(handle) {
        let (holding, grips) = next.map_or((None, [Grip::default(); 2]), |(holding, grips)| (Some(holding), grips));
        figure.set_holding(holding, step);
        if let Some(way) = figure.motion.as_mut().and_then(|motion| motion.way.as_mut()) {
            way.grip(grips);
        }
    }
    if rises
        && let Ok((way, act)) = stand_up(world, handle)
        && let Some(figure) = world.figure_mut(handle)
    {
        figure.go(way, Some(act), step);
    }
}

/// Lets what is in a figure's hands go, as it moves or where it has been put down; the two touch again once they are apart.
pub(crate) fn drop_held(world: &mut World, handle: FigureHandle, put_down: Option<Rigid>) {
    let Some(motion) = world.figure_mut(handle).and_then(|figure| figure.motion.as_mut()) else { return };
    let Some(item) = motion.holds().map(|holding| holding.item) else { return };
    motion.pass_through(item);
    world.let_go_of(item, put_down);
}

fn next(world: &World, figure: &Figure, holding: &Holding, dt: f32) -> Next {
    let (Ok(ragdoll), Some(animation), Some(motion)) = (&figure.model.ragdoll, &figure.pose_in_place, &figure.motion) else {
        return None;
    };
    let sits = motion.acts(ActKind::Sit).is_some();
    let seated = motion.stays(ActKind::Sit);
    let carries = || {
        let held = if holding.doing == Doing::Carry { holding.clone() } else { holding.begins(Doing::Carry, [0.0; 2]) };
        let done = (held.done + dt / seconds(held.doing, 0)).min(1.0);
        // Who has left its seat with it is not to stand up from the next one.
        Some((Holding { done, then_up: sits && held.then_up, ..held }, [Grip::default(); 2]))
    };
    let item = world.object(holding.item).ok();
    if !sits && holding.holds() {
        return (item.is_some() && is_on_its_feet(figure)).then(carries).flatten();
    }
    let (true, Some(way)) = (sits, &motion.way) else { return None };
    let mut holding = holding.clone();
    match (holding.doing, item) {
        // It is no more.
        (_, None) => holding = leaves(figure, &holding)?,
        (Doing::Carry, Some(_)) if !seated => return carries(),
        // Sat down with it, it takes it from where its hand has come to lie to the lap.
        (Doing::Carry, Some(item)) => {
            holding.pose = item.pose;
            let began = [0, 1].map(|side| if side == holding.carrier() { 1.0 } else { 0.0 });
            holding = holding.begins(Doing::Lift, began);
        }
        // It is to stand up: what is reached for is left, and what is on the lap put down.
        (Doing::Reach { .. }, _) if holding.then_up => holding = leaves(figure, &holding)?,
        (Doing::Rest, _) if holding.then_up => holding = put_down(world, figure, &holding).ok()?,
        // It has been moved off.
        (Doing::Reach { near: hands }, Some(item))
            if near(figure, way.bodies(), &holding, &item.pose).is_ok_and(|now| now != hands) =>
        {
            holding = holding.begins(Doing::Leave, way.grips().map(|grip| grip.share));
        }
        _ => {}
    }
    let lies = item.filter(|_| matches!(holding.doing, Doing::Reach { .. })).map_or(holding.pose, |item| item.pose);
    let bounds = item.and_then(|item| item.shape.bounds()).unwrap_or_default();
    Stage { ragdoll, animation, way, bounds, lies }.on(holding, dt)
}

/// What a step of one who sits goes by.
struct Stage<'a> {
    ragdoll: &'a Ragdoll,
    animation: &'a [Rigid; BONES],
    way: &'a Way,
    bounds: [Vec3; 2],
    lies: Rigid,
}

impl Stage<'_> {
    fn on(&self, holding: Holding, dt: f32) -> Next {
        let table = Table { ragdoll: self.ragdoll, bodies: self.way.bodies(), bounds: self.bounds };
        let lies = self.lies;
        let (doing, was) = (holding.doing, holding.done);
        let part = was as usize;
        let Some(parts) = parts(doing) else {
            let (pose, grips) = table.posed(&holding, 0.0, lies);
            return Some((Holding { pose, before: holding.pose, ..holding }, grips));
        };
        let mut by = dt / seconds(doing, part);
        let end = (part as f32 + 1.0).min(parts);
        let (mut pose, mut grips) = table.posed(&holding, (was + by).min(end), lies);
        for _ in 0..SLOWED {
            let turn = self.turn(&grips);
            if turn <= MOST_TURN * dt {
                break;
            }
            by *= MOST_TURN * dt / turn;
            (pose, grips) = table.posed(&holding, (was + by).min(end), lies);
        }
        let done = (was + by).min(end);
        let holding = Holding { done, pose, before: holding.pose, ..holding };
        if done < parts {
            return Some((holding, grips));
        }
        let shares = grips.map(|grip| grip.share);
        match doing {
            Doing::Leave => None,
            Doing::Reach { .. } => Some((holding.begins(Doing::Lift, shares), grips)),
            Doing::PutDown { .. } => Some((holding.begins(Doing::Leave, shares), grips)),
            _ => Some((holding.begins(Doing::Rest, [1.0; 2]), grips)),
        }
    }

    /// The most that a bone turns (rad) to have its palms there.
    fn turn(&self, grips: &[Grip; 2]) -> f32 {
        let there = self.way.gripping(self.ragdoll, self.animation, grips);
        let turned = |bone: usize| rotation_vector(there[bone].rotation * self.way.bodies()[bone].rotation.conjugate()).length();
        (0..BONES).map(turned).fold(0.0, f32::max)
    }
}

/// Puts what is held where it is drawn in its hands, moving as they do: whoever lets go of it lets it fly.
pub(crate) fn place(world: &mut World) {
    let dt = world.dt();
    for index in 0..world.order().len() {
        let handle = world.order()[index];
        let Some(Figure { motion: Some(motion), model, drawn, place, .. }) = world.figure_mut(handle) else { continue };
        let (Some(holding), Ok(ragdoll)) = (motion.holding.as_mut().filter(|holding| holding.holds()), &model.ragdoll) else {
            continue;
        };
        if holding.doing == Doing::Carry {
            holding.before = holding.carried(ragdoll, &drawn.bodies, yaw_of(place.rotation));
        }
        let (item, pose) = (holding.item, holding.before);
        let was = holding.placed.replace(pose).unwrap_or(pose);
        let linear = (pose.translation - was.translation) / dt;
        let angular = rotation_vector(pose.rotation * was.rotation.conjugate()) / dt;
        world.carry_object(item, pose, linear, angular);
    }
}
