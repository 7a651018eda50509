//! `lie`: figures lie down on a bedroll and get up from it.

use crate::catalogue::Measure;
use crate::depth::Solid;
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use crate::ways;
use simrun_sim::acts::lie_spot;
use simrun_sim::figure::{BONES, Bone, Ragdoll};
use simrun_sim::motion::ActKind;
use simrun_sim::solve::boundary::Shape;
use simrun_sim::space::{Rigid, Vec3, rotation_from_yaw};
use simrun_sim::{Command, Mode};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "lie",
    about: "figures lie down on a bedroll from about where one stands for it, and get up",
    rows: &[
        ("lain", "share of the runs in which it has come to lie"),
        ("down_s", "how long lying down takes at most"),
        ("up_s", "how long getting up takes at most"),
        ("past_cm", "how far any bone's middle lies past the bedroll's edge at most"),
        ("under_cm", "how deep the drawn figure is under the bedroll's top at most"),
        ("over_cm", "how far its lowest point is over it at most"),
        ("turn_deg", "the most that a drawn bone turns in a step, from lying down to a second after it is up"),
        ("hips_mm", "the most that the drawn hips go in a step"),
        ("handover_deg", "how far the bodies are turned from what is drawn when they take over"),
        ("after_rad", "the most lean a second after it"),
        ("own_mode", "share of the runs in which it is in its own mode then, and stands"),
    ],
    acts: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 8;
/// A bedroll for a person of 1.75 m (m).
const ROLL: Vec3 = Vec3::new(0.9, 0.04, 2.1);
const PERSON: f32 = 1.75;
/// How far its middle lies from the hips, toward the feet, on that person (m): most of one lies on that side of them.
const MIDDLE: f32 = -0.03;
/// How far off its spot it stands (m, rad).
const OFF: f32 = 0.04;
const TURNED: f32 = 0.08;
/// Seconds in which it settles, lies down, lies, gets up, and is watched after that.
const SETTLE: f64 = 0.5;
const DOWN: f64 = 6.0;
const LIES: f64 = 1.5;
const UP: f64 = 7.0;
const AFTER: f64 = 1.0;

struct Found {
    lain: bool,
    down: f64,
    up: f64,
    past: f64,
    depth: f64,
    turn: f64,
    hips: f64,
    handover: f64,
    after: f64,
    own: bool,
}

fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let all = |is: fn(&Found) -> bool| 100.0 * share(runs.iter().map(is));
    let row = |name, unit, measured, bound| Row::new(name, "on a bedroll", unit, measured, bound);
    let rows = vec![
        row("lain", "%", all(|found| found.lain), Bound::Exactly(100.0)),
        row("down_s", "s", worst(|found| found.down), Bound::AtMost(5.0)),
        row("up_s", "s", worst(|found| found.up), Bound::AtMost(4.0)),
        row("past_cm", "cm", worst(|found| found.past), Bound::AtMost(0.0)),
        row("under_cm", "cm", worst(|found| found.depth), Bound::AtMost(1.0)),
        row("over_cm", "cm", worst(|found| -found.depth), Bound::AtMost(1.0)),
        row("turn_deg", "° a step", worst(|found| found.turn), Bound::AtMost(6.0)),
        row("hips_mm", "mm a step", worst(|found| found.hips), Bound::AtMost(40.0)),
        row("handover_deg", "°", worst(|found| found.handover), Bound::AtMost(1.0)),
        row("after_rad", "rad", worst(|found| found.after), Bound::AtMost(0.1)),
        row("own_mode", "%", all(|found| found.own), Bound::Exactly(100.0)),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let ragdoll = subject.ragdoll();
    let size = ragdoll.height / PERSON;
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let mode = if variation.index.is_multiple_of(2) { Mode::Powered } else { Mode::Animated };
    let mut stage = Stage::new(&Setting { mode, seed, ..Setting::standing(subject, options) })?;
    let turn = rotation_from_yaw(yaw);
    let roll = ROLL * size;
    let hips = turn * (Vec3::Z * (5.0 - MIDDLE * size));
    let pose = Rigid::new(turn, turn * (Vec3::Z * 5.0) + Vec3::Y * (0.5 * roll.y));
    stage.add(ways::fixed("bedroll", Shape::Box(roll), pose))?;
    let head = pose.translation + turn * (Vec3::NEG_Z * (0.5 * roll.z));
    let spot = lie_spot(stage.world(), stage.handle(), hips, head)?;
    let off = turn * Vec3::new(variation.between(-OFF, OFF), 0.0, variation.between(-OFF, OFF));
    let yaw = Some(spot.yaw + variation.between(-TURNED, TURNED));
    stage.command(Command::MoveTo { figure: stage.handle(), position: spot.position + off, yaw })?;
    stage.run(SETTLE)?;

    let stood = stage.kept().frames.len() - 1;
    stage.command(Command::LieDown { figure: stage.handle(), head })?;
    let down = stage.until(DOWN, |figure| figure.motion.as_ref().is_some_and(|motion| motion.stays(ActKind::Lie)))?;
    let lain = stage.figure()?.motion()?.stays(ActKind::Lie);
    stage.run(LIES)?;
    let lies = stage.kept().frames.len() - 1;
    stage.command(Command::GetUp(stage.handle()))?;
    let up = stage.until(UP, |figure| figure.mode() == mode)?;
    let risen = stage.kept().frames.len() - 1;
    stage.run(AFTER)?;
    let own = stage.figure()?.mode() == mode && !stage.kept().is_down(&stage.kept().frames[stage.kept().frames.len() - 1]);

    let frames = &stage.kept().frames;
    let solid: Vec<Solid> = Solid::of_shape(pose, &Shape::Box(roll)).into_iter().collect();
    Ok(Found {
        lain,
        down,
        up,
        past: 100.0 * past(ragdoll, &frames[lies].drawn, &pose, roll),
        depth: 100.0 * ways::deepest(&ways::solids(ragdoll, &frames[lies].drawn, frames[lies].drawn_bent, &Bone::ALL), &solid),
        turn: ways::worst_turn(&frames[stood..]),
        hips: ways::hips(&frames[stood..]),
        handover: ways::handover(&frames[risen]).0,
        after: frames.last().map_or(f64::NAN, crate::kept::Frame::lean),
        own,
    })
}

/// How far (m) the middle of any of a figure's bones is beyond a box's sides; less than 0 where all are over it.
fn past(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], roll: &Rigid, size: Vec3) -> f64 {
    let inside = roll.inverse();
    let ends =
        Bone::ALL.into_iter().flat_map(|bone| [Vec3::ZERO, ragdoll.tip_of(bone)].map(|end| bodies[bone.index()].point(end)));
    most(ends.map(|end| {
        let at = inside.point(end).abs();
        f64::from((at.x - 0.5 * size.x).max(at.z - 0.5 * size.z))
    }))
}
