//! Clips of one model on another's rig, by role.

use crate::figure::clip::{Channel, Clip, Interpolation, Track};
use crate::figure::rig::Transform;
use crate::figure::{Bone, Model, Ragdoll, Rig};
use crate::pose::sample::sample;

impl Model {
    /// Adds those clips of another model that this one has no clip of the same name for, carried over from ragdoll to ragdoll. Does
    /// nothing where one of the two has none.
    pub fn add_clips_of(&mut self, other: &Self) {
        let (Ok(own), Ok(others)) = (&self.ragdoll, &other.ragdoll) else { return };
        let missing = other.rig.clips.iter().filter(|clip| self.rig.clip(&clip.name).is_none());
        let added: Vec<Clip> = missing.map(|clip| carry(&other.rig, others, clip, &self.rig, own)).collect();
        self.rig.clips.extend(added);
    }
}

/// Keys a second: as many as the box man's clips have.
const KEYS_HZ: f32 = 60.0;

/// A clip of `from` as keys of the nodes that another rig's ragdoll drives.
///
/// Nodes that the clip leaves alone stand as in the built-in stance on both rigs, so a clip of the chest does not lift the arms of
/// a rig that rests with them spread.
fn carry(from: &Rig, from_ragdoll: &Ragdoll, clip: &Clip, rig: &Rig, ragdoll: &Ragdoll) -> Clip {
    let keys = (clip.duration * KEYS_HZ).round().max(1.0) as usize;
    let times: Vec<f32> = (0..=keys).map(|key| clip.duration * key as f32 / keys as f32).collect();
    let still = stance(from, from_ragdoll);
    let poses: Vec<Vec<Transform>> = times
        .iter()
        .map(|time| {
            let mut locals = still.clone();
            sample(clip, *time, &mut locals);
            let bodies = ragdoll.retarget(from_ragdoll, &from_ragdoll.bodies_of(from, &locals));
            let mut locals = rig.rest();
            ragdoll.pose_nodes(rig, &bodies, &mut locals);
            locals
        })
        .collect();
    let mut tracks = Vec::new();
    for (node, rest) in rig.rest().iter().enumerate() {
        if poses.iter().any(|pose| pose[node].rotation != rest.rotation) {
            let values = poses.iter().flat_map(|pose| pose[node].rotation.to_array()).collect();
            tracks.push(track(node, Channel::Rotation, &times, values));
        }
    }
    let pelvis = ragdoll.nodes[Bone::Pelvis.index()];
    let values = poses.iter().flat_map(|pose| pose[pelvis].translation.to_array()).collect();
    tracks.push(track(pelvis, Channel::Translation, &times, values));
    Clip { name: clip.name.clone(), duration: clip.duration, tracks }
}

/// Local transforms in the built-in stance.
fn stance(rig: &Rig, ragdoll: &Ragdoll) -> Vec<Transform> {
    let mut locals = rig.rest();
    ragdoll.pose_nodes(rig, &ragdoll.hang(ragdoll.rest[0].translation, &ragdoll.stance()), &mut locals);
    locals
}

fn track(node: usize, channel: Channel, times: &[f32], values: Vec<f32>) -> Track {
    Track { node, channel, interpolation: Interpolation::Linear, times: times.to_vec(), values }
}
