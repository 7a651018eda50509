//! All that scripts keep, as plain data: states, callbacks by name, random numbers. What a snapshot lacks, a script cannot have.
//!
//! Not in it: what a script's file keeps in variables of its own (its top level runs again when a snapshot is restored), the order in
//! which `pairs` walks a state's named keys, and whatever the prompt has defined.

use crate::behaviour::{Condition, Instance};
use crate::library::{Library, Reading};
use crate::plain::{from_plain, to_plain};
use crate::problem::{Problem, ScriptError, explain};
use crate::reload::Swap;
use crate::schedule::{Listener, Schedule, Target, Timer};
use crate::scripts::Scripts;
use crate::shared::Caller;
use mlua::{Table, Value as LuaValue};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use simrun_sim::{FigureHandle, Value, World};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The state of every script, between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptSnapshot {
    scene: SceneState,
    /// In (figure id, behaviour order).
    behaviours: Vec<BehaviourState>,
    listeners: Vec<(String, Caller, String)>,
    timers: Vec<TimerState>,
    last_timer: u64,
    random: Pcg64Mcg,
    /// Scripts that did not load.
    refused: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SceneState {
    /// The script's name, if the scene has one.
    script: Option<String>,
    state: Value,
    started: bool,
    failed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BehaviourState {
    figure: FigureHandle,
    name: String,
    condition: Condition,
    started: bool,
    state: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TimerState {
    id: u64,
    due: u64,
    every: Option<u64>,
    caller: Caller,
    function: String,
    args: Vec<Value>,
}

impl Scripts {
    /// Everything that scripts keep. Callbacks that are closures of the prompt are left out.
    ///
    /// # Errors
    /// A state that is not plain data, by its script and key.
    pub fn snapshot(&self) -> Result<ScriptSnapshot, ScriptError> {
        let (snapshot, fault) = self.capture(None);
        fault.map_or(Ok(snapshot), |fault| Err(ScriptError(fault)))
    }

    /// Hash of all that scripts keep. A state that is no plain data counts by its fault.
    #[must_use]
    pub fn script_hash(&self) -> u64 {
        let mut digest = simrun_sim::record::Digest::default();
        digest.bytes(&postcard::to_allocvec(&self.capture(None).0).unwrap_or_default());
        digest.finish()
    }

    /// A host with a VM of its own and the same texts, which have yet to be restored to something.
    ///
    /// # Errors
    /// The VM does not start: out of memory.
    pub fn rebuilt(&self) -> Result<Self, ScriptError> {
        let (sources, host) = (Rc::clone(&self.loader.sources), Rc::clone(&self.shared.host));
        let fresh = Self::new(sources, host, self.shared.seed())?;
        fresh.shared.library.borrow_mut().texts = self.shared.library.borrow().texts.clone();
        Ok(fresh)
    }

    /// Goes back to what a snapshot holds. Every script's top level runs again, from the text that was loaded last. Returns how many
    /// callbacks of the prompt were dropped.
    ///
    /// # Errors
    /// A script that does not load any more, or that has no memory left: nothing has changed.
    pub fn restore(&mut self, world: &mut World, snapshot: &ScriptSnapshot) -> Result<usize, ScriptError> {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            let before = shared.library.borrow().clone();
            let roster = self.load_again(snapshot, &before).and_then(|()| self.roster_of(snapshot));
            let scene = roster.and_then(|roster| Ok((roster, self.table(&snapshot.scene.state)?)));
            let (roster, state) = scene.inspect_err(|_| *shared.library.borrow_mut() = before)?;
            self.roster = roster;
            self.scene.state = state;
            (self.scene.started, self.scene.failed) = (snapshot.scene.started, snapshot.scene.failed);
            self.refused.clone_from(&snapshot.refused);
            self.problems.clear();
            *shared.random.borrow_mut() = snapshot.random.clone();
            let of_prompt = |target: &Target| matches!(target, Target::Closure(_));
            let old = shared.schedule.replace(schedule(snapshot));
            let listeners = old.listeners.iter().filter(|listener| of_prompt(&listener.target)).count();
            Ok(listeners + old.timers.iter().filter(|timer| of_prompt(&timer.target)).count())
        })
    }

    /// Runs the top level of every script that a snapshot names, from the texts that are known.
    fn load_again(&self, snapshot: &ScriptSnapshot, before: &Library) -> Result<(), ScriptError> {
        let library = Library::of(before.texts.clone());
        *self.shared.library.borrow_mut() = library;
        self.loader.reading(Reading::Known, || {
            if let Some(name) = &snapshot.scene.script {
                let script = self.loader.script(name).map_err(not_loaded)?;
                self.shared.library.borrow_mut().scene = Some(script);
            }
            for behaviour in &snapshot.behaviours {
                if !snapshot.refused.contains(&behaviour.name) {
                    self.loader.behaviour(&behaviour.name).map_err(not_loaded)?;
                }
            }
            Ok(())
        })
    }

    fn roster_of(&self, snapshot: &ScriptSnapshot) -> Result<Vec<Instance>, ScriptError> {
        let lua = &self.loader.vm.lua;
        let of = |kept: &BehaviourState| {
            let mut instance = Instance::new(lua, kept.figure, &kept.name).map_err(of_lua)?;
            if let Some(script) = self.shared.library.borrow().behaviours.get(&kept.name) {
                // What is wrong with a parameter was told when it was set.
                instance.take(lua, Rc::clone(script)).map_err(of_lua)?;
            }
            instance.state = self.table(&kept.state)?;
            (instance.condition, instance.started) = (kept.condition, kept.started);
            Ok(instance)
        };
        snapshot.behaviours.iter().map(of).collect()
    }

    fn table(&self, value: &Value) -> Result<Table, ScriptError> {
        match from_plain(&self.loader.vm.lua, value).map_err(of_lua)? {
            LuaValue::Table(table) => Ok(table),
            other => Err(ScriptError(format!("a state is a {}; accepted: a table", other.type_name()))),
        }
    }

    /// All there is, and the first state that is no plain data; in its place stands what is wrong with it.
    /// With a swap: as it would stand after that.
    pub(crate) fn capture(&self, swap: Option<&Swap>) -> (ScriptSnapshot, Option<String>) {
        let mut first = None;
        let mut plain = |table: &Table, name: &str| {
            to_plain(&LuaValue::Table(table.clone()), "state").unwrap_or_else(|fault| {
                first.get_or_insert_with(|| format!("{name}: {fault}"));
                Value::Text(fault)
            })
        };
        let library = self.shared.library.borrow();
        let script = library.scene.as_ref().map(|script| script.name.clone());
        let new_scene = swap.and_then(|swap| swap.scene_state.as_ref());
        let scene = SceneState {
            state: plain(new_scene.unwrap_or(&self.scene.state), script.as_deref().unwrap_or("the scene's script")),
            script,
            started: self.scene.started,
            failed: self.scene.failed && new_scene.is_none(),
        };
        let behaviours = self.roster.iter().enumerate().map(|(index, instance)| {
            let new = swap.and_then(|swap| swap.states.get(&index));
            BehaviourState {
                figure: instance.figure,
                name: instance.name.to_string(),
                condition: new.map_or(instance.condition, |_| instance.mended()),
                started: instance.started,
                state: plain(new.unwrap_or(&instance.state), &instance.name),
            }
        });
        let behaviours = behaviours.collect();
        let schedule = self.shared.schedule.borrow();
        let listeners = schedule
            .listeners
            .iter()
            .filter_map(|listener| Some((listener.event.clone(), listener.caller.clone(), listener.target.name()?.to_owned())));
        let timers = schedule.timers.iter().filter_map(|timer| {
            let function = timer.target.name()?.to_owned();
            let Timer { id, due, every, caller, args, .. } = timer.clone();
            Some(TimerState { id, due, every, caller, function, args })
        });
        let snapshot = ScriptSnapshot {
            scene,
            behaviours,
            listeners: listeners.collect(),
            timers: timers.collect(),
            last_timer: schedule.last_id(),
            random: self.shared.random.borrow().clone(),
            refused: self.refused.iter().filter(|name| !swap.is_some_and(|swap| swap.mends(name))).cloned().collect(),
        };
        (snapshot, first)
    }
}

fn schedule(snapshot: &ScriptSnapshot) -> Schedule {
    let listeners = snapshot.listeners.iter().cloned();
    let listeners = listeners.map(|(event, caller, name)| Listener { event, caller, target: Target::Named(name) });
    let timers = snapshot.timers.iter().cloned().map(|timer| {
        let TimerState { id, due, every, caller, function, args } = timer;
        Timer { id, due, every, caller, target: Target::Named(function), args }
    });
    Schedule::of(listeners.collect(), timers.collect(), snapshot.last_timer)
}

fn not_loaded(problem: Problem) -> ScriptError {
    ScriptError(problem.to_string())
}

fn of_lua(error: mlua::Error) -> ScriptError {
    ScriptError(explain(&error).1)
}
