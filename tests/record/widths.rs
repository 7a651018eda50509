//! The same bits at every width, on any number of threads, restored anywhere, whoever stands beside.

use crate::support::{add_box, add_figure, shove};
use simrun_sim::solve::boundary::{BodyKind, Touched};
use simrun_sim::solve::{BatchSolver, Width};
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, FigureHandle, Mode, Nobody, World, WorldSettings};

const STEPS: usize = 240;

fn empty(width: Width, threads: usize) -> World {
    let settings = WorldSettings { threads, ..WorldSettings::default() };
    let solver = Box::new(BatchSolver::with_width(settings.gravity, width));
    let mut world = World::with_solver(settings, solver);
    add_box(&mut world, "road", Vec3::new(80.0, 1.0, 80.0), Vec3::new(0.0, -0.5, 0.0), BodyKind::Fixed, 0.0);
    world
}

/// Ann runs into ben, cleo lies under a crate that falls, a car comes for dan; eve and finn stand by themselves.
fn street(width: Width, threads: usize) -> World {
    let mut world = empty(width, threads);
    let mut figure = |name: &str, x: f32, z: f32, mode| add_figure(&mut world, name, Vec3::new(x, 0.0, z), mode);
    let ann = figure("ann", 0.0, 0.0, Mode::Powered);
    figure("ben", 0.15, 0.7, Mode::Powered);
    let cleo = figure("cleo", -6.0, 0.0, Mode::Limp);
    figure("dan", 6.0, 0.0, Mode::Powered);
    let eve = figure("eve", 6.0, -6.0, Mode::Powered);
    figure("finn", -6.0, -6.0, Mode::Animated);
    shove(&mut world, ann, Bone::Chest, Vec3::new(0.0, 0.0, 3.5));
    shove(&mut world, cleo, Bone::Head, Vec3::new(0.0, 0.0, 0.6));
    shove(&mut world, eve, Bone::Chest, Vec3::new(2.5, 0.0, 0.0));
    add_box(&mut world, "crate", Vec3::new(0.8, 0.5, 0.8), Vec3::new(-6.0, 6.0, 0.8), BodyKind::Dynamic, 30.0);
    let car = add_box(&mut world, "car", Vec3::new(1.8, 1.2, 4.0), Vec3::new(6.0, 0.75, -6.0), BodyKind::Kinematic, 0.0);
    world.command(Command::SetVelocity { object: car, linear: Vec3::Z * 5.0, angular: Vec3::ZERO }).expect("a good velocity");
    world
}

/// What every step comes to.
fn go_on(world: &mut World, steps: usize) -> Vec<u64> {
    let step = |_| {
        world.step(&mut Nobody);
        world.last_hashes().all()
    };
    (0..steps).map(step).collect()
}

/// How many things a figure touches, a bone at a time.
fn touched(world: &World, name: &str) -> usize {
    let handle = world.find_figure(name).expect(name);
    world.figure(handle).expect(name).solved.contacts.len()
}

#[test]
fn every_width_and_any_number_of_threads_come_to_the_same_bits() {
    let wanted = go_on(&mut street(Width::Scalar, 1), STEPS);
    for width in Width::available() {
        for threads in [1, 2] {
            let found = go_on(&mut street(width, threads), STEPS);
            let differs = found.iter().zip(&wanted).position(|(found, wanted)| found != wanted);
            assert_eq!(differs, None, "{} wide on {threads} threads", width.name());
        }
    }
}

#[test]
fn the_street_is_as_full_of_blows_as_it_says() {
    let mut world = street(Width::best(), 1);
    let (mut between, mut under, mut before_the_car) = (0, 0, 0);
    let keys = ["crate", "car"].map(|name| simrun_sim::id::key_of(world.find_object(name).expect(name)));
    for _ in 0..STEPS {
        world.step(&mut Nobody);
        let on = |name: &str, what: &dyn Fn(&Touched) -> bool| {
            let figure = world.figure(world.find_figure(name).expect(name)).expect(name);
            usize::from(figure.solved.contacts.iter().any(|contact| contact.impulse > 0.0 && what(&contact.other)))
        };
        let ann = simrun_sim::id::key_of(world.find_figure("ann").expect("ann"));
        between += on("ben", &|other| matches!(other, Touched::Figure(key, _) if *key == ann));
        under += on("cleo", &|other| *other == Touched::Object(keys[0]));
        before_the_car += on("dan", &|other| *other == Touched::Object(keys[1]));
    }
    assert!(between > 5 && under > 5 && before_the_car > 5, "{between} {under} {before_the_car} steps of contact");
    assert!(touched(&world, "cleo") > 3);
}

#[test]
fn restored_in_the_midst_of_blows_at_another_width_it_goes_on_with_the_same_bits() {
    let mut world = street(Width::best(), 1);
    let mut done = 0;
    for at in [12, 40, 66, 75, 110] {
        go_on(&mut world, at - done);
        done = at;
        let snapshot = world.snapshot();
        let mut straight = empty(Width::best(), 1);
        straight.restore(&snapshot).expect("restored");
        let wanted = go_on(&mut straight, 90);
        for (width, threads) in Width::available().into_iter().zip([1, 2, 1]) {
            let mut fresh = empty(width, threads);
            fresh.restore(&snapshot).expect("restored");
            assert_eq!(go_on(&mut fresh, 90), wanted, "restored at step {at}, {} wide", width.name());
        }
        // The run that was never restored, last: it goes on from here.
        assert_eq!(go_on(&mut world, 4), wanted[..4], "going on at step {at}");
        done += 4;
    }
}

#[test]
fn the_order_of_coming_in_changes_no_bit_of_those_who_do_not_touch() {
    let names = ["ann", "ben", "cleo", "dan", "eve"];
    let run = |order: &[usize]| {
        let mut world = empty(Width::best(), 1);
        let mut handles: Vec<(usize, FigureHandle)> = order
            .iter()
            .map(|index| {
                let at = Vec3::new(5.0 * *index as f32 - 10.0, 0.0, 0.0);
                (*index, add_figure(&mut world, names[*index], at, if index % 2 == 0 { Mode::Powered } else { Mode::Limp }))
            })
            .collect();
        handles.sort_by_key(|(index, _)| *index);
        for (index, handle) in &handles {
            shove(&mut world, *handle, Bone::Chest, Vec3::new(0.3, 0.0, 1.0 + 0.4 * *index as f32));
        }
        go_on(&mut world, STEPS);
        let bodies = |(_, handle): &(usize, FigureHandle)| world.figure(*handle).expect("alive").body.expect("a body");
        handles.iter().map(bodies).collect::<Vec<_>>()
    };
    let wanted = run(&[0, 1, 2, 3, 4]);
    assert_eq!(run(&[4, 2, 0, 3, 1]), wanted);
    assert_eq!(run(&[1, 4]), [wanted[1], wanted[4]]);
}
