//! Room 4, DRIVE: claims and the target become what the solver is told.

mod claimed;
mod reach;

use crate::figure::{BONES, Bone, Ragdoll};
use crate::id::key_of;
use crate::motion::{Mode, Motion};
use crate::solve::BodyPose;
use crate::solve::boundary::{Anchor, Axes, FigureInput, JointTarget};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_from_yaw, turn_between, yaw_of};
use crate::world::Figure;

/// Sweeps over the solver's rows a sub-step beyond the first. With none, muscles sag under load: a chest that bows by 15° was 1.9 to
/// 2.5° off its pose, with one 1.2 to 1.5°. (Three, and a figure at rest trembles at 0.004 rad/s.)
pub const SWEEPS: usize = 1;
/// Seconds in which a muscle closes the gap to its target (seed).
const MUSCLE_TAU: f32 = 0.05;
/// Seconds in which a body that follows its clip closes its gap: velocity rows at 5 Hz follow exactly where springs lag 54 mm.
const FOLLOW_TAU: f32 = 1.0 / (2.0 * std::f32::consts::PI * 5.0);
/// The most force of a followed body, as a multiple of its weight; 5 to 20 followed alike.
const FOLLOW_WEIGHTS: f32 = 20.0;
/// Lever (m) that turns the force cap of a followed body into its torque cap.
const FOLLOW_LEVER: f32 = 0.3;
/// Share of a joint's budget that stays as friction in a limp joint: without any a ragdoll's limbs swing for ever; at 0.02 a figure gone
/// limp on its feet stood for two seconds more.
const LIMP_FRICTION: f32 = 0.005;
/// Seconds in which the pelvis is brought upright.
const UPRIGHT_TAU: f32 = 0.05;
/// Torque of the heading motor (N·m) of a person of 75 kg and 1.75 m: 840 N on a sole at a friction of 0.9 over 8 cm (seed).
const HEADING_TORQUE: f32 = 60.0;
/// Seconds in which a figure is turned back to its heading, and the most it is turned (rad/s).
const HEADING_TAU: f32 = 0.2;
/// The most that the heading motor turns a figure (rad/s).
const HEADING_RATE: f32 = 3.0;
/// Standard gravity (m/s²): anchor caps are multiples of mass × g × 1 m whatever the world's gravity.
const STANDARD_GRAVITY: f32 = 9.81;

/// What the solver shall do with one figure in this step.
pub fn run(figure: &mut Figure, substeps: usize, step: u64, dt: f32) {
    let (Ok(ragdoll), Some(body), Some(motion)) = (&figure.model.ragdoll, &figure.body, &mut figure.motion) else { return };
    let input = &mut figure.input;
    input.substeps = substeps;
    input.sweeps = SWEEPS + usize::from(motion.strained > 0 || motion.phase.is_down());
    motion.strained = motion.strained.saturating_sub(1);
    motion.muscles.recover(dt);
    input.pass_through.clear();
    input.pass_through.extend(motion.passing.iter().map(|passing| key_of(passing.object)));
    // A clip may draw limbs through one another; bodies that follow it must not catch on themselves.
    input.self_contacts = motion.mode != Mode::Animated;
    // Nor on the ground: a sole rigid on its shin dips into it at every toe-off, and pressed out again it threw a walker up.
    input.fixed_contacts = motion.mode != Mode::Animated;
    input.anchors.clear();
    let wanted = claimed::resolve(ragdoll, body, &figure.target, &figure.claims, step, dt);
    input.joints.clear();
    input.joints.extend(ragdoll.topology.joints.iter().map(|joint| {
        let bone = joint.child;
        match motion.mode {
            Mode::Powered => JointTarget { budget: wanted[bone].budget * motion.muscles.share(Bone::ALL[bone]), ..wanted[bone] },
            Mode::Limp => limp(ragdoll, body, bone),
            _ => following(ragdoll, figure.target.joints[bone], figure.target.joint_velocities[bone], bone),
        }
    }));
    match motion.mode {
        Mode::Powered => stand(input, ragdoll, body, motion, &figure.intent, &figure.target.from_bodies[0]),
        Mode::Limp => {}
        _ => input.anchors.extend((0..BONES).map(|bone| follow(ragdoll, &figure.target, bone))),
    }
}

fn limp(ragdoll: &Ragdoll, body: &BodyPose, bone: usize) -> JointTarget {
    let parent = Bone::ALL[bone].parent().map_or(Quat::IDENTITY, |parent| body.bodies[parent.index()].pose.rotation);
    let rotation = parent.conjugate() * body.bodies[bone].pose.rotation;
    JointTarget { rotation, velocity: Vec3::ZERO, tau: MUSCLE_TAU, budget: ragdoll.budgets[bone] * LIMP_FRICTION }
}

fn following(ragdoll: &Ragdoll, rotation: Quat, velocity: Vec3, bone: usize) -> JointTarget {
    JointTarget { rotation, velocity, tau: MUSCLE_TAU, budget: ragdoll.budgets[bone] }
}

fn follow(ragdoll: &Ragdoll, target: &crate::pose::TargetPose, bone: usize) -> Anchor {
    let max_force = FOLLOW_WEIGHTS * ragdoll.topology.bodies[bone].mass * STANDARD_GRAVITY;
    Anchor {
        body: bone,
        linear: Axes::ALL,
        angular: Axes::ALL,
        target: target.from_bodies[bone],
        linear_velocity: target.linear[bone],
        angular_velocity: target.angular[bone],
        tau: FOLLOW_TAU,
        rate_cap: f32::MAX,
        max_force,
        max_torque: max_force * FOLLOW_LEVER,
    }
}

/// The anchor that holds the pelvis upright and the motor that holds its heading. Each target differs from where the pelvis is
/// by its own axis alone, so that neither asks anything of the other.
fn stand(
    input: &mut FigureInput,
    ragdoll: &Ragdoll,
    body: &BodyPose,
    motion: &mut Motion,
    intent: &crate::decide::Intent,
    target: &Rigid,
) {
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
        let torque = intent.heading * HEADING_TORQUE * ragdoll.size() * motion.muscles.strength;
        input.anchors.push(anchor(turn * pelvis.rotation, Axes::VERTICAL, HEADING_TAU, HEADING_RATE, torque));
    }
}

/// The most that the pelvis is turned upright (rad/s): the muscles' own cap.
const UPRIGHT_RATE: f32 = 20.0;

fn wrap(angle: f32) -> f32 {
    crate::space::rotation_vector(rotation_from_vector(Vec3::Y * angle)).y
}
