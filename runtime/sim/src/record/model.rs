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
        if nodes.iter().enumerate().any(|(index, node)| node.parent.is_some_and(|parent| parent >= index)) {
            return Err(format!("{name}: a node stands before its parent"));
        }
        for track in clips.iter().flat_map(|clip| &clip.tracks) {
            let width = track.width();
            let sound = track.node < nodes.len() && !track.times.is_empty() && track.values.len() == track.times.len() * width;
            if !sound {
                return Err(format!("{name}: a clip's track does not fit its keys"));
            }
        }
        if let Ok(ragdoll) = &ragdoll {
            let topology = &ragdoll.topology;
            let joined =
                topology.joints.iter().enumerate().all(|(index, joint)| joint.child == index + 1 && joint.parent <= index);
            let whole = topology.bodies.len() == BONES && topology.joints.len() == BONES - 1 && joined;
            if !whole || !ragdoll.drives_only(nodes.len()) {
                return Err(format!("{name}: the ragdoll does not fit the skeleton"));
            }
        }
        Ok(Model { rig: Rig { name, nodes, clips, skins: Vec::new() }, ragdoll })
    }
}
