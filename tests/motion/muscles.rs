//! Compliant muscles: they give more than servos, come back, and let the balance go after a hard blow.

use crate::support::{road, run, shove, spawn, standing};
use simrun_sim::space::{Vec3, rotation_vector};
use simrun_sim::{Bone, Command, FigureHandle, FigureSpec, Hit, Mode, MotionRecord, Phase, World, WorldSettings};

fn compliant(world: &mut World) -> FigureHandle {
    let motion = MotionRecord { mode: Mode::Powered, muscles: true, ..MotionRecord::default() };
    spawn(world, FigureSpec { motion: Some(motion), ..standing("ann", Mode::Powered) })
}

/// How far (rad) the joint that is farthest from its target is.
fn off(world: &World, figure: FigureHandle) -> f32 {
    let figure = world.figure(figure).unwrap();
    let joints = figure.joint_rotations();
    let gap = |bone: Bone| rotation_vector(joints[bone.index()] * figure.target.joints[bone.index()].conjugate()).length();
    Bone::ALL.into_iter().skip(1).map(gap).fold(0.0, f32::max)
}

#[test]
fn springs_give_more_than_servos_and_come_back() {
    let mut late = [0.0_f32; 2];
    for (late, muscles) in late.iter_mut().zip([false, true]) {
        let mut world = road(WorldSettings::default());
        let ann = compliant(&mut world);
        world.command(Command::SetSwitch { figure: ann, switch: simrun_sim::command::Switch::Muscles(muscles) }).unwrap();
        run(&mut world, 1.0);
        assert!(off(&world, ann) < 0.02, "it stands {} rad off its pose", off(&world, ann));
        shove(&mut world, ann, Bone::Chest, Vec3::Z * 0.43);
        run(&mut world, 0.3);
        *late = off(&world, ann);
        run(&mut world, 2.7);
        assert_eq!(world.figure(ann).unwrap().motion().unwrap().phase, Phase::Standing);
        assert!(off(&world, ann) < 0.05, "it is {} rad off after 3 s", off(&world, ann));
    }
    assert!(late[1] > 1.5 * late[0], "0.3 s later they are {late:?} rad off");
}

#[test]
fn a_hard_blow_lets_the_balance_go_and_the_feet_get_it_back() {
    let mut world = road(WorldSettings::default());
    let ann = compliant(&mut world);
    run(&mut world, 0.5);
    let pin = |world: &World| world.figure(ann).unwrap().motion().unwrap().pin.share();
    shove(&mut world, ann, Bone::Chest, Vec3::Z * 0.5);
    run(&mut world, 0.3);
    assert_eq!(pin(&world), 1.0, "a step catches that");
    // Two that cancel leave it on its feet.
    let mass = world.figure(ann).unwrap().model.ragdoll.as_ref().unwrap().mass;
    for way in [Vec3::X, Vec3::NEG_X] {
        let hit = Hit { cost: Some(0.0), ..Hit::new(ann, Bone::Pelvis, way * (3.0 * mass)) };
        world.command(Command::Hit(hit)).unwrap();
    }
    run(&mut world, 0.2);
    assert!((pin(&world) - 0.5).abs() < 0.06, "{}", pin(&world));
    run(&mut world, 0.2);
    assert!(pin(&world) < 0.06, "{}", pin(&world));
    run(&mut world, 0.8);
    assert!((pin(&world) - 0.5).abs() < 0.1, "{}", pin(&world));
    run(&mut world, 0.8);
    assert_eq!(pin(&world), 1.0);
}
