//! Who bears a figure's weight, and what that asks of each joint.

use crate::figure::{BONES, Bone, Ragdoll, SHINS};
use crate::sense::Senses;
use crate::solve::BodyPose;
use crate::space::{Vec3, level};

const THIGHS: [Bone; 2] = [Bone::ThighL, Bone::ThighR];

/// The legs that bear a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bearing {
    /// Share of the weight on each, left and right; both 0 where nothing bears it.
    shares: [f32; 2],
    /// Where each is borne (world, m).
    at: [Vec3; 2],
    /// Strength of gravity (m/s²).
    gravity: f32,
}

impl Bearing {
    /// By where the mass is between the feet: what the soles press by swings with what the legs do about it.
    pub(super) fn of(ragdoll: &Ragdoll, body: &BodyPose, bent: [f32; 2], senses: &Senses, gravity: f32) -> Self {
        let soles = [0, 1].map(|side| ragdoll.sole(side, body.bodies[SHINS[side].index()].pose, bent[side]));
        let middles = soles.map(|corners| corners.into_iter().sum::<Vec3>() * 0.25);
        let across = level(middles[1] - middles[0]);
        let along = level(senses.com - middles[0]).dot(across) / across.length_squared().max(1.0e-6);
        let shares = match senses.feet_down {
            [false, false] => [0.0, 0.0],
            [true, false] => [1.0, 0.0],
            [false, true] => [0.0, 1.0],
            [true, true] => [1.0 - along.clamp(0.0, 1.0), along.clamp(0.0, 1.0)],
        };
        // Fore and aft each sole is pressed where the mass is over it, as far as it goes.
        let at = [0, 1].map(|side| {
            let [heel, _, toe, _] = soles[side];
            let half = level(toe - heel) * 0.5;
            let off = level(senses.com - middles[side]).dot(half) / half.length_squared().max(1.0e-6);
            middles[side] + half * off.clamp(-1.0, 1.0)
        });
        Self { shares, at, gravity }
    }

    /// Whether a bone is the thigh of a leg that bears weight.
    pub(super) fn stands_on(&self, bone: Bone) -> bool {
        THIGHS.iter().zip(self.shares).any(|(thigh, share)| *thigh == bone && share > 0.0)
    }

    /// The torque on each bone (N·m, world) with which its joint holds what hangs on it, weight and what it bears.
    pub(super) fn torques(&self, ragdoll: &Ragdoll, body: &BodyPose) -> [Vec3; BONES] {
        let mut torques = [Vec3::ZERO; BONES];
        if self.shares == [0.0, 0.0] {
            return torques;
        }
        // Force on all from a bone outward, and its moment about the origin.
        let (mut forces, mut moments) = ([Vec3::ZERO; BONES], [Vec3::ZERO; BONES]);
        let mut put = |bone: usize, force: Vec3, at: Vec3| {
            forces[bone] += force;
            moments[bone] += at.cross(force);
        };
        for (index, def) in ragdoll.topology.bodies.iter().enumerate() {
            put(index, Vec3::NEG_Y * (def.mass * self.gravity), body.bodies[index].pose.translation);
        }
        for side in [0, 1] {
            put(SHINS[side].index(), Vec3::Y * (ragdoll.mass * self.gravity * self.shares[side]), self.at[side]);
        }
        for bone in Bone::ALL.into_iter().rev() {
            let (index, Some(parent)) = (bone.index(), bone.parent()) else { continue };
            let arm = ragdoll.joint_at[index] - ragdoll.rest[index].translation;
            let joint = body.bodies[index].pose.point(arm);
            torques[index] = joint.cross(forces[index]) - moments[index];
            forces[parent.index()] += forces[index];
            moments[parent.index()] += moments[index];
        }
        torques
    }
}
