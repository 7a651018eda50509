//! What a figure is *doing*: its mode, phase, strengths, wounds and timers.

pub mod muscle;
mod record;

pub use muscle::Muscles;
pub use record::MotionRecord;

use serde::{Deserialize, Serialize};

/// What drives a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Mode {
    /// The animation, position and all: the bodies follow it and push what they meet.
    #[default]
    Animated,
    /// Muscles, driving toward the animation's pose; drawn as the bodies are.
    Powered,
    /// Nothing: a ragdoll.
    Limp,
    /// Got to, not set: a keyed way up from the ground.
    GettingUp,
    /// Got to, not set: sitting, lying down, standing up.
    Acting,
}

impl Mode {
    /// Every mode, in the order of its number in scripts.
    pub const ALL: [Self; 5] = [Self::Animated, Self::Powered, Self::Limp, Self::GettingUp, Self::Acting];

    /// Its name in scenes and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Animated => "animated",
            Self::Powered => "powered",
            Self::Limp => "limp",
            Self::GettingUp => "getting_up",
            Self::Acting => "acting",
        }
    }
}

/// What a figure's balance is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Phase {
    /// On its feet.
    #[default]
    Standing,
    /// Taking one step to catch itself.
    Stepping,
    /// Taking a run of them.
    Staggering,
    /// Past catching itself.
    Falling,
    /// Its weight has met the ground.
    Landed,
    /// Come to rest on hands and knees, or sitting.
    Caught,
    /// At rest on the ground.
    Lying,
    /// On a keyed way up.
    GettingUp,
    /// Sitting, lying down or holding something.
    Acting,
}

impl Phase {
    /// Every phase.
    pub const ALL: [Self; 9] = [
        Self::Standing,
        Self::Stepping,
        Self::Staggering,
        Self::Falling,
        Self::Landed,
        Self::Caught,
        Self::Lying,
        Self::GettingUp,
        Self::Acting,
    ];

    /// Its name in scripts and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standing => "standing",
            Self::Stepping => "stepping",
            Self::Staggering => "staggering",
            Self::Falling => "falling",
            Self::Landed => "landed",
            Self::Caught => "caught",
            Self::Lying => "lying",
            Self::GettingUp => "getting_up",
            Self::Acting => "acting",
        }
    }

    /// The phase of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }

    /// Past standing: falling, or down.
    #[must_use]
    pub const fn is_down(self) -> bool {
        matches!(self, Self::Falling | Self::Landed | Self::Caught | Self::Lying)
    }
}
