//! Room 1, SAMPLE: clips become the target pose.

pub mod animator;
mod layer;
pub mod sample;

pub use animator::Animator;

use crate::figure::{BONES, Ragdoll};
use crate::motion::Mode;
use crate::space::{Quat, Rigid, Vec3, rotation_vector};
use crate::world::Figure;
use serde::{Deserialize, Serialize};

/// The most that a target may turn a bone (rad/s): past it the pose has jumped, and its rate says nothing.
const MOST_TURN: f32 = 25.0;
/// The most that a target may move a bone (m/s), for the same reason.
const MOST_SPEED: f32 = 15.0;

/// What the animation asks of a figure over one step. It never mixes with where the bodies are: that is a
/// [`BodyPose`](crate::solve::BodyPose).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TargetPose {
    /// World from body of every bone at the step's start.
    pub from_bodies: [Rigid; BONES],
    /// World from body of every bone at the step's end.
    pub bodies: [Rigid; BONES],
    /// Each bone's rotation in its parent at the step's start (the pelvis's: in the world).
    pub joints: [Quat; BONES],
    /// How each bone turns in its parent over the step (rad/s, parent's frame).
    pub joint_velocities: [Vec3; BONES],
    /// Velocity of each body's centre over the step (m/s, world).
    pub linear: [Vec3; BONES],
    /// Turn rate of each body over the step (rad/s, world).
    pub angular: [Vec3; BONES],
    /// How far each foot is bent at an ankle of its own (rad; 0 without).
    pub bent: [f32; 2],
}

impl TargetPose {
    /// A target that stands still.
    #[must_use]
    pub fn still(bodies: [Rigid; BONES]) -> Self {
        Self { from_bodies: bodies, bodies, joints: Ragdoll::joint_rotations(&bodies), ..Self::default() }
    }

    /// A target that goes from one pose to another in `dt` seconds.
    pub(crate) fn between(from: [Rigid; BONES], to: [Rigid; BONES], dt: f32) -> Self {
        let mut target = Self { from_bodies: from, bodies: to, joints: Ragdoll::joint_rotations(&from), ..Self::default() };
        let after = Ragdoll::joint_rotations(&to);
        for bone in 0..BONES {
            target.joint_velocities[bone] = turn_rate(target.joints[bone], after[bone], dt);
            target.angular[bone] = turn_rate(from[bone].rotation, to[bone].rotation, dt);
            let speed = (to[bone].translation - from[bone].translation) / dt;
            target.linear[bone] = if speed.length() > MOST_SPEED { Vec3::ZERO } else { speed };
        }
        target
    }
}

fn turn_rate(from: Quat, to: Quat, dt: f32) -> Vec3 {
    let rate = rotation_vector(to * from.conjugate()) / dt;
    if rate.length() > MOST_TURN { Vec3::ZERO } else { rate }
}

/// Moves a figure's clip clocks by `dt` seconds, its place by their travel, and its target with both.
pub fn run(figure: &mut Figure, dt: f32) {
    let travel = figure.animator.advance(&figure.model, dt);
    let mode = figure.motion.as_ref().map_or(Mode::Animated, |motion| motion.mode);
    let from = figure.place;
    if figure.root_motion && mode == Mode::Animated {
        figure.place.translation += figure.place.rotation * travel;
    }
    let Ok(ragdoll) = &figure.model.ragdoll else { return };
    let pose = ragdoll.bodies_of(&figure.model.rig, &figure.animator.locals);
    if let (Mode::Powered | Mode::Limp, Some(body)) = (mode, &figure.body) {
        // The place goes where the body goes, so that the clip takes over where the figure stands.
        let offset = figure.place.rotation * pose[0].translation;
        let pelvis = body.bodies[0].pose.translation;
        figure.place.translation.x = pelvis.x - offset.x;
        figure.place.translation.z = pelvis.z - offset.z;
    }
    if let Some(way) = figure.motion.as_ref().and_then(|motion| motion.way.as_ref()) {
        figure.place = way.place(ragdoll, &pose);
        figure.target = TargetPose::between(figure.target.bodies, *way.bodies(), dt);
        figure.pose_in_place = Some(pose);
        return;
    }
    let before = figure.pose_in_place.replace(pose).unwrap_or(pose);
    let from = if mode == Mode::Animated { from } else { figure.place };
    let target = TargetPose::between(before.map(|body| from * body), pose.map(|body| figure.place * body), dt);
    figure.target = TargetPose { bent: ragdoll.bends_of(&figure.model.rig, &figure.animator.locals, &pose), ..target };
}
