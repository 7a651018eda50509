//! A clip as the postures of a way, for figures that have one for what they do.

use super::lying::{front_up, lies};
use super::{Key, Leg, Plant, Spot};
use crate::crowd::at;
use crate::figure::{BONES, Bone, Model, Ragdoll};
use crate::space::{Rigid, Vec3, angle_between, rotation_from_yaw, yaw_of};
use std::sync::Arc;

// `tests/motion/get_up.rs` and `tests/motion/act_clips.rs` hold these as a whole: who has a clip does as it does, no bone faster than 6° a step.
/// Seconds between two postures that are taken from a clip, and the most and fewest of them: between, joints turn as straight as can be.
const APART: f32 = 0.2;
const FEWEST: usize = 4;
const MOST: usize = 64;
/// Seconds to the first posture of a clip at least, from lying and from a known one.
const FIRST: f32 = 0.6;
const FIRST_KNOWN: f32 = 0.3;
/// Seconds from its last posture to what comes after it.
const LAST: f32 = 0.4;
/// Height of the pelvis, of a knee, and difference of the two balls' (m, of a person of 1.75 m) up to which they bear the body.
const SEATED: f32 = 0.22;
const KNEELS: f32 = 0.14;
const LEVEL: f32 = 0.05;
/// How far up or down (1: straight) the front of a trunk points that lies, and how far up a trunk that stands or sits.
const LIES: f32 = 0.5;
const UPRIGHT: f32 = 0.5;
/// The most that the thighs of one who stands, and the least that those of one who sits, are turned up from hanging (rad).
const STANDING_THIGHS: f32 = 0.6;
const SITTING_THIGHS: f32 = 0.8;
/// Share of the way to or from a seat that is none.
const NONE: f32 = 1.0e-4;

/// The postures of a clip.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// Figure from body, from its beginning to its end; at that it faces ahead.
    poses: Vec<[Rigid; BONES]>,
    /// Seconds from one to the next.
    seconds: f32,
}

/// How one stands, sits or lies as a clip begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    Stands,
    Sits,
    FaceUp,
    FaceDown,
}

impl Stance {
    /// `None`: in none of these ways.
    pub(crate) fn of(ragdoll: &Ragdoll, pose: &[Rigid; BONES]) -> Option<Self> {
        let front = front_up(pose);
        if front.abs() > LIES {
            return Some(if front > 0.0 { Self::FaceUp } else { Self::FaceDown });
        }
        let thighs = raised(ragdoll, pose);
        let up = (pose[Bone::Chest.index()].rotation * Vec3::Y).y;
        match () {
            () if up < UPRIGHT => None,
            () if thighs < STANDING_THIGHS => Some(Self::Stands),
            () => (thighs > SITTING_THIGHS).then_some(Self::Sits),
        }
    }

    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            Self::Stands => "standing",
            Self::Sits => "sitting",
            Self::FaceUp => "lying face up",
            Self::FaceDown => "lying face down",
        }
    }
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
        let end = &poses[count];
        let faces = if front_up(end).abs() > LIES { lies(end).1 } else { yaw_of(end[0].rotation) };
        let ahead = rotation_from_yaw(-faces);
        for body in poses.iter_mut().flatten() {
            *body = Rigid { rotation: ahead, ..Rigid::IDENTITY } * *body;
        }
        Some(Self { poses, seconds: duration / count as f32 })
    }

    /// Figure from body as it begins.
    pub(crate) fn begins(&self) -> &[Rigid; BONES] {
        &self.poses[0]
    }

    /// The same as it ends.
    pub(crate) fn ends(&self) -> &[Rigid; BONES] {
        &self.poses[self.poses.len() - 1]
    }

    /// From lying through it to what the animation has.
    pub(crate) fn up(&self, ragdoll: &Ragdoll) -> Vec<Leg> {
        self.on_the_ground(ragdoll, FIRST, Key::Animation)
    }

    /// From standing through it to lying flat.
    pub(crate) fn lies_down(&self, ragdoll: &Ragdoll) -> Vec<Leg> {
        self.on_the_ground(ragdoll, FIRST_KNOWN, Key::Lie)
    }

    /// Down through it, planted on what bears the body.
    fn on_the_ground(&self, ragdoll: &Ragdoll, first: f32, last: Key) -> Vec<Leg> {
        let (begins, ends) = (self.begins(), self.ends());
        let mut legs = vec![Leg { to: key(begins), plant: plant(ragdoll, begins, begins), seconds: first }];
        legs.extend(self.poses.windows(2).map(|pair| Leg {
            to: key(&pair[1]),
            plant: plant(ragdoll, &pair[0], &pair[1]),
            seconds: self.seconds,
        }));
        legs.push(Leg { to: last, plant: plant(ragdoll, ends, ends), seconds: LAST });
        legs
    }

    /// Through it on soles that stay on ground of a height (m), to a seat with the hips' middle at a place, or from the one that it is on with
    /// them there. Legs go as far at each posture as the clip's have by then.
    pub(crate) fn seated(&self, ragdoll: &Ragdoll, hips: Option<Vec3>, ground: f32, last: Key) -> Vec<Leg> {
        let [from, to] = [self.begins(), self.ends()].map(|pose| raised(ragdoll, pose));
        let mut gone = 0.0_f32;
        let mut legs =
            vec![Leg { to: key(self.begins()), plant: Plant::Soles { hips, ground, share: 0.0 }, seconds: FIRST_KNOWN }];
        legs.extend(self.poses[1..].iter().map(|pose| {
            let by_then = ((raised(ragdoll, pose) - from) / (to - from)).clamp(gone, 1.0);
            let left = 1.0 - gone;
            let share = if left < NONE { 1.0 } else { (by_then - gone) / left };
            gone = by_then;
            Leg { to: key(pose), plant: Plant::Soles { hips, ground, share }, seconds: self.seconds }
        }));
        legs.push(Leg { to: last, plant: Plant::Soles { hips, ground, share: 1.0 }, seconds: LAST });
        legs
    }
}

fn key(pose: &[Rigid; BONES]) -> Key {
    Key::Clip(pose.map(|body| body.rotation))
}

/// How far thighs are turned up from hanging (rad), on average.
fn raised(ragdoll: &Ragdoll, pose: &[Rigid; BONES]) -> f32 {
    let turned = [Bone::ThighL, Bone::ThighR].map(|thigh| {
        let along = ragdoll.tip_at[thigh.index()] - ragdoll.joint_at[thigh.index()];
        angle_between(pose[thigh.index()].rotation * along, Vec3::NEG_Y)
    });
    0.5 * (turned[0] + turned[1])
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
