//! `brace`: figures thrown at a wall meet it with their hands, each beside a twin that does not and differs in nothing else.

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::Kept;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage, fixed};
use crate::subject::Subject;
use crate::table::{Bound, Row, share};
use simrun_sim::figure::Bone;
use simrun_sim::space::{Rigid, Vec3, rotation_from_yaw};
use simrun_sim::{Command, Switch};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "brace",
    about: "figures thrown at a wall meet it with their hands, each beside a twin that does not and differs in nothing else",
    rows: &[
        ("hand_first", "share of the runs in which a hand meets the wall, and the head has not before"),
        ("head_mps", "speed at which the head meets the wall, 0 where it never does, mean"),
        ("twin_head_mps", "the same of the twins"),
        ("twins_meet", "share of the twins whose head meets the wall: others prove nothing"),
    ],
    carries: &["brace", "protective_fall"],
    take: rows,
    ..Measure::PLAIN
};

/// Three speeds (m/s × the figure's mass) at walls at three distances (m).
const SPEEDS: [f32; 3] = [1.5, 1.75, 2.0];
const AHEAD: [f32; 3] = [0.75, 0.8, 0.85];
const USUAL_RUNS: usize = SPEEDS.len() * AHEAD.len();
/// Seconds in which it settles, and for which it is watched.
const SETTLE: f64 = 0.5;
const WATCHED: f64 = 2.0;
/// A bone that touches so high (m) touches the wall, not the ground.
const OFF_THE_GROUND: f32 = 0.4;

struct Met {
    hand: Option<usize>,
    head: Option<usize>,
    head_mps: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, &carried, variation))?;
    let count = runs.len() as f64;
    let first = |met: &Met| met.hand.is_some_and(|hand| met.head.is_none_or(|head| hand < head));
    let way = "1.5 to 2 m/s at a wall 0.75 to 0.85 m ahead";
    let rows = vec![
        Row::new("hand_first", way, "", share(runs.iter().map(|(own, _)| first(own))), Bound::AtLeast(0.88)),
        Row::new("head_mps", way, "m/s", runs.iter().map(|(own, _)| own.head_mps).sum::<f64>() / count, Bound::AtMost(0.8)),
        Row::new("twin_head_mps", way, "m/s", runs.iter().map(|(_, twin)| twin.head_mps).sum::<f64>() / count, Bound::Reported),
        Row::new("twins_meet", way, "", share(runs.iter().map(|(_, twin)| twin.head.is_some())), Bound::AtLeast(0.5)),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, carried: &Carried, variation: &mut Variation) -> Result<(Met, Met), MeasureError> {
    let case = variation.case(USUAL_RUNS);
    let (speed, ahead) = (SPEEDS[case % 3] * variation.speed(), AHEAD[case / 3]);
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let (heading, aside) = (variation.between(-0.1, 0.1), variation.aside());
    let setting = Setting { yaw, seed, carried: Some(carried), ..Setting::standing(subject, options) };
    let throw = |braces: bool| -> Result<Met, MeasureError> {
        let mut stage = Stage::new(&setting)?;
        let figure = stage.handle();
        let rotation = rotation_from_yaw(yaw);
        let at = Rigid::new(rotation, rotation * Vec3::new(0.0, 1.5, ahead + 0.1));
        stage.add(fixed("wall", Vec3::new(4.0, 3.0, 0.2), at))?;
        stage.command(Command::SetSwitch { figure, switch: Switch::Protective(braces) })?;
        stage.run(SETTLE)?;
        stage.shove(speed, heading, aside)?;
        stage.run(WATCHED)?;
        Ok(met(stage.kept()))
    };
    Ok((throw(true)?, throw(false)?))
}

fn met(kept: &Kept) -> Met {
    let frames = kept.span(SETTLE, SETTLE + WATCHED);
    let at = |frame: usize, bone: Bone| frames[frame].bodies[bone.index()].translation;
    let first = |bones: &[Bone]| {
        (0..frames.len())
            .find(|frame| bones.iter().any(|bone| frames[*frame].touching.contains(bone) && at(*frame, *bone).y > OFF_THE_GROUND))
    };
    let head = first(&[Bone::Head]);
    let speed = |frame: usize| {
        let way = at(frame - 1, Bone::Head) - at(frame - 2, Bone::Head);
        f64::from(way.length()) * kept.step_hz
    };
    Met { hand: first(&[Bone::ForearmL, Bone::ForearmR]), head, head_mps: head.filter(|head| *head >= 2).map_or(0.0, speed) }
}
