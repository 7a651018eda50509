//! Sleep: a figure that is still, and is asked what it was asked before, is not solved again and again.

use super::plan::RESTING;
use super::structure::{Moving, State};
use crate::solve::boundary::{Anchor, FigureInput, JointTarget, Pull};
use crate::space::{Quat, Vec3};

/// Steps for which a figure has to be still before it sleeps: half a second.
pub const STEPS: u32 = 30;

/// Hears what a figure is asked in a step; anything new wakes it.
pub fn listen(state: &mut State, input: &FigureInput) {
    if !input.may_sleep {
        state.still = 0;
        return;
    }
    let asked = hash(input);
    let disturbed = input.teleport.is_some() || !input.impulses.is_empty() || !input.forces.is_empty();
    if disturbed || asked != state.asked {
        state.still = 0;
    }
    state.asked = asked;
}

/// Whether a body hardly moved in a step: by its poses, since velocities keep a remainder.
pub fn is_still(before: &Moving, now: &Moving, dt: f32) -> bool {
    let turn = now.rotation * before.rotation.conjugate();
    let turned = 2.0 * Vec3::new(turn.x, turn.y, turn.z).length();
    turned < RESTING * dt && now.position.distance(before.position) < RESTING * dt
}

/// FNV-1a over all that DRIVE asks, to a five-hundredth: a limp figure's joints are asked to be where they are, and tremble.
fn hash(input: &FigureInput) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    hash.word((input.substeps as u32) << 8 | input.sweeps as u32);
    hash.word(input.self_contacts.bits());
    hash.word(input.fixed_contacts.bits());
    input.pass_through.iter().for_each(|key| {
        hash.word(*key as u32);
        hash.word((*key >> 32) as u32);
    });
    for JointTarget { rotation, velocity, pull, budget } in &input.joints {
        hash.turn(*rotation);
        hash.vector(*velocity);
        match pull {
            Pull::Servo(tau) => hash.number(*tau),
            Pull::Spring { hz, ratio } => [*hz, *ratio].into_iter().for_each(|number| hash.number(number)),
        }
        hash.number(*budget);
    }
    for anchor in &input.anchors {
        let Anchor { body, target, linear_velocity, angular_velocity, tau, max_force, max_torque, .. } = anchor;
        hash.word(*body as u32);
        hash.turn(target.rotation);
        hash.vector(target.translation);
        hash.vector(*linear_velocity);
        hash.vector(*angular_velocity);
        [*tau, *max_force, *max_torque].into_iter().for_each(|number| hash.number(number));
    }
    hash.0
}

struct Hash(u64);

impl Hash {
    fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    fn number(&mut self, number: f32) {
        self.word((number * 512.0).round() as i32 as u32);
    }
    fn vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|number| self.number(number));
    }
    fn turn(&mut self, turn: Quat) {
        turn.to_array().into_iter().for_each(|number| self.number(number));
    }
}
