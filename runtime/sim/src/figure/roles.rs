//! Which node of a rig plays which part of a person, found by name.

use crate::figure::rig::Rig;
use serde::{Deserialize, Serialize};

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

/// How many roles there are.
const ROLES: usize = 19;

impl Role {
    /// Every role, in the order of [`Roles`].
    pub const ALL: [Self; ROLES] = [
        Self::Hips,
        Self::Spine,
        Self::Chest,
        Self::Neck,
        Self::Head,
        Self::ShoulderL,
        Self::ArmL,
        Self::ForearmL,
        Self::HandL,
        Self::ShoulderR,
        Self::ArmR,
        Self::ForearmR,
        Self::HandR,
        Self::ThighL,
        Self::ShinL,
        Self::FootL,
        Self::ThighR,
        Self::ShinR,
        Self::FootR,
    ];

    /// A ragdoll can do without it. Of neck and head one is enough, which is asked for as the head.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Neck | Self::ShoulderL | Self::ShoulderR | Self::HandL | Self::HandR | Self::FootL | Self::FootR)
    }
}

/// A way of naming a humanoid's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheme {
    /// `Hips Spine Chest Neck Head ShoulderL ArmL ForearmL HandL ThighL ShinL FootL` and R. `UpperArmL` and `ForeArmL` count too.
    Home,
    /// `mixamorig:Hips …`, also with the colon lost or replaced (`mixamorigHips`, `mixamorig_Hips`) and numbered (`mixamorig1:Hips`).
    MixamoPrefixed,
    /// `Hips Spine Spine1 Spine2 …`, Mixamo's names without the prefix.
    Mixamo,
}

impl Scheme {
    /// Every scheme, in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Home, Self::MixamoPrefixed, Self::Mixamo];

    /// The names of a role, the best first, without prefix.
    const fn names(self, role: Role) -> &'static [&'static str] {
        if matches!(self, Self::Home) { home_names(role) } else { mixamo_names(role) }
    }

    /// A role's name as a file in this scheme has it.
    #[must_use]
    pub fn name(self, role: Role) -> String {
        let name = self.names(role)[0];
        if self == Self::MixamoPrefixed { format!("mixamorig:{name}") } else { name.to_owned() }
    }

    /// A node's name without the scheme's prefix; `None` where the prefix is missing.
    fn strip(self, name: &str) -> Option<&str> {
        if self != Self::MixamoPrefixed {
            return Some(name);
        }
        let rest = name.strip_prefix("mixamorig")?.trim_start_matches(|c: char| c.is_ascii_digit());
        Some(rest.strip_prefix([':', '_']).unwrap_or(rest))
    }
}

const fn home_names(role: Role) -> &'static [&'static str] {
    match role {
        Role::Hips => &["Hips"],
        Role::Spine => &["Spine"],
        Role::Chest => &["Chest"],
        Role::Neck => &["Neck"],
        Role::Head => &["Head"],
        Role::ShoulderL => &["ShoulderL"],
        Role::ArmL => &["ArmL", "UpperArmL"],
        Role::ForearmL => &["ForearmL", "ForeArmL"],
        Role::HandL => &["HandL"],
        Role::ShoulderR => &["ShoulderR"],
        Role::ArmR => &["ArmR", "UpperArmR"],
        Role::ForearmR => &["ForearmR", "ForeArmR"],
        Role::HandR => &["HandR"],
        Role::ThighL => &["ThighL"],
        Role::ShinL => &["ShinL"],
        Role::FootL => &["FootL"],
        Role::ThighR => &["ThighR"],
        Role::ShinR => &["ShinR"],
        Role::FootR => &["FootR"],
    }
}

const fn mixamo_names(role: Role) -> &'static [&'static str] {
    match role {
        Role::Hips => &["Hips"],
        Role::Spine => &["Spine"],
        // The top spine node; some packs have one less, or Unity's names for the spine.
        Role::Chest => &["Spine2", "UpperChest", "Chest", "Spine1"],
        Role::Neck => &["Neck"],
        Role::Head => &["Head"],
        Role::ShoulderL => &["LeftShoulder"],
        Role::ArmL => &["LeftArm"],
        Role::ForearmL => &["LeftForeArm"],
        Role::HandL => &["LeftHand"],
        Role::ShoulderR => &["RightShoulder"],
        Role::ArmR => &["RightArm"],
        Role::ForearmR => &["RightForeArm"],
        Role::HandR => &["RightHand"],
        Role::ThighL => &["LeftUpLeg"],
        Role::ShinL => &["LeftLeg"],
        Role::FootL => &["LeftFoot"],
        Role::ThighR => &["RightUpLeg"],
        Role::ShinR => &["RightLeg"],
        Role::FootR => &["RightFoot"],
    }
}

/// Why a rig gets no ragdoll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoRagdoll {
    /// The scheme that fits best, if any fits at all.
    pub nearest: Option<Scheme>,
    /// The names that are missing in that scheme.
    pub missing: Vec<String>,
    /// Anything else that is wrong, in words.
    pub why: Option<String>,
}

impl NoRagdoll {
    /// A rig whose names are right, with something else wrong.
    pub(super) fn because(scheme: Scheme, why: String) -> Self {
        Self { nearest: Some(scheme), missing: Vec::new(), why: Some(why) }
    }
}

/// The nodes of every role, by [`Role`] as index; optional roles may be absent.
pub type Roles = [Option<usize>; ROLES];

/// Most copies of a skeleton in one file that are looked through: one a mesh is usual, and each costs a walk over all nodes.
const MOST_COPIES: usize = 16;

/// Finds the roles of a rig. Where a name stands twice, the first under the hips counts; where the hips stand twice (a copy of
/// the skeleton a mesh), the first with everything under them.
///
/// # Errors
/// A rig that is no humanoid in any known naming: what is missing.
pub fn find(rig: &Rig) -> Result<(Scheme, Roles), NoRagdoll> {
    let mut best: Option<(usize, Scheme, Roles)> = None;
    for scheme in Scheme::ALL {
        let hips =
            rig.nodes.iter().enumerate().filter(|(_, node)| plays(scheme, &node.name, "Hips")).map(|(index, _)| Some(index));
        let hips = hips.take(MOST_COPIES);
        // Without hips the other names still tell which scheme was meant.
        for root in hips.chain([None]) {
            let roles = roles_under(rig, scheme, root);
            // An optional name alone ("Neck") says nothing.
            let found = Role::ALL.into_iter().filter(|role| !role.is_optional() && roles[*role as usize].is_some()).count();
            if missing(&roles).next().is_none() {
                check_tree(rig, scheme, &roles)?;
                return Ok((scheme, roles));
            }
            if found > best.as_ref().map_or(0, |(most, ..)| *most) {
                best = Some((found, scheme, roles));
            }
        }
    }
    let (nearest, scheme, roles) = match best {
        Some((_, scheme, roles)) => (Some(scheme), scheme, roles),
        None => (None, Scheme::Home, [None; ROLES]),
    };
    let missing = missing(&roles).map(|role| scheme.name(role)).collect();
    Err(NoRagdoll { nearest, missing, why: None })
}

fn plays(scheme: Scheme, node: &str, name: &str) -> bool {
    scheme.strip(node) == Some(name)
}

/// The required roles that no node plays.
fn missing(roles: &Roles) -> impl Iterator<Item = Role> {
    Role::ALL.into_iter().filter(|role| {
        let found = roles[*role as usize].is_some() || (*role == Role::Head && roles[Role::Neck as usize].is_some());
        !found && !role.is_optional()
    })
}

fn roles_under(rig: &Rig, scheme: Scheme, root: Option<usize>) -> Roles {
    let mut roles = [None; ROLES];
    for role in Role::ALL {
        roles[role as usize] = if role == Role::Hips {
            root
        } else {
            scheme.names(role).iter().find_map(|name| {
                let named = |index: &usize| plays(scheme, &rig.nodes[*index].name, name);
                (0..rig.nodes.len()).filter(named).find(|index| root.is_none_or(|root| rig.hangs_under(*index, root)))
            })
        };
    }
    roles
}

/// The names are there; a skeleton they make only if the limbs hang together.
fn check_tree(rig: &Rig, scheme: Scheme, roles: &Roles) -> Result<(), NoRagdoll> {
    const CHAINS: [(Role, Role); 12] = [
        (Role::Spine, Role::Chest),
        (Role::Chest, Role::Neck),
        (Role::Spine, Role::Head),
        (Role::Neck, Role::Head),
        (Role::ArmL, Role::ForearmL),
        (Role::ForearmL, Role::HandL),
        (Role::ArmR, Role::ForearmR),
        (Role::ForearmR, Role::HandR),
        (Role::ThighL, Role::ShinL),
        (Role::ShinL, Role::FootL),
        (Role::ThighR, Role::ShinR),
        (Role::ShinR, Role::FootR),
    ];
    for (upper, lower) in CHAINS {
        if let (Some(above), Some(below)) = (roles[upper as usize], roles[lower as usize])
            && !rig.hangs_under(below, above)
        {
            let why = format!("node '{}' does not hang under '{}'", rig.nodes[below].name, rig.nodes[above].name);
            return Err(NoRagdoll::because(scheme, why));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Scheme;

    #[test]
    fn every_form_of_the_prefix_is_stripped() {
        for name in ["mixamorig:Hips", "mixamorigHips", "mixamorig_Hips", "mixamorig4:Hips"] {
            assert_eq!(Scheme::MixamoPrefixed.strip(name), Some("Hips"), "{name}");
        }
        assert_eq!(Scheme::MixamoPrefixed.strip("Hips"), None);
    }
}
