//! Functions without a module: `help`, `print`, `params`, `why`.

use super::registry::{Binder, Entry, FIGURE, NOTHING, THING, p, r};
use crate::help;
use crate::pretty::pretty;
use crate::shared::{Fault, Shared};
use mlua::{Function, Lua, Table, Value};

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

/// A module's function under a name of its own: modules are bound before.
fn same_as(binder: &Binder<'_>, module: &str, name: &str) -> mlua::Result<Function> {
    binder.lua.globals().raw_get::<Table>(module)?.raw_get(name)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "",
        name: "help",
        params: &[p("about?", "function or text", "motion.hit, \"motion.hit\", \"motion\"")],
        returns: r("text", "string"),
        doc: "What there is, or what a module or a function does.",
        example: "help(motion.hit)",
        bind: |b| b.raw(|lua, shared, args| Ok(Value::String(lua.create_string(help::about(lua, shared, args.first())?)?))),
    },
    Entry {
        module: "",
        name: "print",
        params: &[p("…", "anything", "")],
        returns: NOTHING,
        doc: "Writes a line to the log; at most 100 a step.",
        example: "print(ann, sim.time())",
        bind: |b| b.raw(|lua, shared, args| print(lua, shared, &args)),
    },
    Entry {
        module: "",
        name: "params",
        params: &[THING],
        returns: r("table", "{ [string]: any }"),
        doc: "The same as scene.params.",
        example: "params(ann)",
        bind: |b| same_as(b, "scene", "params"),
    },
    Entry {
        module: "",
        name: "why",
        params: &[FIGURE, p("time?", "number", "s of simulation; left out: now")],
        returns: r("text", "string"),
        doc: "The same as motion.why.",
        example: "why(ann)",
        bind: |b| same_as(b, "motion", "why"),
    },
    Entry {
        module: "",
        name: "assist",
        params: &[FIGURE, p("seconds?", "number", "s back from now; left out: since it came to be")],
        returns: r("%", "number"),
        doc: "The same as motion.assist.",
        example: "assist(ann)",
        bind: |b| same_as(b, "motion", "assist"),
    },
    Entry::missing("", "watch", "Shows a value as it changes."),
];
