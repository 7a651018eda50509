//! A recording of a live session made into a test.

use super::{ENDING, Exact, Expected, SessionTest, SessionWatch, Typed, hex};
use crate::Failure;
use crate::line::Line;
use simrun_measure::Bound;
use simrun_measure::outcome::Outcome;
use simrun_measure::sources::Folder;
use simrun_sim::record::{Digest, Note, Recording, RecordingError, Replay};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// How much harder (m/s) than in the session a head may meet something: by so much it differs where a script is changed a little.
const HARDER: f64 = 0.3;
/// Catch steps more than in the session.
const STEPS: f64 = 1.0;
/// Seconds longer than in the session until a figure is still.
const LATER: f64 = 1.0;

/// Writes the test of a recorded session into the folder `tests` beside the scripts of its scene. Returns the file.
///
/// # Errors
/// A recording without a session or of another build; a scene that is no more; a name that is none, or that a test has.
pub fn write(recording: &Recording, file: &Path, name: &str) -> Result<PathBuf, Failure> {
    let plain = !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || name.ends_with(".json") {
        return Err(Failure::of(format!("--as-test: found \"{name}\"; accepted: a name, such as ann_falls")));
    }
    let began = recording.notes().find_map(|(_, note)| if let Note::Began(args) = note { Some(args) } else { None });
    let (scene, args) = began.and_then(|args| args.split_first()).ok_or_else(|| {
        Failure::of(
            "--as-test: the recording does not say how its run was begun; accepted: one that `simrun SCENE --record FILE` wrote",
        )
    })?;
    let scene = scene_of(Path::new(scene), file)?;
    let folder = Folder::of_scene(&scene).root().and_then(Path::parent).or(scene.parent()).unwrap_or(Path::new("")).join("tests");
    let file = folder.join(format!("{name}{ENDING}"));
    let failed = |error: std::io::Error| Failure::of(format!("--as-test: {}: {error}", file.display()));
    if file.exists() {
        return Err(Failure::of(format!("--as-test: {} is there already; accepted: another name", file.display())));
    }
    let test = of(recording, &scene, args, &file).map_err(|error| Failure::of(format!("--as-test: {error}")))?;
    let text = serde_json::to_string_pretty(&test).map_err(|error| Failure::of(error.to_string()))?;
    file.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
    std::fs::write(&file, text + "\n").map_err(failed)?;
    Ok(file)
}

/// The scene that a recording names, seen from here as it was seen then, from where the recording lies, or beside it.
fn scene_of(named: &Path, recording: &Path) -> Result<PathBuf, Failure> {
    let folder = recording.parent().unwrap_or(Path::new(""));
    let beside = named.file_name().map(|name| folder.join(name));
    let places: Vec<PathBuf> = [named.to_owned(), folder.join(named)].into_iter().chain(beside).collect();
    places.iter().find_map(|place| place.canonicalize().ok()).ok_or_else(|| {
        let mut tried: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
        tried.dedup();
        Failure::of(format!("--as-test: the scene of the recording is gone; looked for at {}", tried.join(", ")))
    })
}

fn of(recording: &Recording, scene: &Path, args: &[String], file: &Path) -> Result<SessionTest, RecordingError> {
    let (mut world, mut replay) = Replay::new(recording, 1)?;
    let begins = hex(world.sim_hash());
    let mut watch = SessionWatch::new(&world);
    let jumps: Vec<usize> = recording.jumps().collect();
    for step in 0.. {
        if jumps.binary_search(&step).is_ok() {
            watch.jumped();
        }
        if replay.step(&mut world)?.is_none() {
            break;
        }
        watch.after_step(&world);
    }
    replay.finish(&mut world)?;
    let lines = recording.notes().filter_map(|(step, note)| match note {
        Note::Line(line) if matters(line) => Some(Typed { after: step as u64, line: line.clone() }),
        _ => None,
    });
    let exact = texts(recording).map(|scripts| Exact {
        build: recording.header().build.clone(),
        begins,
        scripts,
        ends: hex(world.sim_hash()),
    });
    Ok(SessionTest {
        scene: from(file.parent().unwrap_or(Path::new("")), scene),
        args: args.to_vec(),
        lines: lines.collect(),
        steps: recording.len(),
        figures: watch.outcomes(&world).into_iter().map(|outcome| (outcome.name.clone(), expected(&outcome))).collect(),
        exact,
    })
}

/// Whether a line does anything to a run that nobody watches, with the scripts as they are.
pub fn matters(line: &str) -> bool {
    let mut line = Line::parse(line).ok();
    while let Some(Line::At(_, later)) = line {
        line = Some(*later);
    }
    match line {
        Some(Line::Lua(_) | Line::Step(_) | Line::Rewind(_) | Line::Mark(_) | Line::Again(_)) => true,
        // What reads and writes files, what is shown, how fast the clock goes.
        Some(_) | None => false,
    }
}

/// The hashes of the texts that ran, by path; `None` where one was another later on.
fn texts(recording: &Recording) -> Option<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for (_, note) in recording.notes() {
        if let Note::Text { path, text } = note {
            let mut digest = Digest::default();
            digest.text(text);
            if texts.insert(path.clone(), hex(digest.finish())).is_some() {
                return None;
            }
        }
    }
    Some(texts)
}

/// No worse than it was, but for what any change of a script does.
fn expected(outcome: &Outcome) -> Expected {
    let rounded = |number: f64| Bound::AtMost((number * 100.0).ceil() / 100.0);
    Expected {
        fell: Some(outcome.fell),
        head_mps: Some(rounded(outcome.head_mps.unwrap_or_default() + HARDER)),
        steps: Some(Bound::AtMost(f64::from(outcome.steps) + STEPS)),
        still_s: outcome.still_s.map(|still| rounded(still + LATER)),
    }
}

/// A path as it is seen from a folder; both are absolute.
fn from(folder: &Path, file: &Path) -> String {
    let folder: Vec<Component<'_>> = folder.components().collect();
    let file: Vec<Component<'_>> = file.components().collect();
    let same = folder.iter().zip(&file).take_while(|(one, other)| one == other).count();
    let up = folder[same..].iter().map(|_| "..".to_owned());
    let down = file[same..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
