//! `shove`: a push at the chest moves a standing figure and leaves it standing; what a blow takes from a muscle comes back.

use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, median, most, share};
use simrun_sim::figure::Bone;

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds in which a figure settles before it is pushed.
const SETTLE: f64 = 1.0;
/// Seconds after a push at which it is over.
const OVER: f64 = 3.0;
/// The push that a figure takes standing, and the one that it does not take without stepping (m/s × its mass).
const SHOVE: f32 = 0.43;
const HARD_SHOVE: f32 = 2.9;
/// A blow on an upper arm (m/s × the arm's mass) that takes the most that one can.
const ARM_BLOW: f32 = 1.63;
/// A cost that the caller names: 0.95 of it is taken.
const COST: f32 = 0.1;

struct Found {
    worst_joint_deg: f64,
    back_joint_deg: f64,
    lean_deg: f64,
    fell: bool,
    assist_pct: f64,
    felled_by_hard: bool,
    arm: Arm,
}

struct Arm {
    upper_pct: f64,
    forearm_pct: f64,
    back_pct: f64,
    cost_taken_pct: f64,
}

/// Takes the measure.
pub fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(options, USUAL_RUNS, |variation| one(subject, options.anchor, variation))?;
    let all = |value: fn(&Found) -> f64| runs.iter().map(value);
    // Of numbers that shall be a certain one, the farthest off is shown.
    let farthest = |value: fn(&Found) -> f64, from: f64| {
        let (low, high) = (least(all(value)), most(all(value)));
        if (low - from).abs() > (high - from).abs() { low } else { high }
    };
    let moves = Bound::Within(8.0, 30.0);
    let row = Row::new;
    let rows = vec![
        row("worst_joint_deg", "0.43 m/s, median", "°", median(all(|run| run.worst_joint_deg)), moves),
        row("worst_joint_deg", "0.43 m/s, least", "°", least(all(|run| run.worst_joint_deg)), moves),
        row("worst_joint_deg", "0.43 m/s, most", "°", most(all(|run| run.worst_joint_deg)), moves),
        row("back_joint_deg", "0.43 m/s, at 3 s", "°", most(all(|run| run.back_joint_deg)), Bound::AtMost(1.0)),
        row("lean_deg", "0.43 m/s, at 3 s", "°", most(all(|run| run.lean_deg)), Bound::AtMost(1.0)),
        row("fell", "0.43 m/s", "", share(runs.iter().map(|run| run.fell)), Bound::Exactly(0.0)),
        row("assist_pct", "0.43 m/s", "%", most(all(|run| run.assist_pct)), Bound::Reported),
        row("hard_shove_down", "2.9 m/s", "", share(runs.iter().map(|run| run.felled_by_hard)), Bound::Exactly(1.0)),
        row("arm_muscle_pct", "1.63 m/s of the arm", "%", farthest(|run| run.arm.upper_pct, 5.0), Bound::Within(4.5, 5.5)),
        row("forearm_muscle_pct", "1.63 m/s of the arm", "%", farthest(|run| run.arm.forearm_pct, 52.5), Bound::Within(49.5, 55.5)),
        row("muscle_back_pct", "after 0.8 s", "%", least(all(|run| run.arm.back_pct)), Bound::AtLeast(99.9)),
        row("cost_taken_pct", "cost 0.1", "%", farthest(|run| run.arm.cost_taken_pct, 9.5), Bound::Within(9.4, 9.6)),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, anchor: f32, variation: &mut Variation) -> Result<Found, MeasureError> {
    let setting = Setting { yaw: variation.yaw(), seed: variation.seed(), ..Setting::standing(subject, anchor) };
    let (heading, aside) = (variation.heading(), variation.aside());

    let mut pushed = Stage::new(&setting)?;
    pushed.run(SETTLE)?;
    pushed.shove(SHOVE * variation.speed(), heading, aside)?;
    pushed.run(OVER)?;
    let assist_pct = f64::from(pushed.figure()?.assist());
    let kept = pushed.kept();
    let (before, end) = (kept.at(SETTLE), kept.at(SETTLE + OVER));
    let after = kept.span(SETTLE, SETTLE + OVER);

    let mut hard = Stage::new(&setting)?;
    hard.run(SETTLE)?;
    hard.shove(HARD_SHOVE, heading, aside)?;
    hard.run(OVER)?;
    let felled_by_hard = hard.kept().is_down(hard.kept().at(SETTLE + OVER));

    Ok(Found {
        worst_joint_deg: most(after.iter().map(crate::kept::Frame::worst_joint)).to_degrees(),
        back_joint_deg: end.worst_joint_since(before).to_degrees(),
        lean_deg: end.lean().to_degrees(),
        fell: after.iter().any(|frame| kept.is_down(frame)),
        assist_pct,
        felled_by_hard,
        arm: arm(&setting, variation)?,
    })
}

/// What blows on an arm take from its muscles: the sides alternate over the runs.
fn arm(setting: &Setting<'_>, variation: &mut Variation) -> Result<Arm, MeasureError> {
    let (upper, forearm) = if variation.index.is_multiple_of(2) {
        (Bone::UpperArmL, Bone::ForearmL)
    } else {
        (Bone::UpperArmR, Bone::ForearmR)
    };
    let mut stage = Stage::new(setting)?;
    stage.run(0.5)?;
    stage.strike(upper, ARM_BLOW * variation.speed(), variation.heading(), variation.aside(), None)?;
    let (upper_pct, forearm_pct) = (stage.muscle_pct(upper)?, stage.muscle_pct(forearm)?);
    stage.run(0.8)?;
    let back_pct = stage.muscle_pct(upper)?.min(stage.muscle_pct(forearm)?);
    stage.strike(upper, ARM_BLOW, variation.heading(), variation.aside(), Some(COST))?;
    let cost_taken_pct = back_pct - stage.muscle_pct(upper)?;
    Ok(Arm { upper_pct, forearm_pct, back_pct, cost_taken_pct })
}
