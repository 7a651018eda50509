//! Plain data across the border: [`Value`] to Lua and back.
//!
//! A table is a list when its keys are 1..=n, else a map. Whole-number keys of a map are written `[7]`, so that a table by bone
//! survives; any other key is refused by name.

use crate::handle::Thing;
use glam::Vec3;
use mlua::{Lua, Table, Value as LuaValue};
use simrun_sim::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;

/// Tables in tables deeper than this are refused: a table that holds itself never ends.
const DEEPEST: usize = 32;

/// Reads plain data; `path` names it in the refusal.
pub(crate) fn to_plain(value: &LuaValue, path: &str) -> Result<Value, String> {
    read(value, &mut Place { path: path.to_owned(), met: BTreeSet::new() }, 0)
}

/// Where in the value the reading is.
struct Place {
    path: String,
    /// Tables met so far. One that stands twice would come back from a snapshot as two.
    met: BTreeSet<*const c_void>,
}

fn read(value: &LuaValue, place: &mut Place, depth: usize) -> Result<Value, String> {
    let path = &place.path;
    if depth > DEEPEST {
        return Err(format!("{path} is nested more than {DEEPEST} deep, or holds itself; state is plain data"));
    }
    Ok(match value {
        LuaValue::Nil => Value::Nil,
        LuaValue::Boolean(flag) => Value::Bool(*flag),
        LuaValue::Integer(number) => Value::Number(*number as f64),
        LuaValue::Number(number) => Value::Number(*number),
        LuaValue::String(text) => Value::Text(text.to_str().map_err(|_| format!("{path} is text that is not UTF-8"))?.to_owned()),
        LuaValue::Vector(v) => Value::Vector(Vec3::new(v.x(), v.y(), v.z())),
        LuaValue::LightUserData(handle) => match Thing::unpack(*handle) {
            Thing::Figure(figure) => Value::Figure(figure),
            Thing::Object(object) => Value::Object(object),
        },
        LuaValue::Table(table) => return read_table(table, place, depth),
        other => {
            let kind = other.type_name();
            return Err(format!("{path} is a {kind}; accepted: numbers, booleans, text, vectors, handles, tables of these"));
        }
    })
}

fn read_table(table: &Table, place: &mut Place, depth: usize) -> Result<Value, String> {
    if !place.met.insert(table.to_pointer()) {
        return Err(format!(
            "{} holds itself, or is a table that stands elsewhere too; state is plain data: copy it",
            place.path
        ));
    }
    if table.metatable().is_some() {
        return Err(format!("{} has a metatable; state is plain data", place.path));
    }
    let length = table.raw_len();
    let mut list = Vec::with_capacity(length);
    let mut map = BTreeMap::new();
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (key, item) = pair.map_err(|error| format!("{}: {error}", place.path))?;
        let path = &mut place.path;
        let whole = match &key {
            LuaValue::Integer(number) => Some(*number as f64),
            LuaValue::Number(number) if number.fract() == 0.0 => Some(*number),
            _ => None,
        };
        let name = match (&key, whole) {
            (_, Some(number)) => format!("[{number}]"),
            (LuaValue::String(name), _) => match name.to_str() {
                Ok(name) if !name.starts_with('[') => name.to_owned(),
                _ => return Err(format!("{path} has a key that begins with '[' or is not UTF-8")),
            },
            (key, _) => return Err(format!("{path} has a {} as a key; accepted: names and whole numbers", key.type_name())),
        };
        let outer = path.len();
        path.push_str(if name.starts_with('[') { "" } else { "." });
        path.push_str(&name);
        let item = read(&item, place, depth + 1)?;
        place.path.truncate(outer);
        // Luau walks the array part first and in order, so a list comes in order.
        if whole == Some((list.len() + 1) as f64) && map.is_empty() {
            list.push(item);
        } else {
            map.insert(name, item);
        }
    }
    if map.is_empty() {
        return Ok(if list.is_empty() { Value::Map(map) } else { Value::List(list) });
    }
    map.extend(list.into_iter().enumerate().map(|(index, item)| (format!("[{}]", index + 1), item)));
    Ok(Value::Map(map))
}

/// Makes Lua data.
pub(crate) fn from_plain(lua: &Lua, value: &Value) -> mlua::Result<LuaValue> {
    Ok(match value {
        Value::Nil => LuaValue::Nil,
        Value::Bool(flag) => LuaValue::Boolean(*flag),
        Value::Number(number) => LuaValue::Number(*number),
        Value::Text(text) => LuaValue::String(lua.create_string(text)?),
        Value::Vector(v) => LuaValue::Vector(mlua::Vector::new(v.x, v.y, v.z)),
        Value::Figure(figure) => LuaValue::LightUserData(Thing::Figure(*figure).pack()),
        Value::Object(object) => LuaValue::LightUserData(Thing::Object(*object).pack()),
        Value::List(items) => {
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for item in items {
                table.raw_push(from_plain(lua, item)?)?;
            }
            LuaValue::Table(table)
        }
        Value::Map(entries) => {
            let table = lua.create_table_with_capacity(0, entries.len())?;
            for (name, item) in entries {
                let item = from_plain(lua, item)?;
                match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|digits| digits.parse::<f64>().ok())
                {
                    Some(number) => table.raw_set(number, item)?,
                    None => table.raw_set(name.as_str(), item)?,
                }
            }
            LuaValue::Table(table)
        }
    })
}
