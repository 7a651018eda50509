//! `sit`: figures sit down on squared and round logs and stand up from them.

use crate::catalogue::Measure;
use crate::depth::Solid;
use crate::ensemble::{self, Variation};
use crate::kept::Frame;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage, ground_of};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use crate::ways;
use simrun_sim::acts::sit_spot;
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::motion::ActKind;
use simrun_sim::solve::boundary::Shape;
use simrun_sim::space::{Rigid, Vec3, rotation_from_vector, rotation_from_yaw};
use simrun_sim::{Command, Mode};
use std::f32::consts::{FRAC_PI_2, PI};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "sit",
    about: "figures sit down on squared and round logs from about where one stands for it, and stand up from them",
    rows: &[
        ("sat", "share of the runs in which it has come to sit"),
        ("down_s", "how long sitting down takes at most"),
        ("up_s", "how long standing up takes at most"),
        ("over_mm", "how far the drawn pelvis and thighs are over the seat at most, sat"),
        ("in_mm", "how deep they are in it at most"),
        ("toes_down_mm", "how far the balls of the feet slide at most, sitting down: of the bodies"),
        ("toes_up_mm", "the same, standing up"),
        ("turn_deg", "the most that a drawn bone turns in a step, from sitting down to a second after it stands"),
        ("hips_mm", "the most that the drawn hips go in a step"),
        ("lean_down_deg", "the most that the trunk leans, sitting down"),
        ("lean_up_deg", "the same, standing up"),
        ("hands_mm", "how far a drawn palm is from its thigh's skin at most, sat"),
        ("deepest_mm", "how deep a foot is in the ground at most"),
        ("handover_deg", "how far the bodies are turned from what is drawn when they take over"),
        ("handover_mm", "how far they are away from it"),
        ("after_rad", "the most lean a second after it"),
        ("own_mode", "share of the runs in which it is in its own mode then, and stands"),
    ],
    acts: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many: four of each seat.
const USUAL_RUNS: usize = 16;
/// The seats: how high their top is on a person of 1.75 m (m), and whether they are round.
const SEATS: [(&str, f32, bool); 4] =
    [("squared 0.4 m", 0.4, false), ("round 0.4 m", 0.4, true), ("squared 0.6 m", 0.6, false), ("round 0.6 m", 0.6, true)];
/// Height of the person that the seats are given for (m).
const PERSON: f32 = 1.75;
/// Radius of a round log, half of a squared one's breadth, and how far behind the front edge of that the hips' middle is to rest (m), on that
/// person: farther back on a high seat thighs lie on its edge, and the feet hang.
const RADIUS: f32 = 0.12;
const HALF: f32 = 0.2;
const BEHIND: f32 = 0.05;
/// How far off its spot it stands (m, rad).
const OFF: f32 = 0.03;
const TURNED: f32 = 0.15;
/// Seconds in which it settles, sits down, sits, stands up, and is watched after that.
const SETTLE: f64 = 0.5;
const DOWN: f64 = 3.0;
const UP: f64 = 4.0;
const AFTER: f64 = 1.0;
/// What lies on the seat.
const BEARS: [Bone; 3] = [Bone::Pelvis, Bone::ThighL, Bone::ThighR];

struct Found {
    seat: usize,
    sat: bool,
    down: f64,
    up: f64,
    over: f64,
    sunk: f64,
    toes: [f64; 2],
    turn: f64,
    hips: f64,
    lean: [f64; 2],
    hands: f64,
    deepest: f64,
    handover: (f64, f64),
    after: f64,
    own: bool,
}

fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let mut rows = Vec::new();
    for (seat, (way, ..)) in SEATS.iter().enumerate() {
        let found: Vec<&Found> = runs.iter().filter(|run| run.seat == seat).collect();
        if found.is_empty() {
            continue;
        }
        let worst = |value: fn(&Found) -> f64| most(found.iter().map(|found| value(found)));
        let all = |is: fn(&Found) -> bool| 100.0 * share(found.iter().map(|found| is(found)));
        let mut row = |name, unit, measured, bound| rows.push(Row::new(name, *way, unit, measured, bound));
        row("sat", "%", all(|found| found.sat), Bound::Exactly(100.0));
        row("down_s", "s", worst(|found| found.down), Bound::Within(1.5, 2.5));
        row("up_s", "s", worst(|found| found.up), Bound::Within(1.5, 2.5));
        row("over_mm", "mm", worst(|found| found.over), Bound::AtMost(1.0));
        row("in_mm", "mm", worst(|found| found.sunk), Bound::AtMost(1.0));
        row("toes_down_mm", "mm", worst(|found| found.toes[0]), Bound::AtMost(5.0));
        row("toes_up_mm", "mm", worst(|found| found.toes[1]), Bound::AtMost(5.0));
        row("turn_deg", "° a step", worst(|found| found.turn), Bound::AtMost(6.0));
        row("hips_mm", "mm a step", worst(|found| found.hips), Bound::AtMost(40.0));
        row("lean_down_deg", "°", worst(|found| found.lean[0]), Bound::Within(30.0, 45.0));
        row("lean_up_deg", "°", worst(|found| found.lean[1]), Bound::Within(36.0, 52.0));
        row("hands_mm", "mm", worst(|found| found.hands), Bound::AtMost(10.0));
        row("deepest_mm", "mm", worst(|found| found.deepest), Bound::AtMost(10.0));
        row("handover_deg", "°", worst(|found| found.handover.0), Bound::AtMost(1.0));
        row("handover_mm", "mm", worst(|found| found.handover.1), Bound::AtMost(5.0));
        row("after_rad", "rad", worst(|found| found.after), Bound::AtMost(0.1));
        row("own_mode", "%", all(|found| found.own), Bound::Exactly(100.0));
    }
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let case = variation.index % SEATS.len();
    let (_, height, round) = SEATS[case];
    let ragdoll = subject.ragdoll();
    let size = ragdoll.height / PERSON;
    let top = height * size;
    let (facing, seed) = (variation.yaw(), variation.seed());
    let mode = if (variation.index / SEATS.len()).is_multiple_of(2) { Mode::Powered } else { Mode::Animated };
    let setting = Setting { mode, seed, ..Setting::standing(subject, options) };
    let mut stage = Stage::new(&setting)?;
    let seat = Vec3::Y * top;
    let log = log(top, round, facing, size);
    let solid: Vec<Solid> = Solid::of_shape(log.0, &log.1).into_iter().collect();
    stage.add(ways::fixed("log", log.1, log.0))?;
    let spot = sit_spot(stage.world(), stage.handle(), seat, facing)?;
    let off = rotation_from_yaw(variation.between(-PI, PI)) * (Vec3::Z * variation.between(0.0, OFF));
    let yaw = Some(spot.yaw + variation.between(-TURNED, TURNED));
    stage.command(Command::MoveTo { figure: stage.handle(), position: spot.position + off, yaw })?;
    stage.run(SETTLE)?;

    let stood = stage.kept().frames.len() - 1;
    stage.command(Command::Sit { figure: stage.handle(), seat, facing })?;
    let down = stage.until(DOWN, |figure| figure.motion.as_ref().is_some_and(|motion| motion.stays(ActKind::Sit)))?;
    let sat = stage.figure()?.motion()?.stays(ActKind::Sit);
    stage.run(AFTER)?;
    let seated = stage.kept().frames.len() - 1;
    stage.command(Command::StandUp(stage.handle()))?;
    let up = stage.until(UP, |figure| figure.mode() != Mode::Acting)?;
    let risen = stage.kept().frames.len() - 1;
    stage.run(AFTER)?;
    let own = stage.figure()?.mode() == mode && !stage.kept().is_down(&stage.kept().frames[stage.kept().frames.len() - 1]);

    let frames = &stage.kept().frames;
    let bears = ways::solids(ragdoll, &frames[seated].drawn, frames[seated].drawn_bent, &BEARS);
    let depth = ways::deepest(&bears, &solid);
    let ground: Vec<Solid> = Solid::of_shape(ground_of(&setting).pose, &ground_of(&setting).shape).into_iter().collect();
    let feet = |frame: &Frame| ways::solids(ragdoll, &frame.drawn, frame.drawn_bent, &[Bone::ShinL, Bone::ShinR]);
    let lean = |frames: &[Frame]| most(frames.iter().map(trunk_lean)).to_degrees();
    let slid = |from: usize, to: usize| {
        most(frames[from..=to].iter().map(|frame| ways::toes(ragdoll, &frames[from].bodies, &frame.bodies)))
    };
    Ok(Found {
        seat: case,
        sat,
        down,
        up,
        over: -1.0e3 * depth,
        sunk: 1.0e3 * depth,
        toes: [slid(stood, seated), slid(seated, risen)],
        turn: ways::worst_turn(&frames[stood..]),
        hips: ways::hips(&frames[stood..]),
        lean: [lean(&frames[stood..=seated]), lean(&frames[seated..=risen])],
        hands: hands(ragdoll, &frames[seated]),
        deepest: 1.0e3 * most(frames[stood..].iter().map(|frame| ways::deepest(&feet(frame), &ground))),
        handover: ways::handover(&frames[risen]),
        after: frames.last().map_or(f64::NAN, Frame::lean),
        own,
    })
}

/// A log across the way that one faces who sits on its middle.
pub(crate) fn log(top: f32, round: bool, facing: f32, size: f32) -> (Rigid, Shape) {
    let turn = rotation_from_yaw(facing);
    if round {
        let across = turn * rotation_from_vector(Vec3::Z * FRAC_PI_2);
        let radius = RADIUS * size;
        (Rigid::new(across, Vec3::Y * (top - radius)), Shape::Cylinder { height: 2.0, radius })
    } else {
        let middle = Vec3::new(0.0, 0.5 * top, (BEHIND - HALF) * size);
        (Rigid::new(turn, turn * middle), Shape::Box(Vec3::new(2.0, top, 2.0 * HALF * size)))
    }
}

/// How far the trunk leans from upright, hips to neck (rad).
fn trunk_lean(frame: &Frame) -> f64 {
    let [pelvis, head] = [Bone::Pelvis, Bone::Head].map(|bone| frame.drawn[bone.index()].translation);
    f64::from(simrun_sim::space::angle_between(head - pelvis, Vec3::Y))
}

/// How far a palm is from its thigh's skin at most (mm).
fn hands(ragdoll: &Ragdoll, frame: &Frame) -> f64 {
    let gap = |[forearm, thigh]: [Bone; 2]| {
        let [hand, leg] = [forearm, thigh].map(|bone| ways::solids(ragdoll, &frame.drawn, frame.drawn_bent, &[bone]));
        ways::deepest(&hand, &leg).abs()
    };
    1.0e3 * most([[Bone::ForearmL, Bone::ThighL], [Bone::ForearmR, Bone::ThighR]].map(gap))
}
