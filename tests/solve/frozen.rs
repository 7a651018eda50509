//! A figure whose numbers go bad is frozen as it last was; everyone else goes on, to the bit.

use crate::support::{add_box, add_figure};
use simrun_sim::solve::BatchSolver;
use simrun_sim::solve::boundary::{
    BodyKind, BodyState, FigureInput, FigureOutput, Gap, Holds, ObjectDef, RayContact, Shape, Solver, Topology,
};
use simrun_sim::space::{Rigid, Vec3};
use simrun_sim::{Bone, Command, FigureHandle, Happening, Hit, Mode, Nobody, World, WorldSettings};

/// The figure solver, whose answer for one figure is not a number in one step.
#[derive(Debug)]
struct Poisoner {
    inner: BatchSolver,
    figure: u64,
    in_steps: u32,
}

impl Solver for Poisoner {
    fn step(&mut self, dt: f32, figures: &mut [(u64, &FigureInput, &mut FigureOutput)]) {
        self.inner.step(dt, figures);
        self.in_steps = self.in_steps.wrapping_sub(1);
        if self.in_steps == 0 {
            for (key, _, output) in figures {
                if *key == self.figure {
                    output.bodies[3].linear.y = f32::NAN;
                }
            }
        }
    }
    fn add_figure(&mut self, key: u64, topology: &Topology, poses: &[Rigid]) {
        // The last one in is the one.
        self.figure = key;
        self.inner.add_figure(key, topology, poses);
    }
    fn remove_figure(&mut self, key: u64) {
        self.inner.remove_figure(key);
    }
    fn add_object(&mut self, key: u64, object: &ObjectDef) {
        self.inner.add_object(key, object);
    }
    fn remove_object(&mut self, key: u64) {
        self.inner.remove_object(key);
    }
    fn place_object(&mut self, key: u64, pose: Rigid) {
        self.inner.place_object(key, pose);
    }
    fn move_object(&mut self, key: u64, linear: Vec3, angular: Vec3) {
        self.inner.move_object(key, linear, angular);
    }
    fn push_object(&mut self, key: u64, impulse: Vec3, point: Option<Vec3>) {
        self.inner.push_object(key, impulse, point);
    }
    fn object(&self, key: u64) -> Option<BodyState> {
        self.inner.object(key)
    }
    fn freeze(&mut self, key: u64, at: &[Rigid], frozen: bool) {
        self.inner.freeze(key, at, frozen);
    }
    fn save(&self) -> Vec<u8> {
        self.inner.save()
    }
    fn load(&mut self, bytes: &[u8], holds: Holds<'_>) -> Result<(), String> {
        self.inner.load(bytes, holds)
    }
    fn raycast(&self, from: Vec3, direction: Vec3, reach: f32, fixed_only: bool) -> Option<RayContact> {
        self.inner.raycast(from, direction, reach, fixed_only)
    }
    fn cast_down(&self, forms: &[(&Shape, Rigid)], reach: f32, but: Option<u64>) -> Option<(f32, u64)> {
        self.inner.cast_down(forms, reach, but)
    }

    fn gap(&self, figure: u64, object: u64, margin: f32) -> Option<Gap> {
        self.inner.gap(figure, object, margin)
    }
}

/// Two figures on a road, far from each other; the second goes bad in a step, if any.
fn pair(bad_in: u32) -> (World, [FigureHandle; 2]) {
    let settings = WorldSettings::default();
    let solver = Poisoner { inner: BatchSolver::new(settings.gravity), figure: 0, in_steps: bad_in };
    let mut world = World::with_solver(settings, Box::new(solver));
    add_box(&mut world, "road", Vec3::new(80.0, 1.0, 80.0), Vec3::new(0.0, -0.5, 0.0), BodyKind::Fixed, 0.0);
    let figures = ["ann", "ben"].map(|name| {
        let x = if name == "ann" { -3.0 } else { 3.0 };
        add_figure(&mut world, name, Vec3::new(x, 0.0, 0.0), Mode::Powered)
    });
    for figure in figures {
        world.command(Command::Hit(Hit::new(figure, Bone::Chest, Vec3::new(0.0, 0.0, 180.0)))).unwrap();
    }
    (world, figures)
}

fn bodies(world: &World, figure: FigureHandle) -> [BodyState; 12] {
    world.figure(figure).unwrap().body.unwrap().bodies
}

#[test]
fn the_others_go_on_to_the_bit() {
    let ((mut bad, [ann, ben]), (mut good, _)) = (pair(31), pair(0));
    for step in 1..=300 {
        let last = bodies(&bad, ben);
        bad.step(&mut Nobody);
        good.step(&mut Nobody);
        assert_eq!(bodies(&bad, ann), bodies(&good, ann), "step {step}");
        let told = bad.events().iter().filter(|event| event.what == Happening::Poisoned(ben)).count();
        assert_eq!(told, usize::from(step == 31));
        if step >= 31 {
            let now = bodies(&bad, ben);
            assert!((0..12).all(|bone| now[bone].pose == last[bone].pose), "frozen as it last was");
        }
    }
}

#[test]
fn set_mode_thaws_and_nothing_else_does() {
    let (mut world, [_, ben]) = pair(31);
    for _ in 0..60 {
        world.step(&mut Nobody);
    }
    let before = bodies(&world, ben);
    world.command(Command::Hit(Hit::new(ben, Bone::Chest, Vec3::X * 300.0))).unwrap();
    world.command(Command::SetStrength { figure: ben, strength: 0.5 }).unwrap();
    world.step(&mut Nobody);
    assert_eq!(bodies(&world, ben), before);
    assert!(world.figure(ben).unwrap().is_frozen());

    world.command(Command::SetMode { figure: ben, mode: Mode::Limp }).unwrap();
    let restored = world.snapshot();
    let mut hashes = [Vec::new(), Vec::new()];
    for hashes in &mut hashes {
        world.restore(&restored).unwrap();
        for _ in 0..120 {
            world.step(&mut Nobody);
            hashes.push(world.last_hashes());
        }
    }
    assert_eq!(hashes[0], hashes[1]);
    assert!(!world.figure(ben).unwrap().is_frozen());
    let dropped = before[0].pose.translation.y - bodies(&world, ben)[0].pose.translation.y;
    assert!(dropped > 0.3, "thawed limp it falls: {dropped} m");
}

#[test]
fn no_blow_that_is_let_in_loses_a_figure() {
    let (mut world, [ann, ben]) = pair(0);
    for step in 0..60 {
        let bone = Bone::ALL[step % 12];
        world.command(Command::Hit(Hit::new(ben, bone, Vec3::X * 1.0e6))).unwrap();
        world.step(&mut Nobody);
        assert!(bodies(&world, ben).iter().all(BodyState::is_sound), "step {step}");
    }
    assert!(!world.figure(ann).unwrap().is_frozen());
}

#[test]
fn an_object_beyond_all_measure_stays_where_it_was() {
    let (mut world, _) = pair(0);
    let ball = add_box(&mut world, "die", Vec3::splat(0.05), Vec3::new(0.0, 1.0, 9.0), BodyKind::Dynamic, 0.01);
    world.command(Command::Impulse { object: ball, impulse: Vec3::X * 1.0e6, point: None }).unwrap();
    world.step(&mut Nobody);
    assert!(world.events().iter().any(|event| event.what == Happening::ObjectPoisoned(ball)));
    let object = world.object(ball).unwrap();
    assert_eq!((object.pose.translation, object.linear), (Vec3::new(0.0, 1.0, 9.0), Vec3::ZERO));
}
