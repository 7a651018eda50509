//! What a figure is *doing*: its mode, phase, strengths, wounds and timers.

mod act;
mod assist;
mod get_up;
mod holding;
pub mod muscle;
mod parts;
mod phase;
mod pin;
mod record;
mod setting;

pub use act::{Act, ActClips, ActKind};
pub use assist::AssistLog;
pub use get_up::GetUp;
pub(crate) use holding::Doing;
pub use holding::Holding;
pub use muscle::Muscles;
pub use parts::{Driven, PartRecord};
pub use phase::{Balance, Thresholds};
pub use pin::Pin;
pub use record::MotionRecord;
pub use setting::{SETTINGS, Setting, SettingKind};

use crate::figure::{Bone, Part};
use crate::id::{FigureHandle, ObjectHandle};
use crate::keyed::Way;
use crate::space::Vec3;
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

    /// Those that a figure can be set to, in the same order; the others are got to.
    pub const SETTABLE: [Self; 3] = [Self::Animated, Self::Powered, Self::Limp];

    /// Whether the bodies follow what is drawn, and not the other way round.
    #[must_use]
    pub const fn is_followed(self) -> bool {
        !matches!(self, Self::Powered | Self::Limp)
    }

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

    /// Those that a behaviour can declare; on a keyed way a figure goes by its own doing.
    pub const DECLARED: [Self; 7] =
        [Self::Standing, Self::Stepping, Self::Staggering, Self::Falling, Self::Landed, Self::Caught, Self::Lying];

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

    /// Its weight has met the ground, and it is not up again.
    #[must_use]
    pub const fn has_landed(self) -> bool {
        matches!(self, Self::Landed | Self::Caught | Self::Lying)
    }

    /// Past standing: falling, or down.
    #[must_use]
    pub const fn is_down(self) -> bool {
        matches!(self, Self::Falling | Self::Landed | Self::Caught | Self::Lying)
    }
}

/// A figure's motion: what its active ragdoll is doing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Motion {
    /// What drives it.
    pub mode: Mode,
    /// What its balance is doing.
    pub phase: Phase,
    /// Step in which the phase began.
    pub phase_since: u64,
    /// Shares of its budgets.
    pub muscles: Muscles,
    /// Switches and settings as a scene says them.
    pub record: MotionRecord,
    /// Catch steps taken since it last stood.
    pub steps_taken: u32,
    /// What the phase is judged by.
    pub balance: Balance,
    /// How firmly its balance holds it, where it is on compliant muscles.
    pub pin: Pin,
    /// Lying still, and getting up.
    pub get_up: GetUp,
    /// What it is to look at, if anything.
    pub looks_at: Option<LookAt>,
    /// The keyed way that it goes, or has gone and stays at the end of.
    pub way: Option<Way>,
    /// What it does while it is acting.
    pub act: Option<Act>,
    /// What it has in its hands, or reaches for.
    pub holding: Option<Holding>,
    /// Objects that the figure passes through until they are apart.
    pub passing: Vec<Passing>,
    /// Its numbers went bad: it stays as it last was, out of the world of contacts and blows, until its mode is set.
    pub frozen: bool,
    /// Steps for which the solver sweeps its rows once more: a blow opens joints.
    pub(crate) strained: u32,
}

impl Motion {
    /// What it does, if it is on its way there, stays in it, or leaves it.
    #[must_use]
    pub fn acts(&self, kind: ActKind) -> Option<&Act> {
        self.act.as_ref().filter(|act| act.kind == kind)
    }

    /// Whether it has come to do it, and stays.
    #[must_use]
    pub fn stays(&self, kind: ActKind) -> bool {
        self.acts(kind).is_some_and(|act| !act.leaving) && self.way.as_ref().is_some_and(Way::is_over)
    }

    /// What it does, as it follows "it" in a refusal: on a keyed way the names of mode and phase say too little.
    pub(crate) fn in_words(&self) -> String {
        let keyed = match (self.mode, &self.act) {
            (Mode::GettingUp, _) => "gets up",
            (Mode::Acting, Some(act)) => match (act.kind, act.leaving, self.stays(act.kind)) {
                (ActKind::Sit, true, _) => "stands up",
                (ActKind::Sit, false, true) => "sits",
                (ActKind::Sit, false, false) => "sits down",
                (ActKind::Lie, true, _) => "gets up",
                (ActKind::Lie, false, true) => "lies",
                (ActKind::Lie, false, false) => "lies down",
            },
            (mode, _) => return format!("is {} and {}", mode.name(), self.phase.name()),
        };
        keyed.to_owned()
    }

    /// What is in its hands.
    #[must_use]
    pub fn holds(&self) -> Option<&Holding> {
        self.holding.as_ref().filter(|holding| holding.holds())
    }

    /// Turns contact with an object off until the two are apart.
    pub(crate) fn pass_through(&mut self, object: ObjectHandle) {
        if self.passing.iter().all(|passing| passing.object != object) {
            self.passing.push(Passing { object, met: false, age: 0 });
        }
    }

    /// As a scene's record has it.
    #[must_use]
    pub fn new(record: MotionRecord) -> Self {
        Self {
            mode: record.mode,
            phase: Phase::Standing,
            phase_since: 0,
            muscles: Muscles::new(record.strength, record.recovery, record.parts.map(|part| part.strength)),
            record,
            steps_taken: 0,
            balance: Balance::default(),
            pin: Pin::default(),
            get_up: GetUp::default(),
            looks_at: None,
            way: None,
            act: None,
            holding: None,
            passing: Vec::new(),
            frozen: false,
            strained: 0,
        }
    }
}

/// Share that is left of the legs' muscles while a figure on compliant muscles goes down. With all of it heads of blows of 4 to 5 m/s on the
/// back come down at 0.7 m/s; at 0.3, as in an engine before this one, forwards at 0.8 and at 1.6 (`falls --muscles`).
const GOING_DOWN: f32 = 0.6;

impl Motion {
    /// Whether its muscles are springs now: protective falls, and what comes after them, are made for servos.
    #[must_use]
    pub fn is_on_springs(&self) -> bool {
        let plays = matches!(self.phase, Phase::Standing | Phase::Stepping | Phase::Staggering);
        let topples = self.phase == Phase::Falling && !self.record.protective;
        self.record.muscles && self.mode == Mode::Powered && (plays || topples)
    }

    /// Share of a bone's budget that it has in all, 0..=1.
    #[must_use]
    pub fn share(&self, bone: Bone) -> f32 {
        let leg = matches!(bone.part(), Part::LegL | Part::LegR);
        let goes_down = self.record.muscles && self.phase == Phase::Falling;
        self.muscles.share(bone) * if leg && goes_down { GOING_DOWN } else { 1.0 }
    }
}

/// What a figure is to look at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LookAt {
    /// A place (world, m).
    Point(Vec3),
    /// A figure's head.
    Figure(FigureHandle),
    /// An object's middle.
    Object(ObjectHandle),
}

/// Contact with an object that is off until the two are apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passing {
    /// Which object.
    pub object: ObjectHandle,
    /// They have overlapped.
    pub met: bool,
    /// Steps since contact went off.
    pub age: u32,
}
