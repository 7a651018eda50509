//! Claims: how native controllers and behaviours ask for limbs without writing joints.

use crate::figure::Bone;
use crate::space::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is wanted of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Want {
    /// The bone's body turned to this rotation in the world, from wherever its parent is.
    Aim(Quat),
    /// The bone's own axis (from its joint along the bone, at rest) pointed along this world direction, by the shortest turn from
    /// where the animation has it under its parent.
    Point(Vec3),
    /// The bone turned under its parent by this much from where the animation has it: axis × angle (rad) in the parent's frame.
    Bend(Vec3),
    /// The hand or foot at the end of the claimed upper arm or thigh brought to this world point, by a two-bone reach; the
    /// elbow or knee follows.
    Reach {
        /// Where the wrist or ankle shall be (world, m).
        point: Vec3,
        /// Where the elbow or knee shall look (world direction); zero leaves it where it bends by itself.
        pole: Vec3,
    },
    /// The joint held at the rotation it had when the claim was made (child in parent).
    Hold(Quat),
    /// Only the muscle's share changes, below 1 or above: the target stays what it was.
    Weaken,
    /// No muscle at all.
    Limp,
}

impl Want {
    /// Its kind, 0..=6, and its numbers, the rest zero: as hashes and recordings hold it.
    #[must_use]
    pub(crate) fn numbers(&self) -> (u8, [f32; 6]) {
        let padded = |numbers: &[f32]| std::array::from_fn(|index| numbers.get(index).copied().unwrap_or(0.0));
        match self {
            Self::Aim(rotation) => (0, padded(&rotation.to_array())),
            Self::Point(direction) => (1, padded(&direction.to_array())),
            Self::Bend(turn) => (2, padded(&turn.to_array())),
            Self::Reach { point, pole } => (3, [point.x, point.y, point.z, pole.x, pole.y, pole.z]),
            Self::Hold(rotation) => (4, padded(&rotation.to_array())),
            Self::Weaken => (5, [0.0; 6]),
            Self::Limp => (6, [0.0; 6]),
        }
    }

    /// No number of it is infinite or NaN.
    pub(crate) fn is_finite(&self) -> bool {
        self.numbers().1.iter().all(|number| number.is_finite())
    }

    /// What [`Want::numbers`] made; `None` for a kind that there is not.
    #[must_use]
    pub(crate) fn from_numbers(kind: u8, numbers: [f32; 6]) -> Option<Self> {
        let [a, b, c, d, e, f] = numbers;
        Some(match kind {
            0 => Self::Aim(Quat::from_xyzw(a, b, c, d)),
            1 => Self::Point(Vec3::new(a, b, c)),
            2 => Self::Bend(Vec3::new(a, b, c)),
            3 => Self::Reach { point: Vec3::new(a, b, c), pole: Vec3::new(d, e, f) },
            4 => Self::Hold(Quat::from_xyzw(a, b, c, d)),
            5 => Self::Weaken,
            6 => Self::Limp,
            _ => return None,
        })
    }
}

/// A claim on one bone's muscle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The bone claimed; a reach claims its lower neighbour with it.
    pub bone: Bone,
    /// What for.
    pub want: Want,
    /// The higher one has the bone; among equals the later claimed.
    pub priority: i32,
    /// Share of the bone's budget, 0..=3 (1: as it is; above 1 only a startle asks for).
    pub share: f32,
    /// Seconds over which the claim takes the bone from what had it before; 0 takes it at once.
    pub blend_in: f32,
    /// Seconds over which the bone goes back to the animation, or to another's older claim, once this one is let go of; 0 gives it back at
    /// once. Who claims it then takes it in their own time.
    pub blend_out: f32,
    /// Step in which it was first made: blending counts from here.
    pub since_step: u64,
    /// Who claims: a behaviour's name, or a native controller's.
    pub owner: Arc<str>,
}

impl Claim {
    /// A claim with all of the muscle, at once and let go of at once.
    #[must_use]
    pub fn new(bone: Bone, want: Want, priority: i32, owner: impl Into<Arc<str>>) -> Self {
        Self { bone, want, priority, share: 1.0, blend_in: 0.0, blend_out: 0.0, since_step: 0, owner: owner.into() }
    }
}

/// The claims on one figure, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    list: Vec<Claim>,
}

impl Claims {
    /// These, in this order.
    pub(crate) fn of(list: Vec<Claim>) -> Self {
        Self { list }
    }

    /// Adds a claim, or changes the one this owner has on this bone (of the same kind: a `Weaken` stands beside an aim).
    pub fn put(&mut self, claim: Claim) {
        let weakens = matches!(claim.want, Want::Weaken);
        let same = |known: &&mut Claim| {
            // Almost always the very same name; its letters are compared only where it is not.
            let owner = || Arc::ptr_eq(&known.owner, &claim.owner) || known.owner == claim.owner;
            known.bone == claim.bone && matches!(known.want, Want::Weaken) == weakens && owner()
        };
        if let Some(known) = self.list.iter_mut().find(same) {
            let since_step = known.since_step;
            *known = Claim { since_step, ..claim };
        } else {
            self.list.push(claim);
        }
    }

    /// Lets go of what an owner has: on one bone, or on all.
    pub fn release(&mut self, owner: &str, bone: Option<Bone>) {
        self.list.retain(|claim| &*claim.owner != owner || bone.is_some_and(|bone| bone != claim.bone));
    }

    /// Lets go of everything.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Every claim.
    pub fn iter(&self) -> impl Iterator<Item = &Claim> {
        self.list.iter()
    }

    /// The claim that has a bone, by priority: `None` where the animation has it.
    #[must_use]
    pub fn holder(&self, bone: Bone) -> Option<&Claim> {
        self.list
            .iter()
            .filter(|claim| !matches!(claim.want, Want::Weaken) && claim.covers(bone))
            .max_by_key(|claim| claim.priority)
    }

    /// The product of what weakens or tenses a bone.
    #[must_use]
    pub fn weakened(&self, bone: Bone) -> f32 {
        self.list
            .iter()
            .filter(|claim| claim.bone == bone && matches!(claim.want, Want::Weaken))
            .map(|claim| claim.share)
            .product()
    }
}

impl Claim {
    /// Whether the claim has a say over a bone: its own, and for a reach the one below.
    #[must_use]
    pub fn covers(&self, bone: Bone) -> bool {
        self.bone == bone || (matches!(self.want, Want::Reach { .. }) && bone.parent() == Some(self.bone))
    }
}
