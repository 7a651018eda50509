//! A model as a recording holds it: skeleton, clips and ragdoll, so that a replay needs no model file. Meshes are left out: nothing
//! in the corridor reads them once a ragdoll has been fitted.

use crate::figure::clip::Clip;
use crate::figure::rig::Node;
use crate::figure::roles::NoRagdoll;
use crate::figure::{BONES, Model, Ragdoll, Rig};
use serde::{Deserialize, Serialize};

/// A model without its meshes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptModel {
    name: String,
    nodes: Vec<Node>,
    clips: Vec<Clip>,
    ragdoll: Result<Ragdoll, NoRagdoll>,
}

impl KeptModel {
    pub(super) fn of(model: &Model) -> Self {
        let rig = &model.rig;
        Self { name: rig.name.clone(), nodes: rig.nodes.clone(), clips: rig.clips.clone(), ragdoll: model.ragdoll.clone() }
    }

    /// The model, or what contradicts itself: indices must be in range, or the corridor would read past the end.
    pub(super) fn into_model(self) -> Result<Model, String> {
        let Self { name, nodes, clips, ragdoll } = self;
        let unfit = |what: &str| Err(format!("{name}: {what}"));
        if nodes.iter().enumerate().any(|(index, node)| node.parent.is_some_and(|parent| parent >= index)) {
            return unfit("a node stands before its parent");
        }
        if clips.iter().any(|clip| !clip.duration.is_finite()) {
            return unfit("a clip has no duration");
        }
        for track in clips.iter().flat_map(|clip| &clip.tracks) {
            let width = track.width();
            let ordered = track.times.is_sorted_by(|a, b| a < b);
            let sound =
                track.node < nodes.len() && !track.times.is_empty() && ordered && track.values.len() == track.times.len() * width;
            if !sound {
                return unfit("a clip's track does not fit its keys");
            }
        }
        if let Ok(ragdoll) = &ragdoll {
            let whole = ragdoll.topology.bodies.len() == BONES && ragdoll.topology.joints.len() == BONES - 1;
            if !whole || !ragdoll.drives_only(nodes.len()) {
                return unfit("the ragdoll does not fit the skeleton");
            }
            let feet = ragdoll.ankles.iter().map(|ankles| &ankles.topology);
            if feet.clone().any(|topology| topology.bodies.len() != BONES + 2 || topology.joints.len() != BONES + 1) {
                return unfit("the feet do not fit the ragdoll");
            }
            for topology in feet.chain([&ragdoll.topology]) {
                crate::world::topology(topology).map_err(|error| format!("{name}: {error}"))?;
            }
        }
        Ok(Model { rig: Rig { name, nodes, clips, skins: Vec::new() }, ragdoll })
    }
}
