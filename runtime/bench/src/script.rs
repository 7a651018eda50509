//! What a behaviour costs: microseconds and bytes of garbage a figure a step, by the style in which it calls the host, and the
//! protective fall that is shipped, all while every figure falls.
//!
//! DECIDE is run again and again on one moment of the fall, in CPU time of this thread, so that nothing else is in the numbers.

use crate::stage::Crowd;
use cpu_time::ThreadTime;
use simrun_script::{NoHost, Scripts, Source, SourceError, Sources};
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, Decide, Hit, Model, Phase, World};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Figures that fall at once.
const FIGURES: usize = 32;
/// DECIDE calls of one repeat.
const CALLS: usize = 200;
/// Repeats, of which the least counts.
const REPEATS: usize = 15;
/// Calls to the host that a style makes.
const HOST_CALLS: usize = 64;
/// Steps after the shove at which all of them fall.
const LATEST_FALL: usize = 120;

/// The style, and whether Luau is met directly where it can be.
const STYLES: [(&str, bool); 5] =
    [("functions", true), ("methods", true), ("names", true), ("options", true), ("functions", false)];

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    println!("behaviour                    µs a figure-step   garbage B");
    let nothing = time(model, "nothing", "return { step = function() end }", true)?;
    for (style, direct) in STYLES {
        let text = format!("local STYLE = \"{style}\"\n{}", include_str!("styles.luau"));
        let (took, garbage) = time(model, style, &text, direct)?;
        let style = if direct { style.to_owned() } else { format!("{style}, not direct") };
        println!("{HOST_CALLS} calls, {style:<20} {:>14.2}  {garbage:>10.0}", micros(took));
    }
    let (took, garbage) = time(model, "protective_fall", include_str!("../../../scripts/protective_fall.luau"), true)?;
    println!("{:<30} {:>14.2}  {garbage:>10.0}", "scripts/protective_fall.luau", micros(took));
    println!("{:<30} {:>14.2}  {:>10.0}", "an empty step", micros(nothing.0), nothing.1);
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1.0e6 / (CALLS * FIGURES) as f64
}

/// The least time of `CALLS` rounds of DECIDE with a behaviour, and the bytes of garbage a figure that one leaves.
fn time(model: &Arc<Model>, name: &str, text: &str, direct: bool) -> Result<(Duration, f64), Box<dyn std::error::Error>> {
    let only = Only(name.to_owned(), text.to_owned());
    let mut scripts = Scripts::new(Rc::new(only), Rc::new(RefCell::new(NoHost)), 1)?;
    scripts.set_direct(direct);
    let mut world = falling(model, name, &mut scripts)?;
    let mut least = Duration::MAX;
    for _ in 0..REPEATS {
        let began = ThreadTime::now();
        (0..CALLS).for_each(|_| scripts.decide(&mut world));
        least = least.min(began.elapsed());
    }
    scripts.collect_garbage(false);
    let before = scripts.heap_bytes();
    (0..CALLS).for_each(|_| scripts.decide(&mut world));
    let garbage = scripts.heap_bytes().saturating_sub(before) as f64 / (CALLS * FIGURES) as f64;
    match scripts.problems().first() {
        Some(problem) => Err(problem.to_string().into()),
        None => Ok((least, garbage)),
    }
}

/// A moment at which all of them fall.
fn falling(model: &Arc<Model>, behaviour: &str, scripts: &mut Scripts) -> Result<World, Box<dyn std::error::Error>> {
    let mut world = Crowd { clip: None, behaviours: &[behaviour], ..Crowd::bowing(FIGURES) }.world(model)?;
    let mass = model.ragdoll.as_ref().map_err(ToString::to_string)?.mass;
    let figures: Vec<_> = world.figures().map(|figure| figure.handle).collect();
    for figure in figures {
        let blow = Hit { cost: Some(0.5), ..Hit::new(figure, Bone::Chest, Vec3::new(0.4, 0.0, -2.9) * mass) };
        world.command(Command::Hit(blow))?;
    }
    for _ in 0..LATEST_FALL {
        world.step(scripts);
        if world.figures().all(|figure| figure.phase() == Phase::Falling) {
            return Ok(world);
        }
    }
    Err("at no moment did all figures fall".into())
}

/// One script and nothing else.
#[derive(Debug)]
struct Only(String, String);

impl Sources for Only {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        if name == self.0 {
            Ok(Source { path: format!("scripts/{name}.luau"), text: self.1.clone() })
        } else {
            Err(SourceError(format!("there is no {name}")))
        }
    }

    fn module(&self, _: &str, request: &str) -> Result<Source, SourceError> {
        Err(SourceError(format!("there is no {request}")))
    }

    fn names(&self) -> Vec<String> {
        vec![self.0.clone()]
    }
}
