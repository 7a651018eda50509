//! What the ankles of feet of their own shall do.

use super::MUSCLE_TAU;
use crate::figure::{Ankles, BONES, Ragdoll, SHINS};
use crate::motion::Driven;
use crate::pose::TargetPose;
use crate::solve::boundary::{JointTarget, Pull};
use crate::solve::{BodyPose, Feet};
use crate::space::Vec3;

/// What ankles go by.
pub(super) struct Legs<'a> {
    pub ragdoll: &'a Ragdoll,
    pub body: &'a BodyPose,
    pub target: &'a TargetPose,
    /// What the other joints shall do.
    pub joints: &'a [JointTarget],
    pub driven: [Driven; BONES],
    /// Whether each foot is in the air; `None`: it is not on its feet.
    pub swings: Option<[bool; 2]>,
}

/// Tells the ankles to keep the slopes that the animation's soles have. A foot that swings does it on its shin as that is: on the shin as its
/// muscles bring it, swinging feet drag their toes, and of 525 shoves at an anchor of 0.65 428 are stood in place of 473. One that bears load does it
/// on the shin as that is brought, and so pulls it there over a flat sole. Who falls or lies has them as the animation has: level over shins
/// that lie, feet are never still, and who writhes pushes itself 20 cm. An ankle is as strong as its knee is at the time.
pub(super) fn ask(feet: &mut Feet, ankles: &Ankles, legs: &Legs<'_>) {
    let Legs { ragdoll, body, target, joints, driven, swings } = legs;
    for (side, shin) in SHINS.into_iter().enumerate() {
        let knee = &joints[shin.index() - 1];
        let angle = match (driven[shin.index()], shin.parent(), swings) {
            (Driven::Muscle, Some(thigh), Some(swings)) => {
                let brought = target.from_bodies[0].rotation * joints[thigh.index() - 1].rotation * knee.rotation;
                let turned = if swings[side] { body.bodies[shin.index()].pose.rotation } else { brought };
                ankles.bend_as(side, turned, target.from_bodies[shin.index()].rotation, target.bent[side])
            }
            (Driven::Nothing, ..) => feet.bent[side],
            _ => target.bent[side],
        };
        let share = knee.budget / ragdoll.budgets[shin.index()];
        // A spring of 20 Hz on so light a body as a foot holds nobody over it.
        let pull = if let Pull::Servo(_) = knee.pull { knee.pull } else { Pull::Servo(MUSCLE_TAU) };
        let rotation = ankles.bend(side, angle).rotation;
        feet.asked[side] = JointTarget { rotation, velocity: Vec3::ZERO, pull, budget: ankles.budget * share };
    }
}
