//! `:tune`: a sweep of a behaviour's parameters by the measure that it names, in the background.

use super::{Reply, Session};
use crate::background::{APART, Background, State};
use serde::Deserialize;
use simrun_scene::did_you_mean;
use simrun_script::ParamDoc;
use simrun_sim::motion::Setting;
use std::collections::BTreeMap;
use std::time::Instant;

/// Numbers that a grid has of a parameter where nothing is said.
const STEPS: usize = 5;
const ACCEPTED: &str = "accepted: :tune PARAM=A..B:N …, with what simrun sweep takes behind it, or :tune stop";

/// A sweep that is being taken.
#[derive(Debug)]
pub struct Tuning {
    script: String,
    measure: String,
    running: Background,
    told: Instant,
}

/// What a line asks for.
struct Asked {
    script: String,
    /// As `simrun sweep` takes them.
    params: Vec<String>,
    /// What follows them.
    more: Vec<String>,
}

/// What is read of a sweep's document.
#[derive(Deserialize)]
struct Swept {
    trials: usize,
    rows: Vec<String>,
    as_is: Trial,
    best: Vec<Trial>,
}

#[derive(Deserialize)]
struct Trial {
    set: BTreeMap<String, f64>,
    score: Vec<Option<f64>>,
    failed: usize,
}

impl Session {
    /// Begins a sweep, or ends the one under way. Without a person who goes on meanwhile it is waited for.
    pub(super) fn tune(&mut self, asked: &str) -> Reply {
        if asked == "stop" {
            return match self.tuning.take() {
                Some(tuning) => Reply::Value(format!("{} is not tuned any more", tuning.script)),
                None => Reply::Error(":tune stop: nothing is being tuned".to_owned()),
            };
        }
        if let Some(tuning) = &self.tuning {
            return Reply::Error(format!(":tune: {} is being tuned; :tune stop ends that", tuning.script));
        }
        let began = self.asked_to_tune(asked).and_then(|asked| self.begin_to_tune(&asked));
        let tuning = match began {
            Ok(tuning) => tuning,
            Err(why) => return Reply::Error(format!(":tune: {why}")),
        };
        self.console.note(&format!("tuning {} by {}", tuning.script, tuning.measure));
        self.tuning = Some(tuning);
        self.wait_for(|session| session.tuning.is_some(), Self::attend_tuning);
        Reply::Nothing
    }

    /// Says how far the sweep is, and what it came to.
    pub fn attend_tuning(&mut self) {
        let Some(tuning) = &mut self.tuning else { return };
        match tuning.running.poll() {
            State::Done(done, of) if of > 0 && tuning.told.elapsed() > APART => {
                tuning.told = Instant::now();
                let said = format!("{} by {}: {done} of {of} trials", tuning.script, tuning.measure);
                self.console.note(&said);
            }
            State::Done(..) => {}
            State::Over(outcome) => {
                let Some(Tuning { script, measure, .. }) = self.tuning.take() else { return };
                let swept = outcome.and_then(|text| serde_json::from_str::<Swept>(&text).map_err(|error| error.to_string()));
                match swept {
                    Ok(swept) => self.console.note(&format!("{script}, {measure}: {}", swept.words(&script))),
                    Err(why) => self.say(&Reply::Error(format!("{script} is not tuned: {why}"))),
                }
            }
        }
    }

    fn begin_to_tune(&mut self, asked: &Asked) -> Result<Tuning, String> {
        let script = asked.script.clone();
        let job = self.job(&script)?.ok_or_else(|| {
            format!("{script} names no measure; accepted: a behaviour whose table has an entry such as measure = \"falls\"")
        })?;
        let running = Background::start(job.root.as_deref(), |folder| job.put_to_sweep(folder, &asked.params, &asked.more));
        let running = running.map_err(|error| error.to_string())?;
        Ok(Tuning { script, measure: job.measure.name, running, told: Instant::now() })
    }

    /// Which parameters of which behaviour: one that is loaded and has them all.
    fn asked_to_tune(&self, text: &str) -> Result<Asked, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (wanted, more) = words.split_at(words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len()));
        if wanted.is_empty() {
            return Err(ACCEPTED.to_owned());
        }
        let known = self.scripts.loaded_params();
        let mut script: Option<String> = None;
        let mut params = Vec::new();
        let searched = more.iter().any(|word| word.starts_with("--random") || word.starts_with("--cmaes"));
        for word in wanted {
            let (target, range) = word.split_once('=').map_or((*word, None), |(target, range)| (target, Some(range)));
            let (own, name) = target.rsplit_once('.').map_or((None, target), |(own, name)| (Some(own), name));
            let (owner, doc) = of_whom(&known, own.or(script.as_deref()), name)?;
            if script.as_ref().is_some_and(|script| script != owner) {
                return Err(format!(
                    "{name} is {owner}'s, what stands before it another's; accepted: parameters of one behaviour"
                ));
            }
            script = Some(owner.to_owned());
            params.push(axis(doc, range, searched));
        }
        let more = more.iter().map(|word| (*word).to_owned()).collect();
        Ok(Asked { script: script.unwrap_or_default(), params, more })
    }
}

/// The behaviour that has a parameter, among those that are loaded or one of them.
fn of_whom<'a>(
    known: &'a [(String, Vec<ParamDoc>)],
    script: Option<&str>,
    name: &str,
) -> Result<(&'a str, &'a ParamDoc), String> {
    if script == Some("motion") || (script.is_none() && Setting::of(name).is_some()) {
        let here = format!("ann:set_param(\"motion\", \"{name}\", …) sets ann's, --set motion.{name}=… that of all before a run");
        return Err(format!("{name} is a figure's setting and no behaviour's parameter, which are what is tuned; {here}"));
    }
    let of = known.iter().filter(|(owner, _)| script.is_none_or(|script| script == owner));
    let docs: Vec<(&str, &ParamDoc)> = of.flat_map(|(owner, docs)| docs.iter().map(move |doc| (owner.as_str(), doc))).collect();
    let found: Vec<&(&str, &ParamDoc)> = docs.iter().filter(|(_, doc)| doc.name == name).collect();
    match found.as_slice() {
        [one] => Ok(**one),
        [] => {
            let meant = did_you_mean(name, docs.iter().map(|(_, doc)| doc.name.as_str()));
            let whose = script.map_or_else(|| "no behaviour that is loaded has".to_owned(), |script| format!("{script} has no"));
            Err(format!("{whose} parameter '{name}'{meant}").replace("has parameter", "has a parameter"))
        }
        more => {
            let names: Vec<String> = more.iter().map(|(owner, _)| format!("{owner}.{name}")).collect();
            Err(format!("{name} is more than one's; accepted: {}", names.join(", ")))
        }
    }
}

/// A parameter as `simrun sweep` takes it: over all that is accepted where nothing is said, in a few steps on a grid. Of one that is
/// described without a range the name alone, to which the sweep says what it lacks.
fn axis(doc: &ParamDoc, range: Option<&str>, searched: bool) -> String {
    if range.is_none() && !(doc.min.is_finite() && doc.max.is_finite()) {
        return doc.name.clone();
    }
    let range = range.map_or_else(|| format!("{}..{}", doc.min, doc.max), str::to_owned);
    let steps = if searched || range.contains(':') { String::new() } else { format!(":{STEPS}") };
    format!("{}={range}{steps}", doc.name)
}

impl Swept {
    /// In one line: what is bettered as it is and at the best, and what sets that.
    fn words(&self, script: &str) -> String {
        let number = |number: &Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.4}"));
        let plain =
            |text: String| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
        let score = |trial: &Trial| trial.score.iter().map(|one| plain(number(one))).collect::<Vec<_>>().join(", ");
        let rows = self.rows.join(", ");
        let Some(best) = self.best.first() else { return format!("{} trials, and nothing came of them", self.trials) };
        if best.score == self.as_is.score && best.failed >= self.as_is.failed {
            return format!("{} trials, none better than it is: {rows} {}", self.trials, score(&self.as_is));
        }
        let set: Vec<String> = best.set.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let calls: Vec<String> =
            best.set.iter().map(|(name, value)| format!("set_param(\"{script}\", \"{name}\", {value})")).collect();
        let (now, then) = (score(&self.as_is), score(best));
        format!("{} trials: {rows} {now} as it is, {then} at {}: {}", self.trials, set.join(", "), calls.join(" "))
    }
}
