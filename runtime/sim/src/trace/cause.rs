//! What can make a figure do something.

use crate::figure::Bone;
use crate::id::ObjectHandle;
use crate::motion::{ActKind, Mode, Phase};
use crate::solve::boundary::BodySet;
use crate::space::Vec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something that came about, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// The step in which it began.
    pub step: u64,
    /// The last step in which it went on: the same one where it is over at once.
    pub until: u64,
    /// What.
    pub what: What,
}

/// What came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum What {
    /// A blow landed.
    Struck {
        /// Where.
        bone: Bone,
        /// Speed that it gives the whole figure (m/s): its impulse over the figure's mass.
        speed: f32,
        /// Where it came from: a unit vector in the pelvis's heading, its left, up and ahead.
        from: Vec3,
        /// What struck, where that is known.
        by: Option<ObjectHandle>,
    },
    /// The capture point left the soles.
    Swayed {
        /// The farthest that it came off them (m).
        outside: f32,
        /// The most that the pelvis leaned meanwhile (rad).
        lean: f32,
    },
    /// The phase changed, or a behaviour declared it once more: a further step.
    Phase {
        /// Before.
        from: Phase,
        /// Since then.
        to: Phase,
        /// Why.
        because: Because,
    },
    /// The mode changed.
    Mode {
        /// Before.
        from: Mode,
        /// Since then.
        to: Mode,
        /// Why.
        because: Because,
    },
    /// It is to get up and does not.
    Waits {
        /// Why, in words.
        why: String,
    },
    /// Somebody's claims came to hold bones.
    Took {
        /// A behaviour's name, or `prompt`.
        owner: Arc<str>,
        /// Which.
        bones: BodySet,
    },
    /// Bones went back to the animation.
    LetGo {
        /// Who had them.
        owner: Arc<str>,
        /// Which.
        bones: BodySet,
    },
    /// Its hands did something with a thing.
    Handled {
        /// The thing.
        item: ObjectHandle,
        /// What.
        deed: Deed,
    },
    /// Something gave all that it can.
    AtLimit(Limit),
    /// A behaviour says why it does something.
    Noted {
        /// Its name.
        owner: Arc<str>,
        /// In its words.
        text: Arc<str>,
    },
    /// Its numbers went bad.
    Frozen,
}

impl What {
    /// Whether it came of a blow.
    pub(super) const fn came_of_a_blow(&self) -> bool {
        matches!(self, Self::Phase { because: Because::Struck, .. } | Self::Mode { because: Because::Struck, .. })
    }
}

/// What hands do with a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Deed {
    /// They go to where it lies.
    ReachFor,
    /// They leave it where it lies.
    Leave,
    /// They have it from here on.
    Take,
    /// They bring it to the mouth, to eat from it.
    Eat,
    /// They bring it to the lips.
    Drink,
    /// They put it down.
    PutDown {
        /// Their figure stands up after that.
        then_up: bool,
    },
    /// They open, and it goes its own way.
    LetGo,
}

/// What can be at its limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Limit {
    /// A bone's muscle.
    Muscle {
        /// Which.
        bone: Bone,
        /// The most that it has had to give meanwhile (N·m).
        torque: f32,
    },
    /// The balance on the pelvis.
    Balance {
        /// The most that it has had to give meanwhile (N·m).
        torque: f32,
    },
}

/// Why a figure came into a phase or a mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Because {
    /// Its pelvis leans.
    Leans {
        /// rad.
        lean: f32,
        /// The most that it may (rad).
        most: f32,
    },
    /// Its legs gave.
    Crumpled {
        /// Height of the pelvis (m).
        height: f32,
        /// The least that it may be (m).
        least: f32,
    },
    /// Nothing has borne it, and it goes down.
    Dropped {
        /// m/s.
        speed: f32,
    },
    /// It is upright and slow again.
    Upright,
    /// Its pelvis is on the ground and it leans.
    Down {
        /// rad.
        lean: f32,
    },
    /// Its pelvis has been low for long.
    Low {
        /// s.
        seconds: f32,
    },
    /// Its trunk has been still.
    Still,
    /// Its trunk moves.
    Moves {
        /// m/s.
        speed: f32,
    },
    /// It has lain still, and has room.
    Rested,
    /// It has gone its way to the end.
    Arrived,
    /// Something kept its bodies from the way.
    HeldBack,
    /// What it sits or lies on has moved, or is gone.
    LostHold,
    /// It was told to sit or to lie down, or to stop.
    Acts {
        /// Which.
        kind: ActKind,
        /// It leaves it.
        leaving: bool,
    },
    /// A blow.
    Struck,
    /// Its mode was set.
    Told,
    /// A behaviour declared it.
    Declared {
        /// Who.
        by: Arc<str>,
        /// Why, in its words.
        reason: Option<Arc<str>>,
    },
}
