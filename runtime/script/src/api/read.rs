//! Reading arguments: each kind says what it found and what it accepts.

use crate::describe::name_of;
use crate::handle::Thing;
use crate::nearest::{self, accepted};
use crate::plain::to_plain;
use crate::pretty::number;
use crate::shared::Shared;
use glam::Vec3;
use mlua::Value;
use simrun_sim::{Bone, FigureHandle, Mode, ObjectHandle, Part, Phase};

/// What an argument can be read as.
pub(crate) trait Read: Sized {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String>;
}

/// What was found, in words.
pub(crate) fn found(value: &Value, shared: &Shared) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::String(text) => format!("\"{}\"", text.to_string_lossy()),
        Value::Number(value) => number(*value),
        Value::Integer(number) => format!("{number}"),
        Value::Boolean(flag) => format!("{flag}"),
        Value::LightUserData(handle) => {
            shared.read().map_or_else(|_| "a handle".to_owned(), |world| name_of(&world, Thing::unpack(*handle)))
        }
        other => format!("a {}", other.type_name()),
    }
}

fn refuse<T>(value: &Value, shared: &Shared, accepted: &str) -> Result<T, String> {
    Err(format!("found {}; accepted: {accepted}", found(value, shared)))
}

impl Read for FigureHandle {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::LightUserData(handle) => match Thing::unpack(*handle) {
                Thing::Figure(figure) => Ok(figure),
                Thing::Object(_) => refuse(value, shared, "a figure"),
            },
            Value::Table(_) => refuse(value, shared, "a figure (is it written with ':' where '.' is meant?)"),
            _ => refuse(value, shared, "a figure"),
        }
    }
}

impl Read for ObjectHandle {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::LightUserData(handle) => match Thing::unpack(*handle) {
                Thing::Object(object) => Ok(object),
                Thing::Figure(_) => refuse(value, shared, "an object"),
            },
            _ => refuse(value, shared, "an object"),
        }
    }
}

impl Read for Thing {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::LightUserData(handle) => Ok(Self::unpack(*handle)),
            _ => refuse(value, shared, "a figure or an object"),
        }
    }
}

impl Read for f64 {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::Number(number) if number.is_finite() => Ok(*number),
            Value::Integer(number) => Ok(*number as Self),
            _ => refuse(value, shared, "a finite number"),
        }
    }
}

impl Read for f32 {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        let number = f64::read(value, shared)? as Self;
        if number.is_finite() { Ok(number) } else { refuse(value, shared, "a number up to 3.4e38") }
    }
}

impl Read for bool {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::Boolean(flag) => Ok(*flag),
            _ => refuse(value, shared, "true or false"),
        }
    }
}

impl Read for String {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(text.to_string_lossy()),
            _ => refuse(value, shared, "text"),
        }
    }
}

impl Read for Vec3 {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::Vector(v) => {
                let vector = Self::new(v.x(), v.y(), v.z());
                if vector.is_finite() { Ok(vector) } else { Err(format!("found {v}; accepted: a finite vector")) }
            }
            _ => refuse(value, shared, "a vector: vector.create(x, y, z)"),
        }
    }
}

/// The names of all bones.
pub(crate) fn bone_names() -> impl Iterator<Item = &'static str> {
    Bone::ALL.into_iter().map(Bone::name)
}

/// The text in which a nearest name is looked for; empty where the value is no text.
fn meant(value: &Value) -> String {
    if let Value::String(text) = value { text.to_string_lossy() } else { String::new() }
}

impl Read for Bone {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        let bone = match value {
            Value::Integer(index) => usize::try_from(*index).ok().and_then(|index| Self::from_index(index.checked_sub(1)?)),
            Value::Number(index) if index.fract() == 0.0 && *index >= 1.0 => Self::from_index(*index as usize - 1),
            Value::String(name) => Self::from_name(&name.to_string_lossy()),
            _ => None,
        };
        bone.ok_or_else(|| format!("found {}{}", found(value, shared), accepted(&meant(value), bone_names())))
    }
}

/// One of a list, by its number from 0 or by name.
fn choose<T: Copy>(value: &Value, shared: &Shared, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T, String> {
    let names = || all.iter().map(|one| name(*one));
    let index = match value {
        Value::Integer(index) => usize::try_from(*index).ok(),
        Value::Number(index) if index.fract() == 0.0 && *index >= 0.0 => Some(*index as usize),
        Value::String(text) => names().position(|known| known.eq_ignore_ascii_case(&text.to_string_lossy())),
        _ => None,
    };
    let one = index.and_then(|index| all.get(index).copied());
    one.ok_or_else(|| format!("found {}{}", found(value, shared), accepted(&meant(value), names())))
}

/// Those that can be set: the others are got to.
impl Read for Mode {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        choose(value, shared, &Self::SETTABLE, Self::name)
    }
}

impl Read for Part {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        choose(value, shared, &Self::ALL, Self::name)
    }
}

impl Read for Phase {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        choose(value, shared, &Self::DECLARED, Self::name)
    }
}

/// As it is: where what it means hangs on the arguments after it.
impl Read for Value {
    fn read(value: &Value, _: &Shared) -> Result<Self, String> {
        Ok(value.clone())
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        if value.is_nil() { Ok(None) } else { T::read(value, shared).map(Some) }
    }
}

impl Read for simrun_sim::Value {
    fn read(value: &Value, _: &Shared) -> Result<Self, String> {
        to_plain(value, "it")
    }
}

/// Named options in a table: `{ priority = 10, share = 0.4 }`.
#[derive(Debug, Default)]
pub(crate) struct Options(Vec<(String, Value)>);

impl Read for Options {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        match value {
            Value::Nil => Ok(Self::default()),
            Value::Table(table) => {
                let pairs: mlua::Result<Vec<(String, Value)>> = table.pairs().collect();
                pairs.map(Self).map_err(|_| "its keys are names".to_owned())
            }
            _ => refuse(value, shared, "a table of options by name"),
        }
    }
}

impl Options {
    /// Refuses names that are not among the accepted.
    pub(crate) fn only(&self, accepted: &[&str]) -> Result<(), String> {
        match self.0.iter().find(|(name, _)| !accepted.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _)) => Err(format!("there is no option '{name}'{}", nearest::accepted(name, accepted.iter().copied()))),
        }
    }

    /// The same with one more option.
    pub(crate) fn with(mut self, name: &str, value: f32) -> Self {
        self.0.push((name.to_owned(), Value::Number(value.into())));
        self
    }

    /// An option, or its default.
    pub(crate) fn get<T: Read>(&self, name: &str, default: T, shared: &Shared) -> Result<T, String> {
        match self.0.iter().find(|(known, _)| known == name) {
            None => Ok(default),
            Some((_, value)) => T::read(value, shared).map_err(|fault| format!("{name}: {fault}")),
        }
    }
}
