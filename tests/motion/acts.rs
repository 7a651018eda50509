//! Acts: sitting down, lying down and up again; what refuses them, and what ends them.

use crate::support::{add_box, add_figure, bone, road, run, shove};
use simrun_sim::acts::{lie_spot, sit_spot};
use simrun_sim::motion::ActKind;
use simrun_sim::solve::boundary::BodyKind;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, FigureHandle, Mode, Nobody, ObjectHandle, Phase, World, WorldSettings};

const SEAT: Vec3 = Vec3::new(0.0, 0.45, 0.0);

/// A world with a bench, and one who stands where one stands to sit on it.
fn by_a_bench(mode: Mode) -> (World, FigureHandle, ObjectHandle) {
    let mut world = road(WorldSettings::default());
    let bench = add_box(&mut world, "bench", Vec3::new(2.0, SEAT.y, 0.3), SEAT * 0.5, BodyKind::Fixed, 0.0);
    let ann = add_figure(&mut world, "ann", Vec3::Z, mode);
    let spot = sit_spot(&world, ann, SEAT, 0.0).unwrap();
    world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
    run(&mut world, 0.3);
    (world, ann, bench)
}

fn state(world: &World, figure: FigureHandle) -> (Mode, Phase) {
    let figure = world.figure(figure).expect("alive");
    (figure.mode(), figure.phase())
}

fn stays(world: &World, figure: FigureHandle, kind: ActKind) -> bool {
    world.figure(figure).unwrap().motion().unwrap().stays(kind)
}

fn sit(figure: FigureHandle) -> Command {
    Command::Sit { figure, seat: SEAT, facing: 0.0 }
}

#[test]
fn it_sits_and_stands_up_into_the_mode_that_it_had() {
    for mode in [Mode::Powered, Mode::Animated] {
        let (mut world, ann, _) = by_a_bench(mode);
        world.command(sit(ann)).unwrap();
        run(&mut world, 1.0);
        assert_eq!(state(&world, ann), (Mode::Acting, Phase::Acting));
        assert!(!stays(&world, ann, ActKind::Sit), "it is still on its way");
        assert!(refusal(&mut world, ann).contains("it sits down; accepted: "));
        run(&mut world, 2.0);
        assert!(stays(&world, ann, ActKind::Sit));
        assert!(refusal(&mut world, ann).contains("it sits; accepted: "));
        let hips = bone(&world, ann, Bone::Pelvis).translation;
        assert!((0.5..0.65).contains(&hips.y) && hips.z.abs() < 0.05, "{hips}");
        world.command(Command::StandUp(ann)).unwrap();
        run(&mut world, 0.2);
        assert!(refusal(&mut world, ann).contains("it stands up; accepted: "));
        run(&mut world, 2.8);
        assert_eq!(state(&world, ann), (mode, Phase::Standing));
        assert!(bone(&world, ann, Bone::Pelvis).translation.y > 0.9);
    }
}

/// Why it cannot sit down now.
fn refusal(world: &mut World, ann: FigureHandle) -> String {
    world.command(sit(ann)).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_sat_on_or_is_too_far_off_is_refused_with_why() {
    let (mut world, ann, _) = by_a_bench(Mode::Powered);
    let mut refused = |seat: Vec3, facing: f32, why: &str| {
        let error = world.command(Command::Sit { figure: ann, seat, facing }).unwrap_err().to_string();
        assert!(error.contains("'ann' cannot sit there") && error.contains(why), "{error}");
        assert_eq!(state(&world, ann), (Mode::Powered, Phase::Standing), "nothing has changed");
    };
    refused(SEAT, 3.0, "off its spot; accepted: 0.2 m and 45° off (");
    refused(SEAT + Vec3::X * 0.8, 0.0, "it stands 0.80 m");
    refused(SEAT + Vec3::Z * 3.0, 0.0, "nothing to sit on");
    refused(Vec3::new(0.0, 1.4, 0.0), 0.0, "1.40 m over the ground before it; accepted: 0.25 to");
    let error = world.command(Command::StandUp(ann)).unwrap_err().to_string();
    assert_eq!(error, "'ann' cannot stand up: it does not sit");
    run(&mut world, 0.1);
    world.command(Command::SetMode { figure: ann, mode: Mode::Limp }).unwrap();
    assert!(world.command(sit(ann)).unwrap_err().to_string().contains("it is limp"));
}

#[test]
fn who_is_struck_or_loses_its_seat_is_on_its_muscles_from_there() {
    let (mut world, ann, bench) = by_a_bench(Mode::Animated);
    world.command(sit(ann)).unwrap();
    run(&mut world, 3.0);
    let sat = world.snapshot();
    shove(&mut world, ann, Bone::Chest, Vec3::X * 3.0);
    assert_eq!(state(&world, ann).0, Mode::Powered);
    run(&mut world, 4.0);
    assert!(state(&world, ann).1.is_down(), "{:?}", state(&world, ann));
    world.restore(&sat).unwrap();
    world.command(Command::DestroyObject(bench)).unwrap();
    run(&mut world, 2.0);
    assert_eq!(state(&world, ann).0, Mode::Powered);
    assert!(bone(&world, ann, Bone::Pelvis).translation.y < 0.35, "nothing holds it up");
}

#[test]
fn it_lies_down_until_it_is_told_to_get_up() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.3);
    let (middle, head) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.0));
    let error = world.command(Command::LieDown { figure: ann, head }).unwrap_err().to_string();
    assert!(error.contains("'ann' cannot lie down there: it stands 0.00 m and 90° off its spot"), "{error}");
    let spot = lie_spot(&world, ann, middle, head).unwrap();
    world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
    run(&mut world, 0.3);
    world.command(Command::LieDown { figure: ann, head }).unwrap();
    run(&mut world, 5.0);
    assert!(stays(&world, ann, ActKind::Lie));
    let [pelvis, crown] = [Bone::Pelvis, Bone::Head].map(|of| bone(&world, ann, of).translation);
    assert!(pelvis.with_y(0.0).distance(middle) < 0.05 && pelvis.y < 0.2, "{pelvis}");
    assert!(crown.x > 2.4 && crown.z.abs() < 0.1, "{crown}");
    run(&mut world, 3.0);
    assert!(stays(&world, ann, ActKind::Lie), "nothing gets it up by itself");
    world.command(Command::GetUp(ann)).unwrap();
    run(&mut world, 4.0);
    assert_eq!(state(&world, ann), (Mode::Powered, Phase::Standing));
}

#[test]
fn a_world_restored_in_the_middle_of_an_act_goes_on_with_the_same_bits() {
    let (mut world, ann, _) = by_a_bench(Mode::Powered);
    world.command(sit(ann)).unwrap();
    run(&mut world, 0.7);
    let snapshot = world.snapshot();
    let on = |world: &mut World| {
        run(world, 2.0);
        world.command(Command::StandUp(ann)).unwrap();
        run(world, 1.0);
        world.step(&mut Nobody);
        world.sim_hash()
    };
    let first = on(&mut world);
    world.restore(&snapshot).unwrap();
    assert_eq!(on(&mut world), first);
}
