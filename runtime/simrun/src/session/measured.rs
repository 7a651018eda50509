//! What saves are judged by: the measure that a behaviour names, of its text as it was kept and as it is now; keeping a text, and going back to it.

use super::{Reply, Session};
use crate::background::{APART, Background, Job, State};
use simrun_measure::Row;
use simrun_measure::compare::compared;
use simrun_measure::sources::from_here;
use simrun_script::{NamedMeasure, Sources as _};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Tables that are remembered: going back and forth between a few texts costs nothing.
const REMEMBERED: usize = 16;
/// Where `:revert` puts what was edited, in the folder of scripts: its dot keeps it from being taken for scripts.
const EDITED: &str = ".edited";

/// What is known of texts.
#[derive(Debug, Default)]
pub struct Measured {
    /// Nobody wants saves to be measured.
    off: bool,
    /// By script, what its saves are compared with: the text before the first of them, or the one kept last.
    kept: BTreeMap<String, String>,
    /// The script that was saved last.
    last: Option<String>,
    /// What texts came to, the oldest first.
    known: VecDeque<(Job, Vec<Row>)>,
    wanted: Option<Wanted>,
    running: Option<(Job, Background)>,
    told: Option<Instant>,
}

/// Two texts that are to be compared; the same twice where there is one.
#[derive(Clone, Debug)]
struct Wanted {
    kept: Job,
    now: Job,
}

impl Measured {
    fn rows(&self, job: &Job) -> Option<&Vec<Row>> {
        self.known.iter().find(|(known, _)| known == job).map(|(_, rows)| rows)
    }

    fn remember(&mut self, job: Job, rows: Vec<Row>) {
        if self.known.len() == REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back((job, rows));
    }

    /// What is to be measured next of what is wanted.
    fn next(&self) -> Option<&Job> {
        let Wanted { kept, now } = self.wanted.as_ref()?;
        [kept, now].into_iter().find(|job| self.rows(job).is_none())
    }
}

impl Session {
    /// Whether saves are measured.
    pub(super) fn measure_saves(&mut self, on: bool) {
        self.measured.off = !on;
        if !on {
            (self.measured.wanted, self.measured.running) = (None, None);
        }
    }

    /// Before scripts are read anew: what they are is what their saves will be compared with.
    pub(super) fn about_to_change(&mut self, names: &[String]) {
        let texts = self.scripts.loaded_texts();
        for name in names {
            if let Some(text) = texts.get(&path(name)) {
                self.measured.kept.entry(name.clone()).or_insert_with(|| text.to_owned());
            }
        }
    }

    /// Scripts were saved and run: the one of them that names a measure is measured.
    pub(super) fn measure_saved(&mut self, names: &[String]) {
        let fit: Vec<&String> =
            names.iter().filter(|name| self.measured.kept.contains_key(*name) && !self.unfit.contains(*name)).collect();
        // A module names none: it may have been saved with the behaviour that requires it.
        let measured = fit.iter().rfind(|name| self.scripts.loaded_measure(name).is_some());
        let Some(name) = measured.or(fit.last()).map(|name| (*name).clone()) else { return };
        let is_measured = measured.is_some() && !self.measured.off;
        self.measured.last = Some(name.clone());
        if !is_measured {
            return;
        }
        match self.wanted(&name) {
            Ok(Some(wanted)) if wanted.kept.text == wanted.now.text => {
                (self.measured.wanted, self.measured.running) = (None, None);
                self.console.note(&format!("{name} is as it was kept"));
            }
            Ok(Some(wanted)) => self.want(wanted),
            Ok(None) => {}
            Err(why) => self.console.error(&format!("{name} is not measured: {why}")),
        }
    }

    /// `:measure NAME`: takes a script's measure now. Without a person who goes on meanwhile it is waited for.
    pub(super) fn measure(&mut self, name: Option<String>) -> Reply {
        let Some(name) = name.or_else(|| self.measured.last.clone()) else {
            return Reply::Error(":measure: nothing has been saved yet; accepted: :measure NAME, on, off".to_owned());
        };
        if let Err(why) = self.folder.behaviour(&name) {
            return Reply::Error(format!(":measure: {why}"));
        }
        match self.wanted(&name) {
            Ok(Some(wanted)) => self.want(wanted),
            Ok(None) => {
                let accepted = "accepted: one whose table has an entry such as measure = \"falls\"";
                return Reply::Error(format!(":measure: {name} names no measure; {accepted}"));
            }
            Err(why) => return Reply::Error(format!(":measure: {why}")),
        }
        self.wait_for(|session| session.measured.wanted.is_some(), |session| session.attend_measures(true));
        Reply::Nothing
    }

    /// Attends to what goes on in the background until it is over, where no person goes on meanwhile.
    pub(super) fn wait_for(&mut self, goes_on: fn(&Self) -> bool, attend: fn(&mut Self)) {
        while !self.live && goes_on(self) && !self.stop.load(Ordering::Relaxed) {
            attend(self);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What is to be compared of a script, if it names a measure.
    fn wanted(&mut self, name: &str) -> Result<Option<Wanted>, String> {
        let Some(now) = self.job(name)? else { return Ok(None) };
        let kept = self.measured.kept.get(name).cloned().unwrap_or_else(|| now.text.clone());
        Ok(Some(Wanted { kept: Job { text: kept, ..now.clone() }, now }))
    }

    /// A script as it runs now and the measure that it names, if it names one.
    pub(super) fn job(&mut self, name: &str) -> Result<Option<Job>, String> {
        let Some(measure) = self.scripts.named_measure(name).map_err(|problem| problem.to_string())? else { return Ok(None) };
        let texts = self.scripts.loaded_texts();
        let text = texts.get(&path(name)).ok_or_else(|| format!("{name} is not loaded"))?;
        Ok(Some(Job {
            script: name.to_owned(),
            text: text.to_owned(),
            own: self.folder.own_measure(&measure).map_err(|error| error.to_string())?,
            measure,
            figure: self.figure.clone(),
            ankles: self.ankles,
            root: self.folder.root().map(Path::to_owned),
        }))
    }

    fn want(&mut self, wanted: Wanted) {
        let measured = &mut self.measured;
        measured.running.take_if(|(job, _)| *job != wanted.kept && *job != wanted.now);
        let NamedMeasure { name, .. } = &wanted.now.measure;
        let said = format!("measuring {} by {name}", wanted.now.script);
        measured.wanted = Some(wanted);
        if measured.running.is_none() && measured.next().is_some() {
            let waits = if self.may_measure() { "" } else { " as soon as the clock stands (:pause)" };
            self.console.note(&format!("{said}{waits}"));
        }
        self.measured.told = Some(Instant::now());
    }

    /// A processor has nothing else to do.
    fn may_measure(&self) -> bool {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.is_paused() || processors > self.world.settings().threads
    }

    /// Looks after what is measured: begins it, says how far it is and what it came to. Costs nothing where there is nothing.
    pub fn attend_measures(&mut self, at_once: bool) {
        if self.measured.wanted.is_none() {
            return;
        }
        match self.measured.running.as_mut().map(|(_, running)| running.poll()) {
            Some(State::Done(done, of)) => self.say_how_far(done, of),
            Some(State::Over(outcome)) => {
                let Some((job, _)) = self.measured.running.take() else { return };
                match outcome.and_then(|document| rows(&document)) {
                    Ok(rows) => self.measured.remember(job, rows),
                    Err(why) => {
                        self.measured.wanted = None;
                        self.say(&Reply::Error(format!("{} is not measured: {why}", job.script)));
                    }
                }
            }
            None => {}
        }
        if self.measured.running.is_none() {
            self.go_on_measuring(at_once);
        }
    }

    fn go_on_measuring(&mut self, at_once: bool) {
        let Some(job) = self.measured.next().cloned() else { return self.say_what_came_of_it() };
        if !(at_once || self.may_measure()) {
            return;
        }
        match Background::start(job.root.as_deref(), |folder| job.put(folder)) {
            Ok(running) => self.measured.running = Some((job, running)),
            Err(error) => {
                self.measured.wanted = None;
                self.say(&Reply::Error(format!("{} is not measured: {error}", job.script)));
            }
        }
    }

    fn say_how_far(&mut self, done: u64, of: u64) {
        if of > 0
            && self.measured.told.is_none_or(|told| told.elapsed() > APART)
            && let (Some((job, _)), Some(wanted)) = (&self.measured.running, &self.measured.wanted)
        {
            let what = if wanted.kept == wanted.now {
                ""
            } else if *job == wanted.kept {
                " as kept"
            } else {
                " as saved"
            };
            self.console.note(&format!("{}: {done} of {of} runs{what}", job.measure.name));
            self.measured.told = Some(Instant::now());
        }
    }

    fn say_what_came_of_it(&mut self) {
        let Some(Wanted { kept, now }) = self.measured.wanted.take() else { return };
        let (Some(before), Some(after)) = (self.measured.rows(&kept), self.measured.rows(&now)) else { return };
        let came = if kept == now {
            let held = after.iter().filter(|row| row.ok).count();
            format!("{held} of {} rows hold", after.len())
        } else {
            compared(before, after)
        };
        self.console.note(&format!("{}, {}: {came}", now.script, now.measure.name));
    }

    /// `:keep NAME`: what runs now is what saves are compared with from now on.
    pub(super) fn keep(&mut self, name: Option<String>) -> Reply {
        let Some(name) = name.or_else(|| self.measured.last.clone()) else {
            return Reply::Error(":keep: nothing has been saved yet; accepted: :keep NAME".to_owned());
        };
        let texts = self.scripts.loaded_texts();
        let Some(text) = texts.get(&path(&name)) else {
            let why =
                self.folder.behaviour(&name).err().map_or_else(|| format!("{name} is not loaded"), |error| error.to_string());
            return Reply::Error(format!(":keep: {why}"));
        };
        let before = self.measured.kept.insert(name.clone(), text.to_owned());
        let same = before.as_deref() == Some(text);
        Reply::Value(format!("{name} is kept{}", if same { " as it was" } else { ": saves are compared with it from now on" }))
    }

    /// `:revert NAME`: the text that was kept is in the file again; what was edited goes beside the scripts.
    pub(super) fn revert(&mut self, name: Option<String>) -> Reply {
        let Some(name) = name.or_else(|| self.measured.last.clone()) else {
            return Reply::Error(":revert: nothing has been saved yet; accepted: :revert NAME".to_owned());
        };
        let Some(kept) = self.measured.kept.get(&name).cloned() else {
            let why = self
                .folder
                .behaviour(&name)
                .err()
                .map_or_else(|| format!("{name} has not been saved"), |error| error.to_string());
            return Reply::Error(format!(":revert: {why}"));
        };
        match put_back(&self.folder.file(&name), &name, &kept) {
            Ok(PutBack::Already) => Reply::Value(format!("{name} is as it was kept already")),
            Ok(PutBack::Over(copy)) => {
                let reply = self.reload(std::slice::from_ref(&name));
                self.say(&reply);
                let edited = copy.map_or_else(
                    || "its file was gone".to_owned(),
                    |copy| format!("what was edited is in {}", from_here(&copy).display()),
                );
                Reply::Value(format!("{name} is as it was kept; {edited}"))
            }
            Err(error) => Reply::Error(format!(":revert: {}: {error}", self.folder.file(&name).display())),
        }
    }
}

/// The rows of a measure's document.
fn rows(document: &str) -> Result<Vec<Row>, String> {
    #[derive(serde::Deserialize)]
    struct Table {
        rows: Vec<Row>,
    }
    serde_json::from_str::<Table>(document).map(|table| table.rows).map_err(|error| error.to_string())
}

/// As texts are known by.
fn path(name: &str) -> String {
    format!("scripts/{name}.luau")
}

/// What putting a text back came to.
enum PutBack {
    /// It was there.
    Already,
    /// It is there; what was there before is in this file. A file that was gone leaves nothing to copy.
    Over(Option<PathBuf>),
}

/// Puts a text into a script's file, and what was there into a file that is new.
fn put_back(file: &Path, name: &str, text: &str) -> std::io::Result<PutBack> {
    let edited = match std::fs::read(file) {
        Ok(edited) => Some(edited),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        // What cannot be read cannot be kept: it must not be lost.
        Err(error) => return Err(error),
    };
    if edited.as_deref() == Some(text.as_bytes()) {
        return Ok(PutBack::Already);
    }
    let copy = edited.map(|edited| copied(file, name, &edited)).transpose()?;
    // Renamed into place: nobody reads half of it.
    let beside = file.with_extension("luau.new");
    file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, file)?;
    Ok(PutBack::Over(copy))
}

/// Writes what was edited into the next file that is not there yet.
fn copied(file: &Path, name: &str, edited: &[u8]) -> std::io::Result<PathBuf> {
    let depth = name.split('/').count();
    let root = file.ancestors().nth(depth).unwrap_or(Path::new("")).join(EDITED);
    let mut number = 1_u64;
    let copy = loop {
        let copy = root.join(format!("{name}.{number}.luau"));
        if !copy.exists() {
            break copy;
        }
        number += 1;
    };
    copy.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    std::fs::write(&copy, edited)?;
    Ok(copy)
}
