//! `writhe`: figures felled any way writhe where they lie, each beside a twin that does not; one is struck on an arm, one is limp.

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, joint, turn};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, median, most, share};
use simrun_sim::figure::{BONES, Bone, Ragdoll};
use simrun_sim::space::Vec3;
use simrun_sim::{Command, Figure, Mode, Switch};
use std::f32::consts::{PI, TAU};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "writhe",
    about: "figures felled any way writhe where they lie and hold the shape they end in; each beside a twin that does not",
    rows: &[
        ("landed", "share of the runs in which the blow fells: all must"),
        ("of", "how many lie this way"),
        ("swing_rad", "how far the hip or the knee that swings more does, 0.5 to 2.5 s after landing, least"),
        ("twin_swing_rad", "how far those of the twin do from 1.5 s on, median: one in some dozens still settles"),
        ("arms_cosine", "upper arms against the chest's front while it writhes in full, on the back, median"),
        ("drift_cm", "how far the pelvis goes from 1.5 s after landing to the end, most"),
        ("highest_cm", "height of the pelvis 1.5 s after landing, most: nobody stays on hands and knees"),
        ("ends_s", "when it ends after landing: the 3 s it was given"),
        ("moves_s", "when the last bone turned, before it holds its shape, most"),
        ("held_rad", "how far a joint turns in the second after that, most"),
        ("struck_arm_aimed", "share of the steps in which a struck arm is claimed"),
        ("limp_writhes", "share of the runs in which a limp one writhes"),
        ("get_up_s", "when one that gets up after 1 s of lying still does, from the end on"),
    ],
    carries: &["writhe", "protective_fall"],
    take: rows,
    ..Measure::PLAIN
};

/// Thirty-two ways, at each of two speeds (m/s × the figure's mass).
const WAYS: usize = 32;
const SPEEDS: [f32; 2] = [3.25, 3.6];
const USUAL_RUNS: usize = WAYS * SPEEDS.len();
/// Seconds in which it settles; in which it must land; for which it writhes; and for which it is watched after.
const SETTLE: f64 = 0.5;
const LANDS: f64 = 6.0;
const WRITHES: f64 = 3.0;
const AFTER: f64 = 1.5;
/// Seconds after landing between which limbs are watched, from which the pelvis must stay, and until which arms are folded in full.
const WATCHED: [f64; 2] = [0.5, 2.5];
const STAYS_FROM: f64 = 1.5;
const FULL: [f64; 2] = [0.5, 1.5];
/// Seconds lain still before it gets up.
const LIES: f32 = 1.0;
/// A bone that turns slower (rad/s) is still.
const TURNS: f64 = 0.2;
/// What runs of all the kinds are held to is an ensemble's; one in four takes the kinds of its own too.
const OTHERS: usize = 4;

struct Found {
    on_back: bool,
    swing: f64,
    twin_swing: f64,
    arms_cosine: f64,
    drift_cm: f64,
    highest_cm: f64,
    ends: f64,
    moves: f64,
    held: f64,
    others: Option<Others>,
}

/// What only some runs are asked.
struct Others {
    struck_aimed: f64,
    limp_writhes: bool,
    get_up: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, &carried, variation))?;
    let found: Vec<&Found> = runs.iter().flatten().collect();
    let mut rows = vec![Row::new("landed", "all", "", share(runs.iter().map(Option::is_some)), Bound::Exactly(1.0))];
    for (way, on_back) in [("on the back", true), ("face down", false)] {
        let found: Vec<&&Found> = found.iter().filter(|run| run.on_back == on_back).collect();
        if found.is_empty() {
            continue;
        }
        rows.push(Row::new("of", way, "", found.len() as f64, Bound::Reported));
        rows.push(Row::new("swing_rad", way, "rad", least(found.iter().map(|run| run.swing)), Bound::AtLeast(0.3)));
        if on_back {
            rows.push(Row::new("arms_cosine", way, "", median(found.iter().map(|run| run.arms_cosine)), Bound::AtLeast(0.6)));
        }
    }
    let worst = |value: fn(&Found) -> f64| most(found.iter().map(|run| value(run)));
    let row = |name, unit, measured, bound| Row::new(name, "all", unit, measured, bound);
    let last = WRITHES + 0.2;
    rows.extend([
        row("twin_swing_rad", "rad", median(found.iter().map(|run| run.twin_swing)), Bound::AtMost(0.02)),
        row("drift_cm", "cm", worst(|run| run.drift_cm), Bound::AtMost(10.0)),
        row("highest_cm", "cm", worst(|run| run.highest_cm), Bound::AtMost(35.0)),
        row("ends_s", "s", worst(|run| run.ends), Bound::Within(WRITHES - 0.2, last)),
        row("moves_s", "s", worst(|run| run.moves), Bound::AtMost(last)),
        row("held_rad", "rad", worst(|run| run.held), Bound::AtMost(0.05)),
    ]);
    let others: Vec<&Others> = found.iter().filter_map(|run| run.others.as_ref()).collect();
    if !others.is_empty() {
        let get_up = most(others.iter().map(|run| run.get_up));
        rows.extend([
            row("struck_arm_aimed", "", most(others.iter().map(|run| run.struck_aimed)), Bound::Exactly(0.0)),
            row("limp_writhes", "", share(others.iter().map(|run| run.limp_writhes)), Bound::Exactly(0.0)),
            row("get_up_s", "s", get_up, Bound::Within(f64::from(LIES), f64::from(LIES) + 0.5)),
        ]);
    }
    Ok((runs.len(), rows))
}

/// A blow, and how the figure begins.
#[derive(Clone, Copy)]
struct Blow<'a> {
    setting: Setting<'a>,
    heading: f32,
    speed: f32,
    aside: Vec3,
}

impl Blow<'_> {
    /// One who is felled, for as long as it takes to land; `None` where nobody is.
    fn felled(&self, writhing: f64) -> Result<Option<(Stage, f64)>, MeasureError> {
        let mut stage = Stage::new(&self.setting)?;
        let (figure, switch) = (stage.handle(), Switch::Writhing(writhing as f32));
        stage.command(Command::SetSwitch { figure, switch })?;
        stage.run(SETTLE)?;
        stage.shove(self.speed, self.heading, self.aside)?;
        let landed = until(&mut stage, LANDS, |figure| figure.phase().has_landed())?;
        Ok(landed.map(|landed| (stage, landed)))
    }
}

/// Steps until something is so, and says when (s); `None` where it is not in time.
fn until(stage: &mut Stage, seconds: f64, is: impl Fn(&Figure) -> bool) -> Result<Option<f64>, MeasureError> {
    let (step, end) = (1.0 / stage.kept().step_hz, stage.time() + seconds);
    while !is(stage.figure()?) {
        if stage.time() >= end {
            return Ok(None);
        }
        stage.run(step)?;
    }
    Ok(Some(stage.time()))
}

fn one(
    subject: &Subject,
    options: &Options,
    carried: &Carried,
    variation: &mut Variation,
) -> Result<Option<Found>, MeasureError> {
    let case = variation.case(USUAL_RUNS);
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let setting = Setting { yaw, seed, carried: Some(carried), ..Setting::standing(subject, options) };
    let heading = (case % WAYS) as f32 * TAU / WAYS as f32 - PI;
    let blow = Blow { setting, heading, speed: SPEEDS[case / WAYS], aside: variation.aside() };
    let Some((mut stage, landed)) = blow.felled(WRITHES)? else { return Ok(None) };
    let ended = until(&mut stage, 2.0 * WRITHES, stopped)?;
    stage.run(AFTER)?;
    let Some((mut twin, twin_landed)) = blow.felled(0.0)? else { return Ok(None) };
    twin.run(WATCHED[1])?;
    let ragdoll = subject.ragdoll();
    let (kept, hz) = (stage.kept(), stage.kept().step_hz);
    let after = |from: f64, to: f64| kept.span(landed + from, landed + to);
    let [from, to] = WATCHED;
    let held = after(WRITHES + 0.2, WRITHES + 1.2);
    let start = kept.at(landed + STAYS_FROM);
    let moving = after(0.0, WRITHES + AFTER).windows(2).rposition(|pair| fastest(pair) * hz > TURNS);
    let others = if variation.index.is_multiple_of(OTHERS) { Some(others(&blow)?) } else { None };
    Ok(Some(Found {
        on_back: front(kept.at(landed + from)).y > 0.0,
        swing: swing(after(from, to)),
        twin_swing: swing(twin.kept().span(twin_landed + STAYS_FROM, twin_landed + to)),
        arms_cosine: median(after(FULL[0], FULL[1]).iter().map(|frame| arms_ahead(ragdoll, frame))),
        drift_cm: 100.0 * most(after(STAYS_FROM, WRITHES).iter().map(|frame| frame.drift(start))),
        highest_cm: 100.0 * start.pelvis_height(),
        ends: ended.map_or(f64::NAN, |ended| ended - landed),
        moves: moving.map_or(0.0, |pair| (pair + 1) as f64 / hz),
        held: most(held.iter().map(|frame| frame.worst_joint_since(&held[0]))),
        others,
    }))
}

/// It has begun to writhe, and does no more.
fn stopped(figure: &Figure) -> bool {
    !figure.is_writhing() && figure.claims.iter().any(|claim| &*claim.owner == "writhe")
}

fn others(blow: &Blow<'_>) -> Result<Others, MeasureError> {
    let (mut struck, mut limp, mut rises) = (None, false, f64::NAN);
    if let Some((mut stage, landed)) = blow.felled(WRITHES)? {
        stage.run(0.3)?;
        stage.strike(Bone::ForearmR, 1.0, 0.0, Vec3::ZERO, None)?;
        let (mut aimed, mut steps) = (0.0, 0.0);
        while stage.time() < landed + WRITHES {
            stage.run(1.0 / stage.kept().step_hz)?;
            let figure = stage.figure()?;
            let owns = |bone: Bone| figure.claims.holder(bone).is_some_and(|claim| &*claim.owner == "writhe");
            let moves = figure.is_writhing() && (owns(Bone::UpperArmR) || owns(Bone::ForearmR));
            aimed += f64::from(u8::from(moves));
            steps += 1.0;
        }
        struck = Some(aimed / steps);
    }
    if let Some((mut stage, _)) = blow.felled(WRITHES)? {
        let figure = stage.handle();
        stage.command(Command::SetMode { figure, mode: Mode::Limp })?;
        stage.run(0.1)?;
        limp = until(&mut stage, 1.0, Figure::is_writhing)?.is_some();
    }
    if let Some((mut stage, _)) = blow.felled(WRITHES)? {
        let figure = stage.handle();
        stage.command(Command::SetSwitch { figure, switch: Switch::GetUp(LIES) })?;
        if let Some(ended) = until(&mut stage, 2.0 * WRITHES, stopped)? {
            rises = until(&mut stage, 6.0, |figure| figure.mode() == Mode::GettingUp)?.map_or(f64::NAN, |rose| rose - ended);
        }
    }
    Ok(Others { struck_aimed: struck.unwrap_or(f64::NAN), limp_writhes: limp, get_up: rises })
}

/// Where the trunk faces.
fn front(frame: &Frame) -> Vec3 {
    [Bone::Pelvis, Bone::Spine, Bone::Chest].map(|bone| frame.bodies[bone.index()].rotation * Vec3::Z).into_iter().sum()
}

/// The widest swing (rad) of a hip or a knee.
fn swing(frames: &[Frame]) -> f64 {
    let joints = [Bone::ThighL, Bone::ThighR, Bone::ShinL, Bone::ShinR];
    most(joints.map(|bone| {
        let turns = |frame: &Frame| joint(&frame.bodies, bone);
        // The frame farthest from the first, and the one farthest from that: two ends of the swing.
        let farthest =
            |from: &Frame| frames.iter().max_by(|a, b| turn(turns(from), turns(a)).total_cmp(&turn(turns(from), turns(b))));
        let end = frames.first().and_then(farthest);
        end.and_then(|end| farthest(end).map(|other| turn(turns(end), turns(other)))).unwrap_or(f64::NAN)
    }))
}

/// The upper arms' cosine with the chest's front: the nearer one's.
fn arms_ahead(ragdoll: &Ragdoll, frame: &Frame) -> f64 {
    let ahead = frame.bodies[Bone::Chest.index()].rotation * Vec3::Z;
    let along = |bone: Bone| f64::from((frame.bodies[bone.index()].rotation * ragdoll.along(bone)).dot(ahead));
    0.5 * (along(Bone::UpperArmL) + along(Bone::UpperArmR))
}

/// The most that a bone turns between two frames (rad).
fn fastest(pair: &[Frame]) -> f64 {
    most((0..BONES).map(|bone| turn(pair[0].bodies[bone].rotation, pair[1].bodies[bone].rotation)))
}
