//! Reload as a transaction: everything is compiled and run before anything is swapped; otherwise the old goes on.

use crate::behaviour::Condition;
use crate::library::{Library, Script};
use crate::plain::{from_plain, to_plain};
use crate::problem::Problem;
use crate::scripts::Scripts;
use crate::shared::Caller;
use mlua::{Table, Value};
use simrun_sim::World;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a reload came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReloadOutcome {
    /// The new text runs.
    Swapped {
        /// Behaviours on figures that run it, counted a figure.
        figures: usize,
    },
    /// The old text goes on.
    Kept {
        /// One line with file and line.
        error: String,
    },
}

/// What takes the place of what, once all of it has gone well.
#[derive(Default)]
struct Swap {
    behaviours: BTreeMap<String, Rc<Script>>,
    scene: Option<Rc<Script>>,
    /// New states by index in the roster.
    states: BTreeMap<usize, Table>,
    scene_state: Option<Table>,
}

impl Scripts {
    /// Reads a script or a module again, and every script that requires it. Call it between steps. States stay; a script that
    /// returns `migrate` is given its old state and returns the new one.
    pub fn reload(&mut self, world: &mut World, name: &str) -> ReloadOutcome {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            let before = shared.library.borrow().clone();
            match self.prepare(name) {
                Ok(swap) => ReloadOutcome::Swapped { figures: self.commit(swap) },
                Err(problem) => {
                    *shared.library.borrow_mut() = before;
                    ReloadOutcome::Kept { error: problem.to_string() }
                }
            }
        })
    }

    fn prepare(&mut self, name: &str) -> Result<Swap, Problem> {
        let changed = {
            let mut library = self.shared.library.borrow_mut();
            let changed = library.dependants(library.paths(name));
            library.forget(&changed);
            changed
        };
        let affected = self.affected(&self.shared.library.borrow(), name, &changed);
        let mut swap = Swap::default();
        for affected in affected {
            match self.loader.script(&affected) {
                Ok(script) => {
                    swap.behaviours.insert(affected, script);
                }
                // One that never loaded is tried on every occasion; it is not what this reload is about.
                Err(_) if self.refused.contains(&affected) && affected != name => {}
                Err(problem) => return Err(problem),
            }
        }
        let scene = self.shared.library.borrow().scene.clone();
        if let Some(scene) = scene.filter(|scene| scene.name == name || changed.contains(&scene.path)) {
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
    fn affected(&self, library: &Library, name: &str, changed: &BTreeSet<String>) -> BTreeSet<String> {
        let loaded = library.behaviours.iter().filter(|(known, script)| *known == name || changed.contains(&script.path));
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

    fn commit(&mut self, swap: Swap) -> usize {
        let mut figures = 0;
        for (index, state) in swap.states {
            let instance = &mut self.roster[index];
            let Some(script) = swap.behaviours.get(&*instance.name) else { continue };
            instance.state = state;
            match instance.take(&self.loader.vm.lua, Rc::clone(script)) {
                Ok(faults) => self.problems.extend(faults.into_iter().map(|fault| Problem::new(&script.name, fault))),
                Err(error) => self.problems.push(Problem::raised(&script.name, &error)),
            }
            if instance.condition == Condition::Failed {
                instance.condition = if instance.started { Condition::Running } else { Condition::Fresh };
            }
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
