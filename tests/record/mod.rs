//! RECORD: the same inputs give the same bits, and a hash that tells.

mod recording;
mod snapshot;
mod street;
mod widths;

pub(crate) use crate::mutate::targets::seal;
use crate::support::{add_figure, road, shove};
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, Hit, Mode, Nobody, World, WorldSettings};

/// Four figures, two of them shoved over after half a second, stepped for three seconds.
fn crowd(settings: WorldSettings, names: &[&str], impulse: f32) -> World {
    crowd_at(settings, names, impulse, 180)
}

/// The same after so many steps.
fn crowd_at(settings: WorldSettings, names: &[&str], impulse: f32, steps: usize) -> World {
    let mut world = road(settings);
    let places = [("ann", -6.0), ("ben", -2.0), ("cleo", 2.0), ("dan", 6.0)];
    let mut handles = std::collections::BTreeMap::new();
    for name in names {
        let x = places.iter().find(|(known, _)| known == name).unwrap().1;
        let mode = if ["cleo", "dan"].contains(name) { Mode::Animated } else { Mode::Powered };
        handles.insert(*name, add_figure(&mut world, name, Vec3::new(x, 0.0, 0.0), mode));
    }
    for step in 0..steps {
        if step == 30 {
            world.command(Command::Hit(Hit::new(handles["ann"], Bone::Chest, Vec3::new(0.0, 0.0, impulse)))).unwrap();
            shove(&mut world, handles["ben"], Bone::Chest, Vec3::new(2.9, 0.0, 0.3));
            if let Some(dan) = handles.get("dan") {
                shove(&mut world, *dan, Bone::Chest, Vec3::new(-1.0, 0.0, 0.3));
            }
        }
        world.step(&mut Nobody);
    }
    world
}

const NAMES: [&str; 4] = ["ann", "ben", "cleo", "dan"];

#[test]
fn nothing_follows_from_what_is_kept_for_why() {
    let kept = crowd(WorldSettings::default(), &NAMES, 200.0);
    let not = crowd(WorldSettings { trace: false, ..WorldSettings::default() }, &NAMES, 200.0);
    assert_eq!(kept.sim_hash(), not.sim_hash());
    let causes = |world: &World| world.figures().map(|figure| figure.trace.causes().count()).sum::<usize>();
    assert!(causes(&kept) > 10 && causes(&not) == 0);
}

#[test]
fn the_same_run_twice_has_the_same_hash() {
    let one = crowd(WorldSettings::default(), &NAMES, 200.0);
    let two = crowd(WorldSettings::default(), &NAMES, 200.0);
    assert_eq!(one.sim_hash(), two.sim_hash());
}

#[test]
fn threads_change_no_bit() {
    let one = crowd(WorldSettings::default(), &NAMES, 200.0);
    let two = crowd(WorldSettings { threads: 2, ..WorldSettings::default() }, &NAMES, 200.0);
    assert_eq!(one.sim_hash(), two.sim_hash());
}

#[test]
fn one_ulp_in_one_impulse_changes_the_hash() {
    let one = crowd(WorldSettings::default(), &NAMES, 200.0);
    let two = crowd(WorldSettings::default(), &NAMES, 200.0_f32.next_up());
    assert_ne!(one.sim_hash(), two.sim_hash());
}

#[test]
fn a_figure_alone_moves_as_it_does_beside_others() {
    let crowded = crowd(WorldSettings::default(), &NAMES, 200.0);
    let alone = crowd(WorldSettings::default(), &["ann", "ben"], 200.0);
    let bodies = |world: &World| world.figure(world.find_figure("ann").unwrap()).unwrap().body.unwrap();
    assert_eq!(bodies(&crowded), bodies(&alone));
}

#[test]
fn two_worlds_in_one_process_do_not_know_of_each_other() {
    let mut one = road(WorldSettings::default());
    let mut two = road(WorldSettings::default());
    let ann = add_figure(&mut one, "ann", Vec3::ZERO, Mode::Powered);
    let other = add_figure(&mut two, "ann", Vec3::ZERO, Mode::Powered);
    for step in 0..90 {
        if step == 30 {
            shove(&mut one, ann, Bone::Chest, Vec3::X);
            shove(&mut two, other, Bone::Chest, Vec3::X);
        }
        one.step(&mut Nobody);
        two.step(&mut Nobody);
    }
    assert_eq!(one.sim_hash(), two.sim_hash());
}
