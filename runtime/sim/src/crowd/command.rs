//! Commands that concern a horde: what they say, whether they can be, and what they do.

use super::ground::Ground;
use super::members::{Members, Whereabouts};
use super::{FARTHEST, FASTEST, Horde, MOST_MEMBERS};
use crate::error::Error;
use crate::figure::Model;
use crate::handover::{self, PoolSpec};
use crate::id::FigureHandle;
use crate::space::Vec3;
use crate::world::World;
use crate::world::check::{number, refused, vector};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The longest that a horde is stepped ahead at once (s).
const MOST_SECONDS: f32 = 600.0;
/// The most steps times members in one command: a second or two of work.
const MOST_STEPS: usize = 100_000_000;

/// Everything needed to make a horde.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HordeSpec {
    /// Unique in the world.
    pub name: String,
    /// What its members wear. A file holds it once for all who wear it, beside the commands.
    #[serde(skip)]
    pub model: Arc<Model>,
    /// The clip that they play; its travel is taken out.
    pub clip: String,
    /// How many members.
    pub count: usize,
    /// Middle of the area that they are spread over (world, m); they stand at its height.
    pub position: Vec3,
    /// Full extents of the area along X and Z (m).
    pub area: [f32; 2],
    /// The way they face (yaw about +Y, rad); those who roam face any way.
    pub yaw: f32,
    /// m/s; `None`: the clip's own, 0 for one that stays in place.
    pub speed: Option<f32>,
    /// Distance (m) that they keep from each other; 0 for none.
    pub clearance: f32,
    /// Whether those who have arrived find a new goal in the area.
    pub roams: bool,
    /// Whether they go up and down with the fixed ground: a ray for an eighth of them in each step.
    pub grounded: bool,
    /// Where they go at first.
    pub goal: Option<Vec3>,
    /// The figures that its members become when they are struck.
    pub pool: Option<PoolSpec>,
}

impl HordeSpec {
    /// A horde around the origin, 5 m² a member, that walks on as it faces and keeps no distance.
    #[must_use]
    pub fn new(name: &str, model: Arc<Model>, clip: &str, count: usize) -> Self {
        let side = (count as f32 * 5.0).sqrt();
        Self {
            name: name.to_owned(),
            model,
            clip: clip.to_owned(),
            count,
            position: Vec3::ZERO,
            area: [side, side],
            yaw: 0.0,
            speed: None,
            clearance: 0.0,
            roams: false,
            grounded: false,
            goal: None,
            pool: None,
        }
    }
}

/// A change of a horde, or of its pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum HordeCommand {
    /// Makes one of that name.
    Add(Box<HordeSpec>),
    /// Takes it out, with its pool.
    Remove,
    /// Gives it a pool of figures.
    MakePool(Box<PoolSpec>),
    /// Where members stand (world, m), what way they face (rad), at what phase they are (0..1) and how they are tinted: each column is
    /// empty and left as it is, or of as many as there are members. Who is handed over keeps what the figure does.
    SetColumns {
        /// World, m.
        positions: Vec<[f32; 3]>,
        /// Yaw about +Y, rad.
        headings: Vec<f32>,
        /// 0..1.
        phases: Vec<f32>,
        /// Red, green, blue, alpha, from the lowest byte.
        tints: Vec<u32>,
    },
    /// Where members go (X and Z, world, m): one place for all, one each, or nowhere in particular.
    SetGoals(Vec<[f32; 2]>),
    /// m/s.
    SetSpeed(f32),
    /// Distance (m) that they keep from each other.
    SetClearance(f32),
    /// The turn (rad) that is added to a heading where a member is drawn.
    SetFacing(f32),
    /// Goes on for so many seconds at once, in the world's steps; those handed over are passed by.
    Step(f32),
    /// Two members change places in the columns; figures follow theirs.
    Swap {
        /// One.
        one: u32,
        /// The other.
        other: u32,
    },
    /// Takes a member out for good: the last one gets its number. Its figure, if it has one, is parked.
    RemoveMember(u32),
    /// Strikes a member, which a figure of the pool becomes.
    Strike(handover::Strike),
    /// Seconds that a figure stands well before its member goes back.
    SetSettle(f32),
    /// Seconds that a killed one lies before it is taken away; 0 for ever.
    SetDespawn(f32),
}

impl World {
    pub(crate) fn check_horde(&self, name: &str, command: &HordeCommand) -> Result<(), Error> {
        if let HordeCommand::Add(spec) = command {
            self.free_name(name)?;
            spec_of(name, spec)?;
            return spec.pool.as_ref().map_or(Ok(()), |pool| handover::check_pool(self, name, &spec.model, pool));
        }
        let horde = self.horde(name)?;
        let count = horde.members().len();
        match command {
            HordeCommand::Add(_) | HordeCommand::Remove => Ok(()),
            HordeCommand::MakePool(_) if horde.pool().is_some() => Err(Error::HasPool(name.to_owned())),
            HordeCommand::MakePool(spec) => handover::check_pool(self, name, &horde.model, spec),
            HordeCommand::SetColumns { positions, headings, phases, tints } => {
                for (what, length) in [
                    ("positions", positions.len()),
                    ("headings", headings.len()),
                    ("phases", phases.len()),
                    ("tints", tints.len()),
                ] {
                    if length != 0 && length != count {
                        return Err(refused(&format!("the number of {what}"), length, format!("{count}, or none")));
                    }
                }
                positions.iter().try_for_each(|at| vector("a member's position (m)", Vec3::from_array(*at), FARTHEST))?;
                headings.iter().try_for_each(|heading| number("a member's heading (rad)", *heading, -1000.0, 1000.0))?;
                phases.iter().try_for_each(|phase| number("a member's phase", *phase, 0.0, 1.0))
            }
            HordeCommand::SetGoals(goals) => {
                if ![0, 1, count].contains(&goals.len()) {
                    return Err(refused("the number of goals", goals.len(), format!("0, 1 or {count}")));
                }
                goals.iter().flatten().try_for_each(|metres| number("a goal (m)", *metres, -FARTHEST, FARTHEST))
            }
            HordeCommand::SetSpeed(speed) => number("the speed (m/s)", *speed, 0.0, FASTEST),
            HordeCommand::SetClearance(metres) => number("the clearance (m)", *metres, 0.0, 100.0),
            HordeCommand::SetFacing(facing) => number("the facing (rad)", *facing, -1000.0, 1000.0),
            HordeCommand::Step(seconds) => {
                let steps = (seconds / self.dt()) as usize;
                let most = (MOST_STEPS / count.max(1)) as f32 * self.dt();
                if steps.saturating_mul(count) > MOST_STEPS {
                    return Err(refused("the time to step (s)", seconds, format!("0 to {most} with {count} members")));
                }
                number("the time to step (s)", *seconds, 0.0, MOST_SECONDS)
            }
            HordeCommand::Swap { one, other } => horde.member(*one).and_then(|_| horde.member(*other)).map(drop),
            HordeCommand::RemoveMember(member) => horde.member(*member).map(drop),
            HordeCommand::Strike(strike) => handover::check_strike(horde, strike),
            HordeCommand::SetSettle(seconds) => {
                number("the time to settle (s)", *seconds, 0.0, 600.0).and_then(|()| horde.the_pool().map(drop))
            }
            HordeCommand::SetDespawn(seconds) => {
                number("the time to despawn (s)", *seconds, 0.0, 86_400.0).and_then(|()| horde.the_pool().map(drop))
            }
        }
    }

    pub(crate) fn apply_horde(&mut self, name: &str, command: HordeCommand) {
        let (dt, step, seed) = (self.dt(), self.step_index(), self.settings().seed);
        match command {
            HordeCommand::Add(mut spec) => {
                let pool = spec.pool.take();
                if let Some(horde) = Horde::new(*spec, seed) {
                    self.put_horde(horde);
                    self.with_horde_on_ground(name, |horde, ground| horde.stand_on(ground));
                    pool.into_iter().for_each(|pool| handover::make_pool(self, name, pool));
                }
            }
            HordeCommand::Remove => self.remove_horde(name),
            HordeCommand::MakePool(spec) => handover::make_pool(self, name, *spec),
            HordeCommand::Strike(strike) => handover::strike(self, name, &strike),
            HordeCommand::RemoveMember(member) => {
                let figure = self.horde(name).ok().and_then(|horde| horde.figure_of(member));
                if let Some(figure) = figure {
                    handover::drop_member(self, name, figure);
                }
                self.with_horde(name, |horde| {
                    let last = horde.members.len() as u32 - 1;
                    horde.swap(member, last);
                    horde.members.pop();
                });
            }
            HordeCommand::Step(seconds) => self.with_horde_on_ground(name, |horde, ground| {
                for ahead in 0..(seconds / dt).round() as u64 {
                    horde.find_ground(dt, step + ahead, ground);
                    horde.step(dt, step + ahead, seed, false);
                }
            }),
            HordeCommand::SetColumns { positions, headings, phases, tints } => self.with_horde(name, |horde| {
                horde.set_columns(&positions, &headings, &phases, &tints);
            }),
            HordeCommand::SetGoals(goals) => self.with_horde(name, |horde| match goals.as_slice() {
                [] => horde.members.goals.fill([f32::NAN; 2]),
                [goal] => horde.members.goals.fill(*goal),
                _ => horde.members.goals = goals,
            }),
            HordeCommand::SetSpeed(speed) => self.with_horde(name, |horde| {
                horde.speed = speed;
                let Members { speeds, whereabouts, .. } = &mut horde.members;
                let within = speeds.iter_mut().zip(whereabouts).filter(|(_, whereabouts)| **whereabouts == Whereabouts::In);
                within.for_each(|(own, _)| *own = own.min(speed));
                // Without a speed nobody looks about any more, and whoever turned would go on.
                if speed == 0.0 {
                    horde.members.turns.fill(0.0);
                }
            }),
            HordeCommand::SetClearance(metres) => self.with_horde(name, |horde| horde.clearance = metres),
            HordeCommand::SetFacing(facing) => self.with_horde(name, |horde| horde.facing = facing),
            HordeCommand::Swap { one, other } => self.with_horde(name, |horde| horde.swap(one, other)),
            HordeCommand::SetSettle(seconds) => self.with_pool(name, |pool| pool.settle = seconds),
            HordeCommand::SetDespawn(seconds) => self.with_pool(name, |pool| pool.despawn = seconds),
        }
    }

    fn with_horde(&mut self, name: &str, change: impl FnOnce(&mut Horde)) {
        if let Some(horde) = self.horde_mut(name) {
            change(horde);
        }
    }

    fn with_horde_on_ground(&mut self, name: &str, change: impl FnOnce(&mut Horde, Ground<'_>)) {
        let (mut hordes, _, ground) = self.hordes_to_step();
        if let Some(horde) = hordes.find(|horde| horde.name == name) {
            change(horde, &ground);
        }
    }

    fn with_pool(&mut self, name: &str, change: impl FnOnce(&mut handover::Pool)) {
        if let Some(pool) = self.horde_mut(name).and_then(|horde| horde.pool.as_mut()) {
            change(pool);
        }
    }
}

impl Horde {
    /// The figure that a member is now, if it is one.
    #[must_use]
    pub fn figure_of(&self, member: u32) -> Option<FigureHandle> {
        self.pool.as_ref()?.figure_of(member)
    }

    /// Its pool.
    pub(crate) fn the_pool(&self) -> Result<&handover::Pool, Error> {
        self.pool.as_ref().ok_or_else(|| Error::NoPool(self.name.clone()))
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.members.swap(one as usize, other as usize);
        if let Some(pool) = &mut self.pool {
            pool.renumber(one, other);
        }
    }

    fn set_columns(&mut self, positions: &[[f32; 3]], headings: &[f32], phases: &[f32], tints: &[u32]) {
        for member in 0..self.members.len() {
            if let Some(tint) = tints.get(member) {
                self.members.tints[member] = *tint;
            }
            if self.members.whereabouts[member] == Whereabouts::In {
                self.members.put(
                    member,
                    positions.get(member).copied(),
                    headings.get(member).copied(),
                    phases.get(member).copied(),
                );
            }
        }
    }
}

fn spec_of(name: &str, spec: &HordeSpec) -> Result<(), Error> {
    if spec.name != name {
        return Err(refused("the horde's name", &spec.name, format!("'{name}', as the command says")));
    }
    if spec.model.rig.clip(&spec.clip).is_none() {
        let known: Vec<_> = spec.model.rig.clips.iter().map(|clip| clip.name.as_str()).collect();
        return Err(Error::UnknownClip { figure: spec.name.clone(), clip: spec.clip.clone(), known: known.join(", ") });
    }
    if spec.count > MOST_MEMBERS {
        return Err(refused("the number of members", spec.count, format!("0 to {MOST_MEMBERS}")));
    }
    vector("the horde's position (m)", spec.position, FARTHEST)?;
    spec.area.iter().try_for_each(|extent| number("the horde's area (m)", *extent, 0.0, FARTHEST))?;
    number("the horde's yaw (rad)", spec.yaw, -1000.0, 1000.0)?;
    number("the horde's clearance (m)", spec.clearance, 0.0, 100.0)?;
    spec.speed.map_or(Ok(()), |speed| number("the horde's speed (m/s)", speed, 0.0, FASTEST))?;
    spec.goal.map_or(Ok(()), |goal| vector("the horde's goal (m)", goal, FARTHEST))
}
