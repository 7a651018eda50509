//! Functions without a module: `help`, `print`, `params`, `why`.

use super::registry::{Entry, FIGURE, THING, p};
use crate::describe;
use crate::help;
use crate::pretty::pretty;
use crate::shared::{Fault, Shared};
use mlua::{Lua, Value};
use simrun_sim::FigureHandle;

fn print(lua: &Lua, shared: &Shared, args: &[Value]) -> Result<Value, Fault> {
    let words: Vec<String> = args
        .iter()
        .map(|value| match value {
            Value::String(text) => text.to_string_lossy(),
            other => pretty(lua, shared, other),
        })
        .collect();
    shared.print(&words.join(" "));
    Ok(Value::Nil)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "",
        name: "help",
        params: &[p("about?", "function or text", "motion.hit, \"motion.hit\", \"motion\"")],
        returns: "text",
        doc: "What there is, or what a module or a function does.",
        example: "help(motion.hit)",
        bind: |b| b.raw(|lua, _, args| Ok(Value::String(lua.create_string(help::about(lua, args.first())?)?))),
    },
    Entry {
        module: "",
        name: "print",
        params: &[p("…", "anything", "")],
        returns: "",
        doc: "Writes a line to the log; at most 100 a step.",
        example: "print(ann, sim.time())",
        bind: |b| b.raw(|lua, shared, args| print(lua, shared, &args)),
    },
    Entry {
        module: "",
        name: "params",
        params: &[THING],
        returns: "table",
        doc: "The same as scene.params.",
        example: "params(ann)",
        bind: |b| {
            b.raw(|lua, _, args| {
                Ok(lua.globals().get::<mlua::Table>("scene")?.get::<mlua::Function>("params")?.call(args.first())?)
            })
        },
    },
    Entry {
        module: "",
        name: "why",
        params: &[FIGURE],
        returns: "text",
        doc: "Why a figure does what it does, in words: phase, lean, capture point, who has which limb.",
        example: "why(ann)",
        bind: |b| {
            b.of(|shared, (figure,): (FigureHandle,)| {
                let world = shared.read()?;
                Ok(describe::why(&world, world.figure(figure)?))
            })
        },
    },
    Entry::missing("", "watch", "Shows a value as it changes."),
];
