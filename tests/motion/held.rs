//! Things in hands: what takes them, what refuses, what they weigh, and what makes a figure let go.

use crate::support::{add_box, add_figure, road, run, shove};
use simrun_sim::acts::sit_spot;
use simrun_sim::keyed::palm;
use simrun_sim::motion::ActKind;
use simrun_sim::solve::boundary::{BodyKind, Shape, Touched};
use simrun_sim::space::Vec3;
use simrun_sim::{
    Bone, Command, FigureHandle, Holds, Mode, MotionRecord, Nobody, ObjectHandle, ObjectSpec, Phase, Rigid, World, WorldSettings,
};

const SEAT: Vec3 = Vec3::new(0.0, 0.45, 0.0);
const GRIP: Vec3 = Vec3::new(0.06, 0.0, 0.0);

fn cup(mass: f32, at: Vec3) -> ObjectSpec {
    ObjectSpec {
        name: "cup".to_owned(),
        shape: Shape::Cylinder { height: 0.1, radius: 0.04 },
        kind: BodyKind::Dynamic,
        pose: Rigid { translation: at, ..Rigid::IDENTITY },
        mass,
        friction: 0.9,
        restitution: 0.0,
        grips: [("handle".to_owned(), GRIP)].into(),
        params: Default::default(),
    }
}

fn add_cup(world: &mut World, mass: f32, at: Vec3) -> ObjectHandle {
    let handle = world.reserve_object("cup").unwrap();
    world.command(Command::AddObject { handle, spec: Box::new(cup(mass, at)) }).unwrap();
    handle
}

fn hold(figure: FigureHandle, item: ObjectHandle) -> Command {
    Command::Hold { figure, item, grips: [None, Some("handle".to_owned())] }
}

/// One who stands with a cup in its right hand.
fn with_a_cup(mode: Mode, mass: f32) -> (World, FigureHandle, ObjectHandle) {
    let mut world = road(WorldSettings { sleep: false, ..WorldSettings::default() });
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, mode);
    let cup = add_cup(&mut world, mass, Vec3::new(0.6, 0.05, 0.3));
    world.command(hold(ann, cup)).unwrap();
    run(&mut world, 0.5);
    (world, ann, cup)
}

/// One who sits on a bench with a cup in its right hand.
fn sat_with_a_cup() -> (World, FigureHandle, ObjectHandle) {
    let mut world = road(WorldSettings::default());
    add_box(&mut world, "bench", Vec3::new(2.0, SEAT.y, 0.4), SEAT * 0.5 - Vec3::Z * 0.15, BodyKind::Fixed, 0.0);
    let ann = add_figure(&mut world, "ann", Vec3::Z, Mode::Powered);
    let spot = sit_spot(&world, ann, SEAT, 0.0).unwrap();
    world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
    let cup = add_cup(&mut world, 0.3, SEAT + Vec3::new(-0.34, 0.051, 0.0));
    run(&mut world, 0.3);
    world.command(Command::Sit { figure: ann, seat: SEAT, facing: 0.0 }).unwrap();
    run(&mut world, 2.5);
    world.command(hold(ann, cup)).unwrap();
    run(&mut world, 3.0);
    (world, ann, cup)
}

/// How far the right palm is from the cup's grip, as drawn (m).
fn off_grip(world: &World, figure: FigureHandle, cup: ObjectHandle) -> f32 {
    let figure = world.figure(figure).unwrap();
    let ragdoll = figure.model.ragdoll.as_ref().unwrap();
    palm(ragdoll, &figure.drawn.bodies, 1).distance(world.object(cup).unwrap().pose.point(GRIP))
}

fn holds(world: &World, figure: FigureHandle) -> bool {
    world.figure(figure).unwrap().motion().unwrap().holds().is_some()
}

#[test]
fn what_is_held_weighs_on_the_feet_of_its_holder() {
    let load = |world: &mut World, ann: FigureHandle, cup: ObjectHandle| {
        let (mut borne, steps) = (0.0, 60);
        for _ in 0..steps {
            world.step(&mut Nobody);
            let contacts = &world.figure(ann).unwrap().solved.contacts;
            assert!(
                contacts.iter().all(|contact| contact.other != Touched::Object(simrun_sim::id::key_of(cup))),
                "its hand is in it"
            );
            borne += contacts.iter().map(|contact| contact.impulse * contact.normal.y).sum::<f32>();
        }
        borne
    };
    let borne = [0.1, 6.1].map(|mass| {
        let (mut world, ann, cup) = with_a_cup(Mode::Powered, mass);
        run(&mut world, 2.0);
        load(&mut world, ann, cup) / 9.81
    });
    assert!((borne[1] - borne[0] - 6.0).abs() < 0.1, "{borne:?} kg");
}

#[test]
fn it_is_in_the_hand_of_one_on_its_feet_whatever_drives_it() {
    for mode in [Mode::Powered, Mode::Animated] {
        let (mut world, ann, cup) = with_a_cup(mode, 0.3);
        for _ in 0..60 {
            world.step(&mut Nobody);
            assert!(off_grip(&world, ann, cup) < 0.001, "{}", off_grip(&world, ann, cup));
        }
        assert_eq!(world.holder(cup).map(|figure| figure.handle), Some(ann));
        let error = world.command(Command::Place { object: cup, pose: Rigid::IDENTITY }).unwrap_err().to_string();
        assert_eq!(error, "'ann' holds 'cup'; accepted: once it has let go");
        world.command(Command::LetGo(ann)).unwrap();
        run(&mut world, 1.0);
        assert!(world.object(cup).unwrap().pose.translation.y < 0.1 && !holds(&world, ann), "it lies on the ground");
    }
}

#[test]
fn who_falls_goes_limp_or_is_no_more_lets_go_of_it_as_it_moves() {
    type Ends = fn(&mut World, FigureHandle);
    let ends: [(&str, Ends); 3] = [
        ("falls", |world, ann| shove(world, ann, Bone::Chest, Vec3::X * 4.0)),
        ("limp", |world, ann| world.command(Command::SetMode { figure: ann, mode: Mode::Limp }).unwrap()),
        ("gone", |world, ann| world.command(Command::DestroyFigure(ann)).unwrap()),
    ];
    for (what, end) in ends {
        let (mut world, ann, cup) = with_a_cup(Mode::Powered, 0.3);
        let held = world.object(cup).unwrap().pose.translation.y;
        end(&mut world, ann);
        run(&mut world, 2.0);
        let at = world.object(cup).unwrap().pose.translation;
        assert!(world.holder(cup).is_none() && at.y < 0.3 && at.y < held - 0.3, "{what}: {at}");
    }
    let (mut world, ann, cup) = with_a_cup(Mode::Animated, 0.3);
    for _ in 0..10 {
        let place = world.figure(ann).unwrap().place.translation;
        world.command(Command::MoveTo { figure: ann, position: place + Vec3::Z * 0.02, yaw: None }).unwrap();
        world.step(&mut Nobody);
    }
    world.command(Command::LetGo(ann)).unwrap();
    world.step(&mut Nobody);
    let speed = world.object(cup).unwrap().linear.z;
    assert!((1.0..1.3).contains(&speed), "{speed} m/s: it flies on as the hand went");
}

#[test]
fn a_sip_brings_the_cup_to_the_mouth_and_standing_up_puts_it_down_first() {
    let (mut world, ann, cup) = sat_with_a_cup();
    world.command(Command::Drink(ann)).unwrap();
    let mut highest: f32 = 0.0;
    for _ in 0..300 {
        world.step(&mut Nobody);
        assert!(off_grip(&world, ann, cup) < 0.01, "{}", off_grip(&world, ann, cup));
        highest = highest.max(world.object(cup).unwrap().pose.translation.y);
    }
    assert!(highest > 1.0, "{highest}");
    assert_eq!(world.command(Command::StandUp(ann)), Ok(()));
    run(&mut world, 6.0);
    let figure = world.figure(ann).unwrap();
    assert_eq!((figure.mode(), figure.phase()), (Mode::Powered, Phase::Standing));
    assert!(!holds(&world, ann));
    let lies = world.object(cup).unwrap().pose.translation;
    assert!((lies.y - SEAT.y - 0.05).abs() < 0.01, "{lies}: it stands on the bench");
}

#[test]
fn who_leaves_its_seat_otherwise_than_it_was_told_to_stays_on_the_next_one() {
    let (mut world, ann, _) = sat_with_a_cup();
    world.command(Command::StandUp(ann)).unwrap();
    run(&mut world, 0.2);
    assert!(holds(&world, ann), "it is not put down yet");
    world.command(Command::SetMode { figure: ann, mode: Mode::Animated }).unwrap();
    let spot = sit_spot(&world, ann, SEAT, 0.0).unwrap();
    world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
    run(&mut world, 1.0);
    world.command(Command::Sit { figure: ann, seat: SEAT, facing: 0.0 }).unwrap();
    run(&mut world, 8.0);
    assert!(holds(&world, ann) && world.figure(ann).unwrap().motion().unwrap().stays(ActKind::Sit));
}

#[test]
fn who_is_struck_while_it_drinks_drops_the_cup() {
    let (mut world, ann, cup) = sat_with_a_cup();
    world.command(Command::Drink(ann)).unwrap();
    run(&mut world, 1.0);
    shove(&mut world, ann, Bone::Chest, Vec3::X * 3.0);
    run(&mut world, 3.0);
    assert!(!holds(&world, ann));
    assert!(world.object(cup).unwrap().pose.translation.y < 0.3);
}

#[test]
fn what_is_taken_out_of_hands_leaves_them_free() {
    let (mut world, ann, cup) = sat_with_a_cup();
    world.command(Command::Drink(ann)).unwrap();
    run(&mut world, 1.0);
    world.command(Command::DestroyObject(cup)).unwrap();
    run(&mut world, 2.0);
    let motion = world.figure(ann).unwrap().motion().unwrap();
    assert!(motion.holding.is_none() && motion.stays(ActKind::Sit));
    world.command(Command::StandUp(ann)).unwrap();
    run(&mut world, 3.0);
    assert_eq!(world.figure(ann).unwrap().mode(), Mode::Powered);
}

#[test]
fn what_cannot_be_held_is_refused_with_why() {
    let (mut world, ann, cup) = sat_with_a_cup();
    let mut refused = |command: Command, why: &str| {
        let error = world.command(command).unwrap_err().to_string();
        assert_eq!(error, why);
    };
    refused(hold(ann, cup), "'ann' cannot hold 'cup': it has something in its hands; accepted: let_go first");
    refused(Command::LetGo(FigureHandle::default()), "the figure 'FigureHandle(null)' is gone");
    world.command(Command::Drink(ann)).unwrap();
    let error = |world: &mut World, command: Command| world.command(command).unwrap_err().to_string();
    assert_eq!(error(&mut world, Command::Eat(ann)), "'ann' cannot eat: it is at a sip");
    let ben = add_figure(&mut world, "ben", Vec3::new(0.8, 0.0, 1.0), Mode::Powered);
    run(&mut world, 0.2);
    assert_eq!(error(&mut world, hold(ben, cup)), "'ben' cannot hold 'cup': 'ann' has it");
    assert_eq!(error(&mut world, Command::Drink(ben)), "'ben' cannot drink: it holds nothing");
    let bench = world.find_object("bench").unwrap();
    assert!(error(&mut world, hold(ben, bench)).contains("accepted: a dynamic box, sphere, capsule or cylinder"));
    world.command(Command::LetGo(ann)).unwrap();
    run(&mut world, 2.0);
    let wrong = Command::Hold { figure: ben, item: cup, grips: [Some("handel".to_owned()), None] };
    assert_eq!(error(&mut world, wrong), "'cup' has no grip 'handel'; it has: handle");
    let none = Command::Hold { figure: ben, item: cup, grips: [None, None] };
    assert!(error(&mut world, none).contains("no grip is said"));
    // Before her left hip, which the right arm is long enough for.
    let at = world.figure(ann).unwrap().bone(Bone::Pelvis).translation + Vec3::new(0.08, 0.05, 0.15);
    world.command(Command::Place { object: cup, pose: Rigid { translation: at, ..Rigid::IDENTITY } }).unwrap();
    assert_eq!(
        error(&mut world, hold(ann, cup)),
        "'ann' cannot hold 'cup': its grip is across its body; accepted: one on its hand's side"
    );
    world
        .command(Command::Place { object: cup, pose: Rigid { translation: Vec3::new(4.0, 0.1, 0.0), ..Rigid::IDENTITY } })
        .unwrap();
    assert!(error(&mut world, hold(ann, cup)).contains("m from the shoulder; accepted: 0."));
    assert!(error(&mut world, hold(ben, cup)).contains("m off; accepted: 1.5 m at most"));
}

#[test]
fn a_figure_can_be_made_with_something_in_its_hand_and_sit_down_with_it() {
    let mut world = road(WorldSettings::default());
    add_box(&mut world, "bench", Vec3::new(2.0, SEAT.y, 0.4), SEAT * 0.5 - Vec3::Z * 0.15, BodyKind::Fixed, 0.0);
    let cup = add_cup(&mut world, 0.3, Vec3::new(5.0, 0.05, 5.0));
    let ann = world.reserve_figure("ann").unwrap();
    let holds_a = |item: &str| Some(Holds { item: item.to_owned(), grips: [None, Some("handle".to_owned())] });
    let spec = |item: &str| simrun_sim::FigureSpec {
        motion: Some(MotionRecord { mode: Mode::Powered, ..MotionRecord::default() }),
        holds: holds_a(item),
        ..simrun_sim::FigureSpec::new("ann", crate::support::boxman())
    };
    let error = world.command(Command::Spawn { handle: ann, spec: Box::new(spec("jug")) }).unwrap_err().to_string();
    assert!(error.starts_with("there is no object 'jug'; there is: "), "{error}");
    world.command(Command::Spawn { handle: ann, spec: Box::new(spec("cup")) }).unwrap();
    let spot = sit_spot(&world, ann, SEAT, 0.0).unwrap();
    world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
    run(&mut world, 0.3);
    world.command(Command::Sit { figure: ann, seat: SEAT, facing: 0.0 }).unwrap();
    for _ in 0..300 {
        world.step(&mut Nobody);
        assert!(off_grip(&world, ann, cup) < 0.005, "{}", off_grip(&world, ann, cup));
    }
    assert!(world.figure(ann).unwrap().motion().unwrap().stays(ActKind::Sit));
    world.command(Command::Drink(ann)).unwrap();
}

#[test]
fn a_world_restored_in_the_middle_of_a_sip_goes_on_with_the_same_bits() {
    let (mut world, ann, _) = sat_with_a_cup();
    world.command(Command::Drink(ann)).unwrap();
    run(&mut world, 0.7);
    let snapshot = world.snapshot();
    let on = |world: &mut World| {
        run(world, 3.0);
        world.command(Command::StandUp(ann)).unwrap();
        run(world, 5.0);
        world.sim_hash()
    };
    let first = on(&mut world);
    world.restore(&snapshot).unwrap();
    assert_eq!(on(&mut world), first);
}
