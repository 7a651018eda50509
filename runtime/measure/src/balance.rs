//! `balance`: shoves from five ways, at seven angles and fifteen speeds each, and who of those that step to catch themselves stands after.

mod variants;

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::controls::{self, Controls};
use crate::ensemble::{self, Variation};
use crate::feet::{Foot, SHINS};
use crate::kept::Frame;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, most};
use simrun_sim::space::Vec3;
use variants::Stood;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "balance",
    about: "shoves from five ways, seven angles and fifteen speeds: who of those that step to catch themselves stands after",
    rows: &[
        ("stand", "how many stand, of all or of the shoves that go one way"),
        ("stand_without", "how many of their twins do that do not step"),
        ("of", "how many shoves went this way"),
        ("all_angles_to_mps", "the speed up to which every angle is stood"),
        ("steps_mean", "steps of those that stand, mean"),
        ("steps_most", "the most steps of one that stands"),
        ("slip_cm", "how far the worse foot is dragged in a run, mean"),
        ("air_s", "time with both feet off the ground, mean"),
        ("heading_deg", "how far it faces from where it did, worst"),
        (
            "variant_stand",
            "of as many shoves as are stood on the grid, how many are stood that are otherwise: nothing was tuned on them",
        ),
        controls::EXPLAINED[0],
        controls::EXPLAINED[1],
        controls::EXPLAINED[2],
        ("assist", "share of the standing that did not come from the feet, %, mean"),
    ],
    carries: &["catch_step"],
    slopes: true,
    muscles: true,
    take: rows,
    ..Measure::PLAIN
};

/// The ways that shoves go, by their yaw (°) off the figure's front.
const WAYS: [(&str, f32); 5] = [("behind", 0.0), ("diag_front", 45.0), ("side", 90.0), ("diag_back", 135.0), ("front", 180.0)];
const ANGLES: [f32; 7] = [-30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0];
/// Speeds (m/s × the figure's mass): so many, so far apart.
const SPEEDS: usize = 15;
const APART: f32 = 0.2;
const CASES: usize = WAYS.len() * ANGLES.len() * SPEEDS;
/// Seconds in which a figure settles, and for which it is watched after the shove.
const SETTLE: f64 = 1.0;
const WATCHED: f64 = 6.0;
/// Anchors that the number of those who stand is held to, and the number.
const HELD: [(f32, f64); 3] = [(0.4, 353.0), (0.65, 488.0), (0.9, 515.0)];

/// A shove: m/s × the figure's mass, off its front (rad), off the chest's middle (m).
struct Shove {
    speed: f32,
    heading: f32,
    aside: Vec3,
}

impl Shove {
    /// Strikes the chest, all at once.
    fn give(&self, stage: &mut Stage) -> Result<(), MeasureError> {
        stage.shove(self.speed, self.heading, self.aside)
    }
}

/// What came of one shove.
struct Found {
    way: usize,
    speed: usize,
    stood: bool,
    twin_stood: bool,
    steps: usize,
    slip: f64,
    air: f64,
    heading: f64,
    assist: f64,
    variants: Stood,
    controls: Option<Controls>,
}

/// Takes the measure. `runs` takes so many of the 525 shoves, evenly.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, CASES, |subject, variation| one(subject, options, &carried, variation))?;
    let mut rows = vec![total(&runs, options)];
    let twins = runs.iter().filter(|run| run.twin_stood).count() as f64;
    rows.push(Row::new("stand_without", "all, nobody steps", "", twins, Bound::Reported));
    for (way, (name, _)) in WAYS.iter().enumerate() {
        let these: Vec<&Found> = runs.iter().filter(|run| run.way == way).collect();
        // Of a way that no shove went nothing holds and nothing fails.
        if !these.is_empty() {
            rows.extend(rows_of(name, &these));
        }
    }
    rows.extend(Stood::rows(runs.iter().map(|run| (run.stood, &run.variants))));
    rows.extend(Controls::rows(runs.iter().filter_map(|run| run.controls.as_ref())));
    Ok((runs.len(), rows))
}

fn total(runs: &[Found], options: &Options) -> Row {
    let stood = runs.iter().filter(|run| run.stood).count() as f64;
    let held = HELD.iter().find(|(anchor, _)| *anchor == options.anchor);
    let bound = held.map_or(Bound::Reported, |(_, least)| Bound::AtLeast((least * runs.len() as f64 / CASES as f64).floor()));
    Row::new("stand", "all", "", stood, bound).over(runs.iter().map(|run| f64::from(u8::from(run.stood))).collect())
}

fn rows_of(way: &'static str, runs: &[&Found]) -> Vec<Row> {
    let stood: Vec<&&Found> = runs.iter().filter(|run| run.stood).collect();
    let of = |value: fn(&Found) -> f64| stood.iter().map(move |run| value(run));
    // Of nobody there is nothing to say.
    let mean = |value: fn(&Found) -> f64| if stood.is_empty() { 0.0 } else { of(value).sum::<f64>() / stood.len() as f64 };
    let worst = |value: fn(&Found) -> f64| if stood.is_empty() { 0.0 } else { most(of(value)) };
    let all_to = (0..SPEEDS).take_while(|speed| runs.iter().all(|run| run.speed != *speed || run.stood)).count();
    let row = |name, unit, measured, bound| Row::new(name, way, unit, measured, bound);
    vec![
        row("stand", "", stood.len() as f64, Bound::Reported),
        row("of", "", runs.len() as f64, Bound::Reported),
        row("all_angles_to_mps", "m/s", all_to as f64 * f64::from(APART), Bound::Reported),
        row("steps_mean", "", mean(|run| run.steps as f64), Bound::AtMost(2.5)),
        row("steps_most", "", worst(|run| run.steps as f64), Bound::AtMost(5.0)),
        row("slip_cm", "cm", mean(|run| 100.0 * run.slip), Bound::Reported),
        row("air_s", "s", mean(|run| run.air), Bound::Reported),
        row("heading_deg", "°", worst(|run| run.heading.to_degrees()), Bound::AtMost(5.0)),
        row("assist", "%", mean(|run| run.assist), Bound::Reported),
    ]
}

fn one(subject: &Subject, options: &Options, carried: &Carried, variation: &mut Variation) -> Result<Found, MeasureError> {
    let case = variation.case(CASES);
    let (way, angle, speed) = (case / (ANGLES.len() * SPEEDS), case / SPEEDS % ANGLES.len(), case % SPEEDS);
    let heading = (WAYS[way].1 + ANGLES[angle] + variation.between(-2.0, 2.0)).to_radians();
    let aside = Vec3::Y * variation.between(-0.03, 0.03);
    let shove = Shove { speed: APART * (speed + 1) as f32, heading, aside };
    let seed = variation.seed();
    // On level ground one way is as good as another.
    let yaw = if options.conditions.slope_deg == 0.0 { 0.0 } else { variation.yaw() };
    let setting = Setting { carried: Some(carried), stepping: true, yaw, seed, ..Setting::standing(subject, options) };
    let stage = settled(&setting, |stage| shove.give(stage))?;
    let twin = settled(&Setting { stepping: false, ..setting }, |stage| shove.give(stage))?;
    let kept = stage.kept();
    let after = kept.span(SETTLE, SETTLE + WATCHED);
    let feet = [0, 1].map(|side| Foot::of(after, subject.ragdoll(), side, kept.step_hz));
    let up = |frame: &&Frame| !SHINS.iter().any(|shin| frame.touching.contains(shin));
    Ok(Found {
        way,
        speed,
        stood: kept.stands(),
        twin_stood: twin.kept().stands(),
        steps: feet[0].steps.len() + feet[1].steps.len(),
        slip: feet[0].slip.max(feet[1].slip),
        air: after.iter().filter(up).count() as f64 / kept.step_hz,
        heading: after[after.len() - 1].heading_change(&after[0]),
        assist: f64::from(stage.figure()?.assist()),
        controls: Controls::of_few(&setting, variation)?,
        variants: Stood::take(&setting, &shove, case / SPEEDS + speed, variation)?,
    })
}

/// A figure that has settled, is given a shove, and is watched.
fn settled(setting: &Setting<'_>, give: impl FnOnce(&mut Stage) -> Result<(), MeasureError>) -> Result<Stage, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    give(&mut stage)?;
    stage.run(WATCHED)?;
    Ok(stage)
}
