//! What a scene's file says first changes nothing.

use super::in_repository;
use simrun_scene::{Models, Overrides, Scene};
use simrun_sim::{Nobody, World};

/// A ball of this restitution that falls a metre on a ground of none: how high it comes again (m).
fn comes_back(restitution: f32) -> f32 {
    let text = format!(
        r#"{{ "name": "s", "objects": [
            {{ "name": "ground", "shape": "plane" }},
            {{ "name": "ball", "shape": {{ "sphere": 0.1 }}, "position": [0, 1.1, 0], "body": "dynamic", "mass": 1, "restitution": {restitution} }} ],
          "figures": [] }}"#
    );
    let scene = super::parse(&text).expect("a good scene");
    let file = in_repository("scenes/street.json");
    let mut world = scene.build(&file, &mut Models::beside(&file), &Overrides::default()).expect("a good scene");
    let mut heights = Vec::new();
    for _ in 0..70 {
        world.step(&mut Nobody);
        heights.push(world.objects().find(|object| object.name == "ball").map_or(0.0, |ball| ball.pose.translation.y - 0.1));
    }
    // 27 steps of falling, then up again.
    heights[35..].iter().copied().fold(0.0, f32::max)
}

#[test]
fn what_is_elastic_comes_back_by_the_square_of_its_restitution() {
    assert!(comes_back(0.0) < 0.02);
    let (half, most) = (comes_back(0.5), comes_back(0.8));
    assert!((half - 0.25).abs() < 0.05, "{half} m");
    assert!((most - 0.64).abs() < 0.1, "{most} m");
}

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
