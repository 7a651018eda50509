//! A clip as the postures of a way, for figures that have one for what they do.

use super::{Key, Leg, Plant, Spot};
use crate::crowd::at;
use crate::figure::{BONES, Bone, Model, Ragdoll};
use crate::space::{Rigid, Vec3, rotation_from_yaw, yaw_of};
use std::sync::Arc;

// `get_up_face_up` of `tests/motion/get_up.rs` holds these as a whole: who has a clip gets up as it does, no bone faster than 6° a step.
/// Seconds between two postures that are taken from a clip, and the most and fewest of them: between, joints turn as straight as can be.
const APART: f32 = 0.2;
const FEWEST: usize = 4;
const MOST: usize = 64;
/// Seconds to the first posture of a clip at least.
const FIRST: f32 = 0.6;
/// Seconds from its last posture to what the animation has.
const LAST: f32 = 0.4;
/// Height of the pelvis, of a knee, and difference of the two balls' (m, of a person of 1.75 m) up to which they bear the body.
const SEATED: f32 = 0.22;
const KNEELS: f32 = 0.14;
const LEVEL: f32 = 0.05;
/// How far up or down (1: straight) the front of a trunk points that lies.
const LIES: f32 = 0.5;

/// The stages of a way through a clip.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// Through the clip's postures to what the animation has.
    pub(crate) legs: Vec<Leg>,
    /// Figure from body as the clip begins; at its end it faces ahead.
    pub(crate) begins: [Rigid; BONES],
}

impl Course {
    /// Through a clip of a model; `None` where there is no such clip, or no ragdoll.
    pub(crate) fn through(model: &Arc<Model>, clip: &str) -> Option<Self> {
        let index = model.rig.clip(clip)?;
        let duration = model.rig.clips[index].duration;
        let ragdoll = model.ragdoll.as_ref().ok()?;
        let count = ((duration / APART).ceil() as usize).clamp(FEWEST, MOST);
        let mut poses: Vec<[Rigid; BONES]> = (0..=count)
            .map(|moment| {
                let mut animator = at(model, index, duration * moment as f32 / count as f32);
                // Played over and over its end would be its beginning.
                animator.playing.iter_mut().for_each(|playing| playing.looped = false);
                animator.advance(model, 0.0);
                ragdoll.bodies_of(&model.rig, &animator.locals)
            })
            .collect();
        // As it faces at its end is ahead.
        let ahead = rotation_from_yaw(-yaw_of(poses[count][0].rotation));
        for body in poses.iter_mut().flatten() {
            *body = Rigid { rotation: ahead, ..Rigid::IDENTITY } * *body;
        }
        let key = |pose: &[Rigid; BONES]| Key::Clip(pose.map(|body| body.rotation));
        let seconds = duration / count as f32;
        let mut legs = vec![Leg { to: key(&poses[0]), plant: plant(ragdoll, &poses[0], &poses[0]), seconds: FIRST }];
        legs.extend(poses.windows(2).map(|pair| Leg { to: key(&pair[1]), plant: plant(ragdoll, &pair[0], &pair[1]), seconds }));
        legs.push(Leg { to: Key::Animation, plant: plant(ragdoll, &poses[count], &poses[count]), seconds: LAST });
        Some(Self { legs, begins: poses[0] })
    }

    /// Whether it begins lying face up (true) or face down; `None`: neither.
    pub(crate) fn begins_face_up(&self) -> Option<bool> {
        let front = [Bone::Pelvis, Bone::Spine, Bone::Chest].map(|bone| self.begins[bone.index()].rotation * Vec3::Z);
        let up = front.into_iter().sum::<Vec3>().y / 3.0;
        (up.abs() > LIES).then_some(up > 0.0)
    }
}

/// What stays where it is between two postures: what bears the body in both.
fn plant(ragdoll: &Ragdoll, from: &[Rigid; BONES], to: &[Rigid; BONES]) -> Plant {
    let size = ragdoll.tall();
    let poses = [from, to].map(|pose| (pose, lowest(ragdoll, pose)));
    let height = |spot: Spot| poses.map(|(pose, floor)| spot.of(ragdoll, pose).y - floor);
    let below = |spot: Spot, most: f32| height(spot).iter().all(|height| *height < most * size);
    let sum = |spot: Spot| height(spot).iter().sum::<f32>();
    let spot = if below(Spot::Seat, SEATED) {
        Spot::Seat
    } else if below(Spot::KneeL, KNEELS) && below(Spot::KneeR, KNEELS) {
        Spot::Knees
    } else if below(Spot::KneeR, KNEELS) {
        Spot::KneeR
    } else if below(Spot::KneeL, KNEELS) {
        Spot::KneeL
    } else if (sum(Spot::ToesL) - sum(Spot::ToesR)).abs() < 2.0 * LEVEL * size {
        Spot::Toes
    } else if sum(Spot::ToesL) < sum(Spot::ToesR) {
        Spot::ToesL
    } else {
        Spot::ToesR
    };
    Plant::Spots([spot, spot])
}

/// Height of a pose's lowest joint or sole, which is about that of the ground.
fn lowest(ragdoll: &Ragdoll, pose: &[Rigid; BONES]) -> f32 {
    let soles = [Bone::ShinL, Bone::ShinR].into_iter().zip(&ragdoll.soles);
    let corners = soles.flat_map(|(shin, corners)| corners.map(|corner| pose[shin.index()].point(corner).y));
    corners.chain(pose.iter().map(|body| body.translation.y)).fold(f32::INFINITY, f32::min)
}
