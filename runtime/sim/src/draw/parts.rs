//! Parts that are drawn as their bodies hang, on a figure that follows its clip.

use super::fade::hang;
use super::joints_of;
use crate::figure::{BONES, Ragdoll};
use crate::pose::TargetPose;
use crate::solve::boundary::BodySet;
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_vector, smoothstep};
use serde::{Deserialize, Serialize};

/// Seconds in which a part goes from where it was drawn to what it is drawn by from then on.
const TAKEN_BACK: f32 = 0.3;
/// The most that a joint is turned on the way (rad/s), held by `parts`: an arm that hung far from its clip takes longer; at 4 a walker's turned by more than 6°
/// in a step.
const FASTEST: f32 = 3.0;

/// Which bones their bodies draw, and what is left of the changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartFades {
    loose: BodySet,
    /// Each joint as it was shown last.
    shown: [Quat; BONES],
    fades: [Option<Offset>; BONES],
}

impl Default for PartFades {
    fn default() -> Self {
        Self { loose: BodySet::NONE, shown: [Quat::IDENTITY; BONES], fades: [None; BONES] }
    }
}

/// How far a joint was shown from what draws it now, and seconds since.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Offset {
    /// Axis × angle, in the joint's frame after its rotation.
    turn: Vec3,
    age: f32,
}

impl Offset {
    /// What is left of it after `dt` seconds more; `None` once nothing is.
    fn left(mut self, dt: f32) -> Option<(Self, Quat)> {
        self.age += dt;
        // Smoothstep's slope is 1.5 at most.
        let seconds = TAKEN_BACK.max(1.5 * self.turn.length() / FASTEST);
        let left = 1.0 - smoothstep(self.age / seconds);
        (self.age < seconds).then(|| (self, rotation_from_vector(self.turn * left)))
    }
}

impl PartFades {
    /// The whole figure is drawn by its bodies; of these bones they go on drawing once it follows its clip.
    pub(super) fn all_loose(&mut self, then: BodySet) {
        self.loose = then;
        self.fades = [None; BONES];
    }

    /// The clip's pose with the joints of loose bones as their bodies have them, from their parents as drawn: in the world the sag of
    /// what is held by anchors would be carried up to the head.
    pub(super) fn pose(
        &mut self,
        ragdoll: &Ragdoll,
        target: &TargetPose,
        bodies: &[Rigid; BONES],
        loose: BodySet,
        dt: f32,
    ) -> [Rigid; BONES] {
        let clip_alone = self.loose.is_empty() && self.fades.iter().all(Option::is_none);
        if loose.is_empty() && clip_alone {
            return target.bodies;
        }
        if clip_alone {
            self.shown = target.joints;
        }
        let (mut joints, pelvis) = joints_of(&target.bodies);
        let (hung, _) = joints_of(bodies);
        for bone in 1..BONES {
            if loose.has(bone) {
                joints[bone] = hung[bone];
            }
            if loose.has(bone) != self.loose.has(bone) {
                let turn = rotation_vector(joints[bone].conjugate() * self.shown[bone]);
                self.fades[bone] = Some(Offset { turn, age: 0.0 });
            }
            let left = self.fades[bone].and_then(|fade| fade.left(dt));
            self.fades[bone] = left.map(|(fade, _)| fade);
            if let Some((_, offset)) = left {
                joints[bone] *= offset;
            }
        }
        self.loose = loose;
        self.shown = joints;
        hang(ragdoll, pelvis.translation, &joints)
    }
}
