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
}

impl ActClips {
    /// Name of getting up from the back.
    pub const FACE_UP: &str = "get_up_face_up";
    /// Name of getting up face down.
    pub const FACE_DOWN: &str = "get_up_face_down";

    /// What clips can be for.
    pub const ACTS: [&str; 2] = [Self::FACE_UP, Self::FACE_DOWN];

    /// Sets the clip for something; `false` where that is none of [`ActClips::ACTS`].
    pub fn set(&mut self, act: &str, clip: &str) -> bool {
        let slot = match act {
            Self::FACE_UP => &mut self.get_up_face_up,
            Self::FACE_DOWN => &mut self.get_up_face_down,
            _ => return false,
        };
        *slot = Some(clip.to_owned());
        true
    }

    /// Every clip that there is, by what it is for.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [(Self::FACE_UP, &self.get_up_face_up), (Self::FACE_DOWN, &self.get_up_face_down)]
            .into_iter()
            .filter_map(|(act, clip)| Some((act, clip.as_deref()?)))
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
