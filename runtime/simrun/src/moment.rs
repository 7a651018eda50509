//! A moment: everything there is between two steps, and what goes on from it apart from the present.

use crate::past::Past;
use simrun_measure::outcome::{Outcome, OutcomeWatch};
use simrun_scene::Models;
use simrun_script::{Host, Level, ScriptImage, Scripts};
use simrun_sim::record::Entry;
use simrun_sim::{FigureSpec, Rigid, Value, World, world::Snapshot};
use std::cell::RefCell;
use std::rc::Rc;

/// World and scripts between two steps, as plain data: it may go to another thread.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The world.
    pub world: Snapshot,
    /// The scripts.
    pub scripts: ScriptImage,
}

impl Moment {
    /// The present one.
    pub fn of(world: &World, scripts: &Scripts) -> Self {
        Self { world: world.snapshot(), scripts: scripts.image() }
    }

    /// The step that comes next.
    pub fn step(&self) -> u64 {
        self.world.step_index()
    }

    /// Bytes that it holds; models and texts are shared.
    pub fn size(&self) -> usize {
        self.world.size() + self.scripts.size()
    }
}

/// A run apart from the present: a world and a VM of its own, of which nobody hears.
#[derive(Debug)]
pub struct Branch {
    world: World,
    scripts: Scripts,
    /// What has been in it, where somebody wants to go on from there, and what was asked before its first step.
    past: Option<(Past, Vec<Entry>)>,
}

impl Branch {
    /// Goes on from a moment; what its scripts spawn wears these models.
    ///
    /// # Errors
    /// A moment whose scripts do not load any more, in one line.
    pub fn of(moment: &Moment, models: Models) -> Result<Self, String> {
        let mut world = World::hollow();
        world.restore(&moment.world).map_err(|error| error.to_string())?;
        let host = Rc::new(RefCell::new(Unheard(models)));
        let scripts = moment.scripts.grow(host, &mut world).map_err(|error| error.to_string())?;
        Ok(Self { world, scripts, past: None })
    }

    /// One that keeps what has been, for going on from its end; this had been asked before its first step.
    pub fn keeping(self, past: Past, asked: Vec<Entry>) -> Self {
        Self { past: Some((past, asked)), ..self }
    }

    /// Takes a step.
    pub fn step(&mut self) {
        if let Some((past, asked)) = &mut self.past {
            past.before_step(&self.world, &self.scripts, &std::mem::take(asked));
        }
        self.world.step(&mut self.scripts);
        if let Some((past, _)) = &mut self.past {
            past.after_step(&self.world);
        }
    }

    /// Steps until that step is the next.
    pub fn run_to(&mut self, step: u64) {
        while self.world.step_index() < step {
            self.step();
        }
    }

    /// Steps until that step is the next, asks what was asked, and looks on; `look` sees the world after each step too.
    pub fn watched_to(&mut self, step: u64, asked: &[(u64, Vec<Entry>)], mut look: impl FnMut(&World)) -> Watched {
        let mut watch = OutcomeWatch::new(&self.world);
        while self.world.step_index() < step {
            ask(&mut self.world, asked);
            self.step();
            watch.after_step(&self.world);
            look(&self.world);
        }
        let error = self.scripts.problems().first().map(ToString::to_string);
        Watched { outcomes: watch.outcomes(&self.world), hash: self.world.sim_hash(), error }
    }

    /// Where it stands.
    pub fn moment(&self) -> Moment {
        Moment::of(&self.world, &self.scripts)
    }

    /// What has been, where that was kept.
    pub fn into_past(self) -> Option<Past> {
        self.past.map(|(past, _)| past)
    }
}

/// Asks of a world what was asked before the step that comes next. What can no longer be asked is counted.
pub fn ask(world: &mut World, asked: &[(u64, Vec<Entry>)]) -> usize {
    let step = world.step_index();
    let now = asked.iter().filter(|(at, _)| *at == step).flat_map(|(_, entries)| entries);
    // It names what this run does not have.
    now.filter(|entry| entry.asked.apply(world).is_err()).count()
}

/// What came of a run that was looked at.
#[derive(Clone, Debug)]
pub struct Watched {
    /// What became of each figure.
    pub outcomes: Vec<Outcome>,
    /// Of the simulation at its end.
    pub hash: u64,
    /// What went wrong first in its scripts.
    pub error: Option<String>,
}

/// What is shown between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The step that comes next.
    pub step: u64,
    /// Every figure's name and the world's poses of its bones, in the order of `Bone::ALL`.
    pub figures: Vec<(String, Vec<Rigid>)>,
}

impl Frame {
    /// Of a world as it stands.
    pub fn of(world: &World) -> Self {
        let figures = world.figures().map(|figure| (figure.name.clone(), figure.drawn.bodies.to_vec()));
        Self { step: world.step_index(), figures: figures.collect() }
    }
}

/// A program that nobody hears: a branch prints, writes, pauses and ends nothing.
#[derive(Debug)]
struct Unheard(Models);

impl Host for Unheard {
    fn log(&mut self, _: Level, _: &str) {}

    fn spawn_spec(&mut self, name: &str, record: &Value) -> Result<FigureSpec, String> {
        simrun_scene::figure_from_value(name, record, &mut self.0).map(|(_, spec)| spec)
    }

    fn save(&mut self, _: &World, _: &str) -> Result<(), String> {
        Ok(())
    }
}
