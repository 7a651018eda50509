//! Plain data across the border: [`Value`] to Lua and back.
//!
//! A table is a list when its keys are 1..=n, else a map. Whole-number keys of a map are written `[7]`, so that a table by bone
//! survives; any other key is refused by name.

use crate::handle::Thing;
use glam::Vec3;
use mlua::{Lua, Table, Value as LuaValue};
use simrun_sim::Value;
use simrun_sim::id::key_of;
use std::collections::BTreeMap;

/// Tables in tables deeper than this are refused: a table that holds itself never ends.
const DEEPEST: usize = 32;

/// Reads plain data; `path` names it in the refusal.
pub(crate) fn to_plain(value: &LuaValue, path: &str) -> Result<Value, String> {
    read(value, &mut path.to_owned(), 0)
}

fn read(value: &LuaValue, path: &mut String, depth: usize) -> Result<Value, String> {
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
        LuaValue::Table(table) => return read_table(table, path, depth),
        other => {
            let kind = other.type_name();
            return Err(format!("{path} is a {kind}; accepted: numbers, booleans, text, vectors, handles, tables of these"));
        }
    })
}

fn read_table(table: &Table, path: &mut String, depth: usize) -> Result<Value, String> {
    let length = table.raw_len();
    let mut list = Vec::with_capacity(length);
    let mut map = BTreeMap::new();
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (key, item) = pair.map_err(|error| format!("{path}: {error}"))?;
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
        let item = read(&item, path, depth + 1)?;
        path.truncate(outer);
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

/// Folds a value into a 64-bit FNV-1a hash: every bit of every number counts.
pub(crate) fn hash(value: &Value, seed: u64) -> u64 {
    match value {
        Value::Nil => bytes(&[0], seed),
        Value::Bool(flag) => bytes(&[1, u8::from(*flag)], seed),
        Value::Number(number) => bytes(&number.to_bits().to_le_bytes(), bytes(&[2], seed)),
        Value::Text(text) => bytes(text.as_bytes(), bytes(&[3], seed)),
        Value::Vector(v) => v.to_array().iter().fold(bytes(&[4], seed), |seed, x| bytes(&x.to_bits().to_le_bytes(), seed)),
        Value::Figure(figure) => bytes(&key_of(*figure).to_le_bytes(), bytes(&[5], seed)),
        Value::Object(object) => bytes(&key_of(*object).to_le_bytes(), bytes(&[6], seed)),
        Value::List(items) => items.iter().fold(bytes(&[7], seed), |seed, item| hash(item, seed)),
        Value::Map(entries) => {
            entries.iter().fold(bytes(&[8], seed), |seed, (name, item)| hash(item, bytes(name.as_bytes(), bytes(&[9], seed))))
        }
    }
}

/// FNV-1a.
pub(crate) fn bytes(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Where a hash begins.
pub(crate) const HASH_SEED: u64 = 0xcbf2_9ce4_8422_2325;
