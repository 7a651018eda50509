//! Running a recording again: no scene, no models, no scripts are needed.

use crate::Failure;
use crate::args::{Form, Replay as Args};
use crate::console::Console;
use crate::testing;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use simrun_measure::report::{Observer, Run};
use simrun_measure::sources::from_here;
use simrun_scene::file;
use simrun_scene::{Code, Problem};
use simrun_sim::Bone;
use simrun_sim::record::{Recording, RecordingError, Replay};
use simrun_sim::space::Vec3;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::time::Instant;

/// The most that is read (bytes): a day of the street is half of it.
const LARGEST: u64 = 4 << 30;

/// Plays a recording. Whether all of it could be checked, if that was asked for, and came to the same bits.
///
/// # Errors
/// A file that is no recording, or a damaged one.
pub fn replay(args: &Args, console: &Console) -> Result<bool, Failure> {
    let unread = |why: file::Unread| Failure(vec![Problem::new(why.code, &args.file, why.found, why.accepted)]);
    let bytes = file::read(&args.file, LARGEST).map_err(unread)?;
    let told = |error: RecordingError| Failure(vec![Problem::new(code_of(&error), &args.file, error.to_string(), "")]);
    let recording = Recording::decode(&bytes).map_err(told)?;
    if !recording.is_complete() {
        console.note(&format!("the recording was cut off: {} steps of it are whole", recording.len()));
    }
    if !recording.is_of_this_build() && args.as_test.is_none() {
        let made = &recording.header().build;
        console.note(&format!("made by build {made}; this is {}", simrun_sim::record::build_id()));
        console.note("another build is not checked: what was shown is played from the poses that were kept");
        print(args.report, &Shown::of(&recording));
        return Ok(!args.check);
    }
    if let Some(name) = &args.as_test {
        let file = quietly(|| testing::write(&recording, &args.file, name))?;
        console.note(&format!("written: {}; `simrun test` runs it", from_here(&file).display()));
        return Ok(true);
    }
    let same = run(&recording, args, console).map_err(told)?;
    if args.check && same && !recording.is_complete() {
        console.error("what was cut off cannot be checked");
    }
    Ok(same && (recording.is_complete() || !args.check))
}

const fn code_of(error: &RecordingError) -> Code {
    match error {
        RecordingError::Foreign => Code::ForeignRecording,
        RecordingError::Version { .. } => Code::RecordingVersion,
        RecordingError::Damaged { .. } => Code::DamagedRecording,
        RecordingError::Cut { .. } => Code::CutRecording,
        _ => Code::NonsenseRecording,
    }
}

fn run(recording: &Recording, args: &Args, console: &Console) -> Result<bool, RecordingError> {
    let start = Instant::now();
    let (mut world, mut replay) = quietly(|| Replay::new(recording, usize::from(args.threads)))?;
    let mut observer = Observer::new(&world);
    let bar = ProgressBar::with_draw_target(Some(recording.len()), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {elapsed}") {
        bar.set_style(style);
    }
    let jumps: Vec<usize> = recording.jumps().collect();
    let went_elsewhere = |step: usize| jumps.binary_search(&step).is_ok();
    let mut first = None;
    let mut steps = 0;
    loop {
        let began = Instant::now();
        let Some(difference) = quietly(|| replay.step(&mut world)).inspect_err(|_| bar.finish_and_clear())? else { break };
        if went_elsewhere(steps) {
            observer.jumped(world.time() - f64::from(world.dt()));
        }
        observer.after_step(&world, began.elapsed());
        steps += 1;
        bar.inc(1);
        first = first.or(difference);
        if args.check && first.is_some() {
            break;
        }
    }
    first = first.or(quietly(|| replay.finish(&mut world)).inspect_err(|_| bar.finish_and_clear())?);
    if went_elsewhere(steps) {
        observer.jumped(world.time());
    }
    bar.finish_and_clear();
    let script_hash = recording.last_script_hash().unwrap_or_default();
    let run = Run { scene: recording.header().scene.clone(), script_hash, wall: start.elapsed(), ..Run::default() };
    let mut report = observer.report(&world, &run);
    report.errors.extend(first.map(|difference| difference.to_string()));
    print(args.report, &report);
    if let Some(difference) = first {
        console.error(&difference.to_string());
    } else if args.check {
        console.note(&format!("all {steps} steps come to the same bits"));
    }
    Ok(!args.check || first.is_none())
}

/// Prints what came of it, in the form that was asked for.
fn print(form: Form, report: &(impl Serialize + fmt::Display)) {
    let text = match form {
        Form::Json => serde_json::to_string_pretty(report).unwrap_or_default() + "\n",
        Form::Table => report.to_string(),
    };
    // A closed pipe is the reader's choice.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Runs what turns a panic into an error of its own: that error is all that is told of it.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let out = run();
    std::panic::set_hook(before);
    out
}

/// What a recording of another build shows, by the poses that it kept.
#[derive(Debug, Serialize)]
struct Shown {
    scene: String,
    steps: u64,
    seconds: f64,
    /// Always false: another build cannot compute it again.
    checked: bool,
    figures: BTreeMap<String, ShownFigure>,
}

/// A figure's way through the kept poses.
#[derive(Debug, Serialize)]
struct ShownFigure {
    #[serde(skip)]
    first: Vec3,
    /// From the first pose to the last (m).
    went_m: f32,
    /// The pelvis's least height (m).
    pelvis_low_m: f32,
    /// The chest's greatest angle to the vertical (°).
    chest_lean_deg: f32,
}

impl Shown {
    fn of(recording: &Recording) -> Self {
        let header = recording.header();
        let mut figures: BTreeMap<String, ShownFigure> = BTreeMap::new();
        for (_, names, poses) in recording.all_shown() {
            for (name, pose) in names.iter().zip(poses) {
                let figure = figures.entry(name.clone()).or_insert(ShownFigure {
                    first: pose.pelvis,
                    went_m: 0.0,
                    pelvis_low_m: f32::MAX,
                    chest_lean_deg: 0.0,
                });
                let leaned = (pose.rotation(Bone::Chest) * Vec3::Y).angle_between(Vec3::Y).to_degrees();
                figure.went_m = (pose.pelvis - figure.first).length();
                figure.pelvis_low_m = figure.pelvis_low_m.min(pose.pelvis.y);
                figure.chest_lean_deg = figure.chest_lean_deg.max(leaned);
            }
        }
        let seconds = recording.len() as f64 / f64::from(header.step_hz);
        Self { scene: header.scene.clone(), steps: recording.len(), seconds, checked: false, figures }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {:.2} s in {} steps", self.scene, self.seconds, self.steps)?;
        self.figures.iter().try_for_each(|(name, figure)| {
            let ShownFigure { went_m, pelvis_low_m, chest_lean_deg, .. } = figure;
            writeln!(f, "  {name}: went {went_m:.2} m, pelvis down to {pelvis_low_m:.2} m, chest leaned to {chest_lean_deg:.0}°")
        })
    }
}
