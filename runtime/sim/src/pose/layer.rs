//! One clip on one rig: what it moves, where it goes, and its values at a time.

use crate::figure::clip::Clip;
use crate::figure::rig::Transform;
use crate::figure::{Model, Ragdoll};
use crate::pose::sample::{Value, evaluate, sample};
use crate::space::{Vec3, level};

/// A clip whose root goes further than this share of the figure's height carries the figure; less is swaying in place.
const TRAVEL_SHARE: f32 = 0.05;

/// A clip as it is played on a model.
pub(super) struct Layer<'a> {
    /// The model that plays it.
    model: &'a Model,
    /// Whose clip it is where it is another's, with its ragdoll and the player's.
    carried: Option<Carried<'a>>,
    clip: &'a Clip,
}

struct Carried<'a> {
    source: &'a Model,
    from: &'a Ragdoll,
    onto: &'a Ragdoll,
}

impl<'a> Layer<'a> {
    /// `None` where there is no such clip, or no ragdoll to carry it over.
    pub fn new(model: &'a Model, source: Option<&'a Model>, clip: usize) -> Option<Self> {
        let carried = match source {
            Some(source) => Some(Carried { source, from: source.ragdoll.as_ref().ok()?, onto: model.ragdoll.as_ref().ok()? }),
            None => None,
        };
        let clip = source.unwrap_or(model).rig.clips.get(clip)?;
        Some(Self { model, carried, clip })
    }

    /// Seconds.
    pub fn duration(&self) -> f32 {
        self.clip.duration
    }

    /// The nodes of the playing model that it moves.
    pub fn nodes(&self) -> Vec<usize> {
        if let Some(carried) = &self.carried {
            return carried.onto.turned_nodes().to_vec();
        }
        let mut nodes: Vec<usize> = self.clip.tracks.iter().map(|track| track.node).collect();
        // The hips are held back where something above them travels.
        nodes.extend(self.model.ragdoll.as_ref().ok().filter(|_| self.travel() != Vec3::ZERO).map(|ragdoll| ragdoll.nodes[0]));
        nodes
    }

    /// The level way of the hips from the clip's beginning to its end, in the player's frame (m); zero if they stay.
    pub fn travel(&self) -> Vec3 {
        let (owner, ragdoll, ratio) = match &self.carried {
            Some(carried) => (carried.source, carried.from, carried.onto.stride_ratio(carried.from)),
            None => match &self.model.ragdoll {
                Ok(ragdoll) => (self.model, ragdoll, 1.0),
                Err(_) => return Vec3::ZERO,
            },
        };
        let at = |time: f32| {
            let mut locals = owner.rig.rest();
            sample(self.clip, time, &mut locals);
            ragdoll.hips_at(&owner.rig, &locals)
        };
        let way = level(at(self.clip.duration) - at(0.0));
        if self.clip.duration > 0.0 && way.length() > TRAVEL_SHARE * ragdoll.height { way * ratio } else { Vec3::ZERO }
    }

    /// What it writes at a time, `travel` taken out at an even pace. `locals` are what the other nodes stand at.
    pub fn values(&self, time: f32, travel: Vec3, locals: &[Transform]) -> Vec<(usize, Value)> {
        let gone = if self.clip.duration > 0.0 { travel * (time / self.clip.duration) } else { Vec3::ZERO };
        match &self.carried {
            Some(carried) => carried.values(self.clip, time, gone, self.model, locals),
            None => self.own_values(time, gone, locals),
        }
    }

    fn own_values(&self, time: f32, gone: Vec3, locals: &[Transform]) -> Vec<(usize, Value)> {
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

impl Carried<'_> {
    fn values(&self, clip: &Clip, time: f32, gone: Vec3, model: &Model, locals: &[Transform]) -> Vec<(usize, Value)> {
        let mut source_locals = self.source.rig.rest();
        sample(clip, time, &mut source_locals);
        let bodies = self.from.bodies_of(&self.source.rig, &source_locals);
        let mut bodies = self.onto.retarget(self.from, &bodies);
        for body in &mut bodies {
            body.translation -= gone;
        }
        let mut posed = locals.to_vec();
        self.onto.pose_nodes(&model.rig, &bodies, &mut posed);
        let hips = self.onto.nodes[0];
        let turned = self.onto.turned_nodes().iter().map(|node| (*node, Value::Rotation(posed[*node].rotation)));
        turned.chain([(hips, Value::Translation(posed[hips].translation))]).collect()
    }
}
