//! The definition file for Luau's type checkers.

use super::{is_optional, plain_name};
use crate::api::{COMMON, EVENTS, Entry, MODULES, Param, TABLES, constants, entries, event_names, is_built};
use simrun_sim::Phase;

const HEAD: &str = "\
-- What scripts can call, for Luau's type checkers. Made by `cargo xtask docs` from the tables that bind the functions: not to be edited.
-- luau-lsp reads it with --definitions=stdlib/types/simrun.d.luau.

";

/// Tables that functions give and take.
const RECORDS: &str = "\
export type ClaimOptions = { read priority: number?, read share: number?, read blend: number?, read blend_out: number? }
export type Pose = { positions: { vector }, rotations: { vector } }
export type Feet = { left: vector, right: vector, left_down: boolean, right_down: boolean }
export type Near = { figure: Figure, bone: string, distance: number, closing: number, point: vector }
export type RayHit = {
	point: vector,
	normal: vector,
	distance: number,
	object: Object?,
	figure: Figure?,
	bone: string?,
}
export type Out = { member: number, figure: Figure }
export type Columns = {
	count: number,
	position: buffer,
	heading: buffer,
	phase: buffer,
	speed: buffer,
	tint: buffer,
	whereabouts: buffer,
}
export type Contact = {
	bone: string,
	point: vector,
	normal: vector,
	impulse: number,
	closing: number,
	fresh: boolean,
	object: Object?,
	figure: Figure?,
	other_bone: string?,
}
";

/// The types of everything that scripts can call, in the syntax of Luau's definition files.
#[must_use]
pub fn definitions() -> String {
    let mut text = String::from(HEAD);
    text += &format!("export type EventName = {}\n", union(event_names()));
    text += &format!("export type PhaseName = {}\n\n", union(Phase::DECLARED.iter().map(|phase| phase.name())));
    for (name, kind) in [("Figure", "figure"), ("Object", "object")] {
        text += &format!("declare extern type {name} with\n{}end\n\n", methods(kind));
    }
    text += RECORDS;
    EVENTS.iter().for_each(|event| text += &record(event.name, event.fields));
    for (module, _) in MODULES.into_iter().filter(|(module, _)| is_built(module)) {
        text += &format!("\ndeclare {module}: {{\n{}", numbers(module));
        for entry in built(|entry| entry.module == module) {
            text += &format!("\t{}: ({}) -> {},\n", entry.name, parameters(entry.params), entry.returns.luau);
        }
        text += "}\n";
    }
    for (table, _) in TABLES {
        text += &format!("\ndeclare {table}: {{\n{}}}\n", numbers(table));
    }
    text += "\n";
    for entry in built(|entry| entry.module.is_empty()) {
        text += &format!("declare function {}({}): {}\n", entry.name, declared(entry.params), entry.returns.luau);
    }
    text
}

fn built(which: impl Fn(&Entry) -> bool) -> impl Iterator<Item = &'static Entry> {
    entries().filter(move |entry| entry.is_built() && which(entry))
}

fn union<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" | ")
}

fn methods(kind: &str) -> String {
    let method = |entry: &Entry| {
        let rest = declared(&entry.params[1..]);
        let gap = if rest.is_empty() { "" } else { ", " };
        format!("\tfunction {}(self{gap}{rest}): {}\n", entry.name, entry.returns.luau)
    };
    built(|entry| entry.is_method_of(kind)).map(method).collect()
}

fn numbers(home: &str) -> String {
    constants().filter(|constant| constant.home == home).map(|constant| format!("\t{}: number,\n", constant.name)).collect()
}

/// An event's table: `StruckEvent`.
fn record(name: &str, fields: &[Param]) -> String {
    let (first, rest) = name.split_at(1);
    let field = |param: &Param| format!("{}: {}", plain_name(param), of_param(param, is_optional(param)));
    let fields: Vec<String> = COMMON.iter().chain(fields).map(field).collect();
    format!("export type {}{rest}Event = {{ {} }}\n", first.to_uppercase(), fields.join(", "))
}

/// Parameters of a function's type.
fn parameters(params: &[Param]) -> String {
    list(params, "...any")
}

/// Parameters of a declared function.
fn declared(params: &[Param]) -> String {
    list(params, "...: any")
}

fn list(params: &[Param], rest: &str) -> String {
    // After one that may be left out every other may be: what is given takes the earlier place.
    let mut optional = false;
    let one = |param: &Param| {
        optional |= is_optional(param);
        if param.name == "…" { rest.to_owned() } else { format!("{}: {}", plain_name(param), of_param(param, optional)) }
    };
    params.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn of_param(param: &Param, optional: bool) -> String {
    let kind = luau(param.kind);
    match optional {
        true if kind.contains('|') => format!("({kind})?"),
        true if kind != "any" => format!("{kind}?"),
        _ => kind.to_owned(),
    }
}

/// A kind of parameter as a type checker reads it.
fn luau(kind: &str) -> &'static str {
    match kind {
        "figure" => "Figure",
        "object" => "Object",
        "figure or object" => "Figure | Object",
        "bone" | "mode" | "part" | "text or number" => "number | string",
        "phase" => "PhaseName",
        "event" => "EventName",
        "event or number" => "EventName | number",
        "number" => "number",
        "number or boolean" => "number | boolean",
        "number or list" => "number | { any }",
        "function" => "(any) -> ...any",
        "vector" | "rotation vector" => "vector",
        "vector, figure or object" => "vector | Figure | Object",
        "text" | "bone name" => "string",
        "buffer" => "buffer",
        "vector or buffer" => "vector | buffer",
        "boolean" => "boolean",
        "claim options" => "ClaimOptions",
        "table" => "{ [string]: any }",
        "pose" => "Pose",
        "anything" | "plain data" | "function or text" => "any",
        // A checker stops at it, and a test does.
        _ => "UnknownKind",
    }
}
