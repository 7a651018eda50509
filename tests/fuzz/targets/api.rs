//! Calls of every function that scripts have, with arguments that nobody would give.

use super::{boxman, models, standing};
use simrun_scene::Models;
use simrun_script::{Eval, Host, Level, ScriptSnapshot, Scripts, Source, SourceError, Sources};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::world::Snapshot;
use simrun_sim::{Behaviour, Command, FigureSpec, ObjectSpec, Rigid, Value, World, WorldSettings};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::OnceLock;

/// Most calls of one run.
const CALLS: usize = 48;
/// Most steps among them, and one more at the end: a step takes longer than ten calls.
const STEPS: usize = 3;

/// What is given. `stale` is a figure that is gone, `gone` an object that is; `round` holds itself.
const ARGUMENTS: [&str; 48] = [
    "nil",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "0.5",
    "3",
    "7.9",
    "60",
    "1e9",
    "1e30",
    "1e308",
    "-1e308",
    "0/0",
    "1/0",
    "-1/0",
    "\"\"",
    "\"ann\"",
    "\"car\"",
    "\"chest\"",
    "\"nobody\"",
    "\"Idle\"",
    "\"Walk\"",
    "\"falling\"",
    "\"struck\"",
    "\"b\"",
    "\"p\"",
    "string.rep(\"x\", 2000)",
    "ann",
    "ben",
    "stale",
    "car",
    "gone",
    "{}",
    "{ 1, 2, 3 }",
    "{ ann, car }",
    "{ model = \"assets/boxman.glb\", motion = {}, behaviours = { \"b\" } }",
    "{ blend = 0/0, share = 1e9, priority = -1 }",
    "round",
    "vector.create(0, 0, 0)",
    "vector.create(0, 1, 0)",
    "vector.create(0, 0, 60)",
    "vector.create(0/0, 0, 0)",
    "vector.create(1e30, -1e30, 1/0)",
    "Bone.chest",
    "motion.POWERED",
    "function() end",
];

/// Functions that are not of the API, but replaced by it.
const FURTHER: [&str; 8] =
    ["require", "tostring", "string.format", "math.random", "math.log", "vector.angle", "pcall", "math.pow"];

/// Inputs that one VM serves: to make one takes longer than a hundred inputs.
const SERVED: usize = 500;

/// A stage, and what to go back to before each input.
struct Stage {
    world: World,
    scripts: Scripts,
    before: (Snapshot, ScriptSnapshot),
    served: usize,
}

thread_local! {
    static STAGE: RefCell<Option<Stage>> = const { RefCell::new(None) };
}

/// Runs bytes as calls and steps.
pub fn api(data: &[u8]) {
    STAGE.with_borrow_mut(|kept| {
        // Taken out: after a panic there is none.
        let mut stage = kept.take().filter(|stage| stage.served < SERVED).unwrap_or_else(Stage::new);
        stage.served += 1;
        stage.world.restore(&stage.before.0).expect("a snapshot of this world");
        stage.scripts.restore(&mut stage.world, &stage.before.1).expect("a snapshot of these scripts");
        run(data, &mut stage.world, &mut stage.scripts);
        *kept = Some(stage);
    });
}

impl Stage {
    fn new() -> Self {
        let (world, scripts) = stage();
        let before = (world.snapshot(), scripts.snapshot().expect("plain data"));
        Self { world, scripts, before, served: 0 }
    }
}

fn run(data: &[u8], world: &mut World, scripts: &mut Scripts) {
    let names = functions(world, scripts);
    let mut bytes = data.iter().copied().map(usize::from);
    let mut steps = 0;
    for _ in 0..CALLS {
        let Some(byte) = bytes.next() else { break };
        if byte < 24 && steps < STEPS {
            world.step(scripts);
            steps += 1;
            continue;
        }
        let name = &names[(byte * 256 + bytes.next().unwrap_or(0)) % names.len()];
        let count = bytes.next().unwrap_or(0) % 8;
        let args: Vec<&str> = (0..count).map(|_| ARGUMENTS[bytes.next().unwrap_or(0) % ARGUMENTS.len()]).collect();
        let line = format!("{name}({})", args.join(", "));
        if let Eval::Error(said) = scripts.eval(world, &line) {
            assert!(!said.is_empty() && !said.contains('\n'), "{line}: {said:?}");
        }
    }
    world.step(scripts);
    for problem in scripts.problems() {
        assert!(!problem.message.is_empty(), "{problem:?}");
    }
    for figure in world.figures() {
        assert!(figure.place.translation.is_finite(), "{} is at {}", figure.name, figure.place.translation);
    }
}

/// Every function that a line can call, as it is written.
fn functions(world: &World, scripts: &Scripts) -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let modules = ["motion.", "figure.", "physics.", "sim.", "scene.", "ann:"];
        let of = |module: &str| {
            let (_, found) = scripts.complete(world, module, module.len());
            found.into_iter().filter(|one| one.doc != "constant").map(|one| format!("{module}{}", one.text)).collect::<Vec<_>>()
        };
        let mut names: Vec<String> = modules.into_iter().flat_map(of).collect();
        names.extend(["print", "help", "params", "why"].iter().chain(&FURTHER).map(|name| (*name).to_owned()));
        assert!(names.len() > 100, "the API has more functions: {names:?}");
        names
    })
}

/// A road, a car, two figures, and the handles of two that are gone.
fn stage() -> (World, Scripts) {
    let mut world = World::new(WorldSettings { substeps: 2, ..WorldSettings::default() });
    for (name, size, y, kind) in [
        ("road", [40.0, 0.5, 40.0], -0.25, BodyKind::Fixed),
        ("car", [1.8, 1.4, 4.2], 0.7, BodyKind::Kinematic),
        ("crate", [0.5, 0.5, 0.5], 3.0, BodyKind::Dynamic),
        ("gone", [1.0, 1.0, 1.0], 9.0, BodyKind::Dynamic),
    ] {
        let handle = world.reserve_object(name).expect("a free name");
        let spec = ObjectSpec {
            name: name.to_owned(),
            shape: Shape::Box(size.into()),
            kind,
            pose: Rigid { translation: [0.0, y, if name == "road" { 0.0 } else { -4.0 }].into(), ..Rigid::IDENTITY },
            mass: 10.0,
            friction: 0.8,
            restitution: 0.0,
            grips: BTreeMap::new(),
            params: BTreeMap::from([("speed".to_owned(), Value::Number(7.0))]),
        };
        world.command(Command::AddObject { handle, spec: Box::new(spec) }).expect("a good object");
    }
    for (index, name) in ["ann", "ben", "stale"].into_iter().enumerate() {
        let handle = world.reserve_figure(name).expect("a free name");
        let behaviours = vec![Behaviour { script: "b".to_owned(), params: BTreeMap::new() }];
        let position = [index as f32, 0.0, 0.0].into();
        let spec = FigureSpec { position, behaviours, clip: Some("Idle".to_owned()), ..standing(name, boxman()) };
        world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect("a good figure");
    }
    let host = Rc::new(RefCell::new(Program(models())));
    let mut scripts = Scripts::new(Rc::new(Texts), host, 1).expect("the host starts");
    scripts.start(&mut world, None);
    for line in ["stale, gone = stale, gone", "scene.destroy(stale)", "scene.destroy(gone)", "round = {}; round.round = round"] {
        let said = scripts.eval(&mut world, line);
        assert!(matches!(said, Eval::Nothing | Eval::Value(_)), "{line}: {said:?}");
    }
    (world, scripts)
}

/// One behaviour.
struct Texts;

impl Sources for Texts {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        let text = "return { params = { p = { default = 1, min = 0, max = 2 } }, step = function(fig, state, dt, p) motion.bend(fig, Bone.head, vector.create(p.p, 0, 0)) end }";
        match name {
            "b" => Ok(Source { path: "scripts/b.luau".to_owned(), text: text.to_owned() }),
            _ => Err(SourceError(format!("there is no script '{name}'"))),
        }
    }
    fn module(&self, _: &str, request: &str) -> Result<Source, SourceError> {
        self.behaviour(request)
    }
    fn names(&self) -> Vec<String> {
        vec!["b".to_owned()]
    }
}

/// A program that makes figures and does nothing else.
struct Program(Models);

impl Host for Program {
    fn log(&mut self, _: Level, text: &str) {
        assert!(text.len() < 100_000, "a line is bounded");
    }
    fn spawn_spec(&mut self, name: &str, record: &Value) -> Result<FigureSpec, String> {
        simrun_scene::figure_from_value(name, record, &mut self.0).map(|(_, spec)| spec)
    }
    fn save(&mut self, _: &World, _: &str) -> Result<(), String> {
        Ok(())
    }
}
