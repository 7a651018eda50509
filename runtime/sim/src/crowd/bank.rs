//! The pose bank: a clip struck in place, as poses by phase, that any number of members are drawn from.

use crate::figure::Model;
use crate::figure::rig::Transform;
use crate::pose::Animator;
use crate::space::{Mat4, Quat, Rigid, Vec3};
use std::sync::Arc;

/// Poses baked a second of the clip: as many as steps, so that a blend between two is off by less than 0.2 mm on a walk.
const POSES_A_SECOND: f32 = 60.0;
/// The most poses of a bank: half a minute. A longer clip is baked more coarsely.
const MOST_POSES: usize = 1800;

/// A clip as poses at even phases, the root's travel over the ground taken out.
///
/// A member at a position, turned by a yaw, is drawn as the pose at its phase put there: the same as a figure whose place is there and
/// whose clip is at `phase × duration`.
#[derive(Debug)]
pub struct PoseBank {
    clip: usize,
    duration: f32,
    travel: Vec3,
    nodes: usize,
    intervals: usize,
    /// Figure from node, a pose after the other; one more than there are intervals.
    poses: Vec<Rigid>,
}

impl PoseBank {
    /// Bakes a clip of a model; `None` where the model has no such clip.
    #[must_use]
    pub fn bake(model: &Arc<Model>, clip: usize) -> Option<Self> {
        let duration = model.rig.clips.get(clip)?.duration;
        let intervals = ((duration * POSES_A_SECOND).ceil() as usize).clamp(1, MOST_POSES);
        let mut poses = Vec::with_capacity((intervals + 1) * model.rig.nodes.len());
        let mut travel = Vec3::ZERO;
        for index in 0..=intervals {
            let mut animator = at(model, clip, duration * index as f32 / intervals as f32);
            animator.advance(model, 0.0);
            travel = animator.playing.last().map_or(Vec3::ZERO, |playing| playing.travel());
            poses.extend(node_poses(model, &animator.locals));
        }
        Some(Self { clip, duration, travel, nodes: model.rig.nodes.len(), intervals, poses })
    }

    /// Index of the clip in its model.
    #[must_use]
    pub fn clip(&self) -> usize {
        self.clip
    }

    /// Seconds of the clip.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Metres that the clip carries a figure along the ground from its beginning to its end; 0 for one that stays in place.
    #[must_use]
    pub fn stride(&self) -> f32 {
        self.travel.length()
    }

    /// Nodes of a pose: all that the model has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many poses there are: the first is of phase 0, the last of phase 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.intervals + 1
    }

    /// Whether the model has no nodes, and so nothing is drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// Every pose, one after the other: what a page puts into a texture once.
    #[must_use]
    pub fn poses(&self) -> &[Rigid] {
        &self.poses
    }

    /// The pose at a phase (0..=1): where each node is in the figure's frame (m), and how it is turned.
    pub fn pose(&self, phase: f32, out: &mut Vec<Rigid>) {
        let at = phase.clamp(0.0, 1.0) * self.intervals as f32;
        let before = (at as usize).min(self.intervals - 1);
        let share = at - before as f32;
        let (from, to) =
            (&self.poses[before * self.nodes..][..self.nodes], &self.poses[(before + 1) * self.nodes..][..self.nodes]);
        out.clear();
        out.extend(from.iter().zip(to).map(|(from, to)| Rigid {
            // Poses a sixtieth of a second apart: along the chord is along the arc.
            rotation: from.rotation.lerp(to.rotation, share),
            translation: from.translation.lerp(to.translation, share),
        }));
    }
}

/// An animator that has just begun to play a clip, at a time.
pub(crate) fn at(model: &Arc<Model>, clip: usize, time: f32) -> Animator {
    let mut animator = Animator::new(model);
    animator.play(model, clip, 1.0, true, 0.0);
    if let Some(playing) = animator.playing.last_mut() {
        playing.time = time;
    }
    animator
}

/// Figure from node of every node of a model, for the local transforms of a pose.
#[must_use]
pub fn node_poses(model: &Model, locals: &[Transform]) -> Vec<Rigid> {
    let figure_from_model = model.ragdoll.as_ref().map_or(Mat4::IDENTITY, |ragdoll| ragdoll.figure_from_model);
    let matrices = model.rig.model_from_nodes(locals);
    let turn = figure_from_model.to_scale_rotation_translation().1;
    let mut turns: Vec<Quat> = Vec::with_capacity(matrices.len());
    for (node, local) in model.rig.nodes.iter().zip(locals) {
        let above = node.parent.map_or(turn, |parent| turns[parent]);
        turns.push((above * local.rotation).normalize());
    }
    let place = |matrix: &Mat4| figure_from_model.transform_point3(matrix.w_axis.truncate());
    matrices.iter().zip(turns).map(|(matrix, turn)| Rigid::new(turn, place(matrix))).collect()
}
