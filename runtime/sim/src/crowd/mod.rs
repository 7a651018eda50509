//! Hordes: thousands of members beside the corridor, posed from a pose bank. They have no bodies; those that are struck are handed
//! over to figures (see [`handover`](crate::handover)).

mod bank;
mod command;
mod ground;
mod members;
mod steer;

pub(crate) use bank::at;
pub use bank::{PoseBank, node_poses};
pub use command::{HordeCommand, HordeSpec};
pub use members::{Members, Whereabouts};

use crate::error::Error;
use crate::figure::{Bone, Model};
use crate::handover::Pool;
use crate::id::StableId;
use crate::record::Digest;
use crate::space::{Rigid, Vec3, rotation_from_yaw};
use crate::world::World;
use members::Pace;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use steer::{LOOKS_EVERY, Wants, unit};

/// The most members of a horde: more is a mistake, or meant to fill the memory.
pub const MOST_MEMBERS: usize = 1_000_000;
/// So many members that only walk take 100 µs on one thread; waking another takes 25.
const MANY: usize = 40_000;
/// Farther than this from the origin (m) nobody is put; as for figures.
pub(crate) const FARTHEST: f32 = 10_000.0;
/// Faster than this (m/s) nobody walks.
pub(crate) const FASTEST: f32 = 30.0;

/// A live horde.
#[derive(Debug, Serialize, Deserialize)]
pub struct Horde {
    /// Unique among hordes, figures and objects.
    pub name: String,
    /// What its members wear. A snapshot holds it once for all who wear it.
    #[serde(skip)]
    pub model: Arc<Model>,
    /// Index of the clip that they play.
    pub clip: usize,
    #[serde(skip)]
    bank: Option<Arc<PoseBank>>,
    /// Middle of the area that members were spread over and roam in (world, m).
    pub middle: Vec3,
    /// Full extents of that area along X and Z (m).
    pub area: [f32; 2],
    /// m/s at which they walk when nobody is in their way.
    pub speed: f32,
    /// Distance (m) that they keep from each other; 0 for none.
    pub clearance: f32,
    /// Whether those who have arrived find a new goal in the area.
    pub roams: bool,
    /// Whether they go up and down with the fixed ground.
    pub grounded: bool,
    /// The turn (rad) that is added to a heading where a member is drawn.
    pub facing: f32,
    pub(crate) members: Members,
    /// The figures that members are handed over to, if it has any.
    pub(crate) pool: Option<Pool>,
}

/// A member as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Its number.
    pub member: usize,
    /// World from figure: where the pose is put.
    pub place: Rigid,
    /// Share of the clip, 0..1: the pose is [`PoseBank::pose`]'s.
    pub phase: f32,
    /// Red, green, blue, alpha, from the lowest byte.
    pub tint: u32,
}

impl Horde {
    /// Spreads members over the area, in a grid from which each is moved a little, at phases and in tints of their own.
    fn new(spec: HordeSpec, seed: u64) -> Option<Self> {
        let clip = spec.model.rig.clip(&spec.clip)?;
        let bank = PoseBank::bake(&spec.model, clip)?;
        let usual = if bank.duration() > 0.0 { bank.stride() / bank.duration() } else { 0.0 };
        let mut members = Members::default();
        let mut random = Pcg32::new(seed ^ StableId::of(&spec.name).0, 0);
        let [wide, deep] = spec.area.map(|extent| extent.max(0.01));
        let columns = ((spec.count as f32 * wide / deep).sqrt().ceil() as usize).clamp(1, spec.count.max(1));
        let rows = spec.count.div_ceil(columns).max(1);
        for member in 0..spec.count {
            let (column, row) = (member % columns, member / columns);
            // A quarter of a cell to each side: two neighbours never stand in one place.
            let mut place = |index: usize, count: usize, extent: f32| {
                ((index as f32 + 0.25 + 0.5 * unit(&mut random)) / count as f32 - 0.5) * extent
            };
            let aside = Vec3::new(place(column, columns, spec.area[0]), 0.0, place(row, rows, spec.area[1]));
            let turned = if spec.roams { unit(&mut random) * std::f32::consts::TAU } else { 0.0 };
            let phase = unit(&mut random);
            let tint = tint(&mut random);
            members.push((spec.position + aside).to_array(), spec.yaw + turned, phase, tint);
        }
        let mut horde = Self {
            name: spec.name,
            clip,
            bank: Some(Arc::new(bank)),
            model: spec.model,
            middle: spec.position,
            area: spec.area,
            speed: spec.speed.unwrap_or(usual),
            clearance: spec.clearance,
            roams: spec.roams,
            grounded: spec.grounded,
            facing: 0.0,
            members,
            pool: None,
        };
        if let Some(goal) = spec.goal {
            horde.members.goals.fill([goal.x, goal.z]);
        }
        horde.members.speeds.fill(horde.speed);
        Some(horde)
    }

    /// Its members' columns.
    #[must_use]
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// Its clip's poses.
    #[must_use]
    pub fn bank(&self) -> Option<&Arc<PoseBank>> {
        self.bank.as_ref()
    }

    /// The pool that its members are handed over to, if it has one.
    #[must_use]
    pub fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    /// World from figure, of a member as it is drawn; `None` where it has no such member.
    #[must_use]
    pub fn place(&self, member: usize) -> Option<Rigid> {
        let position = *self.members.positions.get(member)?;
        Some(Rigid::new(rotation_from_yaw(self.members.heading(member) + self.facing), Vec3::from_array(position)))
    }

    /// World from body, of a member's bone as it is drawn while it is in the horde; `None` where it has no such member, or no ragdoll.
    #[must_use]
    pub fn bone(&self, member: usize, bone: Bone) -> Option<Rigid> {
        let (ragdoll, bank) = (self.model.ragdoll.as_ref().ok()?, self.bank.as_ref()?);
        let (place, mut pose) = (self.place(member)?, Vec::new());
        bank.pose(self.members.phases[member], &mut pose);
        Some(place * ragdoll.bodies_at(&pose)[bone.index()])
    }

    /// What is drawn of it: who is in it, from first to last. Those who are handed over are drawn as the figures that they are.
    pub fn instances(&self) -> impl Iterator<Item = Instance> {
        let within = (0..self.members.len()).filter(|member| self.members.whereabouts[*member] == Whereabouts::In);
        within.filter_map(|member| {
            let (phase, tint) = (self.members.phases[member], self.members.tints[member]);
            Some(Instance { member, place: self.place(member)?, phase, tint })
        })
    }

    /// A member's number, if there is one of it.
    pub(crate) fn member(&self, member: u32) -> Result<usize, Error> {
        let count = self.members.len();
        let found = usize::try_from(member).ok().filter(|member| *member < count);
        found.ok_or_else(|| Error::Number {
            what: format!("the member of '{}'", self.name),
            found: member.to_string(),
            accepted: if count == 0 { "none: it has no members".to_owned() } else { format!("0 to {}", count - 1) },
        })
    }

    /// Whether it is enough work for several threads: those who keep off each other look at 20 times what those do who only walk.
    fn is_work(&self) -> bool {
        self.members.len() >= if self.clearance > 0.0 { MANY / 20 } else { MANY }
    }

    /// Everyone who is in it goes on for `dt` seconds.
    pub(crate) fn step(&mut self, dt: f32, step: u64, seed: u64, parallel: bool) {
        let Some(bank) = &self.bank else { return };
        let (duration, stride) = (bank.duration(), bank.stride());
        if self.speed > 0.0 {
            let half = self.area.map(|extent| extent * 0.5);
            let wants = Wants {
                speed: self.speed,
                clearance: self.clearance,
                roams: self.roams.then_some(([self.middle.x, self.middle.z], half)),
                period: dt * LOOKS_EVERY as f32,
                step,
                seed: seed ^ StableId::of(&self.name).0,
            };
            steer::steer(&mut self.members, &wants, parallel);
        }
        // A walk goes as far as its feet do; a clip in place goes by time.
        let pace = Pace {
            dt,
            phase_rate: if stride > 0.0 || duration <= 0.0 { 0.0 } else { (1.0 / duration).min(1.0 / dt) },
            phase_by_way: if stride > 0.0 { 1.0 / stride } else { 0.0 },
        };
        self.members.glide(pace, parallel);
    }

    /// Puts in what no snapshot holds. A bank that is known is shared, not baked again.
    pub(crate) fn dress(&mut self, model: Arc<Model>, known: Option<&Self>) {
        let same = known.filter(|known| Arc::ptr_eq(&known.model, &model) && known.clip == self.clip);
        let bank = same.and_then(|known| known.bank.clone());
        self.bank = bank.or_else(|| PoseBank::bake(&model, self.clip).map(Arc::new));
        self.model = model;
    }

    /// Hash of all that moves in it.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let Members { positions, facings, speeds, turns, rises, phases, goals, tints, whereabouts } = &self.members;
        digest.text(&self.name);
        for column in [
            bytemuck::cast_slice(positions.as_slice()),
            bytemuck::cast_slice(facings.as_slice()),
            bytemuck::cast_slice(speeds.as_slice()),
            bytemuck::cast_slice(turns.as_slice()),
            bytemuck::cast_slice(rises.as_slice()),
            bytemuck::cast_slice(phases.as_slice()),
            bytemuck::cast_slice(goals.as_slice()),
            bytemuck::cast_slice(tints.as_slice()),
        ] {
            digest.whole(xxhash_rust::xxh3::xxh3_64(column));
        }
        digest.bytes(&whereabouts.iter().map(|whereabouts| *whereabouts as u8).collect::<Vec<_>>());
        [self.speed, self.clearance, self.facing].into_iter().for_each(|number| digest.number(number));
        if let Some(pool) = &self.pool {
            pool.digest(digest);
        }
    }

    /// What in it contradicts itself, if anything does.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::Snapshot(format!("{}: {what}", self.name)));
        if self.bank.is_none() {
            return wrong("its model has no such clip");
        }
        let settings = [self.speed / FASTEST, self.clearance / FARTHEST, self.facing / 1000.0];
        let middle =
            self.middle.abs().max_element() <= FARTHEST && self.area.iter().all(|extent| (0.0..=FARTHEST).contains(extent));
        if !self.members.is_sound() || !middle || !settings.iter().all(|share| share.abs() <= 1.0) {
            return wrong("its columns contradict each other");
        }
        Ok(())
    }
}

/// A colour that is neither dark nor glaring.
fn tint(random: &mut Pcg32) -> u32 {
    let mut channel = || 96 + (unit(random) * 128.0) as u32;
    channel() | channel() << 8 | channel() << 16 | 255 << 24
}

/// Every horde goes on by a step.
pub(crate) fn run(world: &mut World, dt: f32) {
    let (step, seed) = (world.step_index(), world.settings().seed);
    let (hordes, pool, ground) = world.hordes_to_step();
    for horde in hordes {
        horde.find_ground(dt, step, &ground);
        match pool.filter(|_| horde.is_work()) {
            Some(pool) => pool.install(|| horde.step(dt, step, seed, true)),
            None => horde.step(dt, step, seed, false),
        }
    }
}
