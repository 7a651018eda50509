//! Claims resolved per bone into joint targets.

use super::MUSCLE_TAU;
use super::succession::{Asked, Successions};
use crate::decide::{Claim, Claims, Want};
use crate::figure::{BONES, Bone, Ragdoll};
use crate::pose::TargetPose;
use crate::solve::BodyPose;
use crate::solve::boundary::{JointTarget, Pull};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, turn_between};

/// What each bone's joint shall do at full strength: the claim that holds it, which is given too, or the animation.
pub(super) fn resolve<'a>(
    ragdoll: &Ragdoll,
    body: &BodyPose,
    target: &TargetPose,
    claims: &'a Claims,
    successions: &mut Successions,
    step: u64,
    dt: f32,
) -> ([JointTarget; BONES], [Option<&'a Claim>; BONES]) {
    let mut out =
        [JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, pull: Pull::Servo(MUSCLE_TAU), budget: 0.0 }; BONES];
    let mut holders = [None; BONES];
    for bone in Bone::ALL {
        let index = bone.index();
        let budget = ragdoll.budgets[index] * claims.weakened(bone);
        out[index] = JointTarget {
            rotation: target.joints[index],
            velocity: target.joint_velocities[index],
            pull: Pull::Servo(MUSCLE_TAU),
            budget,
        };
        let holder = claims.holder(bone);
        holders[index] = holder;
        let (share, before) = successions[index].follow(holder, step, dt);
        if holder.is_none() && share >= 1.0 {
            continue;
        }
        let animated = Asked { rotation: target.joints[index], share: 1.0 };
        let now = holder.map_or(animated, |claim| Asked {
            rotation: wanted_rotation(ragdoll, body, target, claim, bone),
            share: if matches!(claim.want, Want::Limp) { 0.0 } else { claim.share },
        });
        let from = before.unwrap_or(animated);
        let asked =
            Asked { rotation: from.rotation.slerp(now.rotation, share), share: from.share + (now.share - from.share) * share };
        // What the animation has no share in does not move as it does.
        let of_animation = if holder.is_none() {
            share
        } else if before.is_none() {
            1.0 - share
        } else {
            0.0
        };
        out[index].rotation = asked.rotation;
        out[index].velocity *= of_animation;
        out[index].budget *= asked.share;
        successions[index].keep(holder, asked);
    }
    (out, holders)
}

fn wanted_rotation(ragdoll: &Ragdoll, body: &BodyPose, target: &TargetPose, claim: &Claim, bone: Bone) -> Quat {
    let index = bone.index();
    let animated = target.joints[index];
    let parent = bone.parent().map_or(Rigid::IDENTITY, |parent| body.bodies[parent.index()].pose);
    match claim.want {
        Want::Aim(rotation) => parent.rotation.conjugate() * rotation,
        Want::Point(direction) => {
            let base = parent.rotation * animated;
            let along = base * ragdoll.along(bone);
            let turn = turn_between(along, direction.normalize_or(along));
            parent.rotation.conjugate() * turn * base
        }
        Want::Bend(vector) => rotation_from_vector(vector) * animated,
        Want::Hold(rotation) => rotation,
        Want::Reach { point, pole } => {
            let limb = if claim.bone == bone { bone } else { claim.bone };
            let upper = body.bodies[limb.parent().map_or(0, Bone::index)].pose;
            let lower = Bone::ALL.into_iter().find(|lower| lower.parent() == Some(limb)).unwrap_or(limb);
            let (root, hinge) = ragdoll.reach(limb, &upper, ragdoll.tip_of(lower), point, pole);
            if claim.bone == bone { root } else { hinge }
        }
        Want::Weaken | Want::Limp => animated,
    }
}
