//! What scripts find in their globals: no clock, no files, no addresses, and maths that is the same on every system.

use crate::budget::PRELUDE;
use crate::patterns;
use crate::raw::{Bodies, Call, Out};
use crate::shared::Shared;
use mlua::{Function, Lua, Table, Value};
use rand::RngCore;
use std::rc::Rc;

/// Taken out: they leave the sandbox, read clocks or memory, or break the speed of environments.
const REMOVED: [&str; 8] = ["getfenv", "setfenv", "loadstring", "load", "newproxy", "collectgarbage", "gcinfo", "require"];

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;

/// One-argument functions whose C library version differs in the last digit between systems. What IEEE 754 fixes (`sqrt`,
/// `fmod`, `floor`) stays built in, and fast.
const UNARY: [(&str, Unary); 11] = [
    ("sin", libm::sin),
    ("cos", libm::cos),
    ("tan", libm::tan),
    ("asin", libm::asin),
    ("acos", libm::acos),
    ("atan", libm::atan),
    ("sinh", libm::sinh),
    ("cosh", libm::cosh),
    ("tanh", libm::tanh),
    ("exp", libm::exp),
    ("log10", libm::log10),
];
/// The same with two arguments.
const BINARY: [(&str, Binary); 2] = [("atan2", libm::atan2), ("pow", libm::pow)];

/// Builtins that are replaced: the compiler would call the old ones directly.
pub(crate) fn replaced_builtins() -> Vec<String> {
    let unary = UNARY.iter().map(|(name, _)| *name);
    let binary = BINARY.iter().map(|(name, _)| *name);
    let mut names: Vec<String> = unary.chain(binary).chain(["log", "random"]).map(|name| format!("math.{name}")).collect();
    names.extend(["vector.angle", "tostring", "string.format"].map(str::to_owned));
    names
}

/// Takes out, puts in and replaces, before the sandbox makes it all read-only.
pub(crate) fn furnish(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in REMOVED {
        globals.raw_set(name, Value::Nil)?;
    }
    maths(lua, &globals.get("math")?, shared)?;
    random(lua, &globals.get("math")?, shared)?;
    let angle =
        lua.create_function(|_, (a, b, axis): (mlua::Vector, mlua::Vector, Option<mlua::Vector>)| Ok(signed_angle(a, b, axis)))?;
    globals.get::<Table>("vector")?.raw_set("angle", angle)?;
    globals.raw_set("tostring", tostring(lua, globals.get("tostring")?)?)?;

    let prelude = lua.load(include_str!("prelude.luau")).set_name(format!("={PRELUDE}"));
    let (pcall, xpcall, format): (Function, Function, Function) = prelude.eval()?;
    globals.raw_set("pcall", pcall)?;
    globals.raw_set("xpcall", xpcall)?;
    let string: Table = globals.get("string")?;
    string.raw_set("format", format)?;
    patterns::bound(lua, &string, &shared.budget)
}

/// Those that vector maths calls dozens of times a step go without a detour.
const DIRECT: [(&str, Call); 4] = [
    ("sin", |_, args| Some(Out::Number(libm::sin(args.number(0)?)))),
    ("cos", |_, args| Some(Out::Number(libm::cos(args.number(0)?)))),
    ("acos", |_, args| Some(Out::Number(libm::acos(args.number(0)?)))),
    ("atan2", |_, args| Some(Out::Number(libm::atan2(args.number(0)?, args.number(1)?)))),
];

/// The direct calls of `math`, as long as the VM.
struct Maths(#[allow(dead_code, reason = "it is only kept")] Bodies);

fn maths(lua: &Lua, math: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    for (name, of) in UNARY {
        math.raw_set(name, lua.create_function(move |_, x: f64| Ok(of(x)))?)?;
    }
    for (name, of) in BINARY {
        math.raw_set(name, lua.create_function(move |_, (x, y): (f64, f64)| Ok(of(x, y)))?)?;
    }
    let log = lua.create_function(|_, (x, base): (f64, Option<f64>)| {
        Ok(match base {
            None => libm::log(x),
            Some(2.0) => libm::log2(x),
            Some(10.0) => libm::log10(x),
            Some(base) => libm::log(x) / libm::log(base),
        })
    })?;
    math.raw_set("log", log)?;
    let mut bodies = Bodies::default();
    for (name, call) in DIRECT {
        math.raw_set(name, bodies.bind(lua, shared, call, &math.raw_get(name)?)?)?;
    }
    lua.set_app_data(Maths(bodies));
    Ok(())
}

/// `math.random` draws from the world's seed; there is no seeding it.
fn random(lua: &Lua, math: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    math.raw_set("randomseed", Value::Nil)?;
    let shared = Rc::clone(shared);
    let draw = lua.create_function(move |_, (low, high): (Option<f64>, Option<f64>)| {
        if !shared.is_running() {
            return Err(mlua::Error::runtime("math.random: not while a script loads; draw in start, step or a callback"));
        }
        shared.touch();
        let unit = unit(&mut *shared.random.borrow_mut());
        let (low, high) = match (low, high) {
            (None, _) => return Ok(unit),
            (Some(high), None) => (1.0, high),
            (Some(low), Some(high)) => (low, high),
        };
        if !(low.is_finite() && high.is_finite() && low <= high) {
            return Err(mlua::Error::runtime(format!("math.random: the interval {low}..{high} is empty")));
        }
        Ok((low.floor() + (unit * (high.floor() - low.floor() + 1.0)).floor()).min(high.floor()))
    })?;
    math.raw_set("random", draw)
}

/// A draw in 0..1 from the upper 53 bits.
pub(crate) fn unit(source: &mut impl RngCore) -> f64 {
    (source.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn signed_angle(a: mlua::Vector, b: mlua::Vector, axis: Option<mlua::Vector>) -> f64 {
    let [a, b] = [a, b].map(|v| glam::Vec3::new(v.x(), v.y(), v.z()));
    let cross = a.cross(b);
    let angle = libm::atan2(f64::from(cross.length()), f64::from(a.dot(b)));
    let turned = axis.is_some_and(|axis| cross.dot(glam::Vec3::new(axis.x(), axis.y(), axis.z())) < 0.0);
    if turned { -angle } else { angle }
}

/// `tostring` without addresses: they differ between runs.
fn tostring(lua: &Lua, plain: Function) -> mlua::Result<Function> {
    lua.create_function(move |lua, value: Value| {
        let named = match &value {
            Value::Table(table) if table.metatable().is_none_or(|meta| !meta.contains_key("__tostring").unwrap_or(false)) => {
                "table"
            }
            Value::Function(_) => "function",
            Value::Thread(_) => "thread",
            Value::Buffer(_) => "buffer",
            _ => return plain.call::<Value>(value),
        };
        Ok(Value::String(lua.create_string(named)?))
    })
}
