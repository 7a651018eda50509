//! Running a recording again: no scene, no models, no scripts are needed.

use crate::Failure;
use crate::args::{Form, Replay as Args};
use crate::console::Console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use simrun_measure::report::{Observer, Run};
use simrun_scene::file;
use simrun_scene::{Code, Problem};
use simrun_sim::Bone;
use simrun_sim::record::{Recording, RecordingError, Replay};
use simrun_sim::space::Vec3;
use std::fmt::Write as _;
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
    if !recording.is_of_this_build() {
        let made = &recording.header().build;
        console.note(&format!("made by build {made}; this is {}", simrun_sim::record::build_id()));
        console.note("another build is not checked: what was shown is played from the poses that were kept");
        // A closed pipe is the reader's choice.
        let _ = write!(std::io::stdout(), "{}", shown(&recording));
        return Ok(!args.check);
    }
    let same = run(&recording, args, console).map_err(told)?;
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
    let mut first = None;
    let mut steps = 0;
    loop {
        let began = Instant::now();
        let Some(difference) = quietly(|| replay.step(&mut world)).inspect_err(|_| bar.finish_and_clear())? else { break };
        observer.after_step(&world, began.elapsed());
        steps += 1;
        bar.inc(1);
        first = first.or(difference);
        if args.check && first.is_some() {
            break;
        }
    }
    bar.finish_and_clear();
    let script_hash = recording.script_hash(steps.max(1) - 1).unwrap_or_default();
    let run = Run { scene: recording.header().scene.clone(), script_hash, wall: start.elapsed() };
    let mut report = observer.report(&world, &run);
    report.errors.extend(first.map(|difference| difference.to_string()));
    let text = match args.report {
        Form::Json => serde_json::to_string_pretty(&report).unwrap_or_default() + "\n",
        Form::Table => report.to_string(),
    };
    let _ = std::io::stdout().write_all(text.as_bytes());
    if let Some(difference) = first {
        console.error(&difference.to_string());
    } else if args.check {
        console.note(&format!("all {steps} steps come to the same bits"));
    }
    Ok(!args.check || first.is_none())
}

/// Runs what turns a panic into an error of its own: that error is all that is told of it.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let out = run();
    std::panic::set_hook(before);
    out
}

/// What was shown, a line a figure.
fn shown(recording: &Recording) -> String {
    let header = recording.header();
    let seconds = recording.len() as f64 / f64::from(header.step_hz);
    let mut text = format!("{}: {seconds:.2} s in {} steps\n", header.scene, recording.len());
    let steps = 0..recording.len() as usize;
    for (place, first) in recording.shown(0).iter().enumerate() {
        let name = header.figures.get(place).map_or("?", String::as_str);
        let pelvis = |step: usize| recording.shown(step).get(place).map(|pose| pose.pelvis);
        let last = pelvis(steps.end.saturating_sub(1)).unwrap_or(first.pelvis);
        let lowest = steps.clone().filter_map(pelvis).map(|at| at.y).fold(f32::MAX, f32::min);
        let leaned = steps.clone().filter_map(|step| recording.shown(step).get(place)).map(|pose| {
            let up = pose.rotation(Bone::Chest) * Vec3::Y;
            up.angle_between(Vec3::Y).to_degrees()
        });
        let leaned = leaned.fold(0.0, f32::max);
        let way = (last - first.pelvis).length();
        // Writing into text does not fail.
        let _ = writeln!(text, "  {name}: went {way:.2} m, pelvis down to {lowest:.2} m, chest leaned to {leaned:.0}°");
    }
    text
}
