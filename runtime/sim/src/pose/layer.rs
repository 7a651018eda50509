//! One clip on one rig: what it moves, where it goes, and its values at a time.

use crate::figure::Model;
use crate::figure::clip::Clip;
use crate::figure::rig::Transform;
use crate::pose::sample::{Value, evaluate, sample};
use crate::space::{Vec3, level};

/// A clip whose root goes further than this share of the figure's height carries the figure; less is swaying in place.
const TRAVEL_SHARE: f32 = 0.05;

/// A clip as it is played on its model.
pub(super) struct Layer<'a> {
    model: &'a Model,
    clip: &'a Clip,
}

impl<'a> Layer<'a> {
    /// `None` where there is no such clip.
    pub fn new(model: &'a Model, clip: usize) -> Option<Self> {
        Some(Self { model, clip: model.rig.clips.get(clip)? })
    }

    /// Seconds.
    pub fn duration(&self) -> f32 {
        self.clip.duration
    }

    /// The nodes that it moves.
    pub fn nodes(&self) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.clip.tracks.iter().map(|track| track.node).collect();
        // The hips are held back where something above them travels.
        nodes.extend(self.model.ragdoll.as_ref().ok().filter(|_| self.travel() != Vec3::ZERO).map(|ragdoll| ragdoll.nodes[0]));
        nodes
    }

    /// The level way of the hips from the clip's beginning to its end, in the figure's frame (m); zero if they stay.
    pub fn travel(&self) -> Vec3 {
        let Ok(ragdoll) = &self.model.ragdoll else { return Vec3::ZERO };
        let at = |time: f32| {
            let mut locals = self.model.rig.rest();
            sample(self.clip, time, &mut locals);
            ragdoll.hips_at(&self.model.rig, &locals)
        };
        let way = level(at(self.clip.duration) - at(0.0));
        if self.clip.duration > 0.0 && way.length() > TRAVEL_SHARE * ragdoll.height { way } else { Vec3::ZERO }
    }

    /// What it writes at a time, `travel` taken out at an even pace. `locals` are what the other nodes stand at.
    pub fn values(&self, time: f32, travel: Vec3, locals: &[Transform]) -> Vec<(usize, Value)> {
        let gone = if self.clip.duration > 0.0 { travel * (time / self.clip.duration) } else { Vec3::ZERO };
        let mut values: Vec<(usize, Value)> = self.clip.tracks.iter().map(|track| (track.node, evaluate(track, time))).collect();
        if let (Ok(ragdoll), true) = (&self.model.ragdoll, gone != Vec3::ZERO) {
            let hips = ragdoll.nodes[0];
            let mut posed = locals.to_vec();
            for (node, value) in &values {
                value.blend_into(&mut posed[*node], 1.0);
            }
            let parent_from_figure = ragdoll.figure_from_hips_parent(&self.model.rig, &posed).inverse();
            let back = parent_from_figure.transform_vector3(gone);
            let keyed = values.iter().position(|(node, value)| *node == hips && matches!(value, Value::Translation(_)));
            let from = match keyed.map(|at| values.swap_remove(at)) {
                Some((_, Value::Translation(from))) => from,
                _ => self.model.rig.nodes[hips].rest.translation,
            };
            // A parent that is scaled to nothing has no place to go back to.
            values.push((hips, Value::Translation(if back.is_finite() { from - back } else { from })));
        }
        values
    }
}
