//! Modes, muscles and commands.

mod act_clips;
mod acts;
mod ankles;
mod get_up;
mod held;
mod muscles;
mod parts;

use crate::support::{add_figure, bone, road, run, shove};
use simrun_sim::space::{Vec3, rotation_vector};
use simrun_sim::{Bone, Command, Error, Hit, Mode, WorldSettings};

#[test]
fn a_jabbed_head_comes_back_as_slowly_as_peoples() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    let off = |world: &simrun_sim::World| {
        let figure = world.figure(ann).unwrap();
        let head = Bone::Head.index();
        rotation_vector(figure.joint_rotations()[head] * figure.target.joints[head].conjugate()).length()
    };
    let rest = off(&world);
    world.command(Command::Hit(Hit::new(ann, Bone::Head, Vec3::NEG_Z * 8.0))).unwrap();
    let mut gaps = Vec::new();
    for _ in 0..90 {
        run(&mut world, 1.0 / 60.0);
        gaps.push(off(&world) - rest);
    }
    let most = (0..gaps.len()).max_by(|a, b| gaps[*a].total_cmp(&gaps[*b])).unwrap();
    let half = (most..gaps.len()).find(|at| gaps[*at] < 0.5 * gaps[most]).expect("it comes back");
    let back = (most..gaps.len()).find(|at| gaps[*at] < 0.1 * gaps[most]).expect("it comes back");
    assert!(gaps[most] > 0.1, "{} rad", gaps[most]);
    assert!(half - most >= 6, "half way back {} steps after it was farthest", half - most);
    assert!((15..=60).contains(&back), "back {back} steps after the blow");
}

#[test]
fn a_blow_takes_muscle_by_the_speed_it_gives_and_half_of_its_neighbours() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let mass = world.figure(ann).unwrap().model.ragdoll.as_ref().unwrap().topology.bodies[Bone::UpperArmR.index()].mass;
    let hit = |impulse: Vec3, cost| {
        Command::Hit(Hit { figure: ann, bone: Bone::UpperArmR, point: None, impulse, cost, closing_speed: None, by: None })
    };
    world.command(hit(Vec3::Z * 1.63 * mass, None)).unwrap();
    let left = |world: &simrun_sim::World, bone| world.figure(ann).unwrap().motion().unwrap().muscles.left(bone);
    assert!((left(&world, Bone::UpperArmR) - 0.05).abs() < 1.0e-4);
    assert!((left(&world, Bone::ForearmR) - 0.525).abs() < 1.0e-4);
    assert!((left(&world, Bone::Chest) - 0.525).abs() < 1.0e-4);
    assert!((left(&world, Bone::UpperArmL) - 1.0).abs() < 1.0e-6);
    run(&mut world, 0.85);
    assert!((left(&world, Bone::UpperArmR) - 1.0).abs() < 1.0e-6, "full again after 0.8 s");
    world.command(hit(Vec3::Z * 5.0, Some(0.1))).unwrap();
    assert!((left(&world, Bone::UpperArmR) - 0.905).abs() < 1.0e-4, "a cost of 0.1 takes 9.5 %");
}

#[test]
fn a_limp_figure_keeps_the_velocity_it_had() {
    let mut world = road(WorldSettings::default());
    let ann = crate::support::spawn(
        &mut world,
        simrun_sim::FigureSpec { clip: Some("Run".to_owned()), ..crate::support::standing("ann", Mode::Animated) },
    );
    run(&mut world, 1.0);
    world.command(Command::SetMode { figure: ann, mode: Mode::Limp }).unwrap();
    let from = bone(&world, ann, Bone::Pelvis).translation.z;
    run(&mut world, 0.2);
    let speed = (bone(&world, ann, Bone::Pelvis).translation.z - from) / 0.2;
    assert!(speed > 2.0, "it goes on at {speed:.2} m/s");
}

#[test]
fn a_struck_animated_figure_is_on_its_muscles_from_then_on() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Animated);
    run(&mut world, 0.2);
    shove(&mut world, ann, Bone::Chest, Vec3::Z * 0.4);
    assert_eq!(world.figure(ann).unwrap().mode(), Mode::Powered);
}

#[test]
fn without_strength_a_figure_collapses() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    world.command(Command::SetStrength { figure: ann, strength: 0.0 }).unwrap();
    run(&mut world, 4.0);
    let height = bone(&world, ann, Bone::Pelvis).translation.y;
    assert!(height < 0.5, "its pelvis is {height:.2} m up");
}

#[test]
fn a_command_with_a_bad_number_is_refused_whole() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let before = world.sim_hash();
    let hit = Hit { figure: ann, bone: Bone::Chest, point: None, impulse: Vec3::NAN, cost: None, closing_speed: None, by: None };
    let error = world.command(Command::Hit(hit)).unwrap_err();
    assert!(error.to_string().contains("impulse"), "{error}");
    assert!(matches!(world.command(Command::SetStrength { figure: ann, strength: 1.5 }), Err(Error::Number { .. })));
    assert!(matches!(world.command(Command::SetMode { figure: ann, mode: Mode::GettingUp }), Err(Error::ModeNotSet(_))));
    assert_eq!(world.sim_hash(), before);
}

#[test]
fn a_destroyed_figure_takes_all_it_has_with_it() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.1);
    world.command(Command::DestroyFigure(ann)).unwrap();
    assert!(matches!(world.figure(ann), Err(Error::StaleFigure { .. })));
    assert!(world.find_figure("ann").is_none());
    run(&mut world, 0.1);
    let again = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    assert_ne!(again, ann);
    assert!(matches!(world.command(Command::SetMode { figure: ann, mode: Mode::Limp }), Err(Error::StaleFigure { .. })));
}
