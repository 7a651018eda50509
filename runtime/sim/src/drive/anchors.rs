//! Pulls from outside: what makes bones follow their clip, and what holds a standing figure's pelvis.

use crate::decide::Intent;
use crate::figure::Ragdoll;
use crate::pose::TargetPose;
use crate::solve::BodyPose;
use crate::solve::boundary::{Anchor, Axes, FigureInput};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_from_yaw, rotation_vector, turn_between, yaw_of};

/// Seconds in which a body that follows its clip closes its gap: velocity rows at 5 Hz follow exactly where springs lag 54 mm.
const FOLLOW_TAU: f32 = 1.0 / (2.0 * std::f32::consts::PI * 5.0);
/// The same of a foot that is planted on a keyed way, and takes weight: 30 Hz, as it was before in an engine whose feet crept by 5 mm.
const PLANTED_TAU: f32 = 1.0 / (2.0 * std::f32::consts::PI * 30.0);
/// The most force of a body that follows its clip, as a multiple of its weight; 5 to 20 followed alike.
pub(super) const FOLLOW_WEIGHTS: f32 = 20.0;
/// The same on a keyed way, where feet are on the ground: at 20 one that is let down while it still moves is held by the friction of the
/// whole figure's weight, and stands up to 37 mm from where it is drawn; held by `get_up`.
pub(super) const WAY_WEIGHTS: f32 = 60.0;
/// The same where a way has ended and one stays, as a share: what one sits or lies on bears the rest; `sit` and
/// `lie` hold with it, and were not taken with other shares.
pub(super) const REST_WEIGHTS: f32 = 0.3;
/// Lever (m) that turns the force cap of a followed body into its torque cap.
const FOLLOW_LEVER: f32 = 0.3;
/// Seconds in which the pelvis is brought upright.
const UPRIGHT_TAU: f32 = 0.05;
/// The most that the pelvis is turned upright (rad/s): the muscles' own cap.
const UPRIGHT_RATE: f32 = 20.0;
/// Torque of the heading motor (N·m) of a person of 75 kg and 1.75 m: 840 N on a sole at a friction of 0.9 over 8 cm.
const HEADING_TORQUE: f32 = 60.0;
/// Seconds in which a figure is turned back to its heading.
const HEADING_TAU: f32 = 0.2;
/// The most that the heading motor turns a figure (rad/s).
const HEADING_RATE: f32 = 3.0;
/// Standard gravity (m/s²): anchor caps are multiples of mass × g × 1 m whatever the world's gravity.
const STANDARD_GRAVITY: f32 = 9.81;

/// The pull that makes a bone follow its clip: position and all, with the clip's own velocity, by at most so many times its weight.
pub(super) fn follow(ragdoll: &Ragdoll, target: &TargetPose, bone: usize, weights: f32, planted: bool) -> Anchor {
    let max_force = weights * ragdoll.topology.bodies[bone].mass * STANDARD_GRAVITY;
    Anchor {
        body: bone,
        linear: Axes::ALL,
        angular: Axes::ALL,
        target: target.from_bodies[bone],
        linear_velocity: target.linear[bone],
        angular_velocity: target.angular[bone],
        tau: if planted { PLANTED_TAU } else { FOLLOW_TAU },
        rate_cap: f32::MAX,
        max_force,
        max_torque: max_force * FOLLOW_LEVER,
    }
}

/// The anchor that holds the pelvis upright and the motor that holds its heading. Each target differs from where the pelvis is
/// by its own axis alone, so that neither asks anything of the other.
pub(super) fn stand(input: &mut FigureInput, ragdoll: &Ragdoll, body: &BodyPose, strength: f32, intent: &Intent, target: &Rigid) {
    let pelvis = body.bodies[0].pose;
    let anchor = |rotation: Quat, angular: Axes, tau: f32, rate_cap: f32, max_torque: f32| Anchor {
        body: 0,
        linear: Axes::NONE,
        angular,
        target: Rigid::new(rotation, pelvis.translation),
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        tau,
        rate_cap,
        max_force: 0.0,
        max_torque,
    };
    if intent.upright > 0.0 {
        let (up, wanted) = (pelvis.rotation * Vec3::Y, target.rotation * Vec3::Y);
        let upright = turn_between(up, wanted) * pelvis.rotation;
        let cap = intent.upright * ragdoll.mass * STANDARD_GRAVITY;
        input.anchors.push(anchor(upright, Axes::LEVEL, UPRIGHT_TAU, UPRIGHT_RATE, cap));
    }
    if intent.heading > 0.0 {
        let turn = rotation_from_yaw(wrap(yaw_of(target.rotation) - yaw_of(pelvis.rotation)));
        let torque = intent.heading * HEADING_TORQUE * ragdoll.size() * strength;
        input.anchors.push(anchor(turn * pelvis.rotation, Axes::VERTICAL, HEADING_TAU, HEADING_RATE, torque));
    }
}

fn wrap(angle: f32) -> f32 {
    rotation_vector(rotation_from_vector(Vec3::Y * angle)).y
}
