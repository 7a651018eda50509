//! Parameters: plain data in JSON's own forms.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use simrun_sim::Value;
use simrun_sim::space::Vec3;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A parameter's value: true or false, a number, text, a vector (a list of three numbers), a list or an object of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Param(pub Value);

impl Serialize for Param {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Vector(vector) => vector.to_array().serialize(serializer),
            Value::List(list) => {
                let mut seq = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    seq.serialize_element(&Self(value.clone()))?;
                }
                seq.end()
            }
            Value::Map(map) => serializer.collect_map(map.iter().map(|(key, value)| (key, Self(value.clone())))),
            // A live handle means nothing in a file.
            Value::Nil | Value::Figure(_) | Value::Object(_) => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for Param {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamVisitor).map(Self)
    }
}

struct ParamVisitor;

impl<'de> Visitor<'de> for ParamVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, a number, text, a list or an object")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Param(value)) = seq.next_element()? {
            list.push(value);
        }
        Ok(match list.as_slice() {
            [Value::Number(x), Value::Number(y), Value::Number(z)] => Value::Vector(Vec3::new(*x as f32, *y as f32, *z as f32)),
            _ => Value::List(list),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((key, Param(value))) = map.next_entry()? {
            entries.insert(key, value);
        }
        Ok(Value::Map(entries))
    }
}

impl JsonSchema for Param {
    fn schema_name() -> Cow<'static, str> {
        "Param".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "True or false, a number, text, a vector (three numbers), a list or an object of these.",
            "type": ["boolean", "number", "string", "array", "object"],
        })
    }
}

/// The parameters as the simulation keeps them.
pub(crate) fn to_values(params: &BTreeMap<String, Param>) -> BTreeMap<String, Value> {
    params.iter().map(|(name, Param(value))| (name.clone(), value.clone())).collect()
}

/// The parameters as a file keeps them: without handles, which mean nothing there.
pub(crate) fn from_values(params: &BTreeMap<String, Value>) -> BTreeMap<String, Param> {
    let plain = |value: &Value| !matches!(value, Value::Nil | Value::Figure(_) | Value::Object(_));
    params.iter().filter(|(_, value)| plain(value)).map(|(name, value)| (name.clone(), Param(value.clone()))).collect()
}
