//! The script host: sandbox, API, behaviours, reload, prompt.

mod api;
mod bad;
mod behaviours;
mod direct;
mod interrupted;
mod interrupted_acts;
mod library;
mod names;
mod prompt;
mod reload;
mod sandbox;
mod shipped;
mod snapshot;
mod why;

use crate::support::model;
pub(crate) use shipped::shipped;
use simrun_script::{Eval, Host, Level, Scripts, Source, SourceError, Sources};
use simrun_sim::command::{Behaviour, FigureSpec, ObjectSpec};
use simrun_sim::motion::{Mode, MotionRecord};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Rigid, Vec3};
use simrun_sim::{Command, Model, Value, World, WorldSettings};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// Scripts in memory: behaviours under `scripts/`, modules beside them.
#[derive(Default)]
pub(crate) struct Texts(RefCell<BTreeMap<String, String>>);

impl Texts {
    pub(crate) fn write(&self, name: &str, text: &str) {
        self.0.borrow_mut().insert(name.to_owned(), text.to_owned());
    }

    fn read(&self, name: &str) -> Result<Source, SourceError> {
        let text = self.0.borrow().get(name).cloned().ok_or_else(|| SourceError(format!("there is no script '{name}'")))?;
        Ok(Source { path: format!("scripts/{name}.luau"), text })
    }
}

impl Sources for Texts {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        self.read(name)
    }
    fn module(&self, _: &str, request: &str) -> Result<Source, SourceError> {
        self.read(request.trim_start_matches("./"))
    }
    fn names(&self) -> Vec<String> {
        self.0.borrow().keys().cloned().collect()
    }
}

/// A program that remembers what it was told.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) lines: Vec<String>,
    paused: bool,
    speed: f64,
}

impl Host for Program {
    fn log(&mut self, _: Level, text: &str) {
        self.lines.push(text.to_owned());
    }
    fn pause(&mut self, on: bool) {
        self.paused = on;
    }
    fn paused(&self) -> bool {
        self.paused
    }
    fn set_speed(&mut self, x: f64) {
        self.speed = x;
    }
    fn speed(&self) -> f64 {
        self.speed
    }
    fn spawn_spec(&mut self, name: &str, record: &Value) -> Result<FigureSpec, String> {
        match record {
            Value::Map(fields) if fields.contains_key("model") => Ok(figure(name, &[])),
            _ => Err("record.model is missing".to_owned()),
        }
    }
    fn horde_spec(&mut self, name: &str, _: &Value) -> Result<simrun_sim::HordeSpec, String> {
        Ok(simrun_sim::HordeSpec::new(name, boxman(), "Walk", 20))
    }
    fn save(&mut self, _: &World, path: &str) -> Result<(), String> {
        self.lines.push(format!("saved {path}"));
        Ok(())
    }
    fn reload(&mut self) {}
    fn quit(&mut self) {}
}

fn boxman() -> Arc<Model> {
    static MODEL: OnceLock<Arc<Model>> = OnceLock::new();
    Arc::clone(MODEL.get_or_init(|| model(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/assets/boxman.glb"))))
}

/// A powered figure with behaviours, at the origin.
fn figure(name: &str, behaviours: &[&str]) -> FigureSpec {
    let behaviour = |script: &&str| Behaviour { script: (*script).to_owned(), params: BTreeMap::new() };
    FigureSpec {
        name: name.to_owned(),
        model: boxman(),
        position: Vec3::ZERO,
        yaw: 0.0,
        clip: None,
        root_motion: false,
        clip_time: 0.0,
        acts: Default::default(),
        motion: Some(MotionRecord { mode: Mode::Powered, ..MotionRecord::default() }),
        holds: None,
        behaviours: behaviours.iter().map(behaviour).collect(),
    }
}

/// A world, scripts in memory, and the host between them.
pub(crate) struct Stage {
    world: World,
    scripts: Scripts,
    texts: Rc<Texts>,
    program: Rc<RefCell<Program>>,
}

impl Stage {
    /// A world with a road and a kinematic car, without figures.
    fn new() -> Self {
        let texts = Rc::new(Texts::default());
        let program = Rc::new(RefCell::new(Program::default()));
        let scripts = Scripts::new(texts.clone(), program.clone(), 7).expect("the host starts");
        let mut world = World::new(WorldSettings::default());
        let object = |name: &str, size: Vec3, at: Vec3, kind: BodyKind| ObjectSpec {
            name: name.to_owned(),
            shape: Shape::Box(size),
            kind,
            pose: Rigid { translation: at, ..Rigid::IDENTITY },
            mass: 1.0,
            friction: 0.9,
            restitution: 0.0,
            grips: BTreeMap::new(),
            params: BTreeMap::from([("speed".to_owned(), Value::Number(7.0))]),
        };
        let road = object("road", Vec3::new(40.0, 0.5, 40.0), Vec3::new(0.0, -0.25, 0.0), BodyKind::Fixed);
        let car = object("car", Vec3::new(1.8, 1.4, 4.2), Vec3::new(0.0, 0.7, -30.0), BodyKind::Kinematic);
        for spec in [road, car] {
            let handle = world.reserve_object(&spec.name).expect("a free name");
            world.command(Command::AddObject { handle, spec: Box::new(spec) }).expect("a good object");
        }
        Self { world, scripts, texts, program }
    }

    /// The same with a figure named ann that has these behaviours, given as name and text.
    fn with(behaviours: &[(&str, &str)]) -> Self {
        let mut stage = Self::new();
        for (name, text) in behaviours {
            stage.texts.write(name, text);
        }
        let names: Vec<&str> = behaviours.iter().map(|(name, _)| *name).collect();
        stage.add("ann", &names);
        stage
    }

    fn add(&mut self, name: &str, behaviours: &[&str]) {
        let handle = self.world.reserve_figure(name).expect("a free name");
        let spec = Box::new(figure(name, behaviours));
        self.world.command(Command::Spawn { handle, spec }).expect("a good figure");
    }

    fn step(&mut self, steps: usize) {
        for _ in 0..steps {
            self.world.step(&mut self.scripts);
        }
    }

    /// What has gone wrong since the last call, a line each.
    fn problems(&mut self) -> Vec<String> {
        self.scripts.problems().iter().map(ToString::to_string).collect()
    }

    fn eval(&mut self, text: &str) -> Eval {
        self.scripts.eval(&mut self.world, text)
    }

    /// An expression's value as the prompt shows it.
    fn value(&mut self, text: &str) -> String {
        match self.eval(text) {
            Eval::Value(value) => value,
            other => panic!("{text}: {other:?}"),
        }
    }

    /// What the prompt says of a line that is wrong.
    fn error(&mut self, text: &str) -> String {
        match self.eval(text) {
            Eval::Error(error) => error,
            other => panic!("{text}: {other:?}"),
        }
    }

    /// What scripts have printed.
    fn printed(&self) -> Vec<String> {
        self.program.borrow().lines.clone()
    }
}
