//! `wounds`: a standing figure that is struck brings a hand to where it was, folds over it or gives at the knee, and lets go again.

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, joint, turn};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, median, most, share};
use simrun_sim::figure::{Bone, Part, Ragdoll};
use simrun_sim::space::{Vec3, level, rotation_from_yaw};
use simrun_sim::{Command, Figure, Hit};
use std::f32::consts::{FRAC_PI_2, PI};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "wounds",
    about: "a struck figure's free hand comes to the wound and holds it, its trunk folds and its knee gives, and it stands",
    rows: &[
        ("palm_cm", "how far the nearer palm is from the point struck, 0.8 to 2.3 s after, median of a run, worst of the runs"),
        ("fold_cm", "how far the chest goes toward the wound, over the pelvis, least"),
        ("knee_rad", "how far the struck leg's knee bends, least"),
        ("let_go_s", "when the arm is let go of, farthest from 2.5 s"),
        ("turn_deg", "the most that a drawn bone turns in a step, but in the 0.1 s after the blow"),
        ("stands", "share of the runs in which it stands all along"),
        ("answered", "share of the runs in which it does anything at all about it"),
        ("weak_hand", "share of the runs in which a hand at 30 % comes to the wound"),
        ("yields_s", "how long after a shove of 2 m/s a hand still holds the wound, most"),
    ],
    carries: &["hit_reaction", "catch_step", "protective_fall"],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds in which it settles; between which the palm lies on the wound; for which it is watched.
const SETTLE: f64 = 0.7;
const LIES: [f64; 2] = [0.8, 2.3];
const WATCHED: f64 = 4.0;
/// Blows, as the speed (m/s) that they give the whole body; on an arm as that of the arm.
const BLOW: f32 = 0.18;
const ARM_BLOW: f32 = 1.63;
/// What is not answered: half of what takes a quarter of the trunk's muscle, and what throws the body.
const SLIGHT_COST: f32 = 0.12;
const THROWS: f32 = 0.35;
/// Where blows come from, as the way that they go off the figure's front (rad): from in front, from its left, from its right.
const FROM_FRONT: f32 = PI;
const FROM_LEFT: f32 = -FRAC_PI_2;
const FROM_RIGHT: f32 = FRAC_PI_2;

/// What came of one blow.
struct Answer {
    palm_cm: f64,
    fold_cm: f64,
    knee: f64,
    let_go: f64,
    turn_deg: f64,
    stands: bool,
    answered: bool,
}

/// What came of one run.
struct Found {
    belly: Answer,
    flank: Answer,
    thigh: Answer,
    arm: Answer,
    slight: bool,
    thrown: bool,
    weak_hand: bool,
    yields: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, &carried, variation))?;
    let mut rows = Vec::new();
    for (way, of, palm, fold, knee) in WAYS {
        let worst = |value: fn(&Answer) -> f64| most(runs.iter().map(|run| value(of(run))));
        let fewest = |value: fn(&Answer) -> f64| least(runs.iter().map(|run| value(of(run))));
        let row = |name, unit, measured, bound| Row::new(name, way, unit, measured, bound);
        let let_go = runs.iter().map(|run| of(run).let_go).max_by(|a, b| (a - HELD).abs().total_cmp(&(b - HELD).abs()));
        rows.extend([
            row("palm_cm", "cm", worst(|answer| answer.palm_cm), palm),
            row("fold_cm", "cm", fewest(|answer| answer.fold_cm), fold),
            row("knee_rad", "rad", fewest(|answer| answer.knee), knee),
            row("let_go_s", "s", let_go.unwrap_or(f64::NAN), Bound::Within(HELD - 0.1, HELD + 0.1)),
            row("turn_deg", "° a step", worst(|answer| answer.turn_deg), Bound::AtMost(6.0)),
            row("stands", "", share(runs.iter().map(|run| of(run).stands)), Bound::Exactly(1.0)),
            row("answered", "", share(runs.iter().map(|run| of(run).answered)), Bound::Exactly(1.0)),
        ]);
    }
    let of = |is: fn(&Found) -> bool| share(runs.iter().map(is));
    rows.extend([
        Row::new("answered", "under a quarter of the muscle", "", of(|run| run.slight), Bound::Exactly(0.0)),
        Row::new("answered", "0.35 m/s of the body", "", of(|run| run.thrown), Bound::Exactly(0.0)),
        Row::new("weak_hand", "belly, arms at 30 %", "", of(|run| run.weak_hand), Bound::Exactly(0.0)),
        Row::new("yields_s", "shoved 0.8 s after", "s", most(runs.iter().map(|run| run.yields)), Bound::AtMost(0.1)),
    ]);
    Ok((runs.len(), rows))
}

/// What is held to nothing is a flank's palm, which an arm of two bones bends too little for, and what blows elsewhere do.
const NONE: Bound = Bound::Reported;
/// Seconds for which a wound is held.
const HELD: f64 = 2.5;

type Way = (&'static str, fn(&Found) -> &Answer, Bound, Bound, Bound);
const WAYS: [Way; 4] = [
    ("belly, 0.18 m/s", |run| &run.belly, Bound::AtMost(15.0), Bound::AtLeast(5.0), NONE),
    ("flank, 0.18 m/s", |run| &run.flank, NONE, Bound::AtLeast(3.0), NONE),
    ("thigh, 0.18 m/s", |run| &run.thigh, NONE, NONE, Bound::AtLeast(0.2)),
    ("upper arm, 1.63 m/s", |run| &run.arm, Bound::AtMost(15.0), NONE, NONE),
];

/// A blow on a bone, from somewhere.
#[derive(Clone, Copy)]
struct Blow {
    bone: Bone,
    heading: f32,
    /// N·s.
    impulse: f32,
    cost: Option<f32>,
}

fn one(subject: &Subject, options: &Options, carried: &Carried, variation: &mut Variation) -> Result<Found, MeasureError> {
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let setting = Setting { yaw, seed, stepping: true, carried: Some(carried), ..Setting::standing(subject, options) };
    let ragdoll = subject.ragdoll();
    let (left, mass) = (variation.index.is_multiple_of(2), ragdoll.mass);
    let (side, thigh, arm) =
        if left { (FROM_LEFT, Bone::ThighL, Bone::UpperArmL) } else { (FROM_RIGHT, Bone::ThighR, Bone::UpperArmR) };
    let mut blow = |bone, heading: f32, impulse| Blow { bone, heading: variation.near(heading), impulse, cost: None };
    let belly = blow(Bone::Spine, FROM_FRONT, BLOW * mass);
    let flank = blow(Bone::Spine, side, BLOW * mass);
    let thigh = blow(thigh, FROM_FRONT, BLOW * mass);
    let arm = blow(arm, side, ARM_BLOW * ragdoll.topology.bodies[arm.index()].mass);
    let slight = Blow { cost: Some(SLIGHT_COST), ..belly };
    let thrown = Blow { impulse: THROWS * mass, ..belly };
    let answered = |blow: Blow| answer(&setting, ragdoll, blow);
    Ok(Found {
        belly: answered(belly)?,
        flank: answered(flank)?,
        thigh: answered(thigh)?,
        arm: answered(arm)?,
        slight: answered(slight)?.answered,
        thrown: answered(thrown)?.answered,
        weak_hand: weak_hand(&setting, belly)?,
        yields: yields(&setting, belly)?,
    })
}

/// A figure that is struck; the wound (in the bone's frame), and the way that the blow went.
fn struck(
    setting: &Setting<'_>,
    blow: Blow,
    before: impl Fn(&mut Stage) -> Result<(), MeasureError>,
) -> Result<(Stage, Vec3, Vec3), MeasureError> {
    let mut stage = Stage::new(setting)?;
    before(&mut stage)?;
    stage.run(SETTLE)?;
    let figure = stage.figure()?;
    let (body, way) = (figure.bone(blow.bone), figure.place.rotation * rotation_from_yaw(blow.heading) * Vec3::Z);
    let point = stage.surface(blow.bone, way)?;
    stage.command(Command::Hit(Hit {
        point: Some(point),
        cost: blow.cost,
        ..Hit::new(stage.handle(), blow.bone, way * blow.impulse)
    }))?;
    Ok((stage, body.inverse().point(point), way))
}

fn answer(setting: &Setting<'_>, ragdoll: &Ragdoll, blow: Blow) -> Result<Answer, MeasureError> {
    let (mut stage, wound, way) = struck(setting, blow, |_| Ok(()))?;
    let (blown, step) = (stage.time(), 1.0 / stage.kept().step_hz);
    let (mut answered, mut let_go) = (false, 0.0);
    while stage.time() < blown + WATCHED {
        stage.run(step)?;
        if is_held(stage.figure()?) {
            (answered, let_go) = (true, stage.time() - blown);
        }
    }
    let (kept, before) = (stage.kept(), stage.kept().at(blown));
    let after = |from: f64, to: f64| kept.span(blown + from, blown + to);
    let palm_off = |frame: &Frame| {
        let at = frame.bodies[blow.bone.index()].point(wound);
        let palms = [Bone::ForearmL, Bone::ForearmR].into_iter().zip(ragdoll.palms);
        palms.map(|(bone, palm)| f64::from(frame.bodies[bone.index()].point(palm).distance(at))).fold(f64::INFINITY, f64::min)
    };
    let over = |frame: &Frame| frame.bodies[Bone::Chest.index()].translation - frame.bodies[0].translation;
    let fold = |frame: &Frame| f64::from(level(over(frame) - over(before)).dot(-way));
    let knee = if matches!(blow.bone, Bone::ThighL) { Bone::ShinL } else { Bone::ShinR };
    let bent = |frame: &Frame| turn(joint(&frame.bodies, knee), joint(&before.bodies, knee));
    Ok(Answer {
        palm_cm: 100.0 * median(after(LIES[0], LIES[1]).iter().map(palm_off)),
        fold_cm: 100.0 * most(after(0.0, HELD).iter().map(fold)),
        knee: most(after(0.0, HELD).iter().map(bent)),
        let_go,
        turn_deg: crate::kept::most_drawn_turn(after(0.1, WATCHED)).to_degrees(),
        stands: !after(0.0, WATCHED).iter().any(|frame| kept.is_down(frame)),
        answered,
    })
}

/// Whether the reaction has any bone.
fn is_held(figure: &Figure) -> bool {
    figure.claims.iter().any(|claim| &*claim.owner == "hit_reaction")
}

fn weak_hand(setting: &Setting<'_>, blow: Blow) -> Result<bool, MeasureError> {
    let (mut stage, ..) = struck(setting, blow, |stage| {
        let figure = stage.handle();
        [Part::ArmL, Part::ArmR]
            .into_iter()
            .try_for_each(|part| stage.command(Command::SetPartStrength { figure, part, strength: 0.3 }))
    })?;
    stage.run(0.5)?;
    let arms = [Bone::UpperArmL, Bone::UpperArmR];
    let figure = stage.figure()?;
    Ok(arms.iter().any(|bone| figure.claims.holder(*bone).is_some_and(|claim| &*claim.owner == "hit_reaction")))
}

fn yields(setting: &Setting<'_>, blow: Blow) -> Result<f64, MeasureError> {
    let (mut stage, ..) = struck(setting, blow, |_| Ok(()))?;
    stage.run(0.8)?;
    let shoved = stage.time();
    stage.shove(2.0, blow.heading, Vec3::ZERO)?;
    let mut held = 0.0;
    while stage.time() < shoved + 1.0 {
        stage.run(1.0 / stage.kept().step_hz)?;
        if is_held(stage.figure()?) {
            held = stage.time() - shoved;
        }
    }
    Ok(held)
}
