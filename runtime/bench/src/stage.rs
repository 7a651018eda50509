//! Figures on level ground.

use simrun_sim::solve::boundary::{BodyKind, Shape, Solver};
use simrun_sim::solve::{Backend, BatchSolver, Width};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Behaviour, Command, Error, FigureSpec, Mode, Model, MotionRecord, ObjectSpec, Rigid, World, WorldSettings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What solves a crowd.
#[derive(Clone, Copy, Debug)]
pub enum Solving {
    /// Our own, so many side by side.
    Batch(Width),
    /// rapier's joints and contacts.
    Rapier,
}

impl Solving {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Batch(width) => width.name(),
            Self::Rapier => Backend::Rapier.name(),
        }
    }

    fn make(self, gravity: Vec3) -> Box<dyn Solver> {
        match self {
            Self::Batch(width) => Box::new(BatchSolver::with_width(gravity, width)),
            Self::Rapier => Backend::Rapier.make(gravity),
        }
    }
}

/// Figures in rows of eight, none of which ever sleeps.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a> {
    /// How many.
    pub count: usize,
    /// m from one to the next.
    pub spacing: f32,
    /// How they move.
    pub mode: Mode,
    /// What they play.
    pub clip: Option<&'a str>,
    /// What they carry.
    pub behaviours: &'a [&'a str],
    /// What solves them.
    pub solving: Solving,
    /// Sub-steps a step.
    pub substeps: usize,
    /// Threads of the world.
    pub threads: usize,
    /// Whether causes are kept for `why`.
    pub trace: bool,
}

impl Crowd<'_> {
    /// So many that bow.
    pub fn bowing(count: usize) -> Self {
        Self {
            count,
            spacing: 2.0,
            mode: Mode::Powered,
            clip: Some("Bow"),
            behaviours: &[],
            solving: Solving::Batch(Width::best()),
            substeps: WorldSettings::default().substeps,
            threads: 1,
            trace: true,
        }
    }

    /// A world of them.
    pub fn world(&self, model: &Arc<Model>) -> Result<World, Error> {
        let settings = WorldSettings {
            sleep: false,
            substeps: self.substeps,
            threads: self.threads,
            trace: self.trace,
            ..WorldSettings::default()
        };
        let solver = self.solving.make(settings.gravity);
        let mut world = World::with_solver(settings, solver);
        add_ground(&mut world)?;
        let carried = self.behaviours.iter().map(|script| Behaviour { script: (*script).to_owned(), params: BTreeMap::new() });
        let carried: Vec<Behaviour> = carried.collect();
        for index in 0..self.count {
            let spec = FigureSpec {
                position: Vec3::new((index % 8) as f32, 0.0, (index / 8) as f32) * self.spacing,
                clip: self.clip.map(str::to_owned),
                motion: Some(MotionRecord { mode: self.mode, ..MotionRecord::default() }),
                behaviours: carried.clone(),
                ..FigureSpec::new(&format!("figure {index:02}"), Arc::clone(model))
            };
            let handle = world.reserve_figure(&spec.name)?;
            world.command(Command::Spawn { handle, spec: Box::new(spec) })?;
        }
        Ok(world)
    }
}

fn add_ground(world: &mut World) -> Result<(), Error> {
    let ground = ObjectSpec {
        name: "ground".to_owned(),
        shape: Shape::Box(Vec3::new(200.0, 1.0, 200.0)),
        kind: BodyKind::Fixed,
        pose: Rigid::new(Quat::IDENTITY, Vec3::Y * -0.5),
        mass: 0.0,
        friction: 0.9,
        restitution: 0.0,
        grips: BTreeMap::new(),
        params: BTreeMap::new(),
    };
    let handle = world.reserve_object(&ground.name)?;
    world.command(Command::AddObject { handle, spec: Box::new(ground) })
}
