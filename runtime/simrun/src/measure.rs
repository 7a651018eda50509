//! The door to measures and strips.

use crate::Failure;
use crate::args::{Measure, Run, Strip};
use crate::console::Console;
use crate::session::Session;
use simrun_measure::Options;
use simrun_measure::strip::{Moment, StripOptions, draw};
use simrun_scene::nearest;

/// Runs a measure and prints its table. Whether everything in it held.
///
/// # Errors
/// An unknown measure, a figure that is no model.
pub fn measure(args: &Measure, console: &Console) -> Result<bool, Failure> {
    let options = Options {
        seed: args.seed,
        runs: args.runs,
        figure: args.figure.clone(),
        anchor: args.anchor,
        jobs: args.jobs,
        ..Options::new(&args.name)
    };
    let table = simrun_measure::run(&options).map_err(Failure::of)?;
    let text = if args.json { serde_json::to_string_pretty(&table).map_err(Failure::of)? } else { table.to_string() };
    console.value(text.trim_end());
    Ok(table.ok)
}

/// Runs a scene and draws a strip of one of its figures.
///
/// # Errors
/// A scene that cannot be run, an unknown figure, a file that cannot be written.
pub fn strip(args: &Strip, console: &Console) -> Result<(), Failure> {
    let run = Run { set: args.set.clone(), speed: 1.0, threads: 1, ..Run::default() };
    let mut session = Session::open(&args.scene, &run, console)?;
    let figure = session.world().find_figure(&args.figure).ok_or_else(|| unknown(&session, &args.figure))?;
    let mut moments = Vec::new();
    while session.world().time() < args.to {
        session.step();
        // Without a ragdoll there is nothing to draw; one that a script took out is drawn up to there.
        match Moment::of(session.world(), figure) {
            Ok(moment) => moments.push(moment),
            Err(error) if moments.is_empty() => return Err(Failure::of(error)),
            Err(_) => break,
        }
    }
    let title = format!("{}: {}", args.scene.display(), args.figure);
    let options = StripOptions { from: args.from, to: args.to, title, ..StripOptions::default() };
    draw(&moments, &options, &args.output).map_err(Failure::of)?;
    console.note(&format!("{} is drawn", args.output.display()));
    Ok(())
}

fn unknown(session: &Session, found: &str) -> Failure {
    let names: Vec<&str> = session.world().figures().map(|figure| figure.name.as_str()).collect();
    let meant = nearest(found, names.iter().copied()).map(|name| format!(" (did you mean \"{name}\"?)")).unwrap_or_default();
    Failure(vec![format!("--figure: the scene has no figure \"{found}\"; accepted: {}{meant}", names.join(", "))])
}
