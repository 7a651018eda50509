//! Events: what happened in a step, in a defined order, for scripts, the prompt and reports.

use crate::figure::Bone;
use crate::id::{FigureHandle, ObjectHandle};
use crate::motion::{Mode, Phase};
use crate::space::Vec3;
use serde::{Deserialize, Serialize};

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The step in which it happened.
    pub step: u64,
    /// What.
    pub what: Happening,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Happening {
    /// A blow landed: a hit was given, or something that is not ground ran into the figure.
    Struck {
        /// Who.
        figure: FigureHandle,
        /// Where.
        bone: Bone,
        /// World, m.
        point: Vec3,
        /// N·s, world.
        impulse: Vec3,
        /// How fast they closed (m/s), where that is known.
        closing_speed: Option<f32>,
        /// What struck, where that is known.
        by: Option<ObjectHandle>,
    },
    /// The figure's phase changed.
    PhaseChanged {
        /// Whose.
        figure: FigureHandle,
        /// Before.
        from: Phase,
        /// Now.
        to: Phase,
    },
    /// The figure's mode changed.
    ModeChanged {
        /// Whose.
        figure: FigureHandle,
        /// Before.
        from: Mode,
        /// Now.
        to: Mode,
    },
    /// A figure that is to get up does not yet.
    GetUpWaits {
        /// Whose.
        figure: FigureHandle,
        /// Why, in words.
        why: String,
    },
    /// A figure's bone met the ground or an object.
    Touched {
        /// Whose bone.
        figure: FigureHandle,
        /// Which bone.
        bone: Bone,
        /// What it met.
        object: ObjectHandle,
        /// World, m.
        point: Vec3,
        /// Closing speed along the contact's normal (m/s).
        speed: f32,
    },
    /// A figure came to be.
    Spawned(FigureHandle),
    /// A figure went.
    Destroyed(FigureHandle),
    /// A struck member of a horde became a figure.
    HandedOver {
        /// The horde.
        horde: String,
        /// Who.
        member: u32,
        /// The figure.
        figure: FigureHandle,
    },
    /// A figure that has recovered went back to its horde.
    Returned {
        /// The horde.
        horde: String,
        /// Who.
        member: u32,
        /// The figure, parked now.
        figure: FigureHandle,
    },
    /// A killed member's figure was taken away.
    Despawned {
        /// The horde.
        horde: String,
        /// Who.
        member: u32,
        /// The figure, parked now.
        figure: FigureHandle,
    },
    /// Bodies went non-finite, or beyond all measure; the figure is frozen as it last was.
    Poisoned(FigureHandle),
    /// An object did; it stands where it last was.
    ObjectPoisoned(ObjectHandle),
}

impl Happening {
    /// The name under which scripts listen.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Struck { .. } => "struck",
            Self::PhaseChanged { .. } => "phase",
            Self::ModeChanged { .. } => "mode",
            Self::GetUpWaits { .. } => "get_up_waits",
            Self::Touched { .. } => "touched",
            Self::Spawned(_) => "spawned",
            Self::Destroyed(_) => "destroyed",
            Self::HandedOver { .. } => "handed_over",
            Self::Returned { .. } => "returned",
            Self::Despawned { .. } => "despawned",
            Self::Poisoned(_) | Self::ObjectPoisoned(_) => "poisoned",
        }
    }
}
