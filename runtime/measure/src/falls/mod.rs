//! `falls`: figures that protect themselves as they fall, each beside a twin that does not and differs in nothing else.

mod fall;

pub(crate) use fall::Fall;

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::conditions::Headings;
use crate::controls::{self, Controls};
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::plot::{Panel, Plot, Series};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, median, most, share};
use simrun_sim::space::Vec3;
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "falls",
    about: "figures that protect themselves as they fall, each beside a twin that does not and differs in nothing else",
    rows: &[
        (
            "protected_slower",
            "share of the falls in which the head meets the ground slower than the twin's, or never; ties are not counted",
        ),
        ("ties", "falls in which the two heads are as fast as each other"),
        ("redraws", "blows drawn again since they felled nobody, or their twin's head was never in danger"),
        ("head_mps", "speed at which the head first meets the ground, 0 where it never does, mean"),
        ("twin_head_mps", "the same of the twins"),
        ("second_impacts", "heads that come off the ground and meet it again"),
        ("still_within_3s", "share of the falls in which nothing moves 3 s after landing"),
        ("slowest_still_s", "how long the slowest took for it"),
        ("hands_before_head", "share of the falls in which a forearm meets the ground before the head"),
        (
            "in_bands",
            "share of the falls that go as people's do: hands no later than 0.1 s after the pelvis, the pelvis at 1.5 to 3.2 m/s after 0.4 to 1.9 s",
        ),
        ("pelvis_at_s", "when the pelvis meets the ground, median"),
        ("pelvis_mps", "how fast it comes down, median"),
        ("hand_at_s", "when the first hand does, median"),
        ("pelvis_down_m", "how far the pelvis is down at 45° of lean, mean: knees that give bring it down"),
        ("twin_pelvis_down_m", "the same of the twins"),
        ("max_torque_share", "the greatest torque of a muscle, as a share of its budget"),
        ("peak_radps", "the fastest turn of a bone"),
        ("peak_opening_mm", "how far the two ends of the widest joint part"),
        controls::EXPLAINED[0],
        controls::EXPLAINED[1],
        controls::EXPLAINED[2],
    ],
    carries: &["protective_fall", "startle"],
    slopes: true,
    turns: true,
    drawn: true,
    muscles: true,
    acts: false,
    take: rows,
};

/// Runs a way, where nobody says how many.
const USUAL_RUNS: usize = 30;
/// Seconds in which a figure settles before the blow, and for which it is watched after.
const SETTLE: f64 = 1.0;
const WATCHED: f64 = 7.0;
/// Seconds of it that a plot shows: what comes later lies.
const SHOWN: f64 = 2.0;
/// Draws of one run after which there is no fall to be found.
const DRAWS: u32 = 60;
/// A twin whose head meets the ground no faster (m/s) proves nothing.
pub(crate) const TELLS: f64 = 0.5;
/// Less difference (m/s) is a tie.
const TIE: f64 = 0.02;

/// Speeds (m/s × the figure's mass) of the blows that fell backwards, forwards, and anywhere at all; aside they are the harder: a twin
/// whose arms hang at its sides meets the ground with these, and its head never does.
const SPEEDS: [f32; 2] = [2.7, 3.35];
const HARD: [f32; 2] = [4.0, 5.0];

/// One kind of fall.
#[derive(Clone, Copy, Debug)]
struct Way {
    name: &'static str,
    toward: Toward,
    /// m/s × the figure's mass.
    speeds: [f32; 2],
    /// At the least, of those that are no tie: slower than their twins (%).
    slower: f64,
    /// At the least: still within 3 s (%).
    still: f64,
    /// At the most: second impacts of thirty.
    seconds: f64,
    /// The head's mean speed (m/s).
    head: Bound,
}

/// Where a blow goes, off the figure's front (rad).
#[derive(Clone, Copy, Debug)]
enum Toward {
    /// This way, up to 15° off.
    Along(f32),
    /// To either side in turns, up to 15° off.
    Sides,
    /// Any way: within 45° of a side as hard as to a side.
    Any,
}

/// Shares are counts of thirty less half a run, so that any number of runs is held to them: 29 is 95 %, 30 is 98 %, 28 is 92 %.
const WAYS: [Way; 5] = [
    Way { slower: 95.0, still: 98.0, ..Way::of("back", Toward::Along(PI), SPEEDS, 0.1) },
    Way { slower: 95.0, still: 98.0, ..Way::of("forward", Toward::Along(0.0), SPEEDS, 0.3) },
    Way::of("side", Toward::Sides, HARD, 0.3),
    Way { seconds: 1.0, ..Way::of("back 4-5", Toward::Along(PI), HARD, 0.5) },
    Way { seconds: 1.0, ..Way::of("forward 4-5", Toward::Along(0.0), HARD, 0.5) },
];

/// What is taken in their place where any heading is asked for.
const ANY: [Way; 1] = [Way { slower: 95.0, still: 98.0, head: Bound::Reported, ..Way::of("all", Toward::Any, SPEEDS, 0.0) }];

impl Way {
    /// One that is held to what the harder ways are.
    const fn of(name: &'static str, toward: Toward, speeds: [f32; 2], head: f64) -> Self {
        Self { name, toward, speeds, slower: 92.0, still: 92.0, seconds: 0.0, head: Bound::AtMost(head) }
    }

    /// A blow, as the draws of one run come to it.
    fn draw(&self, variation: &mut Variation, redraws: u32) -> Blow {
        let (heading, speeds) = match self.toward {
            Toward::Along(heading) => (heading, self.speeds),
            Toward::Sides => (if (variation.index + redraws as usize) % 2 == 1 { -FRAC_PI_2 } else { FRAC_PI_2 }, self.speeds),
            Toward::Any => {
                let heading = variation.between(-PI, PI);
                (heading, if heading.sin().abs() > FRAC_1_SQRT_2 { HARD } else { self.speeds })
            }
        };
        Blow {
            speed: variation.between(speeds[0], speeds[1]),
            heading: heading + variation.between(-0.26, 0.26),
            aside: variation.aside(),
        }
    }
}

/// A fall and its twin's.
struct Found {
    redraws: u32,
    own: Fall,
    twin: Fall,
}

/// Takes the measure. `runs` is a way.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let ways: &[Way] = if options.conditions.headings == Headings::All { &ANY } else { &WAYS };
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        let falls = ways.iter().map(|way| one(subject, options, &carried, way, variation)).collect::<Result<Vec<Found>, _>>()?;
        let setting = Setting { carried: Some(&carried), ..Setting::standing(subject, options) };
        Ok((falls, Controls::of_few(&setting, variation)?))
    })?;
    let mut rows = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let found: Vec<&Found> = runs.iter().map(|(falls, _)| &falls[index]).collect();
        rows.extend(rows_of(way, &found));
    }
    rows.extend(Controls::rows(runs.iter().filter_map(|(_, controls)| controls.as_ref())));
    if let Some(path) = &options.plot {
        plot(ways, &runs).write(path).map_err(MeasureError::Plot)?;
    }
    Ok((runs.len(), rows))
}

/// Heights of heads, a panel a way.
fn plot(ways: &[Way], runs: &[(Vec<Found>, Option<Controls>)]) -> Plot {
    let curves = |way: usize, of: fn(&Found) -> &Fall| runs.iter().map(|(falls, _)| shown(of(&falls[way]))).collect();
    let panels = ways.iter().enumerate().map(|(index, way)| Panel {
        title: way.name.to_owned(),
        series: vec![
            Series { name: "protected".to_owned(), curves: curves(index, |found| &found.own) },
            Series { name: "twin".to_owned(), curves: curves(index, |found| &found.twin) },
        ],
    });
    let title = "Heads in falls, protected and beside a twin that is not: each run, and the mean".to_owned();
    Plot { title, x: "s after the blow".to_owned(), y: "height of the head, m".to_owned(), panels: panels.collect() }
}

/// As much of a fall as is worth a picture.
fn shown(fall: &Fall) -> Vec<(f64, f64)> {
    fall.heads.iter().copied().take_while(|(time, _)| *time <= SHOWN).collect()
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
    let slower = 100.0 * number(|found| slower(&found.own, &found.twin)) / (count - ties);
    let row = |name, unit, measured, bound| Row::new(name, way.name, unit, measured, bound);
    vec![
        row("protected_slower", "%", slower, Bound::AtLeast(way.slower)),
        row("ties", "", ties, Bound::Reported),
        row("redraws", "", of(|found| f64::from(found.redraws)).sum(), Bound::Reported),
        row("head_mps", "m/s", mean(|found| found.own.head_mps), way.head).over(of(|found| found.own.head_mps).collect()),
        row("twin_head_mps", "m/s", mean(|found| found.twin.head_mps), Bound::Reported),
        row("second_impacts", "", number(|found| found.own.second), Bound::AtMost((way.seconds * count / 30.0).floor())),
        row("still_within_3s", "%", percent(|found| found.own.still_after <= 3.0), Bound::AtLeast(way.still)),
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

/// Whether a head meets the ground slower than its twin's, by more than a tie.
pub(crate) fn slower(own: &Fall, twin: &Fall) -> bool {
    own.head_mps < twin.head_mps - TIE
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
        let blow = way.draw(variation, redraws);
        let twin = fall(&Setting { protective: false, ..setting }, blow)?;
        if !twin.fell || twin.head_mps < TELLS {
            continue;
        }
        let own = fall(&setting, blow)?;
        if own.fell {
            return Ok(Found { redraws, own, twin });
        }
    }
    let why = format!("of {DRAWS} blows none felled '{}' head first ({})", subject.name, way.name);
    Err(MeasureError::Nothing(why))
}

/// A blow on the chest.
#[derive(Clone, Copy, Debug)]
struct Blow {
    speed: f32,
    heading: f32,
    aside: Vec3,
}

fn fall(setting: &Setting<'_>, blow: Blow) -> Result<Fall, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    stage.shove(blow.speed, blow.heading, blow.aside)?;
    stage.run(WATCHED)?;
    Ok(Fall::of(stage.kept(), SETTLE))
}
