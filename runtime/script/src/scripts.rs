//! [`Scripts`]: one VM, the scripts in it, and what they keep.

use crate::api;
use crate::behaviour::Instance;
use crate::budget::BEHAVIOUR;
use crate::host::Host;
use crate::library::{Loader, Script};
use crate::lint::{Finding, required, unknown_globals, unknown_members};
use crate::params::ParamDoc;
use crate::problem::{Problem, ScriptError, explain};
use crate::shared::Shared;
use crate::source::Sources;
use crate::vm::Vm;
use mlua::{Table, Value};
use simrun_sim::World;
use simrun_sim::record::ScriptSource;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the scene script keeps.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) state: Table,
    pub(crate) started: bool,
    pub(crate) failed: bool,
}

/// The script host of one world: owns the VM and every script's state.
pub struct Scripts {
    pub(crate) shared: Rc<Shared>,
    pub(crate) loader: Rc<Loader>,
    /// In (figure id, behaviour order).
    pub(crate) roster: Vec<Instance>,
    pub(crate) scene: Scene,
    /// Scripts that did not load, so that it is said once.
    pub(crate) refused: BTreeSet<String>,
    pub(crate) problems: Vec<Problem>,
    /// Globals of the prompt.
    pub(crate) prompt: Table,
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scripts {{ {} behaviours on figures }}", self.roster.len())
    }
}

impl Scripts {
    /// An empty host. `seed` begins the scripts' random numbers.
    ///
    /// # Errors
    /// The VM does not start: out of memory.
    pub fn new(sources: Rc<dyn Sources>, host: Rc<RefCell<dyn Host>>, seed: u64) -> Result<Self, ScriptError> {
        Self::build(sources, host, seed).map_err(|error| ScriptError(explain(&error).1))
    }

    fn build(sources: Rc<dyn Sources>, host: Rc<RefCell<dyn Host>>, seed: u64) -> mlua::Result<Self> {
        let shared = Rc::new(Shared::new(host, seed));
        let vm = Vm::new(&shared, &shared.budget, |lua| api::install(lua, &shared))?;
        let loader = Rc::new(Loader::new(vm, sources, Rc::clone(&shared)));
        let prompt = crate::eval::environment(&loader)?;
        let state = loader.vm.lua.create_table()?;
        Ok(Self {
            shared,
            loader,
            roster: Vec::new(),
            scene: Scene { state, started: false, failed: false },
            refused: BTreeSet::new(),
            problems: Vec::new(),
            prompt,
        })
    }

    /// Loads the scene script and the behaviours of all figures, and starts the scene script. Behaviours start in the first step.
    /// Returns what is wrong; everything else runs.
    pub fn start(&mut self, world: &mut World, scene_script: Option<&str>) -> Vec<Problem> {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            if let Some(name) = scene_script {
                match self.loader.script(name) {
                    Ok(script) => shared.library.borrow_mut().scene = Some(script),
                    Err(problem) => self.problems.push(problem),
                }
            }
            self.follow_figures();
            self.step_scene(0.0);
        });
        self.problems()
    }

    /// What has gone wrong since the last call. Each fault is told once: a behaviour that raises is off until it is reloaded.
    pub fn problems(&mut self) -> Vec<Problem> {
        let problems = std::mem::take(&mut self.problems);
        problems.into_iter().map(|problem| self.with_unknown(problem)).collect()
    }

    /// With the names of its line that stand for nothing, where it came of nil.
    fn with_unknown(&self, problem: Problem) -> Problem {
        let of_nil = problem.message.starts_with("attempt to") && problem.message.contains("nil");
        let Some((path, line)) = problem.at.as_ref().filter(|_| of_nil) else { return problem };
        let texts = self.loaded_texts();
        let unknown = texts.get(path).map(|text| self.unknown_globals(text)).unwrap_or_default();
        let here = unknown.into_iter().filter(|finding| finding.line == *line as usize);
        let told = here.map(|Finding { found, meant, .. }| {
            let meant = meant.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
            format!("; {found}{meant}")
        });
        Problem { message: problem.message.clone() + &told.collect::<String>(), ..problem }
    }

    /// The parameters that a script describes, by name. Loads it if it is not loaded.
    ///
    /// # Errors
    /// A script that does not load.
    pub fn described_params(&mut self, script: &str) -> Result<Vec<ParamDoc>, Problem> {
        Ok(self.known_or_loaded(script)?.params.clone())
    }

    /// What the text at a path asks of the modules that it requires and that they do not have, in its order. A module that does not load
    /// has what it is asked for: that is told with the script.
    #[must_use]
    pub fn unknown_members(&self, path: &str, text: &str) -> Vec<Finding> {
        let mut found = Vec::new();
        for (name, request) in required(text) {
            self.shared.budget.fill(BEHAVIOUR);
            // One that indexes otherwise than by its keys says itself what it has.
            let Ok(Value::Table(module)) = self.loader.module(path, request) else { continue };
            if module.metatable().is_none() {
                let known: Vec<String> = module.pairs::<String, Value>().flatten().map(|(key, _)| key).collect();
                found.extend(unknown_members(text, name, &known));
            }
        }
        found.sort_by_key(|finding| (finding.line, finding.column));
        found
    }

    /// What a text calls, or asks for a member, that it declares nowhere and that scripts do not have.
    #[must_use]
    pub fn unknown_globals(&self, text: &str) -> Vec<Finding> {
        let shared = self.loader.vm.base().pairs::<String, Value>().flatten().map(|(name, _)| name);
        unknown_globals(text, &shared.chain(["require".to_owned()]).collect())
    }

    /// That nothing of a script is ever run, neither start nor step nor stop: in words, where that is so.
    ///
    /// # Errors
    /// A script that does not load.
    pub fn idle(&mut self, script: &str) -> Result<Option<String>, Problem> {
        Ok(self.known_or_loaded(script)?.idle())
    }

    /// The behaviours that are loaded, by name, with the parameters that each describes.
    #[must_use]
    pub fn loaded_params(&self) -> Vec<(String, Vec<ParamDoc>)> {
        let library = self.shared.library.borrow();
        library.behaviours.iter().map(|(name, script)| (name.clone(), script.params.clone())).collect()
    }

    /// The script of a name; loads it if it is not loaded.
    pub(crate) fn known_or_loaded(&self, script: &str) -> Result<Rc<Script>, Problem> {
        let loaded: Option<Rc<Script>> = self.shared.library.borrow().script(script).cloned();
        loaded.map_or_else(|| self.loader.behaviour(script), Ok)
    }

    /// The texts that are loaded, scripts and modules, by path and hash: what a recording says it was made with.
    #[must_use]
    pub fn loaded_sources(&self) -> Vec<ScriptSource> {
        let library = self.shared.library.borrow();
        let mut sources: Vec<ScriptSource> = library
            .texts
            .all()
            .map(|source| {
                let mut digest = simrun_sim::record::Digest::default();
                digest.text(&source.text);
                ScriptSource { path: source.path.clone(), hash: digest.finish() }
            })
            .collect();
        sources.sort_by(|one, other| one.path.cmp(&other.path));
        sources.dedup();
        sources
    }

    /// Whether the calls that behaviours make most go to Luau directly, or all through the ordinary bindings: to compare the two.
    pub fn set_direct(&self, on: bool) {
        self.shared.direct.set(on);
    }

    /// Bytes that the VM holds, garbage that is not collected yet included.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.loader.vm.lua.used_memory()
    }

    /// Lets the VM collect garbage as it goes, or not: a bench counts it.
    pub fn collect_garbage(&self, on: bool) {
        let lua = &self.loader.vm.lua;
        if on {
            lua.gc_restart();
        } else {
            lua.gc_stop();
        }
    }
}
