//! `sim`: time, events and timers, random numbers, the clock.

use super::events::event_names;
use super::read::Read;
use super::registry::{Entry, NOTHING, Param, p, r};
use crate::nearest::accepted;
use crate::plain::to_plain;
use crate::schedule::{Listener, MOST_TIMERS, Target};
use crate::shared::{Caller, Fault, Shared};
use mlua::Value;

pub(super) const FUNCTION: Param = p("function_name", "text", "a function of the script's table; at the prompt a function too");
const ARGS: Param = p("…", "plain data", "given to the function");

/// What shall be called: scripts give a name, since a closure is in no snapshot and does not survive a reload.
pub(super) fn target(value: &Value, shared: &Shared) -> Result<Target, Fault> {
    let caller = shared.caller.borrow();
    let script = match (&*caller, value) {
        (Caller::Prompt, Value::Function(function)) => return Ok(Target::Closure(function.clone())),
        (Caller::Prompt, _) => return Err("function_name: accepted at the prompt: a function".into()),
        (Caller::Scene(name) | Caller::Behaviour(_, name), _) => name,
    };
    let Value::String(name) = value else {
        let accepted = "the name of a function in the script's table (a closure would not survive a reload or a rewind)";
        return Err(format!("function_name: found {}; accepted: {accepted}", super::read::found(value, shared)).into());
    };
    let name = name.to_string_lossy();
    if let Some(script) = shared.library.borrow().script(script) {
        script.function(&name)?;
    }
    Ok(Target::Named(name))
}

fn event(value: &Value, shared: &Shared) -> Result<String, Fault> {
    let name = String::read(value, shared).map_err(|fault| format!("event: {fault}"))?;
    if event_names().any(|known| known == name) {
        Ok(name)
    } else {
        Err(format!("event: found \"{name}\"{}", accepted(&name, event_names())).into())
    }
}

/// Sets a timer: `after` calls once, `every` again and again.
fn wait(shared: &Shared, args: &[Value], again: bool) -> Result<Value, Fault> {
    let nil = Value::Nil;
    let seconds = f64::read(args.first().unwrap_or(&nil), shared).map_err(|fault| format!("seconds: {fault}"))?;
    if seconds < 0.0 {
        return Err(format!("seconds: found {seconds}; accepted: 0 or more").into());
    }
    let target = target(args.get(1).unwrap_or(&nil), shared)?;
    let data = args.iter().enumerate().skip(2).map(|(index, value)| to_plain(value, &format!("argument {}", index + 1)));
    let data = data.collect::<Result<Vec<_>, _>>()?;
    let (now, dt) = {
        let world = shared.read()?;
        (world.step_index(), f64::from(world.dt()))
    };
    // At least one step: a callback that sets itself again must not run for ever within a step.
    let steps = ((seconds / dt).round() as u64).max(1);
    let caller = shared.caller.borrow().clone();
    if shared.schedule.borrow().timers.len() >= MOST_TIMERS {
        return Err(format!("{MOST_TIMERS} timers wait already: no more are taken").into());
    }
    shared.touch();
    let id = shared.schedule.borrow_mut().wait(now + steps, again.then_some(steps), caller, target, data);
    Ok(Value::Number(id as f64))
}

fn on(shared: &Shared, args: &[Value]) -> Result<Value, Fault> {
    let event = event(args.first().unwrap_or(&Value::Nil), shared)?;
    let target = target(args.get(1).unwrap_or(&Value::Nil), shared)?;
    shared.read()?;
    shared.touch();
    let caller = shared.caller.borrow().clone();
    shared.schedule.borrow_mut().listen(Listener { event, caller, target });
    Ok(Value::Nil)
}

fn off(shared: &Shared, args: &[Value]) -> Result<Value, Fault> {
    shared.touch();
    let caller = shared.caller.borrow().clone();
    let first = args.first().unwrap_or(&Value::Nil);
    if let Ok(id) = f64::read(first, shared) {
        shared.schedule.borrow_mut().timers.retain(|timer| timer.id as f64 != id || timer.caller != caller);
        return Ok(Value::Nil);
    }
    let event = event(first, shared)?;
    let only = args.get(1).filter(|value| !value.is_nil()).map(|value| target(value, shared)).transpose()?;
    let goes = |listener: &Listener| {
        listener.event == event && listener.caller == caller && only.as_ref().is_none_or(|only| only.is(&listener.target))
    };
    shared.schedule.borrow_mut().listeners.retain(|listener| !goes(listener));
    Ok(Value::Nil)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "sim",
        name: "time",
        params: &[],
        returns: r("s", "number"),
        doc: "Seconds of simulation since the world began.",
        example: "sim.time()",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.time())),
    },
    Entry {
        module: "sim",
        name: "step",
        params: &[],
        returns: r("number", "number"),
        doc: "Steps since the world began.",
        example: "sim.step()",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.step_index() as f64)),
    },
    Entry {
        module: "sim",
        name: "dt",
        params: &[],
        returns: r("s", "number"),
        doc: "Seconds a step.",
        example: "sim.dt()",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.dt())),
    },
    Entry {
        module: "sim",
        name: "on",
        params: &[
            p(
                "event",
                "event",
                "struck, phase, mode, get_up_waits, touched, spawned, destroyed, handed_over, returned, despawned or poisoned",
            ),
            FUNCTION,
        ],
        returns: NOTHING,
        doc: "Calls a function for every event of a name: f(state, event) of a scene script, f(figure, state, event) of a behaviour \
              for its own figure, f(event) at the prompt.",
        example: "sim.on(\"struck\", \"on_struck\")",
        bind: |b| b.raw(|_, shared, args| on(shared, &args)),
    },
    Entry {
        module: "sim",
        name: "off",
        params: &[
            p("event", "event or number", "or the number of a timer"),
            p("function_name?", "text", "left out: all of this script's"),
        ],
        returns: NOTHING,
        doc: "Stops listening to an event, or stops a timer.",
        example: "sim.off(\"struck\")",
        bind: |b| b.raw(|_, shared, args| off(shared, &args)),
    },
    Entry {
        module: "sim",
        name: "after",
        params: &[p("seconds", "number", "s of simulation; at least one step"), FUNCTION, ARGS],
        returns: r("the timer's number", "number"),
        doc: "Calls a function once, later: f(state, …) of a scene script, f(figure, state, …) of a behaviour, f(…) at the prompt.",
        example: "sim.after(2, \"second_blow\", ann)",
        bind: |b| b.raw(|_, shared, args| wait(shared, &args, false)),
    },
    Entry {
        module: "sim",
        name: "every",
        params: &[p("seconds", "number", "s of simulation; at least one step"), FUNCTION, ARGS],
        returns: r("the timer's number", "number"),
        doc: "Calls a function again and again.",
        example: "sim.every(0.5, \"look_around\")",
        bind: |b| b.raw(|_, shared, args| wait(shared, &args, true)),
    },
    Entry {
        module: "sim",
        name: "random",
        params: &[],
        returns: r("0..1", "number"),
        doc: "A number from the world's seed; the same in every run. require(\"@std/random\") makes streams to keep in state.",
        example: "sim.random()",
        bind: |b| {
            b.of(|shared, ()| {
                shared.read()?;
                shared.touch();
                Ok(crate::sandbox::unit(&mut *shared.random.borrow_mut()))
            })
        },
    },
    Entry {
        module: "sim",
        name: "seed",
        params: &[],
        returns: r("number", "number"),
        doc: "The seed that random numbers come from.",
        example: "sim.seed()",
        bind: |b| b.of(|shared, ()| Ok(shared.seed() as f64)),
    },
    Entry {
        module: "sim",
        name: "pause",
        params: &[],
        returns: NOTHING,
        doc: "Stops the clock.",
        example: "sim.pause()",
        bind: |b| {
            b.of(|shared, ()| {
                shared.host.borrow_mut().pause(true);
                Ok(())
            })
        },
    },
    Entry {
        module: "sim",
        name: "resume",
        params: &[],
        returns: NOTHING,
        doc: "Lets the clock go on.",
        example: "sim.resume()",
        bind: |b| {
            b.of(|shared, ()| {
                shared.host.borrow_mut().pause(false);
                Ok(())
            })
        },
    },
    Entry {
        module: "sim",
        name: "paused",
        params: &[],
        returns: r("boolean", "boolean"),
        doc: "Whether the clock stands.",
        example: "sim.paused()",
        bind: |b| b.of(|shared, ()| Ok(shared.host.borrow().paused())),
    },
    Entry {
        module: "sim",
        name: "speed",
        params: &[p("factor?", "number", "seconds of simulation a second, above 0")],
        returns: r("number", "number"),
        doc: "How fast the clock goes; with a number, sets it.",
        example: "sim.speed(0.25)",
        bind: |b| {
            b.of(|shared, (factor,): (Option<f64>,)| {
                match factor {
                    Some(factor) if factor > 0.0 => shared.host.borrow_mut().set_speed(factor),
                    Some(factor) => return Err(format!("factor: found {factor}; accepted: a number above 0").into()),
                    None => {}
                }
                Ok(shared.host.borrow().speed())
            })
        },
    },
    Entry {
        module: "sim",
        name: "reload",
        params: &[],
        returns: NOTHING,
        doc: "Reads every script again.",
        example: "sim.reload()",
        bind: |b| {
            b.of(|shared, ()| {
                shared.host.borrow_mut().reload();
                Ok(())
            })
        },
    },
];
