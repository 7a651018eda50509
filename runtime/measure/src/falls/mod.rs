//! `falls`: figures that protect themselves as they fall, each beside a twin that does not and differs in nothing else.

mod fall;

use crate::carried::Carried;
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, median, most, share};
use fall::Fall;
use std::f32::consts::{FRAC_PI_2, PI};

/// Runs a way, where nobody says how many.
const USUAL_RUNS: usize = 30;
/// Seconds in which a figure settles before the blow, and for which it is watched after.
const SETTLE: f64 = 1.0;
const WATCHED: f64 = 7.0;
/// Draws of one run after which there is no fall to be found.
const DRAWS: u32 = 60;
/// A twin whose head meets the ground no faster (m/s) proves nothing.
const TELLS: f64 = 0.5;
/// Less difference (m/s) is a tie.
const TIE: f64 = 0.02;

/// One kind of fall.
#[derive(Clone, Copy, Debug)]
struct Way {
    name: &'static str,
    /// Where the blow goes, off the figure's front (rad); to either side in turns where `sides`.
    heading: f32,
    sides: bool,
    /// m/s × the figure's mass.
    speeds: [f32; 2],
    /// Of thirty: slower, still within 3 s, second impacts at most; the head's mean speed (m/s).
    slower: f64,
    still: f64,
    seconds: f64,
    head: f64,
}

const WAYS: [Way; 5] = [
    Way { name: "back", heading: PI, sides: false, speeds: [2.7, 3.35], slower: 29.0, still: 30.0, seconds: 0.0, head: 0.1 },
    Way { name: "forward", heading: 0.0, sides: false, speeds: [2.7, 3.35], slower: 29.0, still: 30.0, seconds: 0.0, head: 0.3 },
    Way { name: "side", heading: FRAC_PI_2, sides: true, speeds: [4.0, 5.0], slower: 28.0, still: 28.0, seconds: 0.0, head: 0.3 },
    Way { name: "back 4-5", heading: PI, sides: false, speeds: [4.0, 5.0], slower: 28.0, still: 28.0, seconds: 1.0, head: 0.5 },
    Way {
        name: "forward 4-5",
        heading: 0.0,
        sides: false,
        speeds: [4.0, 5.0],
        slower: 28.0,
        still: 28.0,
        seconds: 1.0,
        head: 0.5,
    },
];

/// A fall and its twin's.
struct Found {
    redraws: u32,
    own: Fall,
    twin: Fall,
}

/// Takes the measure. `runs` is a way.
pub fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = Carried::of("protective_fall", options)?;
    let runs = ensemble::take(options, USUAL_RUNS, |variation| {
        WAYS.iter().map(|way| one(subject, options, &carried, way, variation)).collect::<Result<Vec<Found>, _>>()
    })?;
    let mut rows = Vec::new();
    for (index, way) in WAYS.iter().enumerate() {
        let found: Vec<&Found> = runs.iter().map(|run| &run[index]).collect();
        rows.extend(rows_of(way, &found));
    }
    Ok((runs.len(), rows))
}

fn rows_of(way: &Way, found: &[&Found]) -> Vec<Row> {
    let count = found.len() as f64;
    let of = |value: fn(&Found) -> f64| found.iter().map(move |found| value(found));
    let mean = |value: fn(&Found) -> f64| of(value).sum::<f64>() / count;
    let number = |what: fn(&Found) -> bool| found.iter().filter(|found| what(found)).count() as f64;
    let percent = |what: fn(&Found) -> bool| 100.0 * share(found.iter().map(|found| what(found)));
    // Of those that there are; 0 where nobody's ever met the ground.
    let met = |what: fn(&Fall) -> Option<f64>| {
        let known: Vec<f64> = found.iter().filter_map(|found| what(&found.own)).collect();
        if known.is_empty() { 0.0 } else { median(known) }
    };
    let ties = number(tied);
    let slower = 100.0 * number(|found| !tied(found) && found.own.head_mps < found.twin.head_mps) / (count - ties);
    // Counts of thirty as shares, so that any number of runs is held to them; half a run is for rounding.
    let at_least = |of_thirty: f64| Bound::AtLeast((100.0 * (of_thirty - 0.5) / 30.0).round());
    let row = |name, unit, measured, bound| Row::new(name, way.name, unit, measured, bound);
    vec![
        row("protected_slower", "%", slower, at_least(way.slower)),
        row("ties", "", ties, Bound::Reported),
        row("redraws", "", of(|found| f64::from(found.redraws)).sum(), Bound::Reported),
        row("head_mps", "m/s", mean(|found| found.own.head_mps), Bound::AtMost(way.head)),
        row("twin_head_mps", "m/s", mean(|found| found.twin.head_mps), Bound::Reported),
        row("second_impacts", "", number(|found| found.own.second), Bound::AtMost((way.seconds * count / 30.0).floor())),
        row("still_within_3s", "%", percent(|found| found.own.still_after <= 3.0), at_least(way.still)),
        row("slowest_still_s", "s", most(of(|found| found.own.still_after)), Bound::Reported),
        row("hands_before_head", "%", percent(|found| found.own.hands_first()), Bound::Exactly(100.0)),
        row("in_bands", "%", percent(|found| found.own.in_bands()), Bound::AtLeast(80.0)),
        row("pelvis_at_s", "s", met(|fall| fall.pelvis_at), Bound::Reported),
        row("pelvis_mps", "m/s", met(|fall| fall.pelvis_at.map(|_| fall.pelvis_mps)), Bound::Reported),
        row("hand_at_s", "s", met(|fall| fall.hand_at), Bound::Reported),
        row("pelvis_down_m", "m", mean(|found| found.own.down_halfway), Bound::Reported),
        row("twin_pelvis_down_m", "m", mean(|found| found.twin.down_halfway), Bound::Reported),
        row("max_torque_share", "", most(of(|found| found.own.strain)), Bound::AtMost(1.001)),
        row("peak_radps", "rad/s", most(of(|found| found.own.peak_radps)), Bound::Reported),
        row("peak_opening_mm", "mm", 1.0e3 * most(of(|found| found.own.opening)), Bound::Reported),
    ]
}

fn tied(found: &Found) -> bool {
    (found.own.head_mps - found.twin.head_mps).abs() < TIE
}

/// Draws blows until one fells the figure, and shows at its twin that the head is in danger.
fn one(
    subject: &Subject,
    options: &Options,
    carried: &Carried,
    way: &Way,
    variation: &mut Variation,
) -> Result<Found, MeasureError> {
    for redraws in 0..DRAWS {
        let seed = variation.seed();
        let setting = Setting { yaw: variation.yaw(), seed, carried: Some(carried), ..Setting::standing(subject, options) };
        let side = if way.sides && (variation.index + redraws as usize) % 2 == 1 { -1.0 } else { 1.0 };
        let blow = Blow {
            speed: variation.between(way.speeds[0], way.speeds[1]),
            heading: way.heading * side + variation.between(-0.26, 0.26),
            aside: variation.aside(),
        };
        let twin = fall(&Setting { protective: false, ..setting }, blow)?;
        if !twin.fell || twin.head_mps < TELLS {
            continue;
        }
        let own = fall(&setting, blow)?;
        if own.fell {
            return Ok(Found { redraws, own, twin });
        }
    }
    let [from, to] = way.speeds;
    let why = format!("of {DRAWS} blows of {from} to {to} m/s none felled '{}' ({}) head first", subject.name, way.name);
    Err(MeasureError::Nothing(why))
}

/// A blow on the chest.
#[derive(Clone, Copy, Debug)]
struct Blow {
    speed: f32,
    heading: f32,
    aside: simrun_sim::space::Vec3,
}

fn fall(setting: &Setting<'_>, blow: Blow) -> Result<Fall, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    stage.shove(blow.speed, blow.heading, blow.aside)?;
    stage.run(WATCHED)?;
    Ok(Fall::of(stage.kept(), SETTLE))
}
