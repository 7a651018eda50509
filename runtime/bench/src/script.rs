//! What a behaviour costs: microseconds and bytes of garbage a figure a step, by the style in which it calls the host while every figure
//! falls, and of those that are shipped while they have work.
//!
//! DECIDE is run again and again on one moment, in CPU time of this thread, so that nothing else is in the numbers: for a second of the
//! behaviour's own time, which is still at what it was then; three steps after what brings it, and in that very step, of which it then hears
//! again and again. Beside them stands what a whole step of such a figure costs from there on.

use crate::stage::Crowd;
use cpu_time::ThreadTime;
use simrun_script::{NoHost, Scripts, Source, SourceError, Sources};
use simrun_sim::command::Switch;
use simrun_sim::motion::LookAt;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, Decide, Figure, FigureHandle, Hit, Model, Phase, World};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Figures that fall at once.
const FIGURES: usize = 32;
/// DECIDE calls of one repeat: a second.
const CALLS: usize = 60;
/// Repeats, of which the least counts.
const REPEATS: usize = 15;
/// Calls to the host that a style makes.
const HOST_CALLS: usize = 64;
/// Steps before the shove: behaviours ask for what they want to hear of in the first.
const BEFORE: usize = 2;
/// Steps after the shove at which all of them do what it brings.
const LATEST: usize = 600;
/// Steps from there on, after which what brought it is over and they are at work.
const SETTLED: usize = 3;
/// Steps whose whole time is taken, from that moment on.
const STEPS: usize = 10;

/// What figures do while their behaviour is timed.
#[derive(Clone, Copy)]
struct Doing {
    what: &'static str,
    /// The blow on the chest that brings it (m/s × the figure's mass).
    blow: Vec3,
    /// What they are told before.
    told: fn(FigureHandle) -> Option<Command>,
    /// Whether one does it.
    does: fn(&Figure) -> bool,
}

impl Doing {
    /// A phase that a blow brings.
    const fn phase(what: &'static str, blow: Vec3, does: fn(&Figure) -> bool) -> Self {
        Self { what, blow, told: |_| None, does }
    }
}

const FELLS: Vec3 = Vec3::new(0.4, 0.0, -2.9);
const FALLING: Doing = Doing::phase("falling", FELLS, |figure| figure.phase() == Phase::Falling);
const STAGGERING: Doing = Doing::phase("staggering", Vec3::new(0.0, 0.0, 2.2), |figure| figure.phase() == Phase::Staggering);
const WRITHING: Doing = Doing {
    what: "writhing",
    blow: FELLS,
    told: |figure| Some(Command::SetSwitch { figure, switch: Switch::Writhing(60.0) }),
    does: |figure| figure.is_writhing() && figure.phase() == Phase::Lying,
};
const HOLDING: Doing = Doing::phase("holding a wound", Vec3::new(0.0, 0.0, -0.2), works);
const CRAWLING: Doing = Doing::phase("crawling", FELLS, works);
const LOOKING: Doing = Doing {
    what: "looking",
    blow: Vec3::ZERO,
    told: |figure| Some(Command::Look { figure, at: Some(LookAt::Point(Vec3::new(3.0, 1.5, 50.0))) }),
    does: works,
};

/// It has claims of its one behaviour.
fn works(figure: &Figure) -> bool {
    figure.claims.iter().next().is_some()
}

/// The shipped behaviours that are timed, and at what.
const SHIPPED: [(&str, &str, Doing); 8] = [
    ("protective_fall", include_str!("../../../scripts/protective_fall.luau"), FALLING),
    ("startle", include_str!("../../../scripts/startle.luau"), FALLING),
    ("catch_step", include_str!("../../../scripts/catch_step.luau"), STAGGERING),
    ("brace", include_str!("../../../scripts/brace.luau"), FALLING),
    ("writhe", include_str!("../../../scripts/writhe.luau"), WRITHING),
    ("hit_reaction", include_str!("../../../scripts/hit_reaction.luau"), HOLDING),
    ("crawl", include_str!("../../../scripts/crawl.luau"), CRAWLING),
    ("look", include_str!("../../../scripts/look.luau"), LOOKING),
];

/// The style, and whether Luau is met directly where it can be.
const STYLES: [(&str, bool); 5] =
    [("functions", true), ("methods", true), ("names", true), ("options", true), ("functions", false)];

/// Prints the table.
pub fn run(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    println!("behaviour                    µs a figure-step   garbage B   in the step that brings it   whole step µs");
    let nothing = time(model, "nothing", "return { step = function() end }", FALLING, true, SETTLED)?;
    for (style, direct) in STYLES {
        let text = format!("local STYLE = \"{style}\"\n{}", include_str!("styles.luau"));
        let (took, garbage) = time(model, style, &text, FALLING, direct, SETTLED)?;
        let style = if direct { style.to_owned() } else { format!("{style}, not direct") };
        println!("{HOST_CALLS} calls, {style:<20} {:>14.2}  {garbage:>10.0}", micros(took));
    }
    for (name, text, doing) in SHIPPED {
        let (took, garbage) = time(model, name, text, doing, true, SETTLED)?;
        let (first, _) = time(model, name, text, doing, true, 0)?;
        let whole = whole_step(model, name, text, doing)?;
        let shown = format!("{name}, {}", doing.what);
        println!("{shown:<30} {:>14.2}  {garbage:>10.0} {:>28.2} {whole:>15.1}", micros(took), micros(first));
    }
    println!("{:<30} {:>14.2}  {:>10.0}", "an empty step", micros(nothing.0), nothing.1);
    Ok(())
}

/// The least time of a figure's whole step (µs), its behaviour included, from the moment on.
fn whole_step(model: &Arc<Model>, name: &str, text: &str, doing: Doing) -> Result<f64, Box<dyn std::error::Error>> {
    let mut least = Duration::MAX;
    for _ in 0..REPEATS {
        let mut scripts = scripts(name, text)?;
        let mut world = at_work(model, name, doing, &mut scripts, SETTLED)?;
        let began = ThreadTime::now();
        (0..STEPS).for_each(|_| world.step(&mut scripts));
        least = least.min(began.elapsed());
    }
    Ok(least.as_secs_f64() * 1.0e6 / (STEPS * FIGURES) as f64)
}

fn scripts(name: &str, text: &str) -> Result<Scripts, Box<dyn std::error::Error>> {
    let only = Only(name.to_owned(), text.to_owned());
    Ok(Scripts::new(Rc::new(only), Rc::new(RefCell::new(NoHost)), 1)?)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1.0e6 / (CALLS * FIGURES) as f64
}

/// The least time of `CALLS` rounds of DECIDE with a behaviour, and the bytes of garbage a figure that a round leaves.
fn time(
    model: &Arc<Model>,
    name: &str,
    text: &str,
    doing: Doing,
    direct: bool,
    settled: usize,
) -> Result<(Duration, f64), Box<dyn std::error::Error>> {
    let (mut least, mut garbage) = (Duration::MAX, 0);
    for repeat in 0..=REPEATS {
        let mut scripts = scripts(name, text)?;
        scripts.set_direct(direct);
        let mut world = at_work(model, name, doing, &mut scripts, settled)?;
        // Once more without collecting, for what is left lying about.
        scripts.collect_garbage(repeat < REPEATS);
        let before = scripts.heap_bytes();
        let began = ThreadTime::now();
        (0..CALLS).for_each(|_| scripts.decide(&mut world));
        if repeat < REPEATS {
            least = least.min(began.elapsed());
        } else {
            garbage = scripts.heap_bytes().saturating_sub(before);
        }
        if let Some(problem) = scripts.problems().first() {
            return Err(problem.to_string().into());
        }
    }
    Ok((least, garbage as f64 / (CALLS * FIGURES) as f64))
}

/// So many steps after the moment at which all of them are at it.
fn at_work(
    model: &Arc<Model>,
    behaviour: &str,
    doing: Doing,
    scripts: &mut Scripts,
    settled: usize,
) -> Result<World, Box<dyn std::error::Error>> {
    let mut world = Crowd { clip: None, behaviours: &[behaviour], ..Crowd::bowing(FIGURES) }.world(model)?;
    let mass = model.ragdoll.as_ref().map_err(ToString::to_string)?.mass;
    let figures: Vec<_> = world.figures().map(|figure| figure.handle).collect();
    (0..BEFORE).for_each(|_| world.step(scripts));
    for figure in figures {
        if let Some(command) = (doing.told)(figure) {
            world.command(command)?;
        }
        let blow = Hit { cost: Some(0.5), ..Hit::new(figure, Bone::Chest, doing.blow * mass) };
        world.command(Command::Hit(blow))?;
    }
    for _ in 0..LATEST {
        world.step(scripts);
        if world.figures().all(doing.does) {
            (0..settled).for_each(|_| world.step(scripts));
            return Ok(world);
        }
    }
    Err(format!("at no moment were all figures {}", doing.what).into())
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
