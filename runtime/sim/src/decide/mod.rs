//! Room 3, DECIDE: senses become intent. Native controllers first, then behaviours through [`Decide`].

mod balance;
mod claim;
mod get_up;
mod ways;

pub use balance::Intent;
pub use claim::{Claim, Claims, Want};

use crate::world::World;

/// Whoever runs behaviours: the script host, a replay that reads a log, or nobody.
///
/// It is called once a step, at the one place where behaviours run. What it may rely on: senses are fresh (this step's target,
/// last step's bodies and contacts), commands that it issues apply at the start of the next step, claims act in this one.
pub trait Decide {
    /// Reads the world and makes claims and commands.
    fn decide(&mut self, world: &mut World);
}

/// No behaviours: native controllers alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Decide for Nobody {
    fn decide(&mut self, _world: &mut World) {}
}

/// Balance of every figure, keyed ways, then whoever decides.
pub fn run(world: &mut World, decide: &mut dyn Decide) {
    let dt = world.dt();
    for figure in world.figures_mut() {
        if let Some(motion) = &mut figure.motion {
            motion.pin.follow(motion.phase, &figure.senses, dt);
            figure.intent = balance::intend(motion, &figure.senses);
        }
    }
    ways::run(world);
    world.deciding(|world| decide.decide(world));
}
