//! `motion`: why a figure does what it does, and what behaviours say of it.

use super::motion::{command, motion};
use super::read::Read;
use super::registry::{Binder, Entry, FIGURE, NOTHING, Param, p, r};
use crate::describe::why;
use crate::shared::{Fault, Shared};
use mlua::{Function, Lua, Table, Value};
use simrun_sim::{Command, Figure, FigureHandle, Phase};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How far back `assist` reaches (s), and the least that it tells of.
const ASSIST: RangeInclusive<f64> = 0.5..=60.0;

const VALUES: Param = p("…", "anything", "numbers and texts for the places of the text, as string.format has them");

/// An argument, or nothing.
fn at(args: &[Value], index: usize) -> &Value {
    args.get(index).unwrap_or(&Value::Nil)
}

fn argument<R: Read>(name: &str, value: &Value, shared: &Shared) -> Result<R, Fault> {
    R::read(value, shared).map_err(|fault| format!("{name}: {fault}").into())
}

/// A behaviour's words, with what follows them put into their places.
fn words(lua: &Lua, shared: &Shared, name: &str, args: &[Value]) -> Result<Arc<str>, Fault> {
    let (text, values) = args.split_first().ok_or_else(|| format!("{name}: found nothing; accepted: text"))?;
    let plain: String = argument(name, text, shared)?;
    if values.is_empty() {
        return Ok(plain.into());
    }
    let format: Function = lua.globals().get::<Table>("string")?.get("format")?;
    let formatted = format.call::<String>(args.iter().cloned().collect::<mlua::MultiValue>());
    // Where in the prelude it went wrong is nobody's business.
    let plain = |error| {
        let Fault(why) = Fault::from(error);
        format!("{name}: {}", why.split_once(": ").map_or(why.as_str(), |(_, why)| why))
    };
    Ok(formatted.map_err(plain)?.into())
}

fn declare(lua: &Lua, shared: &Shared, args: &[Value]) -> Result<Value, Fault> {
    let figure: FigureHandle = argument("figure", at(args, 0), shared)?;
    let phase: Phase = argument("phase", at(args, 1), shared)?;
    let reason = if at(args, 2).is_nil() { None } else { Some(words(lua, shared, "reason", &args[2..])?) };
    command(shared, Command::Declare { figure, phase, by: shared.owner(), reason })?;
    Ok(Value::Nil)
}

fn note(lua: &Lua, shared: &Shared, args: &[Value]) -> Result<Value, Fault> {
    let figure: FigureHandle = argument("figure", at(args, 0), shared)?;
    let text = words(lua, shared, "text", args.get(1..).unwrap_or_default())?;
    command(shared, Command::Note { figure, by: shared.owner(), text })?;
    Ok(Value::Nil)
}

fn explained(shared: &Shared, (figure, time): (FigureHandle, Option<f64>)) -> Result<String, Fault> {
    let world = shared.read()?;
    let figure = world.figure(figure)?;
    let Some(time) = time else { return Ok(why(&world, figure)) };
    let hz = f64::from(world.settings().step_hz);
    let first = figure.trace.dropped().map_or(0, |dropped| dropped + 1) as f64 / hz;
    if !(first..=world.time()).contains(&time) {
        let found = if time.abs() < 1.0e6 { format!("{time:.2}") } else { format!("{time:e}") };
        return Err(format!(
            "time: found {found} s; accepted: {first:.2} s, as far as is known, to {:.2} s, which is now",
            world.time()
        )
        .into());
    }
    let lines = simrun_sim::trace::words(&world, figure, (time * hz).round() as u64);
    Ok(if lines.is_empty() { format!("nothing had come about with {} by then", figure.name) } else { lines.join("\n") })
}

fn assist(shared: &Shared, (figure, seconds): (FigureHandle, Option<f64>)) -> Result<f32, Fault> {
    motion(shared, figure, |_| ())?;
    let Some(seconds) = seconds else { return shared.figure(figure, Figure::assist) };
    if !ASSIST.contains(&seconds) {
        return Err(format!("seconds: found {seconds}; accepted: {} to {}", ASSIST.start(), ASSIST.end()).into());
    }
    let world = shared.read()?;
    let back = (seconds * f64::from(world.settings().step_hz)).round() as u64;
    Ok(world.figure(figure)?.assist_since(world.step_index().saturating_sub(back)))
}

/// Binds a function whose last arguments are as many as there are.
fn open(b: &Binder<'_>, body: fn(&Lua, &Shared, &[Value]) -> Result<Value, Fault>) -> mlua::Result<Function> {
    b.raw(move |lua, shared, args| body(lua, shared, &args))
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "motion",
        name: "declare",
        params: &[FIGURE, p("phase", "phase", "its name"), p("reason?", "text", "why, for motion.why"), VALUES],
        returns: NOTHING,
        doc: "A behaviour says what the figure is doing: the phase from the next step on. Each \"stepping\" or \"staggering\" counts a step.",
        example: "motion.declare(ann, \"stepping\", \"%s foot, %.2f m off\", \"left\", 0.4)",
        bind: |b| open(b, declare),
    },
    Entry {
        module: "motion",
        name: "note",
        params: &[FIGURE, p("text", "text", "a reason, with its numbers; 160 bytes are kept"), VALUES],
        returns: NOTHING,
        doc: "A behaviour says why it does something, or does not: motion.why tells it with its time. Said again within half a second, it goes on.",
        example: "motion.note(ann, \"the car is %.1f m off (near %.1f)\", 3.2, 6)",
        bind: |b| open(b, note),
    },
    Entry {
        module: "motion",
        name: "assist",
        params: &[FIGURE, p("seconds?", "number", "s back from now, 0.5..60; left out: since it came to be")],
        returns: r("%", "number"),
        doc: "How much of its standing did not come from its feet: what balance gave the pelvis, over weight × 1 m × time.",
        example: "motion.assist(ann, 5)",
        bind: |b| b.of(assist),
    },
    Entry {
        module: "motion",
        name: "why",
        params: &[
            FIGURE,
            p("time?", "number", "s of simulation: what had led to that moment; left out: how it is now, and what led to it"),
        ],
        returns: r("text", "string"),
        doc: "Why a figure does what it does, in words: blows, senses, decisions, refusals, who has which limb, what is at its limit.",
        example: "motion.why(ann)",
        bind: |b| b.of(explained),
    },
];
