//! Compliant muscles: what a figure whose record says `muscles` has in place of servos while it stands, steps, or falls without protecting
//! itself.
//!
//! A servo closes its gap whatever hangs on the joint; a spring gives to what pushes it and comes back. What it would give to for good it is
//! told beforehand: gravity, and the weight that each leg on the ground bears. As targets, since a spring pulls by how far off it is.

use super::bearing::Bearing;
use crate::decide::Claims;
use crate::figure::{Bone, Ragdoll};
use crate::motion::Motion;
use crate::pose::TargetPose;
use crate::solve::BodyPose;
use crate::solve::boundary::{BodyDef, JointDef, JointKind, JointTarget, Pull};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector};
use glam::Mat3;

/// Frequency (Hz) and damping ratio of the two bodies that a joint holds, without what hangs on them; as an engine before this one.
const HZ: f32 = 20.0;
const RATIO: f32 = 1.0;
/// Share of a bearing hip that holds the pelvis as the clip has it in the world; the rest holds the thigh under the pelvis, which is what the
/// balance rights a figure by. Of 105 shoves (`balance --muscles`) 81 stand, at 0 78, at 0.5 76, at 0.7 71, and at 1 62 with knees that fold.
const STANCE_HIP: f32 = 0.3;
/// The most that a target is put off its place to bear weight (rad).
const MOST_LEAD: f32 = 0.6;

/// A figure as its springs see it.
pub(super) struct Moved<'a> {
    pub(super) ragdoll: &'a Ragdoll,
    pub(super) body: &'a BodyPose,
    pub(super) target: &'a TargetPose,
    pub(super) claims: &'a Claims,
    pub(super) motion: &'a Motion,
}

/// Puts those joints of a figure on springs that are `softened`, by their bones.
pub(super) fn soften(joints: &mut [JointTarget], moved: &Moved<'_>, bearing: &Bearing, softened: impl Fn(usize) -> bool) {
    let Moved { ragdoll, body, target, claims, motion } = moved;
    let loads = bearing.torques(ragdoll, body);
    for (joint, asked) in ragdoll.topology.joints.iter().zip(joints) {
        if !softened(joint.child) {
            continue;
        }
        let bone = Bone::ALL[joint.child];
        let parent = body.bodies[joint.parent].pose.rotation;
        if bearing.stands_on(bone) && claims.holder(bone).is_none() && !motion.phase.is_down() {
            let (rotation, velocity) = stance_hip(body, target, joint);
            asked.rotation = asked.rotation.slerp(rotation, STANCE_HIP);
            asked.velocity = asked.velocity.lerp(velocity, STANCE_HIP);
        }
        asked.pull = Pull::Spring { hz: HZ, ratio: RATIO };
        if !motion.record.protective {
            asked.budget *= motion.pin.share();
        }
        let torque = loads[joint.child].clamp_length_max(asked.budget);
        let lead = lead(&ragdoll.topology.bodies, body, joint, torque);
        asked.rotation = rotation_from_vector(parent.conjugate() * lead) * asked.rotation;
    }
}

/// The hip of a leg that bears weight holds the pelvis as the clip has it in the world, whatever the thigh leans (SIMBICON's stance hip: Yin,
/// Loken and van de Panne 2007).
fn stance_hip(body: &BodyPose, target: &TargetPose, joint: &JointDef) -> (Quat, Vec3) {
    let wanted = target.from_bodies[joint.parent].rotation.conjugate();
    let thigh = &body.bodies[joint.child];
    (wanted * thigh.pose.rotation, wanted * (thigh.angular - target.angular[joint.parent]))
}

/// How far off (rad, world) a spring's target has to be for the spring to give a torque (N·m, world): what it turns are the two bodies of
/// its joint, of a hinge about its axis alone.
fn lead(defs: &[BodyDef], body: &BodyPose, joint: &JointDef, torque: Vec3) -> Vec3 {
    let omega = 2.0 * std::f32::consts::PI * HZ;
    let inverse = [joint.parent, joint.child].map(|index| inverse_inertia(&defs[index], &body.bodies[index].pose));
    let give = inverse[0] + inverse[1];
    let lead = match joint.kind {
        JointKind::Ball { .. } => give * torque,
        JointKind::Hinge { .. } => {
            let axis = body.bodies[joint.parent].pose.rotation * joint.parent_from_joint.rotation * Vec3::X;
            axis * (torque.dot(axis) / axis.dot(give.inverse() * axis))
        }
        JointKind::Weld => Vec3::ZERO,
    };
    (lead / (omega * omega)).clamp_length_max(MOST_LEAD)
}

/// World, 1/(kg·m²).
fn inverse_inertia(def: &BodyDef, pose: &Rigid) -> Mat3 {
    let axes = Mat3::from_quat(pose.rotation * def.inertia_frame);
    axes * Mat3::from_diagonal(def.principal_inertia.recip()) * axes.transpose()
}
