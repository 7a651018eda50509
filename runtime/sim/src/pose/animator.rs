//! What a figure plays: several clips on one rig, with clocks, weights and fades.

use crate::figure::Model;
use crate::figure::rig::Transform;
use crate::space::Vec3;
use std::sync::Arc;

/// A clip being played.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// Index into the source model's clips.
    pub clip: usize,
    /// Seconds into it.
    pub time: f32,
    /// 1 is as recorded.
    pub speed: f32,
    /// Starts over at its end.
    pub looped: bool,
    /// 0..=1, moving toward `goal`.
    pub weight: f32,
    /// Where the weight is going: 1 playing, 0 fading out.
    pub goal: f32,
    /// Weight a second.
    pub rate: f32,
}

/// Clip clocks and the pose they were last sampled to.
#[derive(Clone, Debug)]
pub struct Animator {
    /// In the order in which they were started.
    pub playing: Vec<Playing>,
    /// Local transforms as last written: a clip that moves one bone leaves the rest where it was.
    pub locals: Vec<Transform>,
}

impl Animator {
    /// At rest, or in the built-in stance where the model has a ragdoll.
    #[must_use]
    pub fn new(model: &Arc<Model>) -> Self {
        Self { playing: Vec::new(), locals: model.rig.rest() }
    }

    /// Starts a clip beside the others; those that move the same nodes fade out as it fades in.
    pub fn play(&mut self, model: &Model, clip: usize, speed: f32, looped: bool, fade: f32) {
        let _ = (model, clip, speed, looped, fade);
    }

    /// Stops one clip, or all: the pose stays where it is.
    pub fn stop(&mut self, clip: Option<usize>) {
        let _ = clip;
    }

    /// Moves the clocks by `dt` seconds and samples. Returns the root's travel over `dt` in the figure's frame (m, level): what the
    /// clips carry the figure along +Z; it is taken out of the pose.
    pub fn advance(&mut self, model: &Model, dt: f32) -> Vec3 {
        let _ = (model, dt);
        Vec3::ZERO
    }
}
