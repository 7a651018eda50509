//! An animation clip: keyed channels of nodes.

use serde::{Deserialize, Serialize};

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Channel {
    /// Three values a key.
    Translation,
    /// Four values a key: x, y, z, w.
    Rotation,
    /// Three values a key.
    Scale,
}

impl Channel {
    /// Numbers of one value.
    #[must_use]
    pub const fn width(self) -> usize {
        if matches!(self, Self::Rotation) { 4 } else { 3 }
    }
}

/// How a value comes about between two keys (glTF 2.0, appendix C).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    /// A line; for rotations, spherical.
    Linear,
    /// The earlier key's value.
    Step,
    /// Hermite, with in-tangent, value and out-tangent a key.
    CubicSpline,
}

/// One channel of one node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Track {
    /// Index into the rig's nodes.
    pub node: usize,
    /// What it moves.
    pub channel: Channel,
    /// Between keys.
    pub interpolation: Interpolation,
    /// Seconds, strictly ascending, at least one.
    pub times: Vec<f32>,
    /// Three or four numbers a key; three times as many for `CubicSpline`.
    pub values: Vec<f32>,
}

impl Track {
    /// Numbers a key.
    #[must_use]
    pub fn width(&self) -> usize {
        let values = if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        values * self.channel.width()
    }
}

/// A named set of tracks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clip {
    /// As the file has it; `clip_3` for the fourth where it has none.
    pub name: String,
    /// Seconds, from 0 to the last key of any track.
    pub duration: f32,
    /// At most one a node and channel.
    pub tracks: Vec<Track>,
}
