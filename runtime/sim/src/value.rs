//! Plain data: what parameters, events and a behaviour's state are made of.

use crate::id::{FigureHandle, ObjectHandle};
use crate::space::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value without functions, references or cycles, so that it can be saved, hashed, compared and sent anywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Nothing.
    #[default]
    Nil,
    /// True or false.
    Bool(bool),
    /// A double.
    Number(f64),
    /// Text.
    Text(String),
    /// Three single-precision numbers.
    Vector(Vec3),
    /// A live figure.
    Figure(FigureHandle),
    /// A live object.
    Object(ObjectHandle),
    /// Values numbered from 1 in Lua.
    List(Vec<Value>),
    /// Values by name, in the names' order.
    Map(BTreeMap<String, Value>),
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// What kind of value it is, in words for messages.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Nil => "nothing",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Vector(_) => "a vector",
            Self::Figure(_) => "a figure",
            Self::Object(_) => "an object",
            Self::List(_) => "a list",
            Self::Map(_) => "a table",
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
