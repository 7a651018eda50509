//! `rest`: a figure left alone stands still, on a slope too, answers when it is struck after that, bows as it is asked, and does not
//! stand where nothing could.
//!
//! Nothing may sleep meanwhile: measures' worlds have it off ([`sleep`](simrun_sim::WorldSettings::sleep)).

use crate::catalogue::Measure;
use crate::controls::{self, Controls};
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, Kept, turn_rates};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most};
use simrun_sim::figure::Bone;
use simrun_sim::space::{Vec3, rotation_from_yaw};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "rest",
    about: "a figure left alone stands still, on a slope too, bows as asked, and does not stand where nothing could",
    rows: &[
        ("turn_mean_radps", "turn rate of the bones over a minute alone, mean of all"),
        ("turn_max_radps", "the same, the fastest bone in any step"),
        ("drift_mm", "how far the pelvis gets from where it had settled, or was spawned"),
        ("heading_deg", "how far the pelvis turns from where it faced"),
        (
            "assist_pct",
            "share of the standing that did not come from the feet: impulse of anchor and heading motor over weight and time",
        ),
        ("answers_pct", "how far a blow moves one that has stood for a minute, of what it moves one that has just settled"),
        ("creep_mm", "drift on a slope of 5° in a minute"),
        ("bow_chest_deg", "while bowing, how far the chest is from its pose"),
        ("bow_lean_deg", "while bowing, how far the pelvis leans from its pose"),
        controls::EXPLAINED[0],
        controls::EXPLAINED[1],
        controls::EXPLAINED[2],
    ],
    muscles: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 8;
/// Seconds in which a figure settles into its pose before it is measured.
const SETTLE: f64 = 1.0;
/// Seconds that it is left alone.
const ALONE: f64 = 60.0;
/// A slope (degrees), and the seconds in which a figure settles on it.
const SLOPE_DEG: f32 = 5.0;
const SLOPE_SETTLE: f64 = 2.0;
/// The blow after that minute (m/s × the figure's mass at the chest), and the steps in which it must show.
const BLOW: f32 = 0.43;
const AT_ONCE: f64 = 3.0;
/// Seconds that it bows.
const BOWING: f64 = 10.0;
/// What one run found.
struct Found {
    turn_mean: f64,
    turn_max: f64,
    drift_mm: f64,
    /// From where it was spawned, its settling included.
    spawn_drift_mm: f64,
    heading_deg: f64,
    assist_pct: f64,
    answers_pct: f64,
    creep_mm: f64,
    slope_answers_pct: f64,
    bow_chest_deg: f64,
    bow_lean_deg: f64,
    controls: Controls,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let answer = |value: fn(&Found) -> f64| least(runs.iter().map(value));
    let row = Row::new;
    let mut rows = vec![
        row("turn_mean_radps", "alone", "rad/s", worst(|run| run.turn_mean), Bound::AtMost(0.000_05)),
        row("turn_max_radps", "alone", "rad/s", worst(|run| run.turn_max), Bound::AtMost(0.005)),
        row("drift_mm", "alone", "mm", worst(|run| run.drift_mm), Bound::AtMost(1.0)),
        row("drift_mm", "from its spawn on", "mm", worst(|run| run.spawn_drift_mm), Bound::AtMost(10.0)),
        row("heading_deg", "alone", "°", worst(|run| run.heading_deg), Bound::AtMost(1.0)),
        row("assist_pct", "alone", "%", worst(|run| run.assist_pct), Bound::Reported),
        row("answers_pct", "struck after it", "%", answer(|run| run.answers_pct), Bound::AtLeast(20.0)),
        row("creep_mm", "on a slope of 5°", "mm", worst(|run| run.creep_mm), Bound::AtMost(2.0)),
        row("answers_pct", "struck on it after that", "%", answer(|run| run.slope_answers_pct), Bound::AtLeast(20.0)),
        row("bow_chest_deg", "bowing", "°", worst(|run| run.bow_chest_deg), Bound::AtMost(2.0)),
        row("bow_lean_deg", "bowing", "°", worst(|run| run.bow_lean_deg), Bound::AtMost(2.0)),
    ];
    rows.extend(Controls::rows(runs.iter().map(|run| &run.controls)));
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let setting = Setting { yaw: variation.yaw(), seed: variation.seed(), ..Setting::standing(subject, options) };
    let mut alone = Stage::new(&setting)?;
    alone.run(SETTLE + ALONE)?;
    let assist_pct = f64::from(alone.figure()?.assist());
    let kept = alone.kept();
    let (turn_mean, turn_max) = turn_rates(kept.span(SETTLE, SETTLE + ALONE), kept.step_hz);
    let start = kept.at(0.0);
    let over = |value: &dyn Fn(&Frame) -> f64| most(kept.frames.iter().map(value));
    let (spawn_drift, heading) = (over(&|frame| frame.drift(start)), over(&|frame| frame.heading_change(start)));
    let drift = most_drift(kept, SETTLE);
    let answers = answers_pct(&setting, &mut alone, SETTLE, variation)?;

    let sloping = Setting { slope: SLOPE_DEG.to_radians(), yaw: variation.yaw(), ..setting };
    let mut slope = Stage::new(&sloping)?;
    slope.run(SLOPE_SETTLE + ALONE)?;
    let creep = most_drift(slope.kept(), SLOPE_SETTLE);
    let slope_answers = answers_pct(&sloping, &mut slope, SLOPE_SETTLE, variation)?;

    let mut bowing = Stage::new(&Setting { clip: Some("Bow"), phase: variation.phase(), ..setting })?;
    bowing.run(BOWING)?;
    let bow = bowing.kept().span(SETTLE, BOWING);

    Ok(Found {
        turn_mean,
        turn_max,
        drift_mm: 1.0e3 * drift,
        spawn_drift_mm: 1.0e3 * spawn_drift,
        heading_deg: heading.to_degrees(),
        assist_pct,
        answers_pct: answers,
        creep_mm: 1.0e3 * creep,
        slope_answers_pct: slope_answers,
        bow_chest_deg: most(bow.iter().map(|frame| frame.off_target(Bone::Chest))).to_degrees(),
        bow_lean_deg: most(bow.iter().map(Frame::lean)).to_degrees(),
        controls: Controls::take(&setting, variation)?,
    })
}

/// How far (m) the pelvis gets from where it was when it had settled, in the minute after that.
fn most_drift(kept: &Kept, settled: f64) -> f64 {
    let start = kept.at(settled);
    most(kept.span(settled, settled + ALONE).iter().map(|frame| frame.drift(start)))
}

/// How far the chest of a figure that has stood for long goes along a blow at once, % of what a twin's does that was struck as soon as
/// it had settled.
fn answers_pct(setting: &Setting<'_>, long: &mut Stage, settle: f64, variation: &mut Variation) -> Result<f64, MeasureError> {
    let mut fresh = Stage::new(setting)?;
    fresh.run(settle)?;
    let (heading, aside) = (variation.any_heading(), variation.aside());
    let gone = |stage: &mut Stage| {
        let struck = stage.time();
        stage.shove(BLOW, heading, aside)?;
        stage.run(AT_ONCE / stage.kept().step_hz)?;
        let chest = |time: f64| stage.kept().at(time).bodies[Bone::Chest.index()].translation;
        let way = rotation_from_yaw(setting.yaw + heading) * Vec3::Z;
        Ok::<_, MeasureError>(f64::from((chest(stage.time()) - chest(struck)).dot(way)))
    };
    Ok(100.0 * gone(long)? / gone(&mut fresh)?)
}
