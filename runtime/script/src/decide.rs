//! The place in a step where scripts run: events, timers, the scene script, then every behaviour in (figure id, behaviour order).

use crate::behaviour::{Condition, Instance};
use crate::budget::{BEHAVIOUR, PROMPT};
use crate::event::{about, is_heard, to_value};
use crate::handle::Thing;
use crate::memory::ran_out;
use crate::plain::{from_plain, to_plain};
use crate::problem::Problem;
use crate::schedule::Target;
use crate::scripts::Scripts;
use crate::shared::Caller;
use mlua::{Function, IntoLuaMulti, MultiValue, Value as LuaValue};
use simrun_sim::{Decide, Event, World};
use std::rc::Rc;
use std::sync::Arc;

/// Steps between two looks at whether a state is still plain data: a second at 60 Hz.
const STATE_CHECK_STEPS: u64 = 60;

impl Decide for Scripts {
    fn decide(&mut self, world: &mut World) {
        let shared = self.shared.clone();
        shared.lend(world, || self.run_step());
    }
}

impl Scripts {
    fn run_step(&mut self) {
        self.shared.begin_step();
        self.follow_figures();
        let Ok((step, dt, events)) = self.shared.read().map(|world| {
            let heard = !self.shared.schedule.borrow().listeners.is_empty();
            (world.step_index(), f64::from(world.dt()), if heard { world.events().to_vec() } else { Vec::new() })
        }) else {
            return;
        };
        events.iter().for_each(|event| self.tell(event));
        self.run_timers(step);
        self.step_scene(dt);
        for index in 0..self.roster.len() {
            self.step_behaviour(index, step, dt);
        }
    }

    /// Calls Lua on behalf of someone, with a full budget.
    pub(crate) fn call(&self, caller: Caller, function: &Function, args: impl IntoLuaMulti) -> mlua::Result<LuaValue> {
        self.loader.vm.memory.before_call(&self.loader.vm.lua);
        self.shared.budget.fill(if caller == Caller::Prompt { PROMPT } else { BEHAVIOUR });
        let before = self.shared.caller.replace(caller);
        let result = function.call(args);
        self.shared.caller.replace(before);
        result
    }

    /// Brings the roster in line with the figures and their behaviours: nothing to do in almost every step.
    pub(crate) fn follow_figures(&mut self) {
        let mut wrong = Vec::new();
        let mut same = true;
        {
            let Ok(world) = self.shared.read() else { return };
            let mut roster = self.roster.iter_mut();
            for (figure, behaviour) in world.figures().flat_map(|figure| figure.behaviours.iter().map(move |one| (figure, one))) {
                match roster.next() {
                    Some(instance) if instance.is(figure.handle, behaviour) => {
                        let faults = instance.follow(figure, behaviour);
                        wrong.extend(faults.into_iter().map(|fault| Problem::new(&behaviour.script, fault).of(&figure.name)));
                    }
                    _ => {
                        same = false;
                        break;
                    }
                }
            }
            same &= roster.next().is_none();
        }
        self.problems.extend(wrong);
        if !same {
            self.rebuild_roster();
            self.follow_figures_once();
        }
    }

    /// After a rebuild, which leaves the roster in line.
    fn follow_figures_once(&mut self) {
        let mut wrong = Vec::new();
        if let Ok(world) = self.shared.read() {
            for instance in &mut self.roster {
                let Ok(figure) = world.figure(instance.figure) else { continue };
                let Some(behaviour) = figure.behaviours.iter().find(|one| *one.script == *instance.name) else { continue };
                let faults = instance.follow(figure, behaviour);
                wrong.extend(faults.into_iter().map(|fault| Problem::new(&behaviour.script, fault).of(&figure.name)));
            }
        }
        self.problems.extend(wrong);
    }

    fn rebuild_roster(&mut self) {
        let wanted: Vec<(simrun_sim::FigureHandle, simrun_sim::Behaviour)> = match self.shared.read() {
            Ok(world) => world
                .figures()
                .flat_map(|figure| figure.behaviours.iter().map(|behaviour| (figure.handle, behaviour.clone())))
                .collect(),
            Err(_) => return,
        };
        let mut before = std::mem::take(&mut self.roster);
        for (figure, behaviour) in wanted {
            if let Some(index) = before.iter().position(|instance| instance.is(figure, &behaviour)) {
                self.roster.push(before.swap_remove(index));
                continue;
            }
            match self.new_instance(figure, &behaviour.script) {
                Ok(instance) => self.roster.push(instance),
                Err(error) => self.problems.push(Problem::raised(&behaviour.script, &error)),
            }
        }
        for gone in before {
            self.shared.schedule.borrow_mut().forget(|caller| *caller == Caller::Behaviour(gone.figure, Arc::clone(&gone.name)));
        }
    }

    fn new_instance(&mut self, figure: simrun_sim::FigureHandle, name: &str) -> mlua::Result<Instance> {
        let lua = self.loader.vm.lua.clone();
        let mut instance = Instance::new(&lua, figure, name)?;
        if self.refused.contains(name) {
            instance.condition = Condition::Failed;
            return Ok(instance);
        }
        match self.loader.behaviour(name) {
            Ok(script) => {
                instance.take(&lua, script)?;
            }
            Err(problem) => {
                // Once a script, not once a figure that has it.
                self.refused.insert(name.to_owned());
                self.problems.push(problem);
                instance.condition = Condition::Failed;
            }
        }
        Ok(instance)
    }

    fn step_behaviour(&mut self, index: usize, step: u64, dt: f64) {
        let lua = self.loader.vm.lua.clone();
        let instance = &mut self.roster[index];
        let Some(script) = instance.script.clone() else { return };
        let caller = Caller::Behaviour(instance.figure, Arc::clone(&instance.name));
        let handle = Thing::Figure(instance.figure).pack();
        match (instance.condition, instance.wanted) {
            (Condition::Failed, _) | (Condition::Fresh | Condition::SwitchedOff, false) => return,
            (Condition::Running, false) => {
                instance.condition = Condition::SwitchedOff;
                let state = instance.state.clone();
                let stopped = script.stop.as_ref().map(|stop| self.call(caller, stop, (handle, state)));
                self.let_go(index);
                if let Some(Err(error)) = stopped {
                    self.fail(index, &error);
                }
                return;
            }
            // Switched on again it begins anew: what it was in the middle of is over.
            (Condition::SwitchedOff, true) => match lua.create_table() {
                Ok(state) => {
                    instance.state = state;
                    instance.condition = Condition::Fresh;
                }
                Err(error) => return self.fail(index, &error),
            },
            (Condition::Fresh | Condition::Running, true) => {}
        }
        let (state, params) = (self.roster[index].state.clone(), self.roster[index].params.clone());
        if self.roster[index].condition == Condition::Fresh {
            let started = script
                .start
                .as_ref()
                .map_or(Ok(LuaValue::Nil), |start| self.call(caller.clone(), start, (handle, &state, &params)));
            if let Err(error) = started.and_then(|_| plain_state(&state)) {
                return self.fail(index, &error);
            }
            let instance = &mut self.roster[index];
            (instance.condition, instance.started) = (Condition::Running, true);
        }
        let Some(function) = &script.step else { return };
        let mut result = self.call(caller, function, (handle, &state, dt, &params)).map(|_| ());
        if result.is_ok() && step.is_multiple_of(STATE_CHECK_STEPS) {
            result = plain_state(&state);
        }
        if let Err(error) = result {
            self.fail(index, &error);
        }
    }

    /// Switches a behaviour off for its figure and says so once; the figure goes on with the others.
    fn fail(&mut self, index: usize, error: &mlua::Error) {
        let instance = &mut self.roster[index];
        instance.condition = Condition::Failed;
        let name = self.shared.figure(instance.figure, |figure| figure.name.clone());
        let problem = Problem::raised(&instance.name, error);
        self.problems.push(name.map_or_else(|_| problem.clone(), |name| problem.clone().of(name)));
        self.let_go(index);
        if ran_out(error) {
            self.free_behaviour(index);
        }
    }

    /// Frees what a behaviour holds: its state, and where that is not enough its script, for all figures that have it.
    fn free_behaviour(&mut self, index: usize) {
        // A state is a script's own table: only one that the script has frozen does not clear.
        let _ = self.roster[index].state.clear();
        if self.loader.vm.memory.collect(&self.loader.vm.lua) {
            return;
        }
        let name = Arc::clone(&self.roster[index].name);
        for other in 0..self.roster.len() {
            if self.roster[other].name == name {
                self.let_go(other);
                let instance = &mut self.roster[other];
                (instance.condition, instance.script) = (Condition::Failed, None);
            }
        }
        self.shared.library.borrow_mut().behaviours.remove(&*name);
        // A reload tries it again.
        self.refused.insert(name.to_string());
        // The call under way still holds the script.
        self.loader.vm.memory.collect_before_next();
    }

    /// Releases a behaviour's claims and callbacks.
    fn let_go(&self, index: usize) {
        let instance = &self.roster[index];
        if let Ok(mut world) = self.shared.write() {
            // A figure that is gone has no claims left.
            let _ = world.release(instance.figure, &instance.name, None);
        }
        self.shared
            .schedule
            .borrow_mut()
            .forget(|caller| *caller == Caller::Behaviour(instance.figure, Arc::clone(&instance.name)));
    }

    /// Starts the scene script if it has not started, and steps it.
    pub(crate) fn step_scene(&mut self, dt: f64) {
        let Some(script) = self.shared.library.borrow().scene.clone() else { return };
        if self.scene.failed {
            return;
        }
        let (state, caller) = (self.scene.state.clone(), Caller::Scene(script.name.as_str().into()));
        if !self.scene.started {
            self.scene.started = true;
            let started = script.start.as_ref().map_or(Ok(LuaValue::Nil), |start| self.call(caller.clone(), start, &state));
            if let Err(error) = started.and_then(|_| plain_state(&state)) {
                return self.fail_scene(&script.name, &error);
            }
        }
        if dt > 0.0
            && let Some(step) = &script.step
            && let Err(error) = self.call(caller, step, (&state, dt))
        {
            self.fail_scene(&script.name, &error);
        }
    }

    fn fail_scene(&mut self, name: &str, error: &mlua::Error) {
        self.scene.failed = true;
        self.problems.push(Problem::raised(name, error));
        self.shared.schedule.borrow_mut().forget(|caller| matches!(caller, Caller::Scene(_)));
        if ran_out(error) {
            self.free_scene();
        }
    }

    /// Frees what the scene script holds: its state, and where that is not enough the script.
    fn free_scene(&self) {
        let vm = &self.loader.vm;
        let _ = self.scene.state.clear();
        if vm.memory.collect(&vm.lua) {
            return;
        }
        let mut library = self.shared.library.borrow_mut();
        if let (Some(scene), Ok(table)) = (&library.scene, vm.lua.create_table()) {
            // The name stays, so that a reload finds it.
            library.scene = Some(Rc::new(scene.emptied(table)));
        }
        vm.memory.collect_before_next();
    }

    fn tell(&mut self, event: &Event) {
        let listeners: Vec<_> =
            self.shared.schedule.borrow().listeners.iter().filter(|one| is_heard(&one.event, event)).cloned().collect();
        for listener in listeners {
            if let Caller::Behaviour(figure, _) = listener.caller
                && about(event) != figure
            {
                continue;
            }
            let value = from_plain(&self.loader.vm.lua, &to_value(event, self.dt()));
            self.call_back(&listener.caller, &listener.target, value.map(|value| vec![value]));
        }
    }

    fn dt(&self) -> f64 {
        self.shared.read().map_or(0.0, |world| f64::from(world.dt()))
    }

    fn run_timers(&mut self, step: u64) {
        let due = self.shared.schedule.borrow_mut().due(step);
        for timer in due {
            let args = timer.args.iter().map(|value| from_plain(&self.loader.vm.lua, value)).collect();
            self.call_back(&timer.caller, &timer.target, args);
        }
    }

    /// Calls what waited; whoever raises is off.
    fn call_back(&mut self, caller: &Caller, target: &Target, args: mlua::Result<Vec<LuaValue>>) {
        let mut with = MultiValue::new();
        let script = match caller {
            Caller::Prompt => None,
            Caller::Scene(_) => {
                with.push_back(LuaValue::Table(self.scene.state.clone()));
                self.shared.library.borrow().scene.clone()
            }
            Caller::Behaviour(figure, name) => {
                let running = |one: &&Instance| one.figure == *figure && one.name == *name && one.condition == Condition::Running;
                let Some(instance) = self.roster.iter().find(running) else { return };
                with.push_back(LuaValue::LightUserData(Thing::Figure(*figure).pack()));
                with.push_back(LuaValue::Table(instance.state.clone()));
                instance.script.clone()
            }
        };
        let function = match (target, script) {
            (Target::Closure(function), _) => Ok(function.clone()),
            (Target::Named(name), Some(script)) => script.function(name).map_err(mlua::Error::runtime),
            (Target::Named(_), None) => return,
        };
        let result = function.and_then(|function| {
            with.extend(args?);
            self.call(caller.clone(), &function, with)
        });
        let Err(error) = result else { return };
        match caller {
            Caller::Prompt => {
                self.problems.push(Problem::raised("prompt", &error));
                let mut schedule = self.shared.schedule.borrow_mut();
                schedule.listeners.retain(|one| !one.target.is(target));
                schedule.timers.retain(|one| !one.target.is(target));
                drop(schedule);
                if ran_out(&error) {
                    self.empty_prompt();
                }
            }
            Caller::Scene(name) => self.fail_scene(name, &error),
            Caller::Behaviour(figure, name) => {
                if let Some(index) = self.roster.iter().position(|one| one.figure == *figure && one.name == *name) {
                    self.fail(index, &error);
                }
            }
        }
    }
}

/// Refuses a state that is not plain data, by the key.
pub(crate) fn plain_state(state: &mlua::Table) -> mlua::Result<()> {
    to_plain(&LuaValue::Table(state.clone()), "state").map(|_| ()).map_err(mlua::Error::runtime)
}
