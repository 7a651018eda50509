//! SENSE: what a figure feels, and the phases that follow.

use crate::support::{add_figure, bone, road, run, shove};
use simrun_sim::space::{Rigid, Vec3, angle_between, rotation_from_vector};
use simrun_sim::{Bone, Command, Happening, Mode, Nobody, Phase, WorldSettings};

#[test]
fn a_figure_shoved_hard_falls_lands_and_lies() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, -2.9));
    let mut phases = Vec::new();
    for _ in 0..360 {
        world.step(&mut Nobody);
        for event in world.events() {
            if let Happening::PhaseChanged { to, .. } = event.what {
                phases.push(to);
            }
        }
    }
    assert_eq!(phases.first(), Some(&Phase::Falling), "{phases:?}");
    assert!(phases.contains(&Phase::Landed), "{phases:?}");
    assert_eq!(phases.last(), Some(&Phase::Lying), "{phases:?}");
}

#[test]
fn nothing_rights_a_figure_in_the_air() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    let tilt = Rigid::new(rotation_from_vector(Vec3::X * 0.52), Vec3::Y * 0.3);
    let bodies = std::array::from_fn(|index| tilt * bone(&world, ann, Bone::ALL[index]));
    world.command(Command::SetBodies { figure: ann, bodies: Box::new(bodies) }).unwrap();
    run(&mut world, 0.18);
    let lean = angle_between(bone(&world, ann, Bone::Pelvis).rotation * Vec3::Y, Vec3::Y);
    assert!(lean > 0.45, "it was righted to {lean:.2} rad in the air");
    assert!(world.figure(ann).unwrap().solved.contacts.is_empty(), "still in the air");
}

#[test]
fn the_capture_point_lies_ahead_of_a_moving_mass() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, 1.0));
    run(&mut world, 0.1);
    let senses = &world.figure(ann).unwrap().senses;
    let height = senses.com.y - senses.lowest;
    let expected = senses.com.z + senses.com_velocity.z * (height / 9.81).sqrt();
    assert!((senses.capture_point.z - expected).abs() < 1.0e-4);
    assert!(senses.capture_point.z > senses.com.z);
}

#[test]
fn ground_contact_is_no_blow() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Limp);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, 1.0));
    let mut blows = 0;
    let mut touches = 0;
    for _ in 0..240 {
        world.step(&mut Nobody);
        for event in world.events() {
            blows += usize::from(matches!(event.what, Happening::Struck { .. }));
            touches += usize::from(matches!(event.what, Happening::Touched { .. }));
        }
    }
    assert_eq!(blows, 1, "the shove alone");
    assert!(touches > 4, "it met the ground {touches} times");
}
