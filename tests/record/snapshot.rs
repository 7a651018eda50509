//! A world restored goes on with the same bits.

use super::{NAMES, crowd_at};
use simrun_sim::{Command, Nobody, World, WorldSettings};

/// Steps that must agree after a restore: ten seconds.
const AFTER: usize = 600;

fn go_on(world: &mut World, steps: usize) -> Vec<u64> {
    (0..steps)
        .map(|_| {
            world.step(&mut Nobody);
            world.last_hashes().all()
        })
        .collect()
}

/// Before the blow, in it, in the fade from the clip, falling, landing, lying.
#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    for at in [1, 31, 33, 38, 60, 90, 140] {
        let mut world = crowd_at(WorldSettings::default(), &NAMES, 200.0, at);
        let snapshot = world.snapshot();
        let straight = go_on(&mut world, AFTER);
        world.restore(&snapshot).expect("back in the same world");
        assert_eq!(go_on(&mut world, AFTER), straight, "restored in place at step {at}");
        let mut fresh = World::new(WorldSettings { threads: 2, ..WorldSettings::default() });
        fresh.restore(&snapshot).expect("in a new world");
        assert_eq!(go_on(&mut fresh, AFTER), straight, "restored elsewhere at step {at}");
    }
}

#[test]
fn handles_given_after_a_restore_are_those_of_the_run_that_went_on() {
    let mut world = crowd_at(WorldSettings::default(), &NAMES, 200.0, 10);
    for name in ["dan", "ben"] {
        let figure = world.find_figure(name).unwrap();
        world.command(Command::DestroyFigure(figure)).unwrap();
    }
    let mut fresh = World::new(WorldSettings::default());
    fresh.restore(&world.snapshot()).unwrap();
    for name in ["eve", "finn", "gus"] {
        assert_eq!(world.reserve_figure(name), fresh.reserve_figure(name));
    }
}

#[test]
fn what_was_asked_between_steps_is_in_the_snapshot() {
    let hit = |world: &mut World| {
        let figure = world.find_figure("ann").unwrap();
        let blow = simrun_sim::Hit::new(figure, simrun_sim::Bone::Head, simrun_sim::space::Vec3::X * 20.0);
        world.command(Command::Hit(blow)).unwrap();
        let place = simrun_sim::space::Vec3::new(9.0, 0.0, 9.0);
        let figure = world.find_figure("dan").unwrap();
        world.command(Command::MoveTo { figure, position: place, yaw: Some(1.0) }).unwrap();
    };
    let mut world = crowd_at(WorldSettings::default(), &NAMES, 200.0, 20);
    hit(&mut world);
    let mut fresh = World::new(WorldSettings::default());
    fresh.restore(&world.snapshot()).unwrap();
    assert_eq!(go_on(&mut fresh, 60), go_on(&mut world, 60));
}

#[test]
fn a_damaged_snapshot_changes_nothing() {
    let mut fresh = World::new(WorldSettings::default());
    let before = fresh.sim_hash();
    assert!(fresh.restore(&simrun_sim::world::Snapshot::default()).is_err());
    assert_eq!(fresh.sim_hash(), before);
}
