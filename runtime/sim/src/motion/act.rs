//! What a figure knows of what it does by keyed ways on its feet, on a seat or on the ground.

use crate::id::ObjectHandle;
use crate::space::Rigid;
use serde::{Deserialize, Serialize};

/// An act: gone to by a keyed way, stayed in, and left by another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Act {
    /// Which.
    pub kind: ActKind,
    /// It is being left.
    pub leaving: bool,
    /// What it is done on, and where that was.
    pub on: Option<(ObjectHandle, Rigid)>,
    /// Height of the ground that the soles stand on (m).
    pub ground: f32,
}

/// Names of the clips that a figure has for what it does, where it has any: in place of the built-in postures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActClips {
    /// Gets up from its back. The clip begins lying so, and ends on its feet.
    pub get_up_face_up: Option<String>,
    /// The same face down.
    pub get_up_face_down: Option<String>,
    /// Sits down. The clip begins on its feet, and ends on a seat of any height.
    pub sit: Option<String>,
    /// Stands up from a seat: the other way round.
    pub stand_up: Option<String>,
    /// Lies down. The clip begins on its feet, and ends lying face up.
    pub lie_down: Option<String>,
}

impl ActClips {
    /// Name of getting up from the back.
    pub const FACE_UP: &str = "get_up_face_up";
    /// Name of getting up face down.
    pub const FACE_DOWN: &str = "get_up_face_down";
    /// Name of sitting down.
    pub const SIT: &str = "sit";
    /// Name of standing up from a seat.
    pub const STAND_UP: &str = "stand_up";
    /// Name of lying down.
    pub const LIE_DOWN: &str = "lie_down";

    /// What clips can be for.
    pub const ACTS: [&str; 5] = [Self::FACE_UP, Self::FACE_DOWN, Self::SIT, Self::STAND_UP, Self::LIE_DOWN];

    /// Sets the clip for something; `false` where that is none of [`ActClips::ACTS`].
    pub fn set(&mut self, act: &str, clip: &str) -> bool {
        let Self { get_up_face_up, get_up_face_down, sit, stand_up, lie_down } = self;
        let slots = [get_up_face_up, get_up_face_down, sit, stand_up, lie_down];
        let slot = Self::ACTS.into_iter().zip(slots).find(|(name, _)| *name == act);
        slot.map(|(_, slot)| *slot = Some(clip.to_owned())).is_some()
    }

    /// Every clip that there is, by what it is for.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let Self { get_up_face_up, get_up_face_down, sit, stand_up, lie_down } = self;
        let clips = [get_up_face_up, get_up_face_down, sit, stand_up, lie_down];
        Self::ACTS.into_iter().zip(clips).filter_map(|(act, clip)| Some((act, clip.as_deref()?)))
    }
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActKind {
    /// Sitting on a seat.
    Sit,
    /// Lying on the back.
    Lie,
}
