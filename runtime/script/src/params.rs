//! Described parameters: what a behaviour can be tuned by, and what values are accepted.

use crate::nearest::accepted;
use crate::pretty::kind;
use mlua::{Table, Value as LuaValue};
use simrun_sim::Value;

/// A parameter as its script describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDoc {
    /// As scenes and `--set` name it.
    pub name: String,
    /// Where nothing else is said.
    pub default: f64,
    /// `rad`, `s`, `N·m`; empty for a plain number.
    pub unit: String,
    /// The least accepted; −∞ where the script gives none.
    pub min: f64,
    /// The most accepted; +∞ where the script gives none.
    pub max: f64,
    /// One line.
    pub doc: String,
}

/// Keys of a parameter's description.
const KEYS: [&str; 5] = ["default", "unit", "min", "max", "doc"];

impl ParamDoc {
    /// The parameters of a script's table, by name.
    pub(crate) fn all(script: &Table) -> Result<Vec<Self>, String> {
        let described = match script.raw_get::<LuaValue>("params").map_err(|error| error.to_string())? {
            LuaValue::Nil => return Ok(Vec::new()),
            LuaValue::Table(table) => table,
            other => return Err(format!("params is a {}; accepted: a table of descriptions by name", kind(&other))),
        };
        let mut all = Vec::new();
        for pair in described.pairs::<String, Table>() {
            let (name, description) =
                pair.map_err(|_| "params: each entry is a table by name: tuck = { default = 0.8 }".to_owned())?;
            all.push(Self::one(name, &description)?);
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    fn one(name: String, description: &Table) -> Result<Self, String> {
        for pair in description.pairs::<String, LuaValue>() {
            let (key, _) = pair.map_err(|_| format!("params.{name} has a key that is no name"))?;
            if !KEYS.contains(&key.as_str()) {
                return Err(format!("params.{name} has an unknown key '{key}'{}", accepted(&key, KEYS)));
            }
        }
        let number = |key: &str| match description.raw_get::<LuaValue>(key) {
            Ok(LuaValue::Nil) => Ok(None),
            Ok(LuaValue::Number(x)) if !x.is_nan() => Ok(Some(x)),
            Ok(LuaValue::Integer(x)) => Ok(Some(x as f64)),
            Ok(LuaValue::Number(_)) => Err(format!("params.{name}.{key} is not a number (nan, as 0/0 is); accepted: a number")),
            Ok(other) => Err(format!("params.{name}.{key} is a {}; accepted: a number", kind(&other))),
            Err(error) => Err(error.to_string()),
        };
        let text = |key: &str| description.raw_get::<Option<String>>(key).map(Option::unwrap_or_default);
        let default = number("default")?.ok_or_else(|| format!("params.{name} has no default"))?;
        let min = number("min")?.unwrap_or(f64::NEG_INFINITY);
        let max = number("max")?.unwrap_or(f64::INFINITY);
        let unit = text("unit").map_err(|_| format!("params.{name}.unit is not text"))?;
        let doc = text("doc").map_err(|_| format!("params.{name}.doc is not text"))?;
        let described = Self { name, default, unit, min, max, doc };
        described.check(&Value::Number(default))?;
        Ok(described)
    }

    /// Parameters a line each: name, default and unit, range, what for.
    #[must_use]
    pub fn listing(all: &[Self]) -> String {
        let row = |param: &Self| {
            let range = match (param.min.is_finite(), param.max.is_finite()) {
                (false, false) => String::new(),
                _ => format!(" ({} to {})", param.min, param.max),
            };
            format!("  {:<16} {}{}{range}; {}", param.name, param.default, spaced(&param.unit), param.doc)
        };
        all.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The number, where it is accepted.
    pub(crate) fn check(&self, value: &Value) -> Result<f64, String> {
        let range = || format!("accepted: a number from {} to {}{}", self.min, self.max, spaced(&self.unit));
        match value.number() {
            Some(number) if number >= self.min && number <= self.max => Ok(number),
            Some(number) => Err(format!("the parameter '{}' is {number}; {}", self.name, range())),
            None => Err(format!("the parameter '{}' is {}; {}", self.name, value.kind(), range())),
        }
    }

    /// The description of a name among a script's.
    pub(crate) fn find<'a>(all: &'a [Self], script: &str, name: &str) -> Result<&'a Self, String> {
        all.iter().find(|known| known.name == name).ok_or_else(|| {
            let names = all.iter().map(|known| known.name.as_str());
            format!("'{script}' has no parameter '{name}'{}", accepted(name, names))
        })
    }
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}
