//! DECIDE and DRIVE: claims, who holds which bone, and where it goes.

use crate::support::{add_figure, bone, road, run};
use simrun_sim::space::{Quat, Vec3, angle_between, rotation_from_vector};
use simrun_sim::{Bone, Claim, Command, Decide, Mode, Want, World, WorldSettings};

fn claim(bone: Bone, want: Want, priority: i32, owner: &str) -> Claim {
    Claim::new(bone, want, priority, owner)
}

#[test]
fn the_higher_claim_has_the_bone_and_lets_it_go() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let owner = |world: &World| world.figure(ann).unwrap().claims.holder(Bone::Head).map(|claim| claim.owner.to_string());
    world.claim(ann, claim(Bone::Head, Want::Aim(Quat::IDENTITY), 20, "fall")).unwrap();
    world.claim(ann, claim(Bone::Head, Want::Aim(Quat::IDENTITY), 10, "look")).unwrap();
    assert_eq!(owner(&world).as_deref(), Some("fall"));
    world.release(ann, "fall", None).unwrap();
    assert_eq!(owner(&world).as_deref(), Some("look"));
    world.release(ann, "look", Some(Bone::Head)).unwrap();
    assert_eq!(owner(&world), None);
}

#[test]
fn an_aimed_head_turns_there_and_back() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.3);
    let aim = rotation_from_vector(Vec3::Y * 0.6);
    world.claim(ann, claim(Bone::Head, Want::Aim(aim), 10, "look")).unwrap();
    run(&mut world, 0.6);
    let off = |world: &World, to: Quat| angle_between(bone(world, ann, Bone::Head).rotation * Vec3::Z, to * Vec3::Z);
    assert!(off(&world, aim) < 0.03, "{:.3} rad off", off(&world, aim));
    world.release(ann, "look", None).unwrap();
    run(&mut world, 0.6);
    assert!(off(&world, Quat::IDENTITY) < 0.03);
}

#[test]
fn a_reach_brings_the_wrist_to_its_point() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.3);
    let point = Vec3::new(0.15, 1.25, 0.4);
    world.claim(ann, claim(Bone::UpperArmL, Want::Reach { point, pole: Vec3::new(0.3, -1.0, 0.0) }, 10, "hand")).unwrap();
    run(&mut world, 1.0);
    let figure = world.figure(ann).unwrap();
    let wrist = figure.bone(Bone::ForearmL).point(figure.model.ragdoll.as_ref().unwrap().tip_of(Bone::ForearmL));
    assert!(wrist.distance(point) < 0.03, "the wrist is {:.1} cm off", wrist.distance(point) * 100.0);
}

#[test]
fn a_claim_that_blends_in_turns_the_bone_over_its_time() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.3);
    let aim = rotation_from_vector(Vec3::Y * 0.8);
    world.claim(ann, Claim { blend_in: 1.0, ..claim(Bone::Head, Want::Aim(aim), 10, "look") }).unwrap();
    run(&mut world, 0.5);
    let turned = angle_between(bone(&world, ann, Bone::Head).rotation * Vec3::Z, Vec3::Z);
    assert!(turned > 0.2 && turned < 0.6, "half way it has turned {turned:.2} rad");
}

/// The most (rad) that the upper arm turns in a step, over so many of them.
fn fastest(world: &mut World, ann: simrun_sim::FigureHandle, steps: usize) -> f32 {
    let turns = (0..steps).map(|_| {
        let before = bone(world, ann, Bone::UpperArmL).rotation;
        world.step(&mut simrun_sim::Nobody);
        angle_between(before * Vec3::X, bone(world, ann, Bone::UpperArmL).rotation * Vec3::X)
    });
    turns.fold(0.0, f32::max)
}

#[test]
fn a_claim_that_blends_out_gives_the_bone_back_over_its_time() {
    let let_go = |blend_out: f32| {
        let mut world = road(WorldSettings::default());
        let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
        run(&mut world, 0.3);
        let up = Claim { blend_out, ..claim(Bone::UpperArmL, Want::Point(Vec3::new(1.0, 0.5, 0.3)), 10, "wave") };
        world.claim(ann, up).unwrap();
        run(&mut world, 1.0);
        let raised = bone(&world, ann, Bone::UpperArmL).rotation;
        world.release(ann, "wave", None).unwrap();
        let fastest = fastest(&mut world, ann, 60);
        let turned = angle_between(raised * Vec3::X, bone(&world, ann, Bone::UpperArmL).rotation * Vec3::X);
        assert!(turned > 1.0, "the arm is down, {turned:.2} rad from where it was");
        fastest
    };
    let (at_once, in_its_time) = (let_go(0.0), let_go(0.8));
    assert!(
        in_its_time < 6.0_f32.to_radians() && at_once > 2.0 * in_its_time,
        "{in_its_time:.3} rad a step, {at_once:.3} at once"
    );
}

#[test]
fn a_bone_passes_from_one_claim_to_the_next_without_a_jump() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.3);
    world.claim(ann, claim(Bone::UpperArmL, Want::Point(Vec3::new(1.0, 0.5, 0.3)), 10, "wave")).unwrap();
    run(&mut world, 1.0);
    let point = Want::Point(Vec3::new(1.0, 0.7, 0.6));
    world.claim(ann, Claim { blend_in: 1.0, ..claim(Bone::UpperArmL, point, 20, "point") }).unwrap();
    // Through where the animation has the arm it would drop by a radian at first.
    let fastest = fastest(&mut world, ann, 20);
    assert!(fastest < 0.05, "it turned by {fastest:.3} rad in a step");
}

/// Gives one command in DECIDE and notes what it reads right after.
struct OneCommand {
    figure: simrun_sim::FigureHandle,
    given: bool,
    read: Vec<Mode>,
}

impl Decide for OneCommand {
    fn decide(&mut self, world: &mut World) {
        if !self.given {
            world.command(Command::SetMode { figure: self.figure, mode: Mode::Limp }).unwrap();
            self.given = true;
        }
        self.read.push(world.figure(self.figure).unwrap().mode());
    }
}

#[test]
fn a_command_given_in_decide_applies_at_the_start_of_the_next_step() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let mut decide = OneCommand { figure: ann, given: false, read: Vec::new() };
    world.step(&mut decide);
    world.step(&mut decide);
    assert_eq!(decide.read, [Mode::Powered, Mode::Limp]);
}
