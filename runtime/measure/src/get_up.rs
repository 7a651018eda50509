//! `get_up`: figures felled any way, limp ones and ones on a slope, told to get up; and one that has no room to.

use crate::carried::Carried;
use crate::catalogue::Measure;
use crate::depth::Solid;
use crate::ensemble::{self, Variation};
use crate::kept::Frame;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage, fixed, ground_of};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most, share};
use crate::ways;
use glam::DVec3;
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::space::{Rigid, Vec3, rotation_from_yaw};
use simrun_sim::{Command, Mode, ObjectSpec};
use std::f32::consts::PI;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "get_up",
    about: "figures felled any way, limp ones and ones on a slope get up when they are told to, where there is room",
    rows: &[
        ("up", "share of the runs in which it is on its feet, in its own mode, and stays there"),
        ("of", "how many runs lay this way"),
        ("fastest_s", "the shortest way up"),
        ("slowest_s", "the longest way up"),
        ("turn_deg", "the most that a drawn bone turns in a step, on the way up and in the second after it"),
        ("hips_mm", "the most that the drawn hips go in a step"),
        ("handover_deg", "how far the bodies are turned from what is drawn when they take over"),
        ("handover_mm", "how far they are away from it"),
        ("deepest_cm", "how deep a body is in the ground on the way up"),
        ("lean_after_deg", "the most lean in the second after it"),
        ("facing_deg", "how far it faces from where its feet lay, or its head where it lay on its face"),
        ("waits", "share of the runs in which one under a shelf stays down"),
    ],
    carries: &["protective_fall"],
    muscles: true,
    acts: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 60;
/// The ways to lie, run by run: where the blow goes off the figure's front (rad), or limp from the start; the last two blown anywhere, on a
/// slope and over a kerb.
const WAYS: [(&str, Option<f32>); 6] =
    [("back", Some(PI)), ("forward", Some(0.0)), ("side", Some(PI / 2.0)), ("limp", None), (SLOPE, Some(0.0)), (KERB, Some(0.0))];
const SLOPE: &str = "slope";
const KERB: &str = "kerb";
/// Height of the kerb, and how far off the figure it begins (m).
const KERB_HEIGHT: f32 = 0.12;
const KERB_OFF: [f32; 2] = [0.3, 1.5];
/// The blow (m/s × the figure's mass), and the slope (degrees).
const BLOWS: [f32; 2] = [2.7, 4.5];
const SLOPES_DEG: [f32; 2] = [3.0, 8.0];
/// Draws of one run after which nothing is felled.
const DRAWS: usize = 20;
/// How deep in the ground a body may be (cm); beside a kerb a hand goes into its side before it is over it.
const DEEPEST_CM: f64 = 3.0;
const DEEPEST_KERB_CM: f64 = 5.0;
/// Seconds in which it settles before the blow, and lies before it is told to get up.
const SETTLE: f64 = 0.5;
const LIES: f64 = 5.0;
/// Seconds in which it must be up, and for which it is watched then.
const RISES: f64 = 9.0;
const AFTER: f64 = 1.0;
/// Level distance of head and feet (m) under which one lies crumpled, and faces no way.
const CRUMPLED: f64 = 0.5;

struct Found {
    way: usize,
    up: bool,
    seconds: f64,
    turn_deg: f64,
    hips_mm: f64,
    gap_deg: f64,
    gap_mm: f64,
    deepest_cm: f64,
    lean_deg: f64,
    facing_deg: f64,
    waited: bool,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, &carried, variation))?;
    let mut rows = Vec::new();
    for (way, (name, _)) in WAYS.iter().enumerate() {
        let found: Vec<&Found> = runs.iter().filter(|run| run.way == way).collect();
        if !found.is_empty() {
            rows.extend(rows_of(name, &found));
        }
    }
    let waited = share(runs.iter().map(|run| run.waited));
    rows.push(Row::new("waits", "without room", "%", 100.0 * waited, Bound::Exactly(100.0)));
    Ok((runs.len(), rows))
}

fn rows_of(way: &'static str, found: &[&Found]) -> Vec<Row> {
    let worst = |value: fn(&Found) -> f64| most(found.iter().map(|found| value(found)));
    let row = |name, unit, measured, bound| Row::new(name, way, unit, measured, bound);
    vec![
        row("up", "%", 100.0 * share(found.iter().map(|found| found.up)), Bound::Exactly(100.0)),
        row("of", "", found.len() as f64, Bound::Reported),
        row("fastest_s", "s", least(found.iter().map(|found| found.seconds)), Bound::AtLeast(2.0)),
        row("slowest_s", "s", worst(|found| found.seconds), Bound::AtMost(6.0)),
        row("turn_deg", "° a step", worst(|found| found.turn_deg), Bound::AtMost(6.0)),
        row("hips_mm", "mm a step", worst(|found| found.hips_mm), Bound::AtMost(40.0)),
        row("handover_deg", "°", worst(|found| found.gap_deg), Bound::AtMost(1.0)),
        row("handover_mm", "mm", worst(|found| found.gap_mm), Bound::AtMost(5.0)),
        row(
            "deepest_cm",
            "cm",
            worst(|found| found.deepest_cm),
            Bound::AtMost(if way == KERB { DEEPEST_KERB_CM } else { DEEPEST_CM }),
        ),
        row("lean_after_deg", "°", worst(|found| found.lean_deg), Bound::AtMost(10.0)),
        row("facing_deg", "°", worst(|found| found.facing_deg), Bound::AtMost(30.0)),
    ]
}

fn one(subject: &Subject, options: &Options, carried: &Carried, variation: &mut Variation) -> Result<Found, MeasureError> {
    let way = variation.index % WAYS.len();
    for _ in 0..DRAWS {
        let (mut stage, grounds) = felled(subject, options, carried, way, variation)?;
        if stage.kept().is_down(&stage.kept().frames[stage.kept().frames.len() - 1]) {
            return found(subject.ragdoll(), &mut stage, &grounds, way);
        }
    }
    Err(MeasureError::Nothing(format!("of {DRAWS} blows none felled '{}' ({})", subject.name, WAYS[way].0)))
}

/// One who has been blown over and has come to rest, and the ground that it lies on.
fn felled(
    subject: &Subject,
    options: &Options,
    carried: &Carried,
    way: usize,
    variation: &mut Variation,
) -> Result<(Stage, Vec<Solid>), MeasureError> {
    let (name, blow) = WAYS[way];
    let slope = if name == SLOPE { variation.between(SLOPES_DEG[0], SLOPES_DEG[1]).to_radians() } else { 0.0 };
    let mode = if blow.is_some() { Mode::Powered } else { Mode::Limp };
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let setting = Setting { mode, yaw, seed, slope, carried: Some(carried), ..Setting::standing(subject, options) };
    let mut stage = Stage::new(&setting)?;
    let heading = blow.map(|blow| if [SLOPE, KERB].contains(&name) { variation.between(-PI, PI) } else { variation.near(blow) });
    let mut grounds = vec![ground_of(&setting)];
    if name == KERB {
        let kerb = kerb(yaw + heading.unwrap_or_default(), variation.between(KERB_OFF[0], KERB_OFF[1]));
        stage.add(kerb.clone())?;
        grounds.push(kerb);
    }
    stage.run(SETTLE)?;
    if let Some(heading) = heading {
        stage.shove(variation.between(BLOWS[0], BLOWS[1]), heading, variation.aside())?;
    }
    stage.run(LIES)?;
    Ok((stage, grounds.iter().filter_map(|ground| Solid::of_shape(ground.pose, &ground.shape)).collect()))
}

/// What comes of telling one who lies to get up.
fn found(ragdoll: &Ragdoll, stage: &mut Stage, grounds: &[Solid], way: usize) -> Result<Found, MeasureError> {
    let waited = waits(stage, ragdoll)?;
    let told = stage.time();
    let (began, ended) = rise(stage)?;
    stage.run(AFTER)?;
    let kept = stage.kept();
    let rising = kept.span(began, ended + AFTER);
    let last = kept.at(ended);
    let (gap_deg, gap_mm) = ways::handover(last);
    let sunk = |frame: &Frame| ways::deepest(&ways::solids(ragdoll, &frame.bodies, frame.bent, &Bone::ALL), grounds);
    Ok(Found {
        way,
        up: ended < told + RISES && !kept.is_down(&kept.frames[kept.frames.len() - 1]),
        seconds: ended - began,
        turn_deg: ways::worst_turn(rising),
        hips_mm: ways::hips(rising),
        gap_deg,
        gap_mm,
        deepest_cm: 100.0 * most(rising.iter().map(sunk)),
        lean_deg: most(kept.span(ended, ended + AFTER).iter().map(Frame::lean)).to_degrees(),
        facing_deg: facing(kept.at(began), last).to_degrees(),
        waited,
    })
}

/// Lets it rise; when it began to, and when its mode was its own again (s).
fn rise(stage: &mut Stage) -> Result<(f64, f64), MeasureError> {
    stage.command(Command::GetUp(stage.handle()))?;
    let told = stage.time();
    let step = 1.0 / stage.kept().step_hz;
    let mut began = told;
    while stage.time() < told + RISES {
        let before = stage.figure()?.mode();
        stage.run(step)?;
        let now = stage.figure()?.mode();
        if now == Mode::GettingUp && before != now {
            began = stage.time() - step;
        } else if before == Mode::GettingUp && now != before {
            return Ok((began, stage.time() - step));
        }
    }
    Ok((began, stage.time()))
}

/// Whether it stays down under a shelf, and would have risen without.
fn waits(stage: &mut Stage, ragdoll: &Ragdoll) -> Result<bool, MeasureError> {
    let pelvis = stage.figure()?.bone(Bone::Pelvis).translation;
    let height = ragdoll.height;
    let at = Rigid { translation: pelvis + Vec3::Y * (0.6 * height), ..Rigid::IDENTITY };
    let shelf = stage.add(fixed("shelf", Vec3::new(4.0, 0.05, 4.0), at))?;
    stage.command(Command::GetUp(stage.handle()))?;
    stage.run(1.0)?;
    let waits = stage.figure()?.mode() != Mode::GettingUp;
    stage.command(Command::DestroyObject(shelf))?;
    Ok(waits)
}

/// Higher ground that begins so far off (m), the way of a yaw (rad).
fn kerb(yaw: f32, off: f32) -> ObjectSpec {
    let size = Vec3::new(80.0, 2.0 * KERB_HEIGHT, 80.0);
    let rotation = rotation_from_yaw(yaw);
    fixed("kerb", size, Rigid::new(rotation, rotation * (Vec3::Z * (off + 0.5 * size.z))))
}

/// The angle (rad) between where it faces and where its feet lay, or, face down, its head.
fn facing(lying: &Frame, standing: &Frame) -> f64 {
    let at = |bone: Bone| lying.drawn[bone.index()].translation.as_dvec3();
    let level = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let feet = level((at(Bone::ShinL) + at(Bone::ShinR)) * 0.5 - at(Bone::Head));
    if feet.length() < CRUMPLED {
        return 0.0;
    }
    let trunk = [Bone::Pelvis, Bone::Spine, Bone::Chest].map(|bone| f64::from((lying.drawn[bone.index()].rotation * Vec3::Z).y));
    let way = if trunk.iter().sum::<f64>() > 0.0 { feet } else { -feet };
    let front = level((standing.drawn[0].rotation * Vec3::Z).as_dvec3());
    front.cross(way).length().atan2(front.dot(way))
}
