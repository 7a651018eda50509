//! Plain data: what parameters, events and a behaviour's state are made of.

use crate::id::{FigureHandle, ObjectHandle};
use crate::space::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value without functions, references or cycles, so that it can be saved, hashed, compared and sent anywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<Token>", try_from = "Vec<Token>")]
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

/// Values nested deeper than this are refused when they are read: a file may claim any depth.
const DEEPEST: usize = 64;

/// A value written in one row, so that reading it back nests no deeper than is allowed.
#[derive(Serialize, Deserialize)]
enum Token {
    Nil,
    Bool(bool),
    Number(f64),
    Text(String),
    Vector(Vec3),
    Figure(FigureHandle),
    Object(ObjectHandle),
    /// So many values follow.
    List(u32),
    /// So many pairs of a text and a value follow.
    Map(u32),
}

impl From<Value> for Vec<Token> {
    fn from(value: Value) -> Self {
        let mut tokens = Self::new();
        flatten(value, &mut tokens);
        tokens
    }
}

fn flatten(value: Value, tokens: &mut Vec<Token>) {
    tokens.push(match value {
        Value::Nil => Token::Nil,
        Value::Bool(flag) => Token::Bool(flag),
        Value::Number(number) => Token::Number(number),
        Value::Text(text) => Token::Text(text),
        Value::Vector(vector) => Token::Vector(vector),
        Value::Figure(figure) => Token::Figure(figure),
        Value::Object(object) => Token::Object(object),
        Value::List(items) => {
            tokens.push(Token::List(items.len() as u32));
            return items.into_iter().for_each(|item| flatten(item, tokens));
        }
        Value::Map(entries) => {
            tokens.push(Token::Map(entries.len() as u32));
            for (name, item) in entries {
                tokens.push(Token::Text(name));
                flatten(item, tokens);
            }
            return;
        }
    });
}

impl TryFrom<Vec<Token>> for Value {
    type Error = &'static str;

    fn try_from(tokens: Vec<Token>) -> Result<Self, Self::Error> {
        let mut tokens = tokens.into_iter();
        let value = build(&mut tokens, 0)?;
        if tokens.next().is_none() { Ok(value) } else { Err("a value goes on past its end") }
    }
}

fn build(tokens: &mut impl Iterator<Item = Token>, depth: usize) -> Result<Value, &'static str> {
    if depth > DEEPEST {
        return Err("a value is nested too deeply");
    }
    Ok(match tokens.next().ok_or("a value ends too soon")? {
        Token::Nil => Value::Nil,
        Token::Bool(flag) => Value::Bool(flag),
        Token::Number(number) => Value::Number(number),
        Token::Text(text) => Value::Text(text),
        Token::Vector(vector) => Value::Vector(vector),
        Token::Figure(figure) => Value::Figure(figure),
        Token::Object(object) => Value::Object(object),
        Token::List(count) => Value::List((0..count).map(|_| build(tokens, depth + 1)).collect::<Result<_, _>>()?),
        Token::Map(count) => {
            let mut entries = BTreeMap::new();
            for _ in 0..count {
                let Some(Token::Text(name)) = tokens.next() else { return Err("a table's key is missing") };
                entries.insert(name, build(tokens, depth + 1)?);
            }
            Value::Map(entries)
        }
    })
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
