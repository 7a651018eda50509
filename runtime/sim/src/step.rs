//! One step of the corridor: seven calls.

use crate::decide::{self, Decide};
use crate::profile::Room;
use crate::world::World;
use crate::{acts, crowd, draw, drive, handover, pose, record, sense, solve};

/// Takes the world through the seven rooms.
///
/// Queued commands apply first. Behaviours run in DECIDE and nowhere else: there this step's target, and last step's bodies and
/// contacts, are fresh.
pub(crate) fn step(world: &mut World, decide: &mut dyn Decide) {
    world.begin_step();
    let settings = world.step_settings();
    world.room(Room::Sample, |world| {
        world.each(|figure| pose::run(figure, settings.dt));
        crowd::run(world, settings.dt);
    });
    world.room(Room::Sense, |world| {
        world.each(|figure| sense::run(figure, &settings.thresholds, settings.gravity, settings.step, settings.hz));
    });
    world.room(Room::Decide, |world| decide::run(world, decide));
    world.room(Room::Drive, |world| world.each(|figure| drive::run(figure, &settings)));
    world.room(Room::Solve, |world| solve::run(world, settings.dt));
    world.room(Room::Draw, |world| {
        world.each(|figure| draw::run(figure, settings.dt));
        acts::place_held(world);
        handover::run(world, settings.dt);
    });
    world.room(Room::Record, record::run);
    world.end_step();
}
