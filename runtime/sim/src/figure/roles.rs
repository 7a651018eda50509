//! Which node of a rig plays which part of a person, found by name.

use crate::figure::rig::Rig;

/// A part of a person that a node can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Root of the body.
    Hips,
    /// Lower back.
    Spine,
    /// Rib cage: the top spine node.
    Chest,
    /// Neck.
    Neck,
    /// Head.
    Head,
    /// Collar bones.
    ShoulderL,
    /// Upper arms.
    ArmL,
    /// Forearms.
    ForearmL,
    /// Hands.
    HandL,
    /// Right collar bone.
    ShoulderR,
    /// Right upper arm.
    ArmR,
    /// Right forearm.
    ForearmR,
    /// Right hand.
    HandR,
    /// Thighs.
    ThighL,
    /// Shins.
    ShinL,
    /// Feet.
    FootL,
    /// Right thigh.
    ThighR,
    /// Right shin.
    ShinR,
    /// Right foot.
    FootR,
}

/// A way of naming a humanoid's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `Hips Spine Chest Neck Head ShoulderL ArmL ForearmL HandL ThighL ShinL FootL` and R.
    Home,
    /// `mixamorig:Hips …`
    MixamoPrefixed,
    /// `Hips Spine Spine1 Spine2 …`, Mixamo's names without the prefix.
    Mixamo,
}

/// Why a rig gets no ragdoll.
#[derive(Clone, Debug, PartialEq)]
pub struct NoRagdoll {
    /// The scheme that fits best, if any fits at all.
    pub nearest: Option<Scheme>,
    /// The names that are missing in that scheme.
    pub missing: Vec<String>,
    /// Anything else that is wrong, in words.
    pub why: Option<String>,
}

/// The nodes of every role, by [`Role`] as index; optional roles may be absent.
pub type Roles = [Option<usize>; 19];

/// Finds the roles of a rig.
///
/// # Errors
/// A rig that is no humanoid in any known naming: what is missing.
pub fn find(rig: &Rig) -> Result<(Scheme, Roles), NoRagdoll> {
    let _ = rig;
    Err(NoRagdoll { nearest: None, missing: Vec::new(), why: None })
}
