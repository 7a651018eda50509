//! The prompt: a line of Luau in globals that last, and what it comes to.

use crate::api::{Entry, entries};
use crate::budget::PROMPT;
use crate::handle::Thing;
use crate::library::Loader;
use crate::lint::free_names;
use crate::memory::ran_out;
use crate::nearest::did_you_mean;
use crate::plain::from_plain;
use crate::pretty::pretty;
use crate::problem::explain;
use crate::request::{Callback, Line, Request};
use crate::scripts::Scripts;
use crate::shared::Caller;
use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLuaMulti, MultiValue, Table, Value};
use simrun_sim::World;
use std::rc::Rc;

/// What a line came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Eval {
    /// An expression's value, as a person reads it.
    Value(String),
    /// A statement, or an expression without a value.
    Nothing,
    /// The line goes on: ask for more and give it all again.
    Incomplete,
    /// One line.
    Error(String),
    /// The line waits: give what this came to to [`Scripts::answer`].
    Asks(Request),
}

/// Why a line does not run.
enum Unread {
    Incomplete,
    Wrong(mlua::Error),
}

/// The prompt's globals: its own, then the shared ones, then figures and objects by name.
pub(crate) fn environment(loader: &Rc<Loader>) -> mlua::Result<Table> {
    let lua = &loader.vm.lua;
    let environment = lua.create_table()?;
    environment.raw_set("require", loader.require("prompt".to_owned())?)?;
    let (base, shared) = (loader.vm.base().clone(), Rc::clone(&loader.shared));
    let find = lua.create_function(move |_, (_, name): (Value, String)| {
        let known: Value = base.raw_get(name.as_str())?;
        if !known.is_nil() {
            return Ok(known);
        }
        let Ok(world) = shared.read() else { return Ok(Value::Nil) };
        let figure = world.find_figure(&name).map(Thing::Figure);
        let thing = figure.or_else(|| world.find_object(&name).map(Thing::Object));
        Ok(thing.map_or(Value::Nil, |thing| Value::LightUserData(thing.pack())))
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", find)?;
    meta.raw_set("__metatable", false)?;
    environment.set_metatable(Some(meta))?;
    // Not marked safe: a line may change what an earlier line's function refers to.
    Ok(environment)
}

impl Scripts {
    /// Runs a line at the prompt, between steps: its commands apply at once.
    pub fn eval(&mut self, world: &mut World, text: &str) -> Eval {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || self.run_line(text))
    }

    /// Goes on with the line that asked last, with what came of it or why nothing did.
    pub fn answer(&mut self, world: &mut World, answer: Result<simrun_sim::Value, String>) -> Eval {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            let Some(line) = shared.asking.borrow().lines.last().cloned() else { return Eval::Nothing };
            let answer = match answer {
                Ok(value) => from_plain(&self.loader.vm.lua, &value).map(|value| (true, value)),
                Err(why) => self.loader.vm.lua.create_string(&why).map(|why| (false, Value::String(why))),
            };
            answer.map_or_else(|error| Eval::Error(self.failed(&error)), |answer| self.go_on(&line, answer))
        })
    }

    /// Calls a function of the prompt in a world of its own, between that world's steps. What it asks of scripts (timers, random
    /// numbers) is forgotten again.
    ///
    /// # Errors
    /// What it raises, in one line.
    pub fn issue(&mut self, world: &mut World, callback: &Callback, value: &simrun_sim::Value) -> Result<(), String> {
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            let kept = (shared.schedule.borrow().clone(), shared.random.borrow().clone());
            let value = from_plain(&self.loader.vm.lua, value);
            let called = value.and_then(|value| self.call(Caller::Prompt, &callback.0, value));
            (*shared.schedule.borrow_mut(), *shared.random.borrow_mut()) = kept;
            called.map(drop).map_err(|error| self.failed(&error))
        })
    }

    /// Whether a line has changed the world or what scripts keep, or may have, since the last call.
    pub fn take_touched(&self) -> bool {
        self.shared.take_touched()
    }

    fn run_line(&self, text: &str) -> Eval {
        self.loader.vm.memory.before_call(&self.loader.vm.lua);
        let function = match self.compile_line(text) {
            Ok(function) => function,
            Err(Unread::Incomplete) => return Eval::Incomplete,
            Err(Unread::Wrong(error)) => return Eval::Error(self.failed(&error)),
        };
        match self.loader.vm.lua.create_thread(function) {
            Ok(thread) => {
                let line = Line { thread, text: text.into() };
                self.shared.asking.borrow_mut().lines.push(line.clone());
                self.go_on(&line, ())
            }
            Err(error) => Eval::Error(self.failed(&error)),
        }
    }

    /// Runs a line until it ends or asks.
    fn go_on(&self, Line { thread, text }: &Line, with: impl IntoLuaMulti) -> Eval {
        self.shared.budget.fill(PROMPT);
        let before = self.shared.caller.replace(Caller::Prompt);
        let result = thread.resume::<MultiValue>(with);
        self.shared.caller.replace(before);
        if let Some(request) = self.shared.asking.borrow_mut().request.take()
            && thread.is_resumable()
        {
            return Eval::Asks(request);
        }
        self.shared.asking.borrow_mut().lines.pop();
        match result {
            Ok(_) if thread.is_resumable() => Eval::Error("the line yields, and nobody goes on with it".to_owned()),
            Ok(values) if values.is_empty() || values.iter().all(Value::is_nil) && text.contains('(') => Eval::Nothing,
            Ok(values) => Eval::Value(values.iter().map(|value| self.shown(value)).collect::<Vec<_>>().join("\t")),
            Err(error) => Eval::Error(self.failed(&error) + &self.unknown_names(&error, text)),
        }
    }

    /// After an error that nil was used: which names of the line stand for nothing, and what was probably meant.
    fn unknown_names(&self, error: &mlua::Error, text: &str) -> String {
        let (_, message) = explain(error);
        if !message.starts_with("attempt to") || !message.contains("nil") {
            return String::new();
        }
        let Ok(world) = self.shared.read() else { return String::new() };
        let known: Vec<String> = self.globals(&world).into_iter().map(|candidate| candidate.text).collect();
        let known = || known.iter().map(String::as_str);
        let unknown = free_names(text).into_iter().filter(|name| known().all(|one| one != *name));
        let paths: Vec<String> = entries().filter(|entry| !entry.module.is_empty()).map(Entry::path).collect();
        // A function that is left without its module.
        let homeless = |name: &str| paths.iter().find(|path| path.rsplit('.').next() == Some(name));
        let meant = |name: &str| match homeless(name) {
            Some(path) => format!("; did you mean '{path}'?"),
            None => did_you_mean(name, known()),
        };
        unknown.map(|name| format!("; there is no '{name}'{}", meant(name))).collect()
    }

    /// What a line failed with; out of memory, the prompt lets go of all it holds.
    fn failed(&self, error: &mlua::Error) -> String {
        let said = self.said(error);
        if !ran_out(error) {
            return said;
        }
        self.empty_prompt();
        format!("{said}; the prompt's variables and timers are gone")
    }

    /// Lets go of the prompt's variables, and of its callbacks: they hold variables too.
    pub(crate) fn empty_prompt(&self) {
        self.shared.schedule.borrow_mut().forget(|caller| *caller == Caller::Prompt);
        // Emptied rather than made anew, which memory may not be there for.
        let require = self.prompt.raw_get::<Value>("require");
        let emptied = self.prompt.clear();
        self.loader.vm.memory.collect(&self.loader.vm.lua);
        // Neither fails: the table is the prompt's own, and there is room again.
        let _ = emptied.and_then(|()| self.prompt.raw_set("require", require?));
    }

    /// As an expression first, so that `ann:lean()` shows its value; then as a statement.
    fn compile_line(&self, text: &str) -> Result<Function, Unread> {
        let goes_on = |error: &mlua::Error| matches!(error, mlua::Error::SyntaxError { incomplete_input: true, .. });
        let as_expression = match self.compile(&format!("return {text}")) {
            Ok(function) => return Ok(function),
            Err(error) => error,
        };
        self.compile(text)
            .map_err(|error| if goes_on(&as_expression) || goes_on(&error) { Unread::Incomplete } else { Unread::Wrong(error) })
    }

    fn compile(&self, text: &str) -> mlua::Result<Function> {
        let chunk = self.loader.vm.lua.load(text).set_name("=prompt").set_mode(ChunkMode::Text);
        chunk.set_environment(self.prompt.clone()).into_function()
    }

    /// Text of several lines, such as help, stands as it is; all else is quoted and bounded.
    fn shown(&self, value: &Value) -> String {
        match value {
            Value::String(text) if text.as_bytes().contains(&b'\n') => text.to_string_lossy(),
            other => pretty(&self.loader.vm.lua, &self.shared, other),
        }
    }

    /// An error as one line; the place is told only where it is not the line just typed.
    fn said(&self, error: &mlua::Error) -> String {
        match explain(error) {
            (Some((file, line)), message) if file != "prompt" => format!("{file}:{line}: {message}"),
            (_, message) => message,
        }
    }
}
