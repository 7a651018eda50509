//! What a scene's file says first changes nothing.

use super::in_repository;
use simrun_scene::{Models, Overrides, Scene};
use simrun_sim::{Nobody, World};

fn run(scene: &Scene) -> World {
    let file = in_repository("scenes/street.json");
    let mut world = scene.build(&file, &mut Models::beside(&file), &Overrides::default()).expect("a good scene");
    (0..60).for_each(|_| world.step(&mut Nobody));
    world
}

#[test]
fn the_order_of_a_file_changes_no_bit() {
    let street = Scene::read(&in_repository("scenes/street.json")).expect("the street is a good scene");
    let mut turned = street.clone();
    turned.figures.reverse();
    turned.objects.reverse();
    assert_eq!(run(&street).sim_hash(), run(&turned).sim_hash());
}
