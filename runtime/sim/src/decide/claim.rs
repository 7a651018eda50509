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
    /// Only the muscle's share changes: the target stays what it was.
    Weaken,
    /// No muscle at all.
    Limp,
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
    /// Step in which it was first made: blending counts from here.
    pub since_step: u64,
    /// Who claims: a behaviour's name, or a native controller's.
    pub owner: Arc<str>,
}

/// The claims on one figure, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    list: Vec<Claim>,
}

impl Claims {
    /// Adds a claim, or changes the one this owner has on this bone (of the same kind: a `Weaken` stands beside an aim).
    pub fn put(&mut self, claim: Claim) {
        let weakens = matches!(claim.want, Want::Weaken);
        let same = |known: &&mut Claim| {
            known.bone == claim.bone && known.owner == claim.owner && matches!(known.want, Want::Weaken) == weakens
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

    /// The product of what weakens a bone.
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
