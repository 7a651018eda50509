//! The scorecard: what someone watching would call wrong, counted in figure-seconds.
//!
//! Nobody sees where the bodies are, so places and turns are those of the pose that is *drawn*; contacts, and the weight that they
//! carry, are the bodies'. Who counts for what:
//!
//! | | animated | powered, on a keyed way | limp |
//! |---|---|---|---|
//! | sunk, passing through | but for its soles | yes | yes |
//! | sliding feet | no | while it is up, or getting up | no |
//! | hovering | no | while it is up | no |
//! | all else | yes | yes | yes |
//!
//! A clip draws feet that bend at ankle and toes, the bodies' soles do not: an animated figure's are not where its feet are seen, and
//! dip into the ground at every toe-off. That its feet slide, or leave the ground for long, is the clip's, not the simulation's.
//!
//! Each fault is found in a module of its own, from plain data. A new one is a variant of [`Fault`], a line in [`Watch::look`] and such a
//! module.

mod depths;
mod feet;
mod grips;
mod ground;
mod heads;
mod joints;
mod moves;
mod watch;
mod weight;

pub(super) use depths::Depths;
pub(super) use watch::Watch;

use super::round;
use serde::{Serialize, Serializer};
use simrun_sim::Bone;

/// What someone watching would call wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A knee or elbow bent the wrong way, by more than 0.05 rad.
    BackwardJoints,
    /// A figure in another, by more than 2 cm.
    InsideOneAnother,
    /// A figure in the ground or in a thing, by more than 2 cm; but not the forearm of a hand in what it grips. Heightfields and meshes are not
    /// looked into.
    Sunk,
    /// The same in a thing that it was told to pass through: the scene's wish, and seen all the same.
    PassingThrough,
    /// A foot that bears weight and moves over what it stands on, faster than 5 cm/s.
    SlidingFeet,
    /// A bone that turns faster than 25 rad/s.
    FastBones,
    /// A bone that jumps: by more than 6° or 4 cm in a step, unlike in the steps before and after. What a blow does to the body is none.
    Pops,
    /// A head that meets something faster than 1.5 m/s: hits, not seconds.
    HeadHits,
    /// A hand that holds something, more than 3 cm off its grip.
    OffGrip,
    /// A figure that is up, on nothing that carries it, and does not fall, for 0.3 s.
    Hovering,
    /// A bone under the ground.
    FallenThrough,
    /// A pose that is not finite.
    NonFinite,
}

impl Fault {
    /// Every one, in the order in which they are printed.
    pub const ALL: [Self; 12] = [
        Self::BackwardJoints,
        Self::InsideOneAnother,
        Self::Sunk,
        Self::PassingThrough,
        Self::SlidingFeet,
        Self::FastBones,
        Self::Pops,
        Self::HeadHits,
        Self::OffGrip,
        Self::Hovering,
        Self::FallenThrough,
        Self::NonFinite,
    ];

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BackwardJoints => "backward_joints",
            Self::InsideOneAnother => "inside_one_another",
            Self::Sunk => "sunk",
            Self::PassingThrough => "passing_through",
            Self::SlidingFeet => "sliding_feet",
            Self::FastBones => "fast_bones",
            Self::Pops => "pops",
            Self::HeadHits => "head_hits",
            Self::OffGrip => "off_grip",
            Self::Hovering => "hovering",
            Self::FallenThrough => "fallen_through",
            Self::NonFinite => "non_finite",
        }
    }

    /// What a step of `dt` seconds in which a figure has it counts for.
    pub(super) const fn weight(self, dt: f64) -> f64 {
        match self {
            Self::HeadHits => 1.0,
            _ => dt,
        }
    }
}

/// A fault that one figure shows in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found<'w> {
    /// Where it is worst.
    pub bone: Bone,
    /// How bad it is there.
    pub amount: f64,
    /// The amount's unit.
    pub unit: &'static str,
    /// Name of the figure or thing that has to do with it.
    pub with: Option<&'w str>,
}

impl Found<'_> {
    fn new(bone: Bone, amount: f64, unit: &'static str) -> Self {
        Self { bone, amount, unit, with: None }
    }

    /// The worst of some bones, where that is past a threshold.
    fn worst(bones: impl IntoIterator<Item = (Bone, f64)>, past: f64, unit: &'static str) -> Option<Self> {
        let worst = bones.into_iter().filter(|(_, amount)| *amount > past).max_by(|a, b| a.1.total_cmp(&b.1));
        worst.map(|(bone, amount)| Self::new(bone, amount, unit))
    }
}

/// Figure-seconds of every fault; of head hits their number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scorecard([f64; Fault::ALL.len()]);

impl Scorecard {
    /// Figure-seconds of a fault, or number of head hits.
    #[must_use]
    pub fn of(&self, fault: Fault) -> f64 {
        round(self.0[fault as usize], 4)
    }

    /// Every fault, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Fault, f64)> + '_ {
        Fault::ALL.into_iter().map(|fault| (fault, self.of(fault)))
    }
}

impl FromIterator<(Fault, f64)> for Scorecard {
    /// Adds up what each step of each figure counts for.
    fn from_iter<I: IntoIterator<Item = (Fault, f64)>>(counted: I) -> Self {
        let mut card = Self::default();
        counted.into_iter().for_each(|(fault, count)| card.0[fault as usize] += count);
        card
    }
}

impl Serialize for Scorecard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(fault, amount)| (fault.name(), amount)))
    }
}
