//! `shove`: a push at the chest moves a standing figure and leaves it standing, up to how hard a one, and its joints together; what a
//! blow takes from a muscle comes back.

mod hard;

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::Frame;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, median, most, share};
use simrun_sim::figure::Bone;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "shove",
    about: "a push at the chest moves a figure and leaves it standing where it stands, up to how hard a one; wounds heal",
    rows: &[
        ("worst_joint_deg", "how far the joint that gives most gets from its pose"),
        ("back_joint_deg", "how far that joint is from where it was, three seconds later"),
        ("lean_deg", "how far the pelvis leans from its pose three seconds later"),
        ("fell", "share of the runs in which it was down"),
        ("assist_pct", "share of the standing that did not come from the feet"),
        ("hard_shove_down", "share of the runs in which 2.9 m/s fell a figure that does not step: all must"),
        ("stands_any_way", "share of the runs in which it stands after a push from anywhere"),
        ("stands_behind", "the same from behind"),
        ("stands_side", "the same from a side"),
        ("stands_front", "the same from the front"),
        ("joint_opening_mm", "how far the two ends of the widest joint part"),
        ("arm_muscle_pct", "what a blow leaves of the struck muscle"),
        ("forearm_muscle_pct", "what it leaves of its neighbour"),
        ("muscle_back_pct", "what is back 0.8 s later"),
        ("cost_taken_pct", "what a blow with a cost of its own takes"),
    ],
    slopes: true,
    muscles: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds in which a figure settles before it is pushed.
const SETTLE: f64 = 1.0;
/// Seconds after a push at which it is over.
const OVER: f64 = 3.0;
/// The push that a figure takes standing, and the one that it does not take without stepping (m/s × its mass).
pub const SHOVE: f32 = 0.43;
const HARD_SHOVE: f32 = 2.9;
/// A blow on an upper arm (m/s × the arm's mass) that takes the most that one can.
const ARM_BLOW: f32 = 1.63;
/// A cost that the caller names: 0.95 of it is taken.
const COST: f32 = 0.1;

struct Found {
    ahead: Push,
    aside: Push,
    felled_by_hard: bool,
    arm: Arm,
    hard: hard::Found,
}

/// What a push did.
struct Push {
    worst_joint_deg: f64,
    back_joint_deg: f64,
    lean_deg: f64,
    fell: bool,
    assist_pct: f64,
}

struct Arm {
    upper_pct: f64,
    forearm_pct: f64,
    back_pct: f64,
    cost_taken_pct: f64,
}

/// Takes the measure.
///
/// Joints are held to coming back after pushes from behind and from the front. One from the side sets a foot down nearer to the
/// other, where friction keeps it: the hips stay 1 to 3° off until the figure steps, which nobody does here. That is shown, not
/// held to anything.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let ahead = |value: fn(&Push) -> f64| runs.iter().map(move |run| value(&run.ahead));
    let aside = |value: fn(&Push) -> f64| runs.iter().map(move |run| value(&run.aside));
    let (along, across) = ("0.43 m/s, front and back", "0.43 m/s, sides");
    let moves = Bound::Within(8.0, 30.0);
    let mut rows = vec![
        Row::new("worst_joint_deg", along, "°", median(ahead(|push| push.worst_joint_deg)), moves),
        Row::new("worst_joint_deg", "… least of the runs", "°", least(ahead(|push| push.worst_joint_deg)), Bound::Reported),
        Row::new("worst_joint_deg", "… most of the runs", "°", most(ahead(|push| push.worst_joint_deg)), Bound::AtMost(30.0)),
        Row::new("back_joint_deg", along, "°", most(ahead(|push| push.back_joint_deg)), Bound::AtMost(1.0)),
        Row::new("lean_deg", along, "°", most(ahead(|push| push.lean_deg)), Bound::AtMost(1.0)),
        Row::new("fell", along, "", share(runs.iter().map(|run| run.ahead.fell)), Bound::Exactly(0.0)),
        Row::new("assist_pct", along, "%", most(ahead(|push| push.assist_pct)), Bound::Reported),
        Row::new("worst_joint_deg", across, "°", most(aside(|push| push.worst_joint_deg)), Bound::AtMost(30.0)),
        Row::new("back_joint_deg", across, "°", most(aside(|push| push.back_joint_deg)), Bound::Reported),
        Row::new("lean_deg", across, "°", most(aside(|push| push.lean_deg)), Bound::AtMost(1.0)),
        Row::new("fell", across, "", share(runs.iter().map(|run| run.aside.fell)), Bound::Exactly(0.0)),
        Row::new("assist_pct", across, "%", most(aside(|push| push.assist_pct)), Bound::Reported),
    ];
    let felled = share(runs.iter().map(|run| run.felled_by_hard));
    rows.push(Row::new("hard_shove_down", "2.9 m/s, any way", "", felled, Bound::Exactly(1.0)));
    rows.extend(hard::rows(&runs.iter().map(|run| &run.hard).collect::<Vec<_>>()));
    rows.extend(arm_rows(&runs));
    Ok((runs.len(), rows))
}

fn arm_rows(runs: &[Found]) -> [Row; 4] {
    // Of numbers that shall be a certain one, the farthest off is shown.
    let farthest = |value: fn(&Arm) -> f64, from: f64| {
        let (low, high) = (least(runs.iter().map(|run| value(&run.arm))), most(runs.iter().map(|run| value(&run.arm))));
        if (low - from).abs() > (high - from).abs() { low } else { high }
    };
    let blow = "1.63 m/s of the arm";
    [
        Row::new("arm_muscle_pct", blow, "%", farthest(|arm| arm.upper_pct, 5.0), Bound::Within(4.5, 5.5)),
        Row::new("forearm_muscle_pct", blow, "%", farthest(|arm| arm.forearm_pct, 52.5), Bound::Within(49.5, 55.5)),
        Row::new("muscle_back_pct", "0.8 s later", "%", least(runs.iter().map(|run| run.arm.back_pct)), Bound::AtLeast(99.9)),
        Row::new("cost_taken_pct", "cost 0.1", "%", farthest(|arm| arm.cost_taken_pct, 9.5), Bound::Within(9.4, 9.6)),
    ]
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let setting = Setting { yaw: variation.yaw(), seed: variation.seed(), ..Setting::standing(subject, options) };
    let heading = variation.fore_and_aft();
    let ahead = push(&setting, heading, variation)?;
    let heading = variation.sideways();
    let aside = push(&setting, heading, variation)?;

    let mut hard = Stage::new(&setting)?;
    hard.run(SETTLE)?;
    hard.shove(HARD_SHOVE, variation.any_heading(), variation.aside())?;
    hard.run(OVER)?;
    let felled_by_hard = hard.kept().is_down(hard.kept().at(SETTLE + OVER));

    let arm = arm(&setting, variation)?;
    Ok(Found { ahead, aside, felled_by_hard, arm, hard: hard::find(&setting, variation)? })
}

/// The push that a figure takes standing.
fn push(setting: &Setting<'_>, heading: f32, variation: &mut Variation) -> Result<Push, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    stage.shove(SHOVE * variation.speed(), heading, variation.aside())?;
    stage.run(OVER)?;
    let assist_pct = f64::from(stage.figure()?.assist());
    let kept = stage.kept();
    let (before, end) = (kept.at(SETTLE), kept.at(SETTLE + OVER));
    let after = kept.span(SETTLE, SETTLE + OVER);
    Ok(Push {
        worst_joint_deg: most(after.iter().map(Frame::worst_joint)).to_degrees(),
        back_joint_deg: end.worst_joint_since(before).to_degrees(),
        lean_deg: end.lean().to_degrees(),
        fell: after.iter().any(|frame| kept.is_down(frame)),
        assist_pct,
    })
}

/// What blows on an arm take from its muscles: the sides alternate over the runs.
fn arm(setting: &Setting<'_>, variation: &mut Variation) -> Result<Arm, MeasureError> {
    let (upper, forearm) =
        if variation.index.is_multiple_of(2) { (Bone::UpperArmL, Bone::ForearmL) } else { (Bone::UpperArmR, Bone::ForearmR) };
    let mut stage = Stage::new(setting)?;
    stage.run(0.5)?;
    stage.strike(upper, ARM_BLOW * variation.speed(), variation.any_heading(), variation.aside(), None)?;
    let (upper_pct, forearm_pct) = (stage.muscle_pct(upper)?, stage.muscle_pct(forearm)?);
    stage.run(0.8)?;
    let back_pct = stage.muscle_pct(upper)?.min(stage.muscle_pct(forearm)?);
    stage.strike(upper, ARM_BLOW, variation.any_heading(), variation.aside(), Some(COST))?;
    let cost_taken_pct = back_pct - stage.muscle_pct(upper)?;
    Ok(Arm { upper_pct, forearm_pct, back_pct, cost_taken_pct })
}
