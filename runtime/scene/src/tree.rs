//! A JSON text as a tree that knows where everything stands: for the places of problems, and for what serde passes over in silence.

use crate::code::Code;
use crate::file::{Fault, end_of};
use crate::problem::{Flaw, Problem};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;
use std::path::Path;

/// Deepest that lists and objects may stand in one another. A scene has five levels; serde gives up at 128.
const DEEPEST: usize = 64;

/// A value with the byte where it begins.
pub(crate) struct Tree {
    start: usize,
    kind: Kind,
}

enum Kind {
    /// Neither list nor object; a number that cannot be kept stands as 0.
    Plain(Value),
    List(Vec<Tree>),
    /// In the text's order; a key may stand twice.
    Object(Vec<(String, Tree)>),
}

/// An object's entries as they stand, duplicates and all.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Entries(all))
            }
        }
        deserializer.deserialize_map(All)
    }
}

impl Tree {
    /// Reads a text. The flaws are those of numbers and keys; the tree stands all the same.
    ///
    /// # Errors
    /// A text that is no JSON: what and where.
    pub(crate) fn read(text: &str, flaws: &mut Vec<Flaw>) -> Result<Self, Fault> {
        if text.trim().is_empty() {
            return Err(Box::new((Flaw::new(Code::Empty, "", "an empty file", "a JSON object"), None)));
        }
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
            // serde_json says the place again at the end.
            let said = error.to_string();
            let said = said.split(" at line ").next().unwrap_or(&said);
            let place = Some((error.line(), error.column().max(1)));
            Box::new((Flaw::new(Code::SceneSyntax, "", format!("not JSON: {said}"), "JSON"), place))
        })?;
        Self::of(text, raw, "", 0, flaws).map_err(|start| {
            let found = format!("lists and objects more than {DEEPEST} deep");
            let at = text.get(..start).map(end_of);
            Box::new((Flaw::new(Code::TooDeep, "", found, format!("up to {DEEPEST}")), at))
        })
    }

    /// `Err` is the place of what stands too deep.
    fn of(text: &str, raw: &RawValue, path: &str, depth: usize, flaws: &mut Vec<Flaw>) -> Result<Self, usize> {
        // A raw value is a slice of the text it came from.
        let start = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        let kind = match raw.get().as_bytes().first() {
            Some(b'[' | b'{') if depth == DEEPEST => return Err(start),
            Some(b'[') => {
                let list: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
                let inner = list.into_iter().enumerate();
                let inner = inner.map(|(index, raw)| Self::of(text, raw, &format!("{path}[{index}]"), depth + 1, flaws));
                Kind::List(inner.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let mut entries: Vec<(String, Self)> = Vec::new();
                let mut seen = std::collections::BTreeSet::new();
                let all = serde_json::from_str(raw.get()).map_or_else(|_| Vec::new(), |Entries(all)| all);
                for (key, raw) in all {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    if !seen.insert(key.clone()) {
                        flaws.push(Flaw::new(
                            Code::DuplicateKey,
                            &*path,
                            format!("the key \"{key}\" a second time"),
                            "each key once",
                        ));
                        continue;
                    }
                    entries.push((key, Self::of(text, raw, &path, depth + 1, flaws)?));
                }
                Kind::Object(entries)
            }
            _ => Kind::Plain(plain(raw.get(), path, flaws)),
        };
        Ok(Self { start, kind })
    }

    /// As serde_json has it, for decoding once more.
    pub(crate) fn value(&self) -> Value {
        match &self.kind {
            Kind::Plain(value) => value.clone(),
            Kind::List(list) => Value::Array(list.iter().map(Self::value).collect()),
            Kind::Object(entries) => Value::Object(entries.iter().map(|(key, inner)| (key.clone(), inner.value())).collect()),
        }
    }

    /// Lists where the format has objects: serde would take their elements for the fields in order.
    pub(crate) fn positional(&self) -> Vec<Flaw> {
        let mut lists = Vec::new();
        let mut refuse = |tree: &Self, path: String| {
            if matches!(tree.kind, Kind::List(_)) {
                lists.push(Flaw::new(Code::WrongType, path, "a list", "an object"));
            }
        };
        refuse(self, String::new());
        self.child("world").into_iter().for_each(|world| refuse(world, "world".to_owned()));
        for (index, figure) in self.child("figures").into_iter().flat_map(Self::elements).enumerate() {
            refuse(figure, format!("figures[{index}]"));
            figure.child("motion").into_iter().for_each(|motion| refuse(motion, format!("figures[{index}].motion")));
        }
        for (index, object) in self.child("objects").into_iter().flat_map(Self::elements).enumerate() {
            refuse(object, format!("objects[{index}]"));
            for form in ["capsule", "cylinder", "heightfield"] {
                let shape = object.child("shape").and_then(|shape| shape.child(form));
                shape.into_iter().for_each(|shape| refuse(shape, format!("objects[{index}].shape.{form}")));
            }
        }
        lists
    }

    fn child(&self, key: &str) -> Option<&Self> {
        let Kind::Object(entries) = &self.kind else { return None };
        entries.iter().find(|(known, _)| known == key).map(|(_, inner)| inner)
    }

    fn elements(&self) -> &[Self] {
        if let Kind::List(list) = &self.kind { list } else { &[] }
    }

    /// Line and column, both from 1, of the value at a path, or of its nearest enclosing value that is there.
    pub(crate) fn locate(&self, text: &str, path: &str) -> Option<(usize, usize)> {
        let mut at = self;
        for step in steps(path) {
            let inner = match (&at.kind, step) {
                (Kind::List(list), Step::Index(index)) => list.get(index),
                (Kind::Object(entries), Step::Key(key)) => entries.iter().find(|(known, _)| known == key).map(|(_, inner)| inner),
                _ => None,
            };
            let Some(inner) = inner else { break };
            at = inner;
        }
        text.get(..at.start).map(end_of)
    }
}

/// A number, word or text; a number that single precision cannot keep is a flaw.
fn plain(text: &str, path: &str, flaws: &mut Vec<Flaw>) -> Value {
    let value = serde_json::from_str(text).ok();
    let kept =
        value.as_ref().is_some_and(|value: &Value| value.as_f64().is_none_or(|number| number.abs() <= f64::from(f32::MAX)));
    match value {
        Some(value) if kept => value,
        _ => {
            let shown: String = text.chars().take(40).collect();
            flaws.push(Flaw::new(Code::Range, path, format!("the number {shown}"), "a finite number, up to 3.4e38"));
            Value::from(0)
        }
    }
}

/// A step of a path such as `figures[2].motion.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

pub(crate) fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split('.').flat_map(|part| {
        let (key, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        let key = (!key.is_empty()).then_some(Step::Key(key));
        let indices = indices.split('[').filter_map(|index| index.strip_suffix(']')?.parse().ok()).map(Step::Index);
        key.into_iter().chain(indices)
    })
}

/// Most problems that are told of one file: who has more reads the first of them.
const MOST_TOLD: usize = 100;

/// Gives flaws the file and, from its text, their lines; in the file's order.
pub(crate) fn placed(flaws: Vec<Flaw>, file: &Path, text: &str) -> Vec<Problem> {
    let tree = Tree::read(text, &mut Vec::new()).ok();
    let left_out = flaws.len().saturating_sub(MOST_TOLD);
    let place = |path: &str| tree.as_ref().and_then(|tree| tree.locate(text, path));
    let mut problems: Vec<Problem> = flaws
        .into_iter()
        .take(MOST_TOLD)
        .map(|flaw| {
            let at = place(&flaw.path);
            flaw.at(file, at)
        })
        .collect();
    problems.sort_by_key(|problem| problem.at);
    if left_out > 0 {
        problems.push(Problem::new(Code::TooMany, file, format!("{left_out} more problems"), ""));
    }
    problems
}
