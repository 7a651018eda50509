//! `crawl`: figures felled any way, and hurt, drag themselves off the way their head points.

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, most_drawn_turn, most_turn_of};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, median, most, share};
use simrun_sim::figure::Bone;
use simrun_sim::space::{Vec3, level};
use std::f32::consts::{PI, TAU};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "crawl",
    about: "figures felled any way drag themselves off the way their head points",
    rows: &[
        ("ahead", "how many of the runs, of 22, go ahead by 0.3 m in 10 s"),
        ("two_metres", "how many, of 22, by 2 m"),
        ("far_m", "how far they go, median"),
        ("aside_deg", "how far off the way that the head pointed, of those that go ahead, most"),
        ("head_m", "how high the head is carried, median"),
        ("quick_pct", "share of all bones' steps in which one turns by more than 6°, as drawn, while it faces down, mean"),
        ("turn_deg", "the most that one does, rolling over and all"),
    ],
    carries: &["crawl", "protective_fall"],
    take: rows,
    ..Measure::PLAIN
};

/// Ways to fall.
const WAYS: usize = 22;
/// The blow (m/s × the figure's mass).
const BLOWS: [f32; 2] = [3.25, 3.6];
/// Seconds in which it settles; after which it lies and crawls; for which it is watched.
const SETTLE: f64 = 0.5;
const LIES: f64 = 5.0;
const CRAWLS: f64 = 10.0;
/// How far (m) counts as ahead, and how far as off.
const AHEAD: f64 = 0.3;
const FAR: f64 = 2.0;

/// How far up the chest's front points at the most, of one that faces down.
const FACES_DOWN: f32 = -0.7;
/// A bone that turns by more in a step (rad, 6°) looks as if it jumped.
const QUICK: f64 = 0.105;

struct Found {
    far: f64,
    aside_deg: f64,
    head: f64,
    quick_pct: f64,
    turn_deg: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, WAYS, |subject, variation| one(subject, options, &carried, variation))?;
    let of = |far: f64| WAYS as f64 * share(runs.iter().map(|run| run.far >= far));
    let row = |name, unit, measured, bound| Row::new(name, "any way", unit, measured, bound);
    let aside = runs.iter().filter(|run| run.far >= AHEAD).map(|run| run.aside_deg);
    let rows = vec![
        row("ahead", "", of(AHEAD), Bound::AtLeast(18.0)),
        row("two_metres", "", of(FAR), Bound::AtLeast(12.0)),
        row("far_m", "m", median(runs.iter().map(|run| run.far)), Bound::Reported),
        row("aside_deg", "°", most(aside), Bound::Reported),
        row("head_m", "m", median(runs.iter().map(|run| run.head)), Bound::Reported),
        row("quick_pct", "%", runs.iter().map(|run| run.quick_pct).sum::<f64>() / runs.len() as f64, Bound::AtMost(1.0)),
        row("turn_deg", "° a step", most(runs.iter().map(|run| run.turn_deg)), Bound::Reported),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, carried: &Carried, variation: &mut Variation) -> Result<Found, MeasureError> {
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let heading = variation.case(WAYS) as f32 * TAU / WAYS as f32 - PI;
    let mut stage = Stage::new(&Setting { yaw, seed, carried: Some(carried), ..Setting::standing(subject, options) })?;
    stage.run(SETTLE)?;
    stage.shove(variation.between(BLOWS[0], BLOWS[1]), variation.near(heading), variation.aside())?;
    stage.run(LIES)?;
    let began = stage.time();
    stage.run(CRAWLS)?;
    let (kept, at) = (stage.kept(), |frame: &Frame, bone: Bone| frame.bodies[bone.index()].translation);
    let (first, last) = (kept.at(began), kept.at(began + CRAWLS));
    let way = level(at(first, Bone::Head) - at(first, Bone::Pelvis)).normalize_or(Vec3::Z);
    let gone = level(at(last, Bone::Pelvis) - at(first, Bone::Pelvis));
    let frames = kept.span(began, began + CRAWLS);
    let prone = |frame: &Frame| (frame.bodies[Bone::Chest.index()].rotation * Vec3::Z).y < FACES_DOWN;
    let down: Vec<&[Frame]> = frames.windows(2).filter(|pair| pair.iter().all(prone)).collect();
    let quick = |pair: &&[Frame]| Bone::ALL.iter().filter(|bone| most_turn_of(pair, &[**bone]) > QUICK).count();
    let quick: usize = down.iter().map(quick).sum();
    Ok(Found {
        far: f64::from(gone.dot(way)),
        aside_deg: f64::from(simrun_sim::space::angle_between(gone, way).to_degrees()),
        head: median(frames.iter().map(|frame| f64::from(at(frame, Bone::Head).y))),
        quick_pct: 100.0 * quick as f64 / (down.len() * Bone::ALL.len()) as f64,
        turn_deg: most_drawn_turn(frames).to_degrees(),
    })
}
