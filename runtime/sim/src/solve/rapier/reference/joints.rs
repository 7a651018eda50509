//! Muscles, limits and anchors as rapier's joint rows.
//!
//! A muscle is a *hard velocity row* (stiffness 0 and damping 0): rapier's position motors measure `2·asin(q_i)` an axis and
//! are wrong when several axes are asked at once, acceleration-based ones collapse the figure, explicit torques are unstable.
//! Its target is `gap / τ` plus the target's own velocity, about the parent's axes: right at any rotation.

use super::figure::free_axes;
use crate::solve::boundary::{Anchor, Axes, BodyState, JointDef, JointKind, JointTarget, Pull};
use crate::solve::limits::{cone_radius, nearest_within};
use crate::space::{Quat, Vec3, rotation_vector, swing_twist};
use rapier3d::prelude::*;

/// The most a muscle asks for (rad/s): a gap of half a turn would ask for 63.
const MUSCLE_RATE_CAP: f32 = 20.0;
/// How close to its limit (rad) a limit row is switched on: rows that are never near cost a fifth of the solver's time, and a row
/// switched on at its limit comes a step late (0.35 rad is 20 rad/s × 1/60 s).
const LIMIT_ROW_MARGIN: f32 = 0.35;

pub(super) fn make(def: &JointDef) -> GenericJoint {
    let locked = match def.kind {
        JointKind::Ball { .. } => JointAxesMask::LOCKED_SPHERICAL_AXES,
        JointKind::Hinge { .. } => JointAxesMask::LOCKED_REVOLUTE_AXES,
        JointKind::Weld => JointAxesMask::LOCKED_FIXED_AXES,
    };
    let mut joint = GenericJoint::new(locked);
    joint.local_frame1 = super::to_pose(def.parent_from_joint);
    joint.local_frame2 = super::to_pose(def.child_from_joint);
    joint.contacts_enabled = false;
    for axis in free_axes(&def.kind) {
        joint.motor_axes |= JointAxesMask::from_bits_truncate(1 << axis);
    }
    joint
}

/// Seconds in which a pull closes a gap: motors here know no springs.
fn seconds(pull: Pull) -> f32 {
    match pull {
        Pull::Servo(tau) => tau,
        Pull::Spring { hz, ratio } => ratio / (std::f32::consts::PI * hz),
    }
}

/// Turns a target into motor and limit rows. `child_in_parent` is the present rotation.
pub(super) fn drive(joint: &mut GenericJoint, def: &JointDef, child_in_parent: Quat, target: &JointTarget) {
    let parent_frame = def.parent_from_joint.rotation;
    let child_frame = def.child_from_joint.rotation;
    let present = parent_frame.conjugate() * child_in_parent * child_frame;
    let wanted = nearest_within(&def.kind, parent_frame.conjugate() * target.rotation * child_frame);
    let gap = rotation_vector(wanted * present.conjugate());
    let rate = (gap / seconds(target.pull) + parent_frame.conjugate() * target.velocity).clamp_length_max(MUSCLE_RATE_CAP);
    match def.kind {
        JointKind::Ball { swing, twist } => drive_ball(joint, def, present, rate, swing, twist),
        JointKind::Hinge { range } => {
            let angle = rotation_vector(present).x;
            joint.limits[3] = range.into();
            let near = angle < range[0] + LIMIT_ROW_MARGIN || angle > range[1] - LIMIT_ROW_MARGIN;
            joint.limit_axes = if near { JointAxesMask::ANG_X } else { JointAxesMask::empty() };
            joint.motors[3].target_vel = rate.x;
        }
        JointKind::Weld => {}
    }
    for axis in free_axes(&def.kind) {
        // A budget an axis: with several asked at once the norm can reach √3 times it.
        joint.motors[*axis].max_force = target.budget;
    }
}

/// Both frames are turned about the twist axis each step so that Y is the present swing's axis: one limit row on Y is then an
/// elliptic cone. (`coupled_axes` drops the motors of its axes silently; three limits an axis leak 0.5 rad with twist.)
fn drive_ball(joint: &mut GenericJoint, def: &JointDef, present: Quat, rate: Vec3, swing: [f32; 2], twist: [f32; 2]) {
    let (swung, twisted) = swing_twist(present, Vec3::X);
    let swing_vector = rotation_vector(swung);
    let swing_angle = swing_vector.length();
    let twist_angle = rotation_vector(twisted).x;
    let (axis_y, axis_z) =
        if swing_angle > 1.0e-5 { (swing_vector.y / swing_angle, swing_vector.z / swing_angle) } else { (1.0, 0.0) };
    let align = Quat::from_rotation_x(libm::atan2f(axis_z, axis_y));
    joint.local_frame1.rotation = def.parent_from_joint.rotation * align;
    joint.local_frame2.rotation = def.child_from_joint.rotation * align;
    let cone = cone_radius(swing, axis_y, axis_z);
    joint.limits[3] = twist.into();
    joint.limits[4] = [-cone, cone].into();
    let mut rows = JointAxesMask::empty();
    if twist_angle < twist[0] + LIMIT_ROW_MARGIN || twist_angle > twist[1] - LIMIT_ROW_MARGIN {
        rows |= JointAxesMask::ANG_X;
    }
    if swing_angle > cone - LIMIT_ROW_MARGIN {
        rows |= JointAxesMask::ANG_Y;
    }
    joint.limit_axes = rows;
    let rate = align.conjugate() * rate;
    joint.motors[3].target_vel = rate.x;
    joint.motors[4].target_vel = rate.y;
    joint.motors[5].target_vel = rate.z;
}

/// Norm of what the motors gave in the last sub-step (N·m·s).
pub(super) fn motor_impulse(joint: &GenericJoint) -> f32 {
    (3..6).map(|axis| joint.motors[axis].impulse * joint.motors[axis].impulse).sum::<f32>().sqrt()
}

/// Anchors on one body: the axes of each as velocity rows about the world's axes, at the body's centre.
pub(super) fn drive_anchor<'a>(joint: &mut GenericJoint, state: &BodyState, anchors: impl Iterator<Item = &'a Anchor>) {
    joint.local_frame1 = Pose::from_parts(state.pose.translation, Quat::IDENTITY);
    joint.local_frame2 = Pose::from_parts(Vec3::ZERO, state.pose.rotation.conjugate());
    let mut rows = JointAxesMask::empty();
    for anchor in anchors {
        let linear = anchor.linear_velocity + (anchor.target.translation - state.pose.translation) / anchor.tau;
        let gap = rotation_vector(anchor.target.rotation * state.pose.rotation.conjugate());
        let angular = anchor.angular_velocity + (gap / anchor.tau).clamp_length_max(anchor.rate_cap);
        for (axis, on) in axes(anchor.linear) {
            if on {
                rows |= set_row(joint, axis, linear[axis], anchor.max_force);
            }
        }
        for (axis, on) in axes(anchor.angular) {
            if on {
                rows |= set_row(joint, axis + 3, angular[axis], anchor.max_torque);
            }
        }
    }
    joint.motor_axes = rows;
}

fn axes(axes: Axes) -> [(usize, bool); 3] {
    [(0, axes.x), (1, axes.y), (2, axes.z)]
}

fn set_row(joint: &mut GenericJoint, axis: usize, rate: f32, cap: f32) -> JointAxesMask {
    let motor = &mut joint.motors[axis];
    motor.target_vel = rate;
    motor.max_force = cap;
    JointAxesMask::from_bits_truncate(1 << axis)
}

/// Linear (N·s) and angular (N·m·s) norms of what an anchor's own axes gave in the last sub-step.
pub(super) fn anchor_impulse(joint: &GenericJoint, anchor: &Anchor) -> (f32, f32) {
    let norm = |from: usize, which: Axes| {
        axes(which).iter().filter(|(_, on)| *on).map(|(axis, _)| joint.motors[axis + from].impulse.powi(2)).sum::<f32>().sqrt()
    };
    (norm(0, anchor.linear), norm(3, anchor.angular))
}
