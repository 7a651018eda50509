//! Values as the prompt shows them: bounded, and without addresses.

use crate::handle::Thing;
use crate::shared::Shared;
use crate::{api::Bound, describe};
use glam::Vec3;
use mlua::{Lua, Table, Value};

/// Entries of one table that are shown.
const MOST_ENTRIES: usize = 40;
/// Tables in tables that are shown.
const DEEPEST: usize = 4;
/// A table that fits into this many columns stands on one line.
const LINE: usize = 100;

/// A value as a person reads it.
pub(crate) fn pretty(lua: &Lua, shared: &Shared, value: &Value) -> String {
    Printer { lua, shared }.show(value, 0)
}

/// As many digits as tell it apart for a person: the exact number is a `string.format("%.17g", …)` away.
pub(crate) fn number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1.0e15 {
        return format!("{number:.0}");
    }
    if number.abs() < 1.0e-3 || number.abs() >= 1.0e9 {
        return format!("{number:.4e}");
    }
    let text = format!("{number:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

struct Printer<'a> {
    lua: &'a Lua,
    shared: &'a Shared,
}

impl Printer<'_> {
    fn show(&self, value: &Value, depth: usize) -> String {
        match value {
            Value::Nil => "nil".to_owned(),
            Value::Boolean(flag) => flag.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Number(value) => number(*value),
            Value::String(text) => format!("{:?}", text.to_string_lossy()),
            Value::Vector(v) => describe::vector(Vec3::new(v.x(), v.y(), v.z())),
            Value::LightUserData(handle) => {
                let thing = Thing::unpack(*handle);
                self.shared.read().map_or_else(
                    |fault| fault.0,
                    |world| {
                        if depth == 0 { describe::line(&world, thing) } else { describe::name_of(&world, thing) }
                    },
                )
            }
            Value::Function(function) => self
                .lua
                .app_data_ref::<Bound>()
                .and_then(|bound| bound.0.iter().find(|(_, known)| known == function).map(|(entry, _)| entry.shown()))
                .unwrap_or_else(|| "function".to_owned()),
            Value::Table(table) => self.table(table, depth),
            other => other.type_name().to_owned(),
        }
    }

    fn table(&self, table: &Table, depth: usize) -> String {
        if depth >= DEEPEST {
            return "{ … }".to_owned();
        }
        let mut entries = Vec::new();
        let mut next = 1.0;
        for (key, value) in table.pairs::<Value, Value>().flatten() {
            if entries.len() == MOST_ENTRIES {
                entries.push("…".to_owned());
                break;
            }
            let listed = matches!(&key, Value::Integer(index) if *index as f64 == next)
                || matches!(&key, Value::Number(index) if *index == next);
            let shown = self.show(&value, depth + 1);
            if listed {
                next += 1.0;
                entries.push(shown);
            } else {
                entries.push(format!("{} = {shown}", self.key(&key, depth)));
            }
        }
        if entries.is_empty() {
            return "{}".to_owned();
        }
        let width: usize = entries.iter().map(|entry| entry.chars().count() + 2).sum();
        if width <= LINE && !entries.iter().any(|entry| entry.contains('\n')) {
            return format!("{{ {} }}", entries.join(", "));
        }
        let indent = "  ".repeat(depth + 1);
        format!("{{\n{indent}{}\n{}}}", entries.join(&format!(",\n{indent}")), "  ".repeat(depth))
    }

    fn key(&self, key: &Value, depth: usize) -> String {
        match key {
            Value::String(name) => name.to_string_lossy(),
            other => format!("[{}]", self.show(other, depth + 1)),
        }
    }
}

/// The name of a value's type, as Luau's own messages have it: a whole number is a number.
pub(crate) fn kind(value: &Value) -> &'static str {
    if value.is_integer() { "number" } else { value.type_name() }
}
