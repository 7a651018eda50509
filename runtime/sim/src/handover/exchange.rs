//! Members into figures and back.

use super::{Pool, Stage};
use crate::command::FigureSpec;
use crate::crowd::{Horde, Whereabouts, at};
use crate::draw::FADE_SECONDS;
use crate::event::Happening;
use crate::figure::{BONES, Bone, Model};
use crate::id::FigureHandle;
use crate::motion::{Mode, MotionRecord, Phase};
use crate::pose::Animator;
use crate::space::{Rigid, Vec3, yaw_of};
use crate::trace::Because;
use crate::world::{Figure, World};
use std::sync::Arc;

/// Lean (rad) from its pose over which nobody stands well.
pub(super) const MOST_LEAN: f32 = 0.2;
/// Share of its muscle that a blow has left it under which nobody has recovered.
const RECOVERED: f32 = 0.999;
/// How far (m) under its place on the ground somebody is who has fallen off it: that place stays where there is none under the pelvis.
const FALLEN_OUT: f32 = 10.0;
/// Seconds in which a struck figure comes from the horde's clip to its stance.
const STANCE_FADE: f32 = 0.3;

/// Stands a parked figure where a member is drawn, as it is drawn, moving as it moves; the member leaves the horde.
pub(super) fn take_out(world: &mut World, name: &str, figure: FigureHandle, member: u32) {
    let dt = world.dt();
    let Ok(horde) = world.horde(name) else { return };
    let (Some(bank), Some(pool), Some(place)) = (horde.bank(), horde.pool(), horde.place(member as usize)) else { return };
    let Ok(name_of) = world.figure(figure).map(|figure| figure.name.clone()) else { return };
    let index = member as usize;
    let members = horde.members();
    let time = members.phases()[index] * bank.duration();
    // What it moved on by in a step is how it moves.
    let [sine, cosine] = members.facings()[index];
    let way = members.speeds()[index] * dt;
    let moved = Vec3::new(sine, 0.0, cosine) * way + Vec3::Y * (members.rises()[index] * dt);
    let place_before = Rigid::new(place.rotation, place.translation - moved);
    let gone = if bank.stride() > 0.0 { way / bank.stride() * bank.duration() } else { dt };
    let before = at(&horde.model, horde.clip, (time - gone).rem_euclid(bank.duration().max(f32::MIN_POSITIVE)));
    let before = bodies(&horde.model, before).map(|bodies| bodies.map(|body| place_before * body));
    let spec = FigureSpec {
        position: place.translation,
        yaw: members.heading(index) + horde.facing,
        clip: horde.model.rig.clips.get(horde.clip).map(|clip| clip.name.clone()),
        clip_time: time,
        motion: Some(MotionRecord { mode: Mode::Animated, ..pool.motion.clone() }),
        behaviours: pool.behaviours.clone(),
        ..FigureSpec::new(&name_of, Arc::clone(&horde.model))
    };
    let stance = pool.stance;
    world.unpark(figure, spec, before);
    if let (Some(stance), Some(figure)) = (stance, world.figure_mut(figure)) {
        figure.animator.play(&figure.model, stance, 1.0, true, STANCE_FADE);
    }
    if let Some(horde) = world.horde_mut(name) {
        horde.members.set_whereabouts(index, Whereabouts::Out);
        set_stage(horde, figure, Stage::Out { member, stood: 0.0 });
    }
    world.happen(Happening::HandedOver { horde: name.to_owned(), member, figure });
}

/// Where the bodies are (figure's frame) as an animator that has just been set has them.
fn bodies(model: &Arc<Model>, mut animator: Animator) -> Option<[Rigid; BONES]> {
    let ragdoll = model.ragdoll.as_ref().ok()?;
    animator.advance(model, 0.0);
    Some(ragdoll.bodies_of(&model.rig, &animator.locals))
}

/// Puts a figure's member back where the figure stands, at the phase of its clip, and parks the figure. A dead member stays out.
pub(super) fn give_back(world: &mut World, name: &str, figure: FigureHandle) {
    let Some(slot) = world.horde(name).ok().and_then(Horde::pool).and_then(|pool| pool.slot(figure)).copied() else { return };
    let Some(member) = slot.stage.member() else { return };
    let dead = matches!(slot.stage, Stage::Dead { .. });
    // One that is taken while it stands on its muscles: its clip comes to where its bodies stand.
    if matches!(slot.stage, Stage::Out { .. }) && world.figure(figure).is_ok_and(|figure| figure.mode() == Mode::Powered) {
        world.set_mode(figure, Mode::Animated, Because::Told);
    }
    let stands = world.figure(figure).ok().map(stands);
    if let (Some(horde), Some((place, time)), false) = (world.horde_mut(name), stands, dead) {
        let duration = horde.bank().map_or(0.0, |bank| bank.duration());
        let phase = time.filter(|_| duration > 0.0).map_or(horde.members.phases()[member as usize], |time| time / duration);
        let heading = yaw_of(place.rotation) - horde.facing;
        horde.members.put(member as usize, Some(place.translation.to_array()), Some(heading), Some(phase.clamp(0.0, 1.0)));
        horde.members.set_whereabouts(member as usize, Whereabouts::In);
    }
    park(world, name, figure);
    let name = name.to_owned();
    world.happen(if dead {
        Happening::Despawned { horde: name, member, figure }
    } else {
        Happening::Returned { horde: name, member, figure }
    });
}

/// Where a figure's clip stands, and the time of the clip that it has come to.
fn stands(figure: &Figure) -> (Rigid, Option<f32>) {
    let playing = figure.animator.playing.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
    (figure.place, playing.map(|playing| playing.time))
}

/// Parks the figure of a member that is no more.
pub(crate) fn drop_member(world: &mut World, name: &str, figure: FigureHandle) {
    park(world, name, figure);
}

fn park(world: &mut World, name: &str, figure: FigureHandle) {
    world.park(figure);
    if let Some(horde) = world.horde_mut(name) {
        set_stage(horde, figure, Stage::Parked);
    }
}

fn set_stage(horde: &mut Horde, figure: FigureHandle, stage: Stage) {
    if let Some(slot) = horde.pool.as_mut().and_then(|pool| pool.slot_mut(figure)) {
        slot.stage = stage;
    }
}

/// Every pool looks at its figures, once they have been drawn: those that have recovered go back, dead ones are taken away.
pub(crate) fn run(world: &mut World, dt: f32) {
    for index in 0..world.hordes().count() {
        let Some(horde) = world.hordes().nth(index) else { continue };
        if horde.pool().is_none_or(|pool| pool.slots().iter().all(|slot| slot.stage == Stage::Parked)) {
            continue;
        }
        let name = horde.name.clone();
        for slot in 0..horde.pool().map_or(0, |pool| pool.slots().len()) {
            look(world, &name, slot, dt);
        }
    }
}

/// Looks at one figure of a pool.
fn look(world: &mut World, name: &str, slot: usize, dt: f32) {
    let Ok(horde) = world.horde(name) else { return };
    let Some((pool, slot)) = horde.pool().and_then(|pool| Some((pool, *pool.slots().get(slot)?))) else { return };
    let (Ok(figure), Some(member)) = (world.figure(slot.figure), slot.stage.member()) else { return };
    let (Pool { settle, despawn, .. }, clip) = (pool, horde.clip);
    let (settle, despawn) = (*settle, *despawn);
    let struck = slot.struck + dt;
    let place = figure.bone(Bone::Pelvis).translation.with_y(figure.place.translation.y);
    let next = match slot.stage {
        Stage::Parked => return,
        // What went bad is put back as it last was.
        Stage::Out { .. } | Stage::Returning { .. } if figure.is_frozen() => None,
        Stage::Out { .. } if figure.place.translation.y - figure.bone(Bone::Pelvis).translation.y > FALLEN_OUT => {
            return fall_out(world, name, slot.figure, member);
        }
        Stage::Out { stood, .. } => {
            let stood = if stands_well(figure) { stood + dt } else { 0.0 };
            let settled = stood >= settle && stood > 0.0;
            Some(if settled { Stage::Returning { member } } else { Stage::Out { member, stood } })
        }
        // Struck again, or set on its muscles.
        Stage::Returning { .. } if figure.mode() != Mode::Animated => Some(Stage::Out { member, stood: 0.0 }),
        Stage::Returning { .. } => (!is_back(figure, clip)).then_some(slot.stage),
        Stage::Dead { lain, .. } => {
            let lain = lain + dt;
            let gone = despawn > 0.0 && lain >= despawn;
            (!gone).then_some(Stage::Dead { member, lain })
        }
    };
    let Some(next) = next else { return give_back(world, name, slot.figure) };
    if matches!((slot.stage, next), (Stage::Out { .. }, Stage::Returning { .. })) {
        begin_return(world, slot.figure, clip);
    }
    if let Some(horde) = world.horde_mut(name) {
        // Where its figure is, so that others walk around it.
        horde.members.put(member as usize, Some(place.to_array()), None, None);
        if let Some(slot) = horde.pool.as_mut().and_then(|pool| pool.slot_mut(slot.figure)) {
            (slot.stage, slot.struck) = (next, struck);
        }
    }
}

/// It has fallen off all ground: its member is dead, and its figure free.
fn fall_out(world: &mut World, name: &str, figure: FigureHandle, member: u32) {
    if let Some(horde) = world.horde_mut(name) {
        horde.members.set_whereabouts(member as usize, Whereabouts::Dead);
        set_stage(horde, figure, Stage::Dead { member, lain: 0.0 });
    }
    give_back(world, name, figure);
}

/// On its feet, upright, with all its muscle back.
fn stands_well(figure: &Figure) -> bool {
    let recovered = |motion: &crate::motion::Motion| Bone::ALL.into_iter().all(|bone| motion.muscles.left(bone) >= RECOVERED);
    let stands = figure.phase() == Phase::Standing && matches!(figure.mode(), Mode::Powered | Mode::Animated);
    stands && figure.senses.lean < MOST_LEAN && figure.motion.as_ref().is_some_and(recovered)
}

/// Whether the clip has been taken up: nothing fades any more.
fn is_back(figure: &Figure, clip: usize) -> bool {
    let playing = &figure.animator.playing;
    let only = playing.len() == 1 && playing.iter().all(|playing| playing.clip == clip && playing.weight >= 1.0);
    only && figure.fade.is_none()
}

/// Its animation is moved to where its bodies stand, and fades in there.
fn begin_return(world: &mut World, figure: FigureHandle, clip: usize) {
    world.set_mode(figure, Mode::Animated, Because::Told);
    let Some(figure) = world.figure_mut(figure) else { return };
    if figure.animator.playing.iter().all(|playing| playing.clip != clip || playing.goal < 1.0) {
        figure.animator.play(&figure.model, clip, 1.0, true, FADE_SECONDS);
    }
}
