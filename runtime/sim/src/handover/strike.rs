//! Striking a member: which figure takes it, and how it is handed over.

use super::exchange::{MOST_LEAN, give_back, take_out};
use super::{Slot, Stage};
use crate::command::Hit;
use crate::crowd::{Horde, HordeCommand, Whereabouts};
use crate::error::Error;
use crate::figure::{Bone, Ragdoll};
use crate::id::FigureHandle;
use crate::motion::{Mode, Phase};
use crate::space::{Rigid, Vec3};
use crate::trace::Because;
use crate::world::Figure;
use crate::world::World;
use crate::world::check::{HEAVIEST_BLOW, vector};
use serde::{Deserialize, Serialize};

/// Seconds after a blow until which it does not show whether one falls of it, however upright it is still: who falls of 3 m/s leans by 0.35 rad
/// after 0.18 s, of 2 m/s (0.32 s) by more than `MOST_LEAN` after as long. Without it a strike took the figure of another one's blow.
const SHOWS: f32 = 0.2;

/// A blow on a member of a horde.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strike {
    /// Who.
    pub member: u32,
    /// The figure that takes it, as [`World::taker`] says; nothing comes of the blow if it cannot any more.
    pub figure: FigureHandle,
    /// World, m: the bone that is nearest is hit, on its skin where this is farther off.
    pub point: Vec3,
    /// N·s, world.
    pub impulse: Vec3,
    /// Whether it kills.
    pub kills: bool,
}

/// How far off a bone's middle line a blow meets it at most (m, of a person of 1.75 m): a chest is no thicker. What is struck standing may
/// lie by then; a blow of 3 m/s a metre and more off a limb made a flail of who lay, and threw it 40 m.
const THICK: f32 = 0.2;

impl World {
    /// The figure that would take a struck member: its own, if it is handed over already; else one that is parked; else, of those that are
    /// not in the middle of a fall (a killed one that lies, one that has stood over its blow), the one farthest from the member. `None`
    /// where there is none, or the member is dead. A figure that another strike of the step takes is not free any more.
    ///
    /// # Errors
    /// No such horde or member, a horde without a pool.
    pub fn taker(&self, horde: &str, member: u32) -> Result<Option<FigureHandle>, Error> {
        let name = horde;
        let horde = self.horde(name)?;
        let (index, pool) = (horde.member(member)?, horde.the_pool()?);
        let promised = || {
            self.queued_for(name).filter_map(|command| match command {
                HordeCommand::Strike(strike) => Some((strike.member, strike.figure)),
                _ => None,
            })
        };
        let is_free = |figure: FigureHandle| promised().all(|(_, taken)| taken != figure);
        // Its own figure may be another's by then.
        let own = promised().find(|(struck, _)| *struck == member).map(|(_, figure)| figure);
        let own = own.or_else(|| pool.figure_of(member).filter(|figure| is_free(*figure)));
        if own.is_some() || horde.members().whereabouts()[index] == Whereabouts::Dead {
            return Ok(own.filter(|own| self.figure(*own).is_ok()));
        }
        let free = |slot: &&Slot| is_free(slot.figure);
        if let Some(parked) = pool.slots().iter().filter(free).find(|slot| slot.stage == Stage::Parked) {
            return Ok(Some(parked.figure));
        }
        let at = Vec3::from_array(horde.members().positions()[index]);
        let away =
            |slot: &&Slot| self.figure(slot.figure).map_or(0.0, |figure| figure.bone(Bone::Pelvis).translation.distance(at));
        let takeable = pool.slots().iter().filter(free).filter(|slot| self.is_takeable(slot));
        // The first of those that are equally far.
        let farthest = takeable.fold(None, |best: Option<(f32, FigureHandle)>, slot| {
            let own = away(&slot);
            if best.is_none_or(|(far, _)| own > far) { Some((own, slot.figure)) } else { best }
        });
        Ok(farthest.map(|(_, figure)| figure))
    }

    /// Whether a figure may be taken from its member: it is not in the middle of a fall, nor on its way up.
    fn is_takeable(&self, slot: &Slot) -> bool {
        let Ok(figure) = self.figure(slot.figure) else { return false };
        match slot.stage {
            Stage::Parked => true,
            Stage::Dead { .. } => matches!(figure.phase(), Phase::Landed | Phase::Lying),
            Stage::Out { .. } | Stage::Returning { .. } => {
                let stands = figure.phase() == Phase::Standing && matches!(figure.mode(), Mode::Powered | Mode::Animated);
                stands && slot.struck >= SHOWS && figure.senses.lean < MOST_LEAN
            }
        }
    }
}

pub(crate) fn check_strike(horde: &Horde, strike: &Strike) -> Result<(), Error> {
    horde.member(strike.member)?;
    vector("the blow's impulse (N·s)", strike.impulse, HEAVIEST_BLOW)?;
    vector("the blow's point (m)", strike.point, crate::crowd::FARTHEST)?;
    let known = horde.the_pool()?.slots().iter().any(|slot| slot.figure == strike.figure);
    if known { Ok(()) } else { Err(Error::NotOfThePool(horde.name.clone())) }
}

/// Hands a member over, and strikes it. Nothing comes of it where its figure is not free any more.
pub(crate) fn strike(world: &mut World, name: &str, strike: &Strike) {
    let Ok(horde) = world.horde(name) else { return };
    let Some(slot) = horde.pool().and_then(|pool| pool.slot(strike.figure)).copied() else { return };
    let member = strike.member as usize;
    let own = slot.stage.member() == Some(strike.member);
    if !own {
        if horde.members().whereabouts()[member] != Whereabouts::In || !world.is_takeable(&slot) {
            return;
        }
        give_back(world, name, strike.figure);
        take_out(world, name, strike.figure, strike.member);
    }
    if let Some(slot) = world.horde_mut(name).and_then(|horde| horde.pool.as_mut()?.slot_mut(strike.figure)) {
        slot.struck = 0.0;
    }
    if strike.kills {
        kill(world, name, strike);
    } else if !matches!(slot.stage, Stage::Dead { .. }) {
        world.set_mode(strike.figure, Mode::Powered, Because::Struck);
    }
    let Some((bone, point)) = world.figure(strike.figure).ok().and_then(|figure| met(figure, strike.point)) else { return };
    world.hit(&Hit { point: Some(point), ..Hit::new(strike.figure, bone, strike.impulse) });
}

/// From here on it lies limp, and never gets up.
fn kill(world: &mut World, name: &str, strike: &Strike) {
    world.set_mode(strike.figure, Mode::Limp, Because::Struck);
    if let Some(motion) = world.figure_mut(strike.figure).and_then(|figure| figure.motion.as_mut()) {
        (motion.record.get_up, motion.get_up.wanted) = (0.0, false);
    }
    let Some(horde) = world.horde_mut(name) else { return };
    horde.members.set_whereabouts(strike.member as usize, Whereabouts::Dead);
    if let Some(slot) = horde.pool.as_mut().and_then(|pool| pool.slot_mut(strike.figure))
        && !matches!(slot.stage, Stage::Dead { .. })
    {
        slot.stage = Stage::Dead { member: strike.member, lain: 0.0 };
    }
}

/// The bone whose middle line, from its joint to its tip, comes nearest to a point, and where a blow at that meets it.
fn met(figure: &Figure, point: Vec3) -> Option<(Bone, Vec3)> {
    let ragdoll = figure.model.ragdoll.as_ref().ok()?;
    let on_line = |bone: Bone| nearest_of(ragdoll, bone, &figure.bone(bone), point);
    let lines = Bone::ALL.into_iter().map(|bone| (bone, on_line(bone)));
    let nearer = |(one, other): (&(Bone, Vec3), &(Bone, Vec3))| one.1.distance(point).total_cmp(&other.1.distance(point));
    let (bone, line) = lines.min_by(|one, other| nearer((one, other)))?;
    Some((bone, line + (point - line).clamp_length_max(THICK * ragdoll.tall())))
}

/// The point of a bone's middle line that is nearest to a point (world).
fn nearest_of(ragdoll: &Ragdoll, bone: Bone, world_from_body: &Rigid, point: Vec3) -> Vec3 {
    let (index, middle) = (bone.index(), ragdoll.rest[bone.index()].translation);
    let local = world_from_body.inverse().point(point) + middle;
    let (from, way) = (ragdoll.joint_at[index], ragdoll.tip_at[index] - ragdoll.joint_at[index]);
    let along = if way == Vec3::ZERO { 0.0 } else { ((local - from).dot(way) / way.length_squared()).clamp(0.0, 1.0) };
    world_from_body.point(from + way * along - middle)
}
