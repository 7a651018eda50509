//! Reload as a transaction: everything is compiled, run and tried out before anything is swapped; otherwise the old goes on.

use crate::host::Unnoticed;
use crate::image::ScriptImage;
use crate::library::{Library, Reading, Script};
use crate::plain::{from_plain, to_plain};
use crate::problem::Problem;
use crate::scripts::Scripts;
use crate::shared::Caller;
use mlua::{Table, Value};
use simrun_sim::{Event, FigureHandle, Happening, World};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Steps that a candidate takes in a copy of the world before it is swapped in: enough for `start`, for what a timer of a tenth of a
/// second does, and for a state that grows wrong; a tenth of what a person takes to notice (at the street's 1 ms a step).
const TRIAL_STEPS: u64 = 10;

/// What a reload came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReloadOutcome {
    /// The new text runs.
    Swapped {
        /// Behaviours on figures that run it, counted a figure.
        figures: usize,
        /// Other scripts that were swapped with it, for they require it.
        dependants: Vec<String>,
    },
    /// It compiles, and nothing that is loaded uses it.
    Unused,
    /// The old text goes on.
    Kept {
        /// One line with file and line.
        error: String,
    },
}

/// What takes the place of what, once all of it has gone well.
#[derive(Default)]
pub(crate) struct Swap {
    behaviours: BTreeMap<String, Rc<Script>>,
    scene: Option<Rc<Script>>,
    /// New states by index in the roster.
    pub(crate) states: BTreeMap<usize, Table>,
    pub(crate) scene_state: Option<Table>,
}

impl Swap {
    /// Whether a script is loaded by it.
    pub(crate) fn mends(&self, name: &str) -> bool {
        self.behaviours.contains_key(name)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.behaviours.keys().map(String::as_str).chain(self.scene.iter().map(|scene| scene.name.as_str()))
    }
}

impl Scripts {
    /// Reads scripts or modules again, all in one, and every script that requires them. Call it between steps. What is new runs
    /// [`TRIAL_STEPS`] steps in a copy of the world first; where it raises there, runs away or drives a figure beyond all measure, the
    /// old goes on. States stay; a script that returns `migrate` is given its old state and returns the new one.
    pub fn reload(&mut self, world: &mut World, names: &[&str]) -> ReloadOutcome {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            let before = shared.library.borrow().clone();
            let outcome = self.swapped(names);
            outcome.unwrap_or_else(|problem| {
                *shared.library.borrow_mut() = before;
                ReloadOutcome::Kept { error: problem.to_string() }
            })
        })
    }

    fn swapped(&mut self, names: &[&str]) -> Result<ReloadOutcome, Problem> {
        let (paths, unloaded) = {
            let library = self.shared.library.borrow();
            let paths: BTreeSet<String> = names.iter().flat_map(|name| library.paths(name)).collect();
            (paths, self.refused.iter().flat_map(|name| library.paths(name)).collect::<BTreeSet<String>>())
        };
        let loader = Rc::clone(&self.loader);
        let swap = loader.reading(Reading::Only(&paths | &unloaded), || self.prepare(names, paths))?;
        if swap.behaviours.is_empty() && swap.scene.is_none() {
            for name in names {
                let source = self.loader.sources.behaviour(name).map_err(|error| Problem::new(name, error.0))?;
                self.loader.check(&source)?;
            }
            return Ok(ReloadOutcome::Unused);
        }
        self.try_out(&swap)?;
        let saved = swap.behaviours.iter().filter(|(name, _)| names.contains(&name.as_str()));
        if let Some((name, why)) = saved.filter_map(|(name, script)| Some((name, script.idle()?))).next() {
            return Err(Problem::new(name, why));
        }
        let dependants: BTreeSet<String> = swap.names().filter(|name| !names.contains(name)).map(str::to_owned).collect();
        let figures = self.commit(swap);
        Ok(ReloadOutcome::Swapped { figures, dependants: dependants.into_iter().collect() })
    }

    /// Lets what is to be swapped in run in a copy of the world and of all scripts.
    fn try_out(&self, swap: &Swap) -> Result<(), Problem> {
        let first = swap.names().next().unwrap_or_default();
        let failed = |why: String| Problem::new(first, why);
        let texts = Arc::clone(&self.shared.library.borrow().texts);
        let image = ScriptImage { texts, snapshot: self.capture(Some(swap)).0, seed: self.shared.seed() };
        let snapshot = self.shared.read().map_err(|fault| failed(fault.0))?.snapshot();
        let mut world = World::hollow();
        world.restore(&snapshot).map_err(|error| failed(error.to_string()))?;
        let host = Rc::new(RefCell::new(Unnoticed(Rc::clone(&self.shared.host))));
        let mut scripts = image.grow(host, &mut world).map_err(|error| failed(error.0))?;
        for step in 1..=TRIAL_STEPS {
            world.step(&mut scripts);
            if let Some(problem) = scripts.problems().into_iter().find(|problem| swap.names().any(|name| name == problem.script))
            {
                return Err(problem);
            }
            if let Some(figure) = world.events().iter().find_map(poisoned) {
                let name = world.figure(figure).map_or_else(|_| String::new(), |figure| format!(" '{}'", figure.name));
                return Err(failed(format!("in step {step} of its trial the figure{name} goes beyond all measure")));
            }
        }
        scripts.snapshot().map(drop).map_err(|error| failed(error.0))
    }

    /// Loads what these names mean and what requires these paths. Nothing is swapped yet.
    pub(crate) fn prepare(&mut self, names: &[&str], paths: BTreeSet<String>) -> Result<Swap, Problem> {
        let changed = {
            let mut library = self.shared.library.borrow_mut();
            let changed = library.dependants(paths);
            library.forget(&changed);
            changed
        };
        let affected = self.affected(&self.shared.library.borrow(), names, &changed);
        let mut swap = Swap::default();
        for affected in affected {
            match self.loader.script(&affected) {
                Ok(script) => {
                    swap.behaviours.insert(affected, script);
                }
                // One that never loaded is tried on every occasion; it is not what this reload is about.
                Err(_) if self.refused.contains(&affected) && !names.contains(&affected.as_str()) => {}
                Err(problem) => return Err(problem),
            }
        }
        let scene = self.shared.library.borrow().scene.clone();
        if let Some(scene) = scene.filter(|scene| names.contains(&scene.name.as_str()) || changed.contains(&scene.path)) {
            let script = self.loader.script(&scene.name)?;
            swap.scene_state = Some(self.carry(&self.scene.state, &script, Caller::Scene(script.name.as_str().into()))?);
            swap.scene = Some(script);
        }
        for (index, instance) in self.roster.iter().enumerate() {
            if let Some(script) = swap.behaviours.get(&*instance.name) {
                let caller = Caller::Behaviour(instance.figure, Rc::clone(script).name.as_str().into());
                swap.states.insert(index, self.carry(&instance.state, script, caller)?);
            }
        }
        Ok(swap)
    }

    /// The behaviours that read a changed file, and those that never loaded.
    fn affected(&self, library: &Library, names: &[&str], changed: &BTreeSet<String>) -> BTreeSet<String> {
        let is = |known: &str, script: &Script| names.contains(&known) || changed.contains(&script.path);
        let loaded = library.behaviours.iter().filter(|(known, script)| is(known, script));
        loaded.map(|(known, _)| known.clone()).chain(self.refused.iter().cloned()).collect()
    }

    /// A state for the new text: a copy, so that a fault leaves the old one whole.
    fn carry(&self, state: &Table, script: &Script, caller: Caller) -> Result<Table, Problem> {
        let raised = |error: mlua::Error| Problem::raised(&script.name, &error);
        let plain = to_plain(&Value::Table(state.clone()), "state").map_err(|fault| Problem::new(&script.name, fault))?;
        let copy = from_plain(&self.loader.vm.lua, &plain).map_err(raised)?;
        let carried = match &script.migrate {
            None => copy,
            Some(migrate) => self.call(caller, migrate, copy).map_err(raised)?,
        };
        let Value::Table(table) = carried else {
            return Err(Problem::new(&script.name, format!("migrate returns {}; accepted: a table", carried.type_name())));
        };
        to_plain(&Value::Table(table.clone()), "state").map_err(|fault| Problem::new(&script.name, fault))?;
        Ok(table)
    }

    pub(crate) fn commit(&mut self, swap: Swap) -> usize {
        let mut figures = 0;
        for (index, state) in swap.states {
            let instance = &mut self.roster[index];
            let Some(script) = swap.behaviours.get(&*instance.name) else { continue };
            instance.state = state;
            match instance.take(&self.loader.vm.lua, Rc::clone(script)) {
                Ok(faults) => self.problems.extend(faults.into_iter().map(|fault| Problem::new(&script.name, fault))),
                Err(error) => self.problems.push(Problem::raised(&script.name, &error)),
            }
            instance.condition = instance.mended();
            figures += 1;
        }
        self.refused.retain(|name| !swap.behaviours.contains_key(name));
        let mut library = self.shared.library.borrow_mut();
        library.behaviours.extend(swap.behaviours);
        if let Some(scene) = swap.scene {
            library.scene = Some(scene);
            self.scene.failed = false;
            self.scene.state = swap.scene_state.unwrap_or_else(|| self.scene.state.clone());
        }
        figures
    }
}

/// The figure whose numbers went bad.
fn poisoned(event: &Event) -> Option<FigureHandle> {
    if let Happening::Poisoned(figure) = event.what { Some(figure) } else { None }
}
