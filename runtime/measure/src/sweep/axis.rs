//! The parameters that a sweep goes over, and how far.

use super::{Search, refused};
use crate::carried::{Carried, described};
use crate::options::{MeasureError, Options};
use serde::Serialize;
use simrun_script::ParamDoc;
use std::str::FromStr;

/// The most numbers that a grid has of one parameter.
const MOST_STEPS: usize = 10_000;

/// A parameter to sweep, as it is asked for: `trigger`, `trigger=0.2..0.4` or `trigger=0.2..0.4:5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Which.
    pub name: String,
    /// From where to where; `None`: all that is accepted.
    pub range: Option<[f64; 2]>,
    /// How many numbers a grid has of it, both ends included.
    pub steps: Option<usize>,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("'{text}'; accepted: a parameter and its range, such as trigger=0.2..0.4, or 0.2..0.4:5 on a grid");
        let (name, range) = text.split_once('=').map_or((text, None), |(name, range)| (name, Some(range)));
        let name = name.trim().to_owned();
        let Some(range) = range else {
            return if name.is_empty() { Err(wrong()) } else { Ok(Self { name, range: None, steps: None }) };
        };
        let (range, steps) = range.split_once(':').map_or((range, None), |(range, steps)| (range, Some(steps)));
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let range = range.split_once("..").and_then(|(from, to)| Some([number(from)?, number(to)?]));
        let range = range.filter(|[from, to]| from < to && !name.is_empty()).ok_or_else(wrong)?;
        let steps = steps.map(|steps| steps.trim().parse().ok().filter(|steps| (2..=MOST_STEPS).contains(steps)));
        match steps {
            Some(None) => Err(wrong()),
            steps => Ok(Self { name, range: Some(range), steps: steps.flatten() }),
        }
    }
}

/// A parameter that is swept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Which.
    pub name: String,
    /// As the script says it.
    pub unit: String,
    /// The least tried.
    pub from: f64,
    /// The most tried.
    pub to: f64,
    /// Numbers that a grid has of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// Where the search begins, as a share of the range.
    #[serde(skip)]
    pub(super) start: f64,
}

impl Axis {
    /// The number so far along the range, 0 to 1, to six digits: what people can type, and what a file gives back as it was.
    pub(super) fn at(&self, share: f64) -> f64 {
        let exact = self.from + (self.to - self.from) * share;
        format!("{exact:.5e}").parse().unwrap_or(exact).clamp(self.from, self.to)
    }
}

/// What is wanted, with what the script says of it; where nothing is, every parameter that is not set.
pub(super) fn resolve(
    wanted: &[Wanted],
    carried: &Carried,
    options: &Options,
    search: Search,
) -> Result<Vec<Axis>, MeasureError> {
    let docs = carried.params()?;
    let path = carried.path();
    if wanted.is_empty() && search == Search::Grid {
        let all: Vec<String> = docs.iter().map(|doc| doc.name.clone()).collect();
        let (count, list) = (all.len(), all.join(", "));
        let some = docs.first().map_or_else(String::new, |doc| format!(", such as {}={}..{}:5", doc.name, doc.min, doc.max));
        let accepted = format!("accepted: some of {list}{some}; or --random N or --cmaes N, which take all");
        return Err(refused(format!(
            "no parameter is named, and of what is measured with {path} there are {count}, too many for a grid; {accepted}"
        )));
    }
    let is_set = |name: &str| options.set.iter().any(|(set, _)| set == name);
    let every = || docs.iter().map(|doc| Wanted { name: doc.name.clone(), range: None, steps: None });
    let all: Vec<Wanted> =
        if wanted.is_empty() { every().filter(|wanted| !is_set(&wanted.name)).collect() } else { wanted.to_vec() };
    if all.is_empty() {
        return Err(refused(format!("{path} describes no parameters that are not set: there is nothing to sweep")));
    }
    let mut axes: Vec<Axis> = Vec::new();
    for wanted in &all {
        let name = &wanted.name;
        if is_set(name) || axes.iter().any(|axis| axis.name == *name) {
            return Err(refused(format!("{name} is swept, and set or swept a second time; accepted: each parameter once")));
        }
        axes.push(axis(wanted, described(&docs, path, name)?, path, search)?);
    }
    Ok(axes)
}

fn axis(wanted: &Wanted, doc: &ParamDoc, path: &str, search: Search) -> Result<Axis, MeasureError> {
    let name = &wanted.name;
    let [from, to] = wanted.range.unwrap_or([doc.min, doc.max]);
    if !(from.is_finite() && to.is_finite()) {
        return Err(refused(format!("{path}: {name} is described without a range; accepted: one here, such as {name}=0..1")));
    }
    if from < doc.min || to > doc.max {
        return Err(refused(format!("{path}: {name}={from}..{to}; accepted: within {}..{}", doc.min, doc.max)));
    }
    match (search, wanted.steps) {
        (Search::Grid, None) => {
            let why =
                format!("a grid has so many numbers of each parameter: {name}={from}..{to}:5; --random and --cmaes draw them");
            Err(refused(why))
        }
        (Search::Random(_) | Search::Cmaes(_), Some(_)) => {
            Err(refused(format!("{name}: only a grid has steps; accepted: {name}={from}..{to}")))
        }
        _ => {
            let start = ((doc.default - from) / (to - from)).clamp(0.0, 1.0);
            Ok(Axis { name: name.clone(), unit: doc.unit.clone(), from, to, steps: wanted.steps, start })
        }
    }
}
