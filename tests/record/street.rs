//! The determinism contract, on the scene that is shipped, with its scripts.

use super::seal;
use crate::scene::in_repository;
use crate::script::{Program, Texts, shipped};
use simrun_scene::{Models, Overrides, Scene};
use simrun_script::Scripts;
use simrun_sim::record::{Recorder, Recording, Replay};
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, Hit, World};
use std::cell::RefCell;
use std::rc::Rc;

/// Steps of the street: twenty seconds.
const STEPS: u64 = 1200;
/// The step of a blow that somebody gives from outside.
const BLOW: u64 = 100;

struct Street {
    world: World,
    scripts: Scripts,
    impulse: f32,
    /// Of every step so far: a figure that heals comes back to the same bits in the end.
    hashes: u64,
}

impl Street {
    fn new(threads: usize) -> Self {
        let file = in_repository("scenes/street.json");
        let scene = Scene::read(&file).expect("the street reads");
        let texts = Rc::new(Texts::default());
        for (name, text) in shipped() {
            texts.write(&name, &text);
        }
        let mut scripts = Scripts::new(texts, Rc::new(RefCell::new(Program::default())), scene.seed).expect("a VM");
        let overrides = Overrides { threads: Some(threads), ..Overrides::default() };
        let mut world = scene.build(&file, &mut Models::beside(&file), &overrides).expect("the street builds");
        assert_eq!(scripts.start(&mut world, scene.script.as_deref()), []);
        Self { world, scripts, impulse: 150.0, hashes: 0 }
    }

    fn step(&mut self) {
        if self.world.step_index() == BLOW {
            let ann = self.world.find_figure("ann").expect("ann is in the street");
            self.world.command(Command::Hit(Hit::new(ann, Bone::Chest, Vec3::X * self.impulse))).expect("a good blow");
        }
        self.world.step(&mut self.scripts);
        self.hashes = self.hashes.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.world.last_hashes().all();
    }

    /// To the end; its hashes: the simulation's over all steps, and the scripts'.
    fn run(mut self) -> (u64, u64) {
        while self.world.step_index() < STEPS {
            self.step();
        }
        assert_eq!(self.scripts.problems(), []);
        (self.hashes, self.scripts.script_hash())
    }
}

#[test]
fn the_street_comes_to_the_same_bits_however_it_is_run() {
    let straight = Street::new(1).run();
    assert_eq!(Street::new(1).run(), straight, "twice");
    assert_eq!(Street::new(2).run(), straight, "on two threads");

    let roundabout = Street::new(1);
    roundabout.scripts.set_direct(false);
    assert_eq!(roundabout.run(), straight, "every call through the ordinary bindings");

    let mut louder = Street::new(1);
    // A single ulp may be rounded away where the blow is shared out among the bones.
    louder.impulse *= 1.000_001;
    assert_ne!(louder.run().0, straight.0, "a millionth more in one impulse");

    // Ten places without a pattern (a step of 127 through 1200), each a restore into another world and another VM.
    let mut stops: Vec<u64> = (1..=10).map(|stop| stop * 127 * 7 % STEPS).collect();
    stops.sort_unstable();
    let mut street = Street::new(1);
    for stop in stops {
        while street.world.step_index() < stop {
            street.step();
        }
        let (world, scripts) = (street.world.snapshot(), street.scripts.snapshot().expect("plain data"));
        street.world = World::hollow();
        street.world.restore(&world).expect("a snapshot of this build");
        street.scripts = street.scripts.rebuilt().expect("a VM");
        street.scripts.restore(&mut street.world, &scripts).expect("restored");
    }
    assert_eq!(street.run(), straight, "restored at ten steps");

    let mut street = Street::new(1);
    while street.world.step_index() < STEPS {
        if street.world.step_index().is_multiple_of(10) {
            let scripts = street.scripts.snapshot().expect("plain data");
            street.scripts = street.scripts.rebuilt().expect("a VM");
            street.scripts.restore(&mut street.world, &scripts).expect("restored");
        }
        street.step();
    }
    assert_eq!(street.run(), straight, "a new VM every ten steps");
}

#[test]
fn the_street_is_recorded_within_bounds_and_replayed_without_lua() {
    let mut street = Street::new(1);
    let mut recorder = Recorder::new(&mut street.world, "street", street.scripts.loaded_sources());
    let mut active = 0;
    while street.world.step_index() < STEPS {
        street.step();
        recorder.after_step(&mut street.world, street.scripts.script_hash());
        active += street.world.figures().filter(|figure| figure.claims.iter().next().is_some()).count();
    }
    recorder.end();
    let spent = recorder.spent();
    let minutes = STEPS as f64 / 3600.0;
    let (commands, claims) = (spent.commands as f64 / minutes, spent.claims as f64 / (active as f64 / 60.0));
    println!("{spent:?}: {commands:.0} B a minute of commands, {claims:.0} B a figure-second of claims");
    assert!(commands <= 5120.0, "{commands} bytes a minute of commands");
    assert!(claims <= 6144.0, "{claims} bytes a figure-second of claims");

    let bytes = recorder.take_bytes();
    assert_eq!(seal(&bytes), bytes);
    let recording = Recording::decode(&bytes).expect("a recording");
    let (mut world, mut replay) = Replay::new(&recording, 2).expect("of this build");
    while let Some(difference) = replay.step(&mut world).expect("a sound log") {
        assert_eq!(difference, None);
    }
    assert_eq!(world.sim_hash(), street.world.sim_hash());
}
