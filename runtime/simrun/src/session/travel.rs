//! What lines ask for that the simulation itself cannot do: going back in time, the same again, futures side by side.

use super::Session;
use crate::moment::{Branch, Frame, Moment, Watched, ask};
use crate::past::{self, Past, Place};
use rayon::prelude::*;
use simrun_measure::outcome::{self, Outcome, OutcomeWatch};
use simrun_script::{Callback, Request};
use simrun_sim::record::Entry;
use simrun_sim::{Value, World};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::thread::ScopedJoinHandle;

/// Snapshots that `sim.snapshot` keeps, and marks; the oldest go first.
const MOST_KEPT: usize = 16;
/// How long before the last blow `:again` begins (s): behaviours that see it coming need their time too.
const LEAD: f64 = 0.5;

/// What is kept for going back to.
#[derive(Debug, Default)]
pub struct Kept {
    snapshots: VecDeque<(u64, Spot)>,
    last_number: u64,
    /// Named moments.
    marks: VecDeque<(String, Spot)>,
    /// What the last fork was of, and what came of it.
    fork: Option<(Spot, Vec<Future>)>,
    /// What was shown before the last `again`, to be shown beside what is.
    pub(super) ghost: Vec<Frame>,
}

/// A moment, and how it was come to.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) moment: Moment,
    place: Place,
}

/// A future that has been run.
#[derive(Clone, Debug)]
struct Future {
    /// Where it ended.
    end: Moment,
    /// What has been in it.
    past: Past,
}

impl Session {
    /// Does what a line asks for.
    pub(super) fn perform(&mut self, request: Request) -> Result<Value, String> {
        let of = |name: &'static str| move |why: String| format!("sim.{name}: {why}");
        match request {
            Request::Advance(steps) => {
                self.advance(steps);
                Ok(Value::Number(self.world.step_index() as f64))
            }
            Request::Snapshot => Ok(Value::Number(self.keep_snapshot() as f64)),
            Request::Restore(number) => self.restore(number).map(Value::Number).map_err(of("restore")),
            Request::Rewind(seconds) => self.rewind(seconds).map(Value::Number).map_err(of("rewind")),
            Request::Mark(name) => Ok(Value::Number(self.mark(name))),
            Request::Again(mark) => self.again(mark.as_deref()).map(Value::Text).map_err(of("again")),
            Request::Fork { values, each, seconds } => self.fork(&values, &each, seconds).map_err(of("fork")),
            Request::Keep(future) => self.keep_future(future).map(Value::Number).map_err(of("keep")),
        }
    }

    /// Takes so many steps, or fewer where somebody wants it to stop.
    pub(super) fn advance(&mut self, steps: u64) {
        for _ in 0..steps {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            self.step();
        }
    }

    /// Goes so many seconds back. Returns the time that it is then (s).
    pub(super) fn rewind(&mut self, seconds: f64) -> Result<f64, String> {
        let back = (seconds * f64::from(self.world.settings().step_hz)).round() as u64;
        let first = self.past.first_step().unwrap_or(self.world.step_index());
        let step = self.world.step_index().checked_sub(back).filter(|step| *step >= first);
        let step = step.ok_or_else(|| {
            let reach = (self.world.step_index() - first) as f64 * f64::from(self.world.dt());
            format!("{seconds} s: no more than {reach:.3} s are kept")
        })?;
        let spot = self.spot_at(step)?;
        self.go_to(&spot)
    }

    /// The moment in which a step was come to.
    pub(super) fn spot_at(&self, step: u64) -> Result<Spot, String> {
        let place = self.past.place_at(step);
        let before = self.past.before(step).cloned().unwrap_or_else(|| Moment::of(&self.world, &self.scripts));
        if before.step() == step {
            return Ok(Spot { moment: before, place });
        }
        let mut branch = Branch::of(&before, self.models())?;
        branch.run_to(step);
        Ok(Spot { moment: branch.moment(), place })
    }

    /// The present, with all that has been asked.
    fn spot(&mut self) -> Spot {
        self.gather();
        Spot { moment: Moment::of(&self.world, &self.scripts), place: self.past.place(&self.asked) }
    }

    /// Goes back to a moment, and on from there. Returns its time (s).
    fn go_to(&mut self, spot: &Spot) -> Result<f64, String> {
        let time = self.become_moment(&spot.moment)?;
        self.past.go_on_from(&spot.moment, &spot.place);
        self.asked.clone_from(&spot.place.asked);
        // The recording goes on from the moment, which holds them.
        self.recorded = self.asked.len();
        Ok(time)
    }

    /// Makes a moment the present; scripts stay those of now. Returns its time (s).
    fn become_moment(&mut self, moment: &Moment) -> Result<f64, String> {
        let present = Moment::of(&self.world, &self.scripts);
        self.world.restore(&moment.world).map_err(|error| error.to_string())?;
        let dropped = self.scripts.become_image(&mut self.world, &moment.scripts).map_err(|error| {
            // It stood there a moment ago.
            let _ = self.world.restore(&present.world);
            error.to_string()
        })?;
        if dropped > 0 {
            self.console.note(&format!("{dropped} callbacks of the prompt are gone: closures cannot be kept"));
        }
        if let Err(problem) = self.scripts.take_texts_of(&mut self.world, &present.scripts) {
            self.tell(vec![problem]);
        }
        // What was asked of the present that is left.
        self.world.take_journal();
        self.scripts.take_touched();
        self.observer.jumped(self.world.time());
        if let Some(watch) = &mut self.watch {
            watch.jumped();
        }
        if let Some(record) = &mut self.record {
            record.jump(&self.world);
        }
        Ok(self.world.time())
    }

    fn keep_snapshot(&mut self) -> u64 {
        self.kept.last_number += 1;
        if self.kept.snapshots.len() == MOST_KEPT {
            self.kept.snapshots.pop_front();
        }
        let spot = self.spot();
        self.kept.snapshots.push_back((self.kept.last_number, spot));
        self.kept.last_number
    }

    fn restore(&mut self, number: u64) -> Result<f64, String> {
        let known = self.kept.snapshots.iter().find(|(known, _)| *known == number).map(|(_, spot)| spot.clone());
        let spot = known.ok_or_else(|| {
            let numbers: Vec<String> = self.kept.snapshots.iter().map(|(known, _)| known.to_string()).collect();
            format!("there is no snapshot {number}; there are: {}", or_none(&numbers))
        })?;
        self.go_to(&spot)
    }

    /// Names the present moment. Returns its time (s).
    pub(super) fn mark(&mut self, name: String) -> f64 {
        self.kept.marks.retain(|(known, _)| *known != name);
        if self.kept.marks.len() == MOST_KEPT {
            self.kept.marks.pop_front();
        }
        let spot = self.spot();
        self.kept.marks.push_back((name, spot));
        self.world.time()
    }

    /// Runs what has been since a mark, or since before the last blow, once more. Returns what changed, in words.
    pub(super) fn again(&mut self, mark: Option<&str>) -> Result<String, String> {
        let end = self.world.step_index();
        let spot = self.beginning(mark)?;
        let from = spot.moment.step();
        if from >= end {
            return Err(format!("{} is now: no step has been taken since", mark.unwrap_or("the last blow")));
        }
        let mut asked = self.past.asked_since(from);
        if let Some((_, entries)) = asked.first_mut().filter(|(step, _)| *step == from) {
            // The moment holds these.
            entries.drain(..spot.place.asked.len().min(entries.len()));
        }
        let models = self.models();
        let (old, new) = std::thread::scope(|scope| {
            let (moment, asked) = (&spot.moment, &asked);
            let old = scope.spawn(move || {
                let mut branch = Branch::of(moment, models)?;
                let mut frames = Vec::new();
                Ok((branch.watched_to(end, asked, |world| frames.push(Frame::of(world))), frames))
            });
            if self.hub.shows_frames() {
                // Whoever sees the frames sees those of the old run beside them.
                let old = ended(old).inspect(|(_, frames)| self.kept.ghost.clone_from(frames));
                return (old, self.go_to(&spot).map(|_| self.run_again(end, asked)));
            }
            let new = self.go_to(&spot).map(|_| self.run_again(end, asked));
            (ended(old), new)
        });
        let (new, refused) = new?;
        let (old, frames) = old.map_err(|why: String| format!("the run as it was: {why}"))?;
        let seconds = (end - from) as f64 * f64::from(self.world.dt());
        let mut said = format!("again from {:.3} s, {seconds:.3} s", from as f64 * f64::from(self.world.dt()));
        if refused > 0 {
            said += &format!("; {refused} commands name what is not there now");
        }
        if old.hash == self.world.sim_hash() {
            said += ": the same to the bit";
        }
        let lines = outcome::compared(&old.outcomes, &new);
        self.kept.ghost = frames;
        Ok([said].into_iter().chain(lines.into_iter().map(|line| format!("  {line}"))).collect::<Vec<_>>().join("\n"))
    }

    /// Where `again` begins.
    fn beginning(&self, mark: Option<&str>) -> Result<Spot, String> {
        if let Some(name) = mark {
            let known = self.kept.marks.iter().find(|(known, _)| known == name);
            return known.map(|(_, spot)| spot.clone()).ok_or_else(|| {
                let names: Vec<String> = self.kept.marks.iter().map(|(known, _)| known.clone()).collect();
                format!("there is no mark \"{name}\"; there are: {}", or_none(&names))
            });
        }
        let blow = self.past.last_blow().ok_or("nobody has been struck in the time that is kept; sim.mark names a moment")?;
        let lead = (LEAD * f64::from(self.world.settings().step_hz)).round() as u64;
        let from = blow.saturating_sub(lead).max(self.past.first_step().unwrap_or(0));
        self.spot_at(from)
    }

    fn run_again(&mut self, end: u64, asked: &[(u64, Vec<Entry>)]) -> (Vec<Outcome>, usize) {
        let mut watch = OutcomeWatch::new(&self.world);
        let mut refused = 0;
        while self.world.step_index() < end && !self.stop.load(Ordering::Relaxed) {
            refused += ask(&mut self.world, asked);
            self.step();
            watch.after_step(&self.world);
        }
        (watch.outcomes(&self.world), refused)
    }

    /// Runs futures of the present, one a value, on all threads that there are.
    fn fork(&mut self, values: &[Value], each: &Callback, seconds: f64) -> Result<Value, String> {
        let steps = (seconds * f64::from(self.world.settings().step_hz)).round() as u64;
        let end = self.world.step_index() + steps;
        let present = self.spot();
        let begin = |value: &Value| {
            let mut world = World::hollow();
            world.restore(&present.moment.world).map_err(|error| error.to_string())?;
            world.keep_journal(true);
            self.scripts.issue(&mut world, each, value)?;
            let asked = [present.place.asked.clone(), world.take_journal()].concat();
            Ok((Moment { world: world.snapshot(), scripts: present.moment.scripts.clone() }, asked))
        };
        let begun: Vec<(Moment, Vec<Entry>)> = values.iter().map(begin).collect::<Result<_, String>>()?;
        let models = self.models();
        let bytes = past::BYTES / begun.len().max(1);
        let run = |(moment, asked): &(Moment, Vec<Entry>)| {
            let mut branch = Branch::of(moment, models.clone())?.keeping(Past::new(bytes), asked.clone());
            let watched = branch.watched_to(end, &[], |_| ());
            let end = branch.moment();
            Ok((watched, Future { end, past: branch.into_past().unwrap_or_else(|| Past::new(bytes)) }))
        };
        let ended = begun.par_iter().map(run).collect::<Result<Vec<_>, String>>()?;
        let (watched, futures): (Vec<Watched>, Vec<Future>) = ended.into_iter().unzip();
        self.kept.fork = Some((present, futures));
        Ok(Value::List(values.iter().zip(&watched).map(|(value, watched)| table(value, watched)).collect()))
    }

    /// Makes a future the present, with all that has been in it. Returns its time (s).
    fn keep_future(&mut self, future: u64) -> Result<f64, String> {
        let (present, futures) = self.kept.fork.as_ref().ok_or("no futures have been run; sim.fork does")?;
        let known = usize::try_from(future).ok().and_then(|future| futures.get(future.checked_sub(1)?));
        let known = known.ok_or_else(|| format!("there is no future {future}; accepted: 1 to {}", futures.len()))?;
        let (present, Future { end, past }) = (present.clone(), known.clone());
        let time = self.become_moment(&end)?;
        self.past.go_on_from(&present.moment, &present.place);
        self.past.append(past, present.moment.step());
        (self.asked, self.recorded) = (Vec::new(), 0);
        Ok(time)
    }
}

/// What came of a run in a thread of its own.
fn ended<T>(run: ScopedJoinHandle<'_, Result<T, String>>) -> Result<T, String> {
    run.join().unwrap_or_else(|_| Err("it broke off".to_owned()))
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// What came of a future, as a script reads it.
fn table(value: &Value, watched: &Watched) -> Value {
    let number = |number: Option<f64>| number.map_or(Value::Nil, Value::Number);
    let figure = |outcome: &Outcome| {
        map([
            ("fell", Value::Bool(outcome.fell)),
            ("head", number(outcome.head_mps)),
            ("steps", Value::Number(f64::from(outcome.steps))),
            ("still", number(outcome.still_s)),
            ("torque", Value::Number(outcome.torque_pct)),
        ])
    };
    let figures = watched.outcomes.iter().map(|outcome| (outcome.name.clone(), figure(outcome)));
    map([
        ("value", value.clone()),
        ("hash", Value::Text(format!("{:016x}", watched.hash))),
        ("error", watched.error.clone().map_or(Value::Nil, Value::Text)),
        ("figures", Value::Map(figures.collect())),
    ])
}

fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let there = fields.into_iter().filter(|(_, value)| *value != Value::Nil);
    Value::Map(there.map(|(name, value)| (name.to_owned(), value)).collect::<BTreeMap<_, _>>())
}
