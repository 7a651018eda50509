//! What a script says of its parameters, and what does not keep to it.

use crate::code::Code;
use crate::nearest::nearest;
use crate::problem::Flaw;
use simrun_sim::Value;

/// A parameter that a script describes.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamRange {
    /// Its name.
    pub name: String,
    /// The least accepted; −∞ where the script gives none.
    pub min: f64,
    /// The most accepted; +∞ where the script gives none.
    pub max: f64,
    /// `rad`, `s`; empty for a plain number.
    pub unit: String,
}

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Whether the script has no such parameter; otherwise it is the value.
    pub is_unknown: bool,
    /// What was found.
    pub found: String,
    /// What is accepted.
    pub accepted: String,
    /// The nearest name that may have been meant.
    pub meant: Option<String>,
}

impl Refusal {
    pub(crate) fn at(self, path: String) -> Flaw {
        let code = if self.is_unknown { Code::UnknownParam } else { Code::ParamRange };
        Flaw::new(code, path, self.found, self.accepted).meaning(self.meant.as_deref())
    }
}

impl ParamRange {
    /// What is wrong with a script's parameter of this name and value, if anything is; `known` are those that the script describes.
    #[must_use]
    pub fn refuse(known: &[Self], script: &str, name: &str, value: &Value) -> Option<Refusal> {
        let Some(range) = known.iter().find(|range| range.name == name) else {
            let names: Vec<&str> = known.iter().map(|range| range.name.as_str()).collect();
            return Some(Refusal {
                is_unknown: true,
                found: format!("the script '{script}' has no parameter \"{name}\""),
                accepted: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
                meant: nearest(name, names).map(str::to_owned),
            });
        };
        let found = match value.number() {
            Some(number) if number >= range.min && number <= range.max => return None,
            Some(number) => number.to_string(),
            None => value.kind().to_owned(),
        };
        let accepted = format!("a number from {} to {} {}", range.min, range.max, range.unit).trim_end().to_owned();
        Some(Refusal { is_unknown: false, found, accepted, meant: None })
    }
}
