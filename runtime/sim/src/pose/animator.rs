//! What a figure plays: several clips on one rig, with clocks, weights and fades.

use crate::figure::Model;
use crate::figure::rig::Transform;
use crate::pose::layer::Layer;
use crate::pose::sample::Value;
use crate::space::Vec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A clip being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Playing {
    /// Index into the model's clips.
    pub clip: usize,
    /// Seconds into it.
    pub time: f32,
    /// 1 is as recorded; negative plays it backwards.
    pub speed: f32,
    /// Starts over at its end; otherwise it holds its last pose.
    pub looped: bool,
    /// 0..=1, moving toward `goal`.
    pub weight: f32,
    /// Where the weight is going: 1 playing, 0 fading out.
    pub goal: f32,
    /// Weight a second.
    pub rate: f32,
    /// What `time` lost to rounding so far (s): kept, so that hours of steps add up (Kahan summation).
    lost: f32,
    /// Level way of the root from the first to the last key, in the figure's frame (m); zero for a clip that stays in place.
    travel: Vec3,
}

impl Playing {
    /// Level way of the root from the first to the last key, in the figure's frame (m); zero for a clip that stays in place.
    #[must_use]
    pub fn travel(&self) -> Vec3 {
        self.travel
    }

    /// Moves the clock; returns the clip's seconds that went by.
    fn tick(&mut self, duration: f32, dt: f32) -> f32 {
        let step = self.speed * dt;
        let wanted = step - self.lost;
        let reached = self.time + wanted;
        self.lost = (reached - self.time) - wanted;
        if duration <= 0.0 {
            self.time = 0.0;
            return 0.0;
        }
        if self.looped {
            // In a whole number of durations, so that the remainder is exact.
            self.time = reached - duration * (reached / duration).floor();
            return step;
        }
        let before = self.time;
        self.time = reached.clamp(0.0, duration);
        self.time - before
    }
}

/// Clip clocks and the pose they were last sampled to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Animator {
    /// In the order in which they were started.
    pub playing: Vec<Playing>,
    /// Local transforms as last written: a clip that moves one bone leaves the rest where it was.
    pub locals: Vec<Transform>,
    /// What shows where the weights of the clips that move a node sum to less than 1: the pose they fade in from.
    held: Vec<Transform>,
}

impl Animator {
    /// At rest, or in the built-in stance where the model has a ragdoll.
    #[must_use]
    pub fn new(model: &Arc<Model>) -> Self {
        let mut locals = model.rig.rest();
        if let Ok(ragdoll) = &model.ragdoll {
            let stance = ragdoll.hang(ragdoll.rest[0].translation, &ragdoll.stance());
            ragdoll.pose_nodes(&model.rig, &stance, &mut locals);
        }
        Self { playing: Vec::new(), held: locals.clone(), locals }
    }

    /// Starts a clip beside the others; those that move the same nodes fade out as it fades in, over `fade` seconds. A clip that
    /// is played backwards starts at its end. Does nothing where the model has no such clip.
    pub fn play(&mut self, model: &Model, clip: usize, speed: f32, looped: bool, fade: f32) {
        let Some(layer) = Layer::new(model, clip) else { return };
        let nodes = layer.nodes();
        let moved = self.moved(model);
        for (node, held) in self.held.iter_mut().enumerate() {
            if !moved[node] {
                *held = self.locals[node];
            }
        }
        let at_once = fade <= 0.0;
        self.playing.retain_mut(|playing| {
            let shares = layer_of(model, playing).is_some_and(|other| other.nodes().iter().any(|node| nodes.contains(node)));
            if shares {
                (playing.goal, playing.rate) = (0.0, playing.weight / fade);
            }
            !(shares && at_once)
        });
        let (weight, rate) = if at_once { (1.0, 0.0) } else { (0.0, 1.0 / fade) };
        let time = if speed < 0.0 { layer.duration() } else { 0.0 };
        let travel = layer.travel();
        self.playing.push(Playing { clip, time, speed, looped, weight, goal: 1.0, rate, lost: 0.0, travel });
    }

    /// Stops one clip, or all: the pose stays where it is.
    pub fn stop(&mut self, clip: Option<usize>) {
        self.playing.retain(|playing| clip.is_some_and(|clip| playing.clip != clip));
        self.held.clone_from(&self.locals);
    }

    /// Moves the clocks by `dt` seconds and samples. Returns the root's travel over `dt` in the figure's frame (m, level): what the
    /// clips carry the figure along +Z; it is taken out of the pose.
    pub fn advance(&mut self, model: &Model, dt: f32) -> Vec3 {
        let mut travel = Vec3::ZERO;
        let mut carried = 0.0;
        for playing in &mut self.playing {
            let Some(duration) = layer_of(model, playing).map(|layer| layer.duration()) else { continue };
            let step = (playing.rate * dt).max(0.0);
            playing.weight += (playing.goal - playing.weight).clamp(-step, step);
            let went = playing.tick(duration, dt);
            if playing.travel != Vec3::ZERO {
                travel += playing.travel * (playing.weight * went / duration);
                carried += playing.weight;
            }
        }
        self.playing.retain(|playing| playing.goal > 0.0 || playing.weight > 0.0);
        self.blend(model);
        travel / f32::max(carried, 1.0)
    }

    /// Samples every clip and mixes them by weight; what the weights leave is the held pose's.
    fn blend(&mut self, model: &Model) {
        let layers = self.playing.iter().filter(|playing| playing.weight > 0.0).filter_map(|playing| {
            let values = layer_of(model, playing)?.values(playing.time, playing.travel, &self.locals);
            Some((playing.weight, values))
        });
        let layers: Vec<(f32, Vec<(usize, Value)>)> = layers.collect();
        let values =
            || layers.iter().flat_map(|(weight, values)| values.iter().map(move |(node, value)| (*weight, *node, value)));
        let mut totals = vec![[0.0_f32; 3]; self.locals.len()];
        for (weight, node, value) in values() {
            totals[node][value.channel() as usize] += weight;
            Value::read(&self.held[node], value.channel()).blend_into(&mut self.locals[node], 1.0);
        }
        // Each value replaces the share of what is there that its weight has in the sum so far: together, a weighted mean.
        let mut sums: Vec<[f32; 3]> = totals.iter().map(|total| total.map(|total| (1.0 - total).max(0.0))).collect();
        for (weight, node, value) in values() {
            let sum = &mut sums[node][value.channel() as usize];
            *sum += weight;
            value.blend_into(&mut self.locals[node], weight / *sum);
        }
        for (_, node, value) in values() {
            // Nothing of the held pose shows: the next fade begins from here. (Weights that cross sum to 1 but for rounding.)
            if totals[node][value.channel() as usize] > 0.999 {
                Value::read(&self.locals[node], value.channel()).blend_into(&mut self.held[node], 1.0);
            }
        }
    }

    /// Whether it plays this model: a transform a node, and no clip that there is not.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        let nodes = model.rig.nodes.len();
        let known = self.playing.iter().all(|playing| playing.clip < model.rig.clips.len());
        known && self.locals.len() == nodes && self.held.len() == nodes
    }

    /// Which nodes any clip moves.
    fn moved(&self, model: &Model) -> Vec<bool> {
        let mut moved = vec![false; self.locals.len()];
        for layer in self.playing.iter().filter_map(|playing| layer_of(model, playing)) {
            for node in layer.nodes() {
                moved[node] = true;
            }
        }
        moved
    }
}

fn layer_of<'a>(model: &'a Model, playing: &'a Playing) -> Option<Layer<'a>> {
    Layer::new(model, playing.clip)
}
