//! SOLVE: bodies, contacts and anchors behind the boundary.

mod conformance;
mod frozen;

use crate::support::{add_box, add_figure, bone, road, run, shove};
use simrun_sim::solve::boundary::BodyKind;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, Hit, Mode, WorldSettings};

#[test]
fn a_standing_figure_bears_its_weight_on_its_soles() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 2.0);
    let figure = world.figure(ann).unwrap();
    let weight = figure.model.ragdoll.as_ref().unwrap().mass * 9.81;
    let borne: f32 = figure.solved.contacts.iter().map(|contact| contact.impulse * contact.normal.y).sum::<f32>() / world.dt();
    assert!((borne / weight - 1.0).abs() < 0.03, "bears {borne:.0} N of {weight:.0}");
    assert!(
        figure.solved.contacts.iter().all(|contact| contact.body == Bone::ShinL.index() || contact.body == Bone::ShinR.index())
    );
}

#[test]
fn muscles_never_use_more_than_their_budget() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, 3.0));
    for _ in 0..120 {
        run(&mut world, 1.0 / 60.0);
        let figure = world.figure(ann).unwrap();
        let budgets = figure.model.ragdoll.as_ref().unwrap().budgets;
        for (joint, state) in figure.solved.joints.iter().enumerate() {
            let most = budgets[joint + 1] * 1.001;
            assert!(state.torque <= most, "joint {joint} uses {} of {most}", state.torque);
        }
    }
}

#[test]
fn an_animated_figure_pushes_what_it_meets_and_is_not_pushed() {
    let mut world = road(WorldSettings::default());
    let ann = crate::support::spawn(
        &mut world,
        simrun_sim::FigureSpec { clip: Some("Walk".to_owned()), ..crate::support::standing("ann", Mode::Animated) },
    );
    let crate_box = add_box(&mut world, "crate", Vec3::new(1.0, 1.0, 0.4), Vec3::new(0.0, 0.5, 1.2), BodyKind::Dynamic, 20.0);
    run(&mut world, 3.0);
    let moved = world.object(crate_box).unwrap().pose.translation.z - 1.2;
    assert!(moved > 1.0, "the crate went {moved:.2} m");
    let figure = world.figure(ann).unwrap();
    let off = figure.bone(Bone::Pelvis).translation.distance(figure.target.bodies[0].translation);
    assert!(off < 0.02, "the pelvis is {:.1} cm off its clip", off * 100.0);
    assert_eq!(figure.mode(), Mode::Animated);
}

#[test]
fn a_figure_passed_through_is_not_moved_and_collides_again_once_apart() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let wall = add_box(&mut world, "wall", Vec3::new(4.0, 1.6, 0.6), Vec3::new(0.0, 0.85, -1.5), BodyKind::Kinematic, 0.0);
    let stood = bone(&world, ann, Bone::Pelvis).translation.z;
    world.command(Command::PassThrough { figure: ann, object: wall }).unwrap();
    world.command(Command::SetVelocity { object: wall, linear: Vec3::Z * 6.0, angular: Vec3::ZERO }).unwrap();
    run(&mut world, 0.75);
    let moved = (bone(&world, ann, Bone::Pelvis).translation.z - stood).abs();
    assert!(moved < 0.02, "moved {moved:.3} m by what it passes through");
    assert!(world.figure(ann).unwrap().motion().unwrap().passing.is_empty(), "contact is back once they are apart");
    world.command(Command::SetVelocity { object: wall, linear: Vec3::Z * -6.0, angular: Vec3::ZERO }).unwrap();
    run(&mut world, 0.75);
    let moved = bone(&world, ann, Bone::Pelvis).translation.z;
    assert!(moved < -0.3, "struck on the way back it went {moved:.2} m");
}

#[test]
fn limits_hold_a_knee_that_a_blow_would_bend_backwards() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Limp);
    // 2 m/s of the shin, forwards: about a kick's worth.
    world.command(Command::Hit(Hit::new(ann, Bone::ShinL, Vec3::Z * 9.0))).unwrap();
    let mut worst = 0.0_f32;
    for _ in 0..120 {
        run(&mut world, 1.0 / 60.0);
        let figure = world.figure(ann).unwrap();
        let bend = simrun_sim::space::rotation_vector(figure.joint_rotations()[Bone::ShinL.index()]).x;
        worst = worst.min(bend);
    }
    assert!(worst > -0.06, "the knee went {worst:.3} rad past straight");
}

#[test]
fn a_blow_before_the_first_step_lands() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let crate_box = add_box(&mut world, "crate", Vec3::ONE, Vec3::new(5.0, 0.5, 0.0), BodyKind::Dynamic, 10.0);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, 2.0));
    world.command(Command::Impulse { object: crate_box, impulse: Vec3::Z * 50.0, point: None }).unwrap();
    run(&mut world, 0.1);
    let speed = world.figure(ann).unwrap().senses.com_velocity.z;
    assert!(speed > 1.0, "it goes at {speed:.2} m/s");
    assert!(world.object(crate_box).unwrap().linear.z > 2.0);
}
