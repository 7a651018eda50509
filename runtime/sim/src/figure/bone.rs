//! The twelve bones of a ragdoll, and the six parts they make.

use serde::{Deserialize, Serialize};

/// How many bones a ragdoll has.
pub const BONES: usize = 12;

/// A bone of the ragdoll. Parents come before their children, so a walk in order meets every parent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Bone {
    /// The root: hips and lower belly.
    Pelvis,
    /// The lower back and belly.
    Spine,
    /// The rib cage and shoulders.
    Chest,
    /// Neck and head.
    Head,
    /// Left upper arm.
    UpperArmL,
    /// Left forearm and hand.
    ForearmL,
    /// Right upper arm.
    UpperArmR,
    /// Right forearm and hand.
    ForearmR,
    /// Left thigh.
    ThighL,
    /// Left shin and foot.
    ShinL,
    /// Right thigh.
    ThighR,
    /// Right shin and foot.
    ShinR,
}

impl Bone {
    /// Every bone, parents first.
    pub const ALL: [Self; BONES] = [
        Self::Pelvis,
        Self::Spine,
        Self::Chest,
        Self::Head,
        Self::UpperArmL,
        Self::ForearmL,
        Self::UpperArmR,
        Self::ForearmR,
        Self::ThighL,
        Self::ShinL,
        Self::ThighR,
        Self::ShinR,
    ];
    const NAMES: [&'static str; BONES] = [
        "pelvis",
        "spine",
        "chest",
        "head",
        "upper_arm_l",
        "forearm_l",
        "upper_arm_r",
        "forearm_r",
        "thigh_l",
        "shin_l",
        "thigh_r",
        "shin_r",
    ];

    /// Its place in arrays of bones.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The bone at an index, if there is one.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// The bone it hangs from; `None` for the pelvis.
    #[must_use]
    pub const fn parent(self) -> Option<Self> {
        match self {
            Self::Pelvis => None,
            Self::Spine | Self::ThighL | Self::ThighR => Some(Self::Pelvis),
            Self::Chest => Some(Self::Spine),
            Self::Head | Self::UpperArmL | Self::UpperArmR => Some(Self::Chest),
            Self::ForearmL => Some(Self::UpperArmL),
            Self::ForearmR => Some(Self::UpperArmR),
            Self::ShinL => Some(Self::ThighL),
            Self::ShinR => Some(Self::ThighR),
        }
    }

    /// Its name in scenes, scripts and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The bone of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).and_then(Self::from_index)
    }

    /// The part it belongs to.
    #[must_use]
    pub const fn part(self) -> Part {
        match self {
            Self::Head => Part::Head,
            Self::Pelvis | Self::Spine | Self::Chest => Part::Spine,
            Self::UpperArmL | Self::ForearmL => Part::ArmL,
            Self::UpperArmR | Self::ForearmR => Part::ArmR,
            Self::ThighL | Self::ShinL => Part::LegL,
            Self::ThighR | Self::ShinR => Part::LegR,
        }
    }

    /// Knees and elbows bend about one axis.
    #[must_use]
    pub const fn is_hinge(self) -> bool {
        matches!(self, Self::ForearmL | Self::ForearmR | Self::ShinL | Self::ShinR)
    }
}

/// A part of a figure that can have a strength and a mode of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Part {
    /// Neck and head.
    Head,
    /// Pelvis, lower back and chest.
    Spine,
    /// Left arm.
    ArmL,
    /// Right arm.
    ArmR,
    /// Left leg.
    LegL,
    /// Right leg.
    LegR,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 6] = [Self::Head, Self::Spine, Self::ArmL, Self::ArmR, Self::LegL, Self::LegR];

    /// Its name in scenes, scripts and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["head", "spine", "arm_l", "arm_r", "leg_l", "leg_r"][self as usize]
    }
}
