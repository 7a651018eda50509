//! Room 4, DRIVE: claims and the target become what the solver is told.

mod anchors;
mod ankles;
mod bearing;
mod claimed;
mod springs;
mod succession;

pub(crate) use succession::Successions;

use crate::figure::{Bone, Ragdoll};
use crate::id::key_of;
use crate::keyed::Way;
use crate::motion::{Driven, Mode, Phase};
use crate::solve::BodyPose;
use crate::solve::boundary::{BodySet, JointTarget, Pull};
use crate::space::{Quat, Vec3};
use crate::world::{Figure, StepSettings};
use ankles::Legs;
use bearing::Bearing;
use springs::Moved;

/// Sweeps over the solver's rows a sub-step beyond the first, of a figure that nothing strains: muscles are soft rows, which one
/// sweep a sub-step brings to rest.
pub const SWEEPS: usize = 0;
/// Seconds in which a muscle closes the gap to its target; at 0.15 it is quieter at rest and too slow to catch a fall.
const MUSCLE_TAU: f32 = 0.05;
/// Share of a joint's budget that stays as friction in a limp joint: without any a ragdoll's limbs swing for ever; at 0.02 a figure gone
/// limp on its feet stood for two seconds more.
const LIMP_FRICTION: f32 = 0.005;

/// What the solver shall do with one figure in this step.
pub fn run(figure: &mut Figure, settings: &StepSettings) {
    let StepSettings { substeps, sleep, step, dt, gravity, .. } = *settings;
    let (Ok(ragdoll), Some(body), Some(motion)) = (&figure.model.ragdoll, &figure.body, &mut figure.motion) else { return };
    let input = &mut figure.input;
    input.substeps = substeps;
    input.may_sleep = sleep;
    // Landing without a second sweep opens joints by 20 mm, with it by 10; who lies has nothing left to catch.
    let falls = motion.phase.is_down() && motion.phase != Phase::Lying;
    input.sweeps = SWEEPS + usize::from(motion.strained > 0 || falls);
    motion.strained = motion.strained.saturating_sub(1);
    motion.muscles.recover(dt);
    input.pass_through.clear();
    input.pass_through.extend(motion.passing.iter().map(|passing| key_of(passing.object)));
    // What it reaches for and what has lain in its hands it does not push.
    input.pass_through.extend(motion.holding.iter().map(|holding| key_of(holding.item)));
    input.forces.clear();
    input.forces.extend(motion.holding.iter().flat_map(|holding| holding.weight(ragdoll, &body.bodies, gravity)));
    let driven = motion.driven();
    let loose = if motion.mode.is_followed() { motion.loose() } else { BodySet::ALL };
    // A clip may draw limbs through one another; bodies that follow it must not catch on themselves.
    input.self_contacts = loose;
    // Nor on the ground: a sole rigid on its shin dips into it at every toe-off, and pressed out again it threw a walker up.
    input.fixed_contacts = if motion.mode == Mode::Animated { loose } else { BodySet::ALL };
    input.anchors.clear();
    let (wanted, holders) = claimed::resolve(ragdoll, body, &figure.target, &figure.claims, &mut figure.successions, step, dt);
    figure.trace.hold(step, &holders);
    input.joints.clear();
    input.joints.extend(ragdoll.topology.joints.iter().map(|joint| {
        let bone = joint.child;
        match driven[bone] {
            Driven::Muscle => {
                let child = Bone::ALL[bone];
                let slowness = if holders[bone].is_none() { motion.muscles.slowness(child) } else { 1.0 };
                let pull = Pull::Servo(MUSCLE_TAU * slowness);
                JointTarget { budget: wanted[bone].budget * motion.share(child), pull, ..wanted[bone] }
            }
            Driven::Nothing => limp(ragdoll, body, bone),
            Driven::Clip => following(ragdoll, figure.target.joints[bone], figure.target.joint_velocities[bone], bone),
        }
    }));
    if motion.is_on_springs() {
        let bearing =
            Bearing::of(ragdoll, body, figure.feet.as_ref().map_or([0.0; 2], |feet| feet.bent), &figure.senses, gravity);
        let moved = Moved { ragdoll, body, target: &figure.target, claims: &figure.claims, motion };
        let softened = |bone: usize| driven[bone] == Driven::Muscle;
        springs::soften(&mut input.joints, &moved, &bearing, softened);
    }
    if let (Some(feet), Some(ankles)) = (&mut figure.feet, &ragdoll.ankles) {
        let (target, joints) = (&figure.target, &input.joints);
        let swings = (!motion.phase.is_down()).then(|| figure.senses.feet_down.map(|down| !down));
        ankles::ask(feet, ankles, &Legs { ragdoll, body, target, joints, driven, swings });
    }
    match motion.mode {
        Mode::Powered => {
            anchors::stand(input, ragdoll, body, motion.muscles.strength, &figure.intent, &figure.target.from_bodies[0]);
        }
        Mode::Limp => {}
        _ => {
            let weights = match &motion.way {
                Some(way) if way.rests() => anchors::REST_WEIGHTS,
                Some(_) => anchors::WAY_WEIGHTS,
                None => anchors::FOLLOW_WEIGHTS,
            };
            let stands = motion.way.as_ref().is_some_and(Way::stands);
            let held = Bone::ALL.into_iter().filter(|bone| !loose.has(bone.index()));
            input.anchors.extend(held.map(|bone| {
                let planted = stands && matches!(bone, Bone::ShinL | Bone::ShinR);
                anchors::follow(ragdoll, &figure.target, bone.index(), weights, planted)
            }));
        }
    }
}

fn limp(ragdoll: &Ragdoll, body: &BodyPose, bone: usize) -> JointTarget {
    let parent = Bone::ALL[bone].parent().map_or(Quat::IDENTITY, |parent| body.bodies[parent.index()].pose.rotation);
    let rotation = parent.conjugate() * body.bodies[bone].pose.rotation;
    JointTarget { rotation, velocity: Vec3::ZERO, pull: Pull::Servo(MUSCLE_TAU), budget: ragdoll.budgets[bone] * LIMP_FRICTION }
}

fn following(ragdoll: &Ragdoll, rotation: Quat, velocity: Vec3, bone: usize) -> JointTarget {
    JointTarget { rotation, velocity, pull: Pull::Servo(MUSCLE_TAU), budget: ragdoll.budgets[bone] }
}
