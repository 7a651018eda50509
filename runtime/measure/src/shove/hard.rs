//! How hard a push a figure takes without stepping, and how far joints open.

use super::{OVER, SETTLE};
use crate::ensemble::Variation;
use crate::options::MeasureError;
use crate::stage::{Setting, Stage};
use crate::table::{Bound, Row, most, share};
use simrun_sim::figure::Bone;
use std::f32::consts::PI;

/// The anchor and the push (m/s) that every way is to be stood at the least.
const WEAK: f32 = 0.4;
const ANY_WAY: f32 = 0.8;
/// The anchor at which the harder ones are (m/s): from behind, from a side, from the front.
const STRONG: f32 = 0.9;
const HARD: [f32; 3] = [1.84, 1.30, 1.08];
/// Seconds after a push within which the joints are watched, and how hard they are struck (m/s).
const OPENING: f64 = 0.5;
const HARDEST: f32 = 5.0;

/// What one run found.
pub struct Found {
    any_way: Stood,
    hard: [Stood; 3],
    /// Widest joint (mm): after 0.8 m/s, 5 m/s × the figure's mass, 5 m/s × the chest's.
    opening_mm: [f64; 3],
}

struct Stood {
    stood: bool,
    assist_pct: f64,
}

/// The rows of all runs.
pub fn rows(runs: &[&Found]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut stands = |name, way, of: &dyn Fn(&Found) -> &Stood| {
        rows.push(Row::new(name, way, "", share(runs.iter().map(|run| of(run).stood)), Bound::Exactly(1.0)));
        rows.push(Row::new("assist_pct", way, "%", most(runs.iter().map(|run| of(run).assist_pct)), Bound::Reported));
    };
    stands("stands_any_way", "0.8 m/s, anchor 0.4", &|run| &run.any_way);
    stands("stands_behind", "1.84 m/s, anchor 0.9", &|run| &run.hard[0]);
    stands("stands_side", "1.30 m/s, anchor 0.9", &|run| &run.hard[1]);
    stands("stands_front", "1.08 m/s, anchor 0.9", &|run| &run.hard[2]);
    let opening = |index: usize| most(runs.iter().map(|run| run.opening_mm[index]));
    rows.extend([
        Row::new("joint_opening_mm", "0.8 m/s of the figure", "mm", opening(0), Bound::AtMost(1.0)),
        Row::new("joint_opening_mm", "5 m/s of the figure", "mm", opening(1), Bound::AtMost(10.0)),
        Row::new("joint_opening_mm", "5 m/s of the chest", "mm", opening(2), Bound::AtMost(10.0)),
    ]);
    rows
}

/// One run.
pub fn find(setting: &Setting<'_>, variation: &mut Variation) -> Result<Found, MeasureError> {
    let weak = Setting { anchor: WEAK, ..*setting };
    let strong = Setting { anchor: STRONG, ..*setting };
    let heading = variation.any_heading();
    let any_way = stood(&weak, ANY_WAY, heading, variation)?;
    let [behind, side, front] = [variation.near(0.0), variation.sideways(), variation.near(PI)];
    let hard = [
        stood(&strong, HARD[0], behind, variation)?,
        stood(&strong, HARD[1], side, variation)?,
        stood(&strong, HARD[2], front, variation)?,
    ];
    let heading = variation.any_heading();
    let opening_mm = [
        opening(setting, variation, |stage, aside| stage.shove(ANY_WAY, heading, aside))?,
        opening(setting, variation, |stage, aside| stage.shove(HARDEST, heading, aside))?,
        opening(setting, variation, |stage, aside| stage.strike(Bone::Chest, HARDEST, heading, aside, None))?,
    ];
    Ok(Found { any_way, hard, opening_mm })
}

/// Whether a figure stands all the time after a push, its feet where they are: nobody steps here.
fn stood(setting: &Setting<'_>, speed: f32, heading: f32, variation: &mut Variation) -> Result<Stood, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    stage.shove(speed, heading, variation.aside())?;
    stage.run(OVER)?;
    let assist_pct = f64::from(stage.figure()?.assist());
    let kept = stage.kept();
    let stood = !kept.span(SETTLE, SETTLE + OVER).iter().any(|frame| kept.is_down(frame));
    Ok(Stood { stood, assist_pct })
}

/// How far the widest joint opens after a push (mm).
fn opening(
    setting: &Setting<'_>,
    variation: &mut Variation,
    push: impl FnOnce(&mut Stage, simrun_sim::space::Vec3) -> Result<(), MeasureError>,
) -> Result<f64, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    push(&mut stage, variation.aside())?;
    stage.run(OPENING)?;
    Ok(1.0e3 * most(stage.kept().span(SETTLE, SETTLE + OPENING).iter().map(|frame| frame.opening)))
}
