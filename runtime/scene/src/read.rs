//! Reading: text to a checked [`Scene`].

use crate::check::check;
use crate::code::Code;
use crate::explain::explain;
use crate::file::read_text;
use crate::format::{Behaviour, Figure, Horde, Scene};
use crate::models::Models;
use crate::nearest::nearest;
use crate::param::Param;
use crate::problem::{Flaw, Problem};
use crate::range::ParamRange;
use crate::repair::repair;
use crate::tree::{Tree, placed};
use simrun_sim::{FigureSpec, HordeSpec, PoolSpec, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Scene {
    /// Reads and checks a scene file. Models are not looked at: [`Scene::build`] does.
    ///
    /// # Errors
    /// Every problem of what the file says; of a file that is no JSON, the first.
    pub fn read(file: &Path) -> Result<Self, Vec<Problem>> {
        let text = read_text(file).map_err(|problem| vec![*problem])?;
        Self::parse(file, &text)
    }

    /// Like [`Scene::read`], from a text; `file` is for messages.
    ///
    /// # Errors
    /// As [`Scene::read`].
    pub fn parse(file: &Path, text: &str) -> Result<Self, Vec<Problem>> {
        let mut flaws = Vec::new();
        let tree = Tree::read(text, &mut flaws).map_err(|fault| vec![fault.0.at(file, fault.1)])?;
        flaws.extend(tree.positional());
        // From the text: serde reads its decimals into single precision at once.
        match serde_json::from_str::<Self>(text) {
            Ok(scene) => {
                flaws.extend(check(&scene));
                if flaws.is_empty() {
                    return Ok(scene);
                }
            }
            Err(_) => {
                let already: BTreeSet<String> = flaws.iter().map(|flaw| flaw.path.clone()).collect();
                let repaired = repair(tree.value(), text.len());
                let meaning = repaired.scene.as_ref().map(check).unwrap_or_default();
                let meaning: Vec<Flaw> = meaning.into_iter().filter(|flaw| repaired.is_genuine(flaw)).collect();
                flaws.extend(repaired.flaws.into_iter().chain(meaning).filter(|flaw| !already.contains(&flaw.path)));
            }
        }
        Err(placed(flaws, file, text))
    }

    /// What is wrong with what it says, wherever it came from: ranges, names, what belongs together.
    #[must_use]
    pub fn flaws(&self) -> Vec<Problem> {
        check(self).into_iter().map(|flaw| flaw.at(Path::new(""), None)).collect()
    }

    /// Problems of a scene at `file` with the scripts that it names, where `known` are those that there are.
    #[must_use]
    pub fn script_problems(&self, file: &Path, known: &[String]) -> Vec<Problem> {
        let accepted = || if known.is_empty() { "none: there is no folder 'scripts'".to_owned() } else { known.join(", ") };
        let missing = |name: &str, path: String| {
            let there = known.iter().any(|known| known == name);
            let meant = nearest(name, known.iter().map(String::as_str));
            (!there).then(|| Flaw::new(Code::UnknownScript, path, format!("no script \"{name}\""), accepted()).meaning(meant))
        };
        let mut flaws: Vec<Flaw> = self.script.iter().filter_map(|name| missing(name, "script".to_owned())).collect();
        for (path, behaviour) in self.behaviours() {
            flaws.extend(missing(&behaviour.script, path));
        }
        placed(flaws, file, &read_text(file).unwrap_or_default())
    }

    /// Problems of the behaviours' parameters, where `described` says which a script has: those that are unknown, of another type
    /// or out of their range.
    pub fn param_problems(&self, file: &Path, described: &mut dyn FnMut(&str) -> Option<Vec<ParamRange>>) -> Vec<Problem> {
        let mut flaws = Vec::new();
        for (path, behaviour) in self.behaviours() {
            if behaviour.params.is_empty() {
                continue;
            }
            let Some(known) = described(&behaviour.script) else { continue };
            for (name, Param(value)) in &behaviour.params {
                let path = format!("{path}.params.{name}");
                flaws.extend(ParamRange::refuse(&known, &behaviour.script, name, value).map(|refused| refused.at(path)));
            }
        }
        if flaws.is_empty() { Vec::new() } else { placed(flaws, file, &read_text(file).unwrap_or_default()) }
    }

    /// What can be run and is hardly meant: grips off their item, what is too heavy for hands, a look without the
    /// behaviour that looks, two figures in one place.
    #[must_use]
    pub fn warnings(&self, file: &Path) -> Vec<Problem> {
        let doubts = crate::doubt::doubts(self);
        if doubts.is_empty() { Vec::new() } else { placed(doubts, file, &read_text(file).unwrap_or_default()) }
    }

    /// Every behaviour of figures and pools, with its path.
    pub fn behaviours(&self) -> impl Iterator<Item = (String, &Behaviour)> {
        let figures = self.figures.iter().enumerate().map(|(index, figure)| (format!("figures[{index}]"), &figure.behaviours));
        let hordes = self.hordes.iter().enumerate().map(|(index, horde)| (format!("hordes[{index}]"), &horde.behaviours));
        figures.chain(hordes).flat_map(|(owner, behaviours)| {
            let all = behaviours.iter().enumerate();
            all.map(move |(place, behaviour)| (format!("{owner}.behaviours[{place}]"), behaviour))
        })
    }
}

/// A figure as a script describes it, in the fields of a scene's `figures`; the name is given apart.
///
/// # Errors
/// One line that says the field, what was found and what is accepted.
pub fn figure_from_value(name: &str, record: &Value, models: &mut Models) -> Result<(Figure, FigureSpec), String> {
    let figure: Figure = decoded(name, record)?;
    let mut flaws = Vec::new();
    crate::check::figure(&mut flaws, "", &figure);
    if figure.look_at.is_some() {
        flaws.push(Flaw::new(Code::Conflict, "look_at", "a figure that is made later", "motion.look, once it is there"));
    }
    let spec = models.figure(&figure, "", None, &mut flaws);
    match (flaws.first(), spec) {
        (None, Some(spec)) => Ok((figure, spec)),
        (Some(flaw), _) => Err(one_line(flaw)),
        (None, None) => Err(format!("the figure '{name}' cannot be made")),
    }
}

/// A horde as a script describes it, in the fields of a scene's `hordes`; the name is given apart.
///
/// # Errors
/// As [`figure_from_value`].
pub fn horde_from_value(name: &str, record: &Value, models: &mut Models) -> Result<(Horde, HordeSpec), String> {
    let horde: Horde = decoded(name, record)?;
    let mut flaws = Vec::new();
    crate::horde::check(&mut flaws, "", &horde);
    let spec = crate::horde::spec(&horde, "", models, None, &mut flaws);
    match (flaws.first(), spec) {
        (None, Some(spec)) => Ok((horde, spec)),
        (Some(flaw), _) => Err(one_line(flaw)),
        (None, None) => Err(format!("the horde '{name}' cannot be made")),
    }
}

/// A pool of so many figures as a script describes it, in those fields of a scene's `hordes` that concern it.
///
/// # Errors
/// As [`figure_from_value`].
pub fn pool_from_value(count: usize, record: &Value) -> Result<PoolSpec, String> {
    let mut fields = match record {
        Value::Map(fields) => fields.clone(),
        Value::List(list) if list.is_empty() => BTreeMap::new(),
        other => return Err(format!("found a {}; accepted: motion, behaviours, stance, settle and despawn", other.kind())),
    };
    for (name, value) in [("model", "".into()), ("clip", "".into()), ("count", 0.0.into()), ("pool", (count as f64).into())] {
        fields.insert(name.to_owned(), value);
    }
    let horde: Horde = decoded("", &Value::Map(fields))?;
    let mut flaws = Vec::new();
    crate::horde::check(&mut flaws, "", &horde);
    flaws.first().map_or_else(|| Ok(crate::horde::pool(&horde)), |flaw| Err(one_line(flaw)))
}

/// A script's record in the fields of a scene's.
fn decoded<T: serde::de::DeserializeOwned>(name: &str, record: &Value) -> Result<T, String> {
    let mut json = serde_json::to_value(Param(record.clone())).map_err(|error| error.to_string())?;
    make_whole(&mut json);
    if let Some(fields) = json.as_object_mut() {
        fields.insert("name".to_owned(), name.into());
    }
    serde_path_to_error::deserialize(json)
        .map_err(|error| one_line(&explain(&error.path().to_string(), &error.inner().to_string())))
}

/// A script has one kind of number; a file says those that count something without a fraction.
fn make_whole(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Array(list) => list.iter_mut().for_each(make_whole),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(make_whole),
        serde_json::Value::Number(number) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < WHOLE);
            if let Some(whole) = whole {
                *json = (whole as i64).into();
            }
        }
        _ => {}
    }
}

/// Up to here a number of a script holds every whole number.
const WHOLE: f64 = 9_007_199_254_740_992.0;

fn one_line(flaw: &Flaw) -> String {
    format!("{:#}", flaw.clone().at(Path::new(""), None))
}
