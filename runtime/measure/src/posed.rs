//! Poses that measures need and no clip has.

use crate::options::MeasureError;
use crate::subject::Subject;
use simrun_sim::figure::Bone;
use simrun_sim::figure::clip::{Channel, Clip, Interpolation, Track};
use simrun_sim::space::{Vec3, rotation_from_vector};

/// The clip of [`arms_ahead`].
pub const ARMS_AHEAD: &str = "ArmsAhead";
/// How far ahead the arms are held (rad).
pub const AHEAD: f32 = 0.6;

/// The same subject with a clip that stands still and holds both arms ahead.
pub fn arms_ahead(subject: &Subject) -> Result<Subject, MeasureError> {
    let (ragdoll, mut model) = (subject.ragdoll(), (*subject.model).clone());
    let mut turned = ragdoll.stance();
    let ahead = rotation_from_vector(Vec3::NEG_X * AHEAD);
    for bone in [Bone::UpperArmL, Bone::ForearmL, Bone::UpperArmR, Bone::ForearmR] {
        turned[bone.index()] = ahead * turned[bone.index()];
    }
    let mut locals = model.rig.rest();
    ragdoll.pose_nodes(&model.rig, &ragdoll.hang(ragdoll.rest[0].translation, &turned), &mut locals);
    let held = |channel, node: usize, values: &[f32]| Track {
        node,
        channel,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: values.repeat(2),
    };
    let rotations = locals.iter().enumerate().map(|(node, local)| held(Channel::Rotation, node, &local.rotation.to_array()));
    let hips = ragdoll.nodes[0];
    let place = held(Channel::Translation, hips, &locals[hips].translation.to_array());
    let tracks = rotations.chain([place]).collect();
    model.rig.clips.push(Clip { name: ARMS_AHEAD.to_owned(), duration: 1.0, tracks });
    Subject::of(model.into())
}
