//! DRAW: what is shown through a hand-over.

use crate::support::{road, run, shove, spawn, standing};
use simrun_sim::space::{Vec3, rotation_vector};
use simrun_sim::{BONES, Bone, Command, FigureSpec, Mode, Rigid, World, WorldSettings};

fn drawn(world: &World, figure: simrun_sim::FigureHandle) -> [Rigid; BONES] {
    world.figure(figure).unwrap().drawn.bodies
}

#[test]
fn a_powered_figure_is_drawn_as_its_bodies_are() {
    let mut world = road(WorldSettings::default());
    let ann = spawn(&mut world, standing("ann", Mode::Powered));
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, 2.9));
    run(&mut world, 1.0);
    let figure = world.figure(ann).unwrap();
    for bone in Bone::ALL {
        assert_eq!(figure.drawn.bodies[bone.index()], figure.bone(bone));
    }
}

#[test]
fn a_struck_walker_is_drawn_without_a_jump() {
    let mut world = road(WorldSettings::default());
    let ann = spawn(&mut world, FigureSpec { clip: Some("Walk".to_owned()), ..standing("ann", Mode::Animated) });
    run(&mut world, 1.3);
    let before = drawn(&world, ann);
    run(&mut world, 1.0 / 60.0);
    let usual = most_turn(&before, &drawn(&world, ann));
    let before = drawn(&world, ann);
    world.command(Command::SetMode { figure: ann, mode: Mode::Powered }).unwrap();
    run(&mut world, 1.0 / 60.0);
    let turned = most_turn(&before, &drawn(&world, ann));
    assert!(turned < usual + 0.05, "a bone turned {turned:.3} rad at the change, {usual:.3} in the step before");
}

fn most_turn(from: &[Rigid; BONES], to: &[Rigid; BONES]) -> f32 {
    from.iter().zip(to).map(|(a, b)| rotation_vector(b.rotation * a.rotation.conjugate()).length()).fold(0.0, f32::max)
}
