//! The door to measures and strips.

use crate::Failure;
use crate::args::{Measure, Run, Strip, Sweep};
use crate::console::Console;
use crate::session::Session;
use simrun_measure::strip::{self, Moment, StripOptions};
use simrun_measure::{MeasureError, Options, explain, run};
use std::io::Write;

/// Runs a measure and prints its table, or what its rows mean. Whether everything in it held.
///
/// # Errors
/// An unknown measure, one that cannot be asked this, a figure that is no model, a number out of its range.
pub fn measure(args: &Measure) -> Result<bool, Failure> {
    let fail = |error: MeasureError| Failure::of(error.to_string());
    if args.explain {
        print(&explain(&args.name).map_err(fail)?);
        return Ok(true);
    }
    let options = Options { plot: args.plot.clone(), ..args.ensemble.options(&args.name) };
    let table = run(&options).map_err(fail)?;
    print(&if args.json { json(&table)? } else { table.to_string() });
    Ok(table.ok)
}

/// Takes a sweep and prints what it came to.
///
/// # Errors
/// Whatever the measure refuses; parameters, ranges and rows that are not there.
pub fn sweep(args: &Sweep) -> Result<(), Failure> {
    let sweep = simrun_measure::sweep::sweep(&args.options()).map_err(|error| Failure::of(error.to_string()))?;
    print(&if args.json { json(&sweep)? } else { sweep.to_string() });
    Ok(())
}

/// One document.
fn json(result: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(result).map_err(|error| Failure::of(error.to_string()))
}

fn print(text: &str) {
    // A closed pipe is the reader's choice.
    let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
}

/// Runs a scene to the strip's end and draws what one of its figures did.
///
/// # Errors
/// A scene that cannot be run, an unknown figure, a time that is not in it, a file that cannot be written.
pub fn strip(args: &Strip, console: &Console) -> Result<(), Failure> {
    let fail = |why: String| Failure::of(why);
    if args.from > args.to {
        return Err(fail(format!("--from {} comes after --to {}; accepted: a time before it", args.from, args.to)));
    }
    let scene = Run { set: args.set.clone(), muscles: args.muscles, ankles: args.ankles, ..Run::of(&args.scene) };
    let mut session = Session::open(&args.scene, &scene, console)?;
    let figure = session.world().find_figure(&args.figure).ok_or_else(|| {
        let known: Vec<_> = session.world().figures().map(|figure| figure.name.as_str()).collect();
        fail(format!("the scene has no figure '{}'; it has: {}", args.figure, known.join(", ")))
    })?;
    let mut moments = Vec::new();
    while session.world().time() < args.to {
        session.step();
        moments.push(Moment::of(session.world(), figure).map_err(|error| fail(error.to_string()))?);
    }
    let title = format!("{} of {}", args.figure, args.scene.display());
    let options = StripOptions { from: args.from, to: args.to, title, ..StripOptions::default() };
    strip::draw(&moments, &options, &args.output).map_err(|error| fail(error.to_string()))?;
    console.note(&format!("drawn: {}", args.output.display()));
    Ok(())
}
