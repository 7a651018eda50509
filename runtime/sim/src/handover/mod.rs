//! The pool: a dozen figures that members of a horde become when they are struck, and go back from when they have recovered.
//!
//! A parked figure has no bodies in the solver's world, its behaviours sleep, and no room sees it. A struck member's figure stands exactly
//! where and as the member was drawn; one that has stood well for a while is blended back to the clip, and its member goes on from there.

mod exchange;
mod strike;

pub(crate) use exchange::{drop_member, run};
pub use strike::Strike;
pub(crate) use strike::{check_strike, strike};

use crate::command::{Behaviour, FigureSpec};
use crate::error::Error;
use crate::figure::Model;
use crate::id::FigureHandle;
use crate::motion::MotionRecord;
use crate::record::Digest;
use crate::world::World;
use crate::world::check::{number, refused};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most figures of a pool.
pub const MOST_FIGURES: usize = 1000;

/// Everything needed to make a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoolSpec {
    /// How many figures.
    pub count: usize,
    /// How their motion stands when they are handed a member; its mode is the hand-over's affair.
    pub motion: MotionRecord,
    /// What they carry, in the order in which they run.
    pub behaviours: Vec<Behaviour>,
    /// The clip that they play while they are on their muscles; `None`: the horde's goes on.
    pub stance: Option<String>,
    /// Seconds that a figure stands well before its member goes back.
    pub settle: f32,
    /// Seconds that a killed one lies before it is taken away; 0 for ever.
    pub despawn: f32,
}

impl PoolSpec {
    /// Figures without behaviours that get up after a second, settle in half of one, and lie dead for ten.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let motion = MotionRecord { get_up: 1.0, ..MotionRecord::default() };
        Self { count, motion, behaviours: Vec::new(), stance: None, settle: 0.5, despawn: 10.0 }
    }
}

/// What a figure of a pool is about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stage {
    /// Nobody's.
    Parked,
    /// A member's, on its muscles or getting up: so many seconds it has stood well.
    Out {
        /// Whose.
        member: u32,
        /// Seconds.
        stood: f32,
    },
    /// A member's, being blended back to the clip.
    Returning {
        /// Whose.
        member: u32,
    },
    /// A killed member's: so many seconds it has been dead.
    Dead {
        /// Whose.
        member: u32,
        /// Seconds.
        lain: f32,
    },
}

impl Stage {
    /// Whose figure it is.
    #[must_use]
    pub const fn member(&self) -> Option<u32> {
        match self {
            Self::Parked => None,
            Self::Out { member, .. } | Self::Returning { member } | Self::Dead { member, .. } => Some(*member),
        }
    }

    fn member_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Parked => None,
            Self::Out { member, .. } | Self::Returning { member } | Self::Dead { member, .. } => Some(member),
        }
    }
}

/// A figure of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// Which.
    pub figure: FigureHandle,
    /// What it is about.
    pub stage: Stage,
    /// Seconds since a blow of the horde's was dealt to it.
    pub struck: f32,
}

/// A horde's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    slots: Vec<Slot>,
    pub(crate) settle: f32,
    pub(crate) despawn: f32,
    motion: MotionRecord,
    behaviours: Vec<Behaviour>,
    /// Index of the clip that they play while they are on their muscles.
    stance: Option<usize>,
}

impl Pool {
    /// Its figures, in the order in which they were made.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Seconds that a figure stands well before its member goes back.
    #[must_use]
    pub fn settle(&self) -> f32 {
        self.settle
    }

    /// Seconds that a killed one lies before it is taken away; 0 for ever.
    #[must_use]
    pub fn despawn(&self) -> f32 {
        self.despawn
    }

    pub(crate) fn figure_of(&self, member: u32) -> Option<FigureHandle> {
        self.slots.iter().find(|slot| slot.stage.member() == Some(member)).map(|slot| slot.figure)
    }

    fn slot(&self, figure: FigureHandle) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.figure == figure)
    }

    fn slot_mut(&mut self, figure: FigureHandle) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.figure == figure)
    }

    /// Two members have changed places in their columns.
    pub(crate) fn renumber(&mut self, one: u32, other: u32) {
        for member in self.slots.iter_mut().filter_map(|slot| slot.stage.member_mut()) {
            if *member == one {
                *member = other;
            } else if *member == other {
                *member = one;
            }
        }
    }

    pub(crate) fn digest(&self, digest: &mut Digest) {
        for slot in &self.slots {
            digest.number(slot.struck);
            digest.whole(slot.stage.member().map_or(u64::MAX, u64::from));
            match slot.stage {
                Stage::Out { stood: seconds, .. } | Stage::Dead { lain: seconds, .. } => digest.number(seconds),
                Stage::Parked => digest.whole(0),
                Stage::Returning { .. } => digest.whole(1),
            }
        }
        digest.number(self.settle);
        digest.number(self.despawn);
    }

    /// Whether each figure's member is one, and nobody's but its own.
    pub(crate) fn is_sound(&self, members: usize, clips: usize) -> bool {
        let mut taken: Vec<u32> = self.slots.iter().filter_map(|slot| slot.stage.member()).collect();
        let figures = self.slots.len();
        taken.sort_unstable();
        let own = taken.is_sorted_by(|a, b| a < b) && taken.last().is_none_or(|last| (*last as usize) < members);
        let times = [self.settle, self.despawn].into_iter().all(|seconds| (0.0..=86_400.0).contains(&seconds));
        let struck = self.slots.iter().all(|slot| slot.struck >= 0.0);
        own && times && struck && figures <= MOST_FIGURES && self.stance.is_none_or(|clip| clip < clips)
    }
}

/// Names of a pool's figures.
fn figure_name(horde: &str, index: usize) -> String {
    format!("{horde}_{}", index + 1)
}

pub(crate) fn check_pool(world: &World, horde: &str, model: &Arc<Model>, spec: &PoolSpec) -> Result<(), Error> {
    if spec.count == 0 || spec.count > MOST_FIGURES {
        return Err(refused("the number of figures in the pool", spec.count, format!("1 to {MOST_FIGURES}")));
    }
    (0..spec.count).try_for_each(|index| world.free_name(&figure_name(horde, index)))?;
    number("the time to settle (s)", spec.settle, 0.0, 600.0)?;
    number("the time to despawn (s)", spec.despawn, 0.0, 86_400.0)?;
    let mut figure = FigureSpec::new(&figure_name(horde, 0), Arc::clone(model));
    figure.motion = Some(spec.motion.clone());
    figure.clip.clone_from(&spec.stance);
    crate::world::check::figure_spec(&figure)
}

pub(crate) fn make_pool(world: &mut World, name: &str, spec: PoolSpec) {
    let Ok(horde) = world.horde(name) else { return };
    let model = Arc::clone(&horde.model);
    let stance = spec.stance.and_then(|clip| model.rig.clip(&clip));
    let mut slots = Vec::with_capacity(spec.count);
    for index in 0..spec.count {
        let figure = FigureSpec {
            motion: Some(spec.motion.clone()),
            behaviours: spec.behaviours.clone(),
            ..FigureSpec::new(&figure_name(name, index), Arc::clone(&model))
        };
        slots.push(Slot { figure: world.add_parked(figure), stage: Stage::Parked, struck: 0.0 });
    }
    let PoolSpec { settle, despawn, motion, behaviours, .. } = spec;
    if let Some(horde) = world.horde_mut(name) {
        horde.pool = Some(Pool { slots, settle, despawn, motion, behaviours, stance });
    }
}
