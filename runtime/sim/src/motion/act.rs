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

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActKind {
    /// Sitting on a seat.
    Sit,
    /// Lying on the back.
    Lie,
}
