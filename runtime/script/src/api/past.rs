//! `sim`, for lines of the prompt: back in time, the same again, futures side by side.

use super::read::{Read, found};
use super::registry::{Binder, Entry, Param, p, r};
use crate::plain::to_plain;
use crate::pretty;
use crate::request::{Callback, LONGEST_REWIND, MOST_STEPS, Request, asking, note};
use crate::shared::{Fault, Shared};
use mlua::{Function, Value};
use simrun_sim::Value as Plain;

/// The most futures of one fork: each holds a world and a VM of its own while it runs.
const MOST_FUTURES: usize = 256;
/// How long futures run where nothing is said (s): a shove, a fall and coming to rest.
const FORK_SECONDS: f64 = 4.0;
/// Letters of a mark's name.
const LONGEST_MARK: usize = 60;

/// Binds a function for which a line waits.
fn waits(b: &Binder<'_>, read: fn(&Shared, &[Value]) -> Result<Request, Fault>) -> mlua::Result<Function> {
    let ask = b.raw(move |lua, shared, args| match args.split_first() {
        Some((Value::Boolean(true), args)) => read(shared, args).and_then(|request| note(lua, shared, request)),
        _ => Err("a line has to wait for it, and cannot within pcall, a metamethod or what a builtin calls back".into()),
    });
    asking(b.lua, ask?)
}

fn number(name: &str, value: Option<&Value>, shared: &Shared, range: std::ops::RangeInclusive<f64>) -> Result<f64, Fault> {
    let value = f64::read(value.unwrap_or(&Value::Nil), shared).map_err(|fault| format!("{name}: {fault}"))?;
    if range.contains(&value) {
        Ok(value)
    } else {
        let [found, least, most] = [value, *range.start(), *range.end()].map(pretty::number);
        Err(format!("{name}: found {found}; accepted: {least} to {most}").into())
    }
}

fn whole(name: &str, value: Option<&Value>, shared: &Shared, most: f64) -> Result<u64, Fault> {
    let number = number(name, value, shared, 1.0..=most)?;
    if number.fract() == 0.0 {
        Ok(number as u64)
    } else {
        Err(format!("{name}: found {number}; accepted: a whole number").into())
    }
}

fn mark_name(value: &Value, shared: &Shared) -> Result<String, Fault> {
    let name = String::read(value, shared).map_err(|fault| format!("name: {fault}"))?;
    if name.is_empty() || name.len() > LONGEST_MARK || name.chars().any(char::is_control) {
        return Err(format!("name: accepted: 1 to {LONGEST_MARK} letters in one line").into());
    }
    Ok(name)
}

fn fork(shared: &Shared, args: &[Value]) -> Result<Request, Fault> {
    let values = match args.first() {
        Some(Value::Table(table)) => match to_plain(&Value::Table(table.clone()), "values")? {
            Plain::List(values) if values.len() <= MOST_FUTURES => values,
            _ => return Err(format!("values: accepted: a list of 1 to {MOST_FUTURES} values").into()),
        },
        first => (1..=whole("count", first, shared, MOST_FUTURES as f64)?).map(|index| Plain::Number(index as f64)).collect(),
    };
    let each = match args.get(1) {
        Some(Value::Function(each)) => Callback(each.clone()),
        other => return Err(format!("each: found {}; accepted: a function", found(other.unwrap_or(&Value::Nil), shared)).into()),
    };
    let longest = MOST_STEPS as f64 / 60.0;
    let seconds = match args.get(2) {
        None | Some(Value::Nil) => FORK_SECONDS,
        seconds => number("seconds", seconds, shared, 0.0..=longest)?,
    };
    Ok(Request::Fork { values, each, seconds })
}

const MARK: Param = p("name", "text", "of the moment");

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "sim",
        name: "advance",
        params: &[p("steps?", "number", "1 where nothing is said")],
        returns: r("the step that comes next", "number"),
        doc: "Takes steps at once, also while the clock stands.",
        example: "sim.advance(2)",
        bind: |b| {
            waits(b, |shared, args| match args.first() {
                None | Some(Value::Nil) => Ok(Request::Advance(1)),
                steps => Ok(Request::Advance(whole("steps", steps, shared, MOST_STEPS as f64)?)),
            })
        },
    },
    Entry {
        module: "sim",
        name: "snapshot",
        params: &[],
        returns: r("a number for sim.restore", "number"),
        doc: "Keeps the whole state, of the world and of its scripts; the last 16 are kept.",
        example: "kept = sim.snapshot()",
        bind: |b| waits(b, |_, _| Ok(Request::Snapshot)),
    },
    Entry {
        module: "sim",
        name: "restore",
        params: &[p("snapshot", "number", "what sim.snapshot gave")],
        returns: r("s", "number"),
        doc: "Goes back to a snapshot, bit by bit, and on from there; scripts are those of now.",
        example: "sim.restore(sim.snapshot())",
        bind: |b| waits(b, |shared, args| Ok(Request::Restore(whole("snapshot", args.first(), shared, f64::MAX)?))),
    },
    Entry {
        module: "sim",
        name: "rewind",
        params: &[p("seconds", "number", "s of simulation, as far as is kept")],
        returns: r("s", "number"),
        doc: "Goes back in time, bit by bit, and on from there; what was asked for since is dropped, scripts are those of now.",
        example: "sim.rewind(0)",
        bind: |b| waits(b, |shared, args| Ok(Request::Rewind(number("seconds", args.first(), shared, 0.0..=LONGEST_REWIND)?))),
    },
    Entry {
        module: "sim",
        name: "mark",
        params: &[MARK],
        returns: r("s", "number"),
        doc: "Names this moment: sim.again(name) goes back to it.",
        example: "sim.mark(\"shove\")",
        bind: |b| waits(b, |shared, args| Ok(Request::Mark(mark_name(args.first().unwrap_or(&Value::Nil), shared)?))),
    },
    Entry {
        module: "sim",
        name: "again",
        params: &[p("mark?", "text", "left out: half a second before the last blow")],
        returns: r("what changed, in words", "string"),
        doc: "Runs what has been since a moment once more: the same commands, scripts as they are now.",
        example: "sim.mark(\"now\") sim.advance(1) sim.again(\"now\")",
        bind: |b| {
            waits(b, |shared, args| match args.first() {
                None | Some(Value::Nil) => Ok(Request::Again(None)),
                Some(name) => Ok(Request::Again(Some(mark_name(name, shared)?))),
            })
        },
    },
    Entry {
        module: "sim",
        name: "fork",
        params: &[
            p("count", "number or list", "how many futures, or a value for each"),
            p("each", "function", "f(i) or f(value): gives a future its commands"),
            p("seconds?", "number", "s of simulation; 4 where nothing is said"),
        ],
        returns: r("{ { value, hash, error?, figures = { name = { fell, head, steps, still, torque } } } }", "{ any }"),
        doc: "Runs futures of the present side by side and says what comes of each; the present stays.",
        example: "sim.fork(2, function(i) ann:hit(\"chest\", nil, vector.create(0, 0, i)) end, 0.1)",
        bind: |b| waits(b, fork),
    },
    Entry {
        module: "sim",
        name: "keep",
        params: &[p("future", "number", "of the last sim.fork, counted from 1")],
        returns: r("s", "number"),
        doc: "Makes a future the present.",
        example: "sim.fork(1, function() end, 0) sim.keep(1)",
        bind: |b| waits(b, |shared, args| Ok(Request::Keep(whole("future", args.first(), shared, MOST_FUTURES as f64)?))),
    },
];
