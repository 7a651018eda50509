//! What a line at the prompt asks of the program and waits for: to go back in time, to run futures.
//!
//! The world is lent to Lua while a line runs, so nothing of this can happen within it. The line is a coroutine: it stops at the call,
//! the program does what was asked, and the line goes on with the answer, in whatever world there is by then.

use crate::shared::{Caller, Fault, Shared};
use mlua::{Function, Lua, Table, Thread, Value as LuaValue};
use simrun_sim::Value;
use std::rc::Rc;

/// The most steps that one call or command takes, and the most that a future runs: an hour at 60 Hz.
pub const MOST_STEPS: u64 = 216_000;
/// The farthest that anybody asks to go back (s): a day, more than is kept.
pub const LONGEST_REWIND: f64 = 86_400.0;

/// A function of the prompt, for the program to call through [`Scripts::issue`](crate::Scripts::issue).
#[derive(Clone, Debug, PartialEq)]
pub struct Callback(pub(crate) Function);

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// So many steps, at once.
    Advance(u64),
    /// The whole state, kept under the number that is the answer.
    Snapshot,
    /// Back to what was kept under a number.
    Restore(u64),
    /// So many seconds back.
    Rewind(f64),
    /// A name for this moment.
    Mark(String),
    /// What has been since a mark, or since just before the last blow, once more with the scripts as they are now.
    Again(Option<String>),
    /// Futures side by side.
    Fork {
        /// What the function is given, one future each.
        values: Vec<Value>,
        /// Gives each its commands.
        each: Callback,
        /// How long they run (s).
        seconds: f64,
    },
    /// A future, counted from 1, becomes the present.
    Keep(u64),
}

/// The line that is running, and what it has just asked for.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// Innermost last: a line that takes steps may have others come due.
    pub(crate) lines: Vec<Line>,
    pub(crate) request: Option<Request>,
}

/// A line that is running.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) thread: Thread,
    /// As it was typed.
    pub(crate) text: Rc<str>,
}

/// Stops the running line for an answer to its request.
const ASK: &str = "local ask, yield, yieldable = ...
return function(...)
	ask(yieldable(), ...)
	local ok, answer = yield()
	if not ok then
		error(answer, 0)
	end
	return answer
end";

/// A function that asks the program: `ask` notes the request, then the line waits. What `ask` is given first is whether it can.
pub(crate) fn asking(lua: &Lua, ask: Function) -> mlua::Result<Function> {
    let coroutine: Table = lua.globals().raw_get("coroutine")?;
    let [pause, can]: [Function; 2] = [coroutine.raw_get("yield")?, coroutine.raw_get("isyieldable")?];
    lua.load(ASK).set_name("=prelude").call((ask, pause, can))
}

/// Notes a request of the running line.
///
/// # Errors
/// Whoever calls is no line of the prompt, or a coroutine within one.
pub(crate) fn note(lua: &Lua, shared: &Shared, request: Request) -> Result<LuaValue, Fault> {
    let mut asking = shared.asking.borrow_mut();
    if *shared.caller.borrow() != Caller::Prompt || asking.lines.last().is_none_or(|line| line.thread != lua.current_thread()) {
        return Err("for lines of the prompt: a script, a callback or a coroutine cannot wait for it".into());
    }
    asking.request = Some(request);
    Ok(LuaValue::Nil)
}
