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
fn who_drops_falls_and_who_hops_does_not() {
    let mut world = road(WorldSettings::default());
    let high = add_figure(&mut world, "high", Vec3::new(3.0, 3.0, 0.0), Mode::Powered);
    let low = add_figure(&mut world, "low", Vec3::new(-3.0, 0.08, 0.0), Mode::Powered);
    let phase = |world: &simrun_sim::World, figure| world.figure(figure).unwrap().motion.as_ref().unwrap().phase;
    for step in 0..40 {
        world.step(&mut Nobody);
        assert_eq!(phase(&world, low), Phase::Standing, "step {step}");
        let expected = if step < 18 { Phase::Standing } else { Phase::Falling };
        assert_eq!(phase(&world, high), expected, "step {step}");
    }
    assert_eq!(world.figure(high).unwrap().senses.contacts.len(), 0, "still in the air");
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

#[test]
fn a_blow_before_the_first_step_does_what_a_later_one_does() {
    // How far it leans at most, and where it stands after.
    let struck_after = |steps: usize| {
        let mut world = road(WorldSettings::default());
        let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
        (0..steps).for_each(|_| world.step(&mut Nobody));
        shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, -0.9));
        let mut most = 0.0_f32;
        for _ in 0..120 {
            world.step(&mut Nobody);
            most = most.max(world.figure(ann).unwrap().senses.lean);
        }
        most
    };
    let [first, later] = [0, 30].map(struck_after);
    assert!((first - later).abs() < 0.02 * later, "{first} and {later} rad");
}

#[test]
fn two_figures_on_one_spot_part() {
    let mut world = road(WorldSettings::default());
    let one = add_figure(&mut world, "one", Vec3::ZERO, Mode::Powered);
    let two = add_figure(&mut world, "two", Vec3::ZERO, Mode::Powered);
    run(&mut world, 3.0);
    let [one, two] = [one, two].map(|figure| bone(&world, figure, Bone::Pelvis).translation);
    assert!((one - two).with_y(0.0).length() > 0.15, "they stand {} m apart", one.distance(two));
    assert!(one.y.min(two.y) > 0.7, "one went down: {one}, {two}");
}
