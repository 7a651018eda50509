//! `stagger`: shoves from behind that fell whoever stands still. A figure that steps stands out of the lesser ones, in quick steps, and ends
//! with its feet together; the greater ones are past its steps, and it falls protected. Both go the same way a second time, to the bit.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::falls::{Fall, TELLS, slower};
use crate::feet::{Foot, Step, ankle, level};
use crate::kept::{Frame, Kept};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most, share};
use glam::DVec3;
use simrun_sim::Phase;
use simrun_sim::figure::Ragdoll;
use simrun_sim::space::Vec3;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "stagger",
    about: "shoves from behind past standing still: the lesser are stepped out of, the greater end in a protected fall",
    rows: &[
        ("stand", "share of the shoves that it stands after; all of them fell a twin that does not step"),
        ("fall", "share of the shoves past its steps that it falls after, as a twin without protection does"),
        ("steps_least", "fewest steps of one that stands"),
        ("steps_most", "most steps of one run"),
        ("apart_s", "longest time from one catch step to the next: from foot up to foot up, in the first second"),
        ("over", "share of those that stand of which the phase says so at the end"),
        ("feet_apart_cm", "how far the one foot is from its place beside the other at the end, worst"),
        ("same_bits", "share of the runs that are the same to the bit when they are run again"),
        ("redraws", "shoves drawn again since they proved nothing"),
        ("protected_slower", "share of the falls in which the head meets the ground slower than the twin's, or never"),
        ("head_mps", "speed at which the head first meets the ground, 0 where it never does, mean"),
        ("twin_head_mps", "the same of the twins"),
        ("hands_before_head", "share of the falls in which a forearm meets the ground before the head"),
    ],
    carries: &["catch_step", "protective_fall"],
    slopes: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds in which a figure settles, and for which it is watched after the shove.
const SETTLE: f64 = 1.0;
const WATCHED: f64 = 7.0;
/// Shoves (m/s × the figure's mass): the first are what a run of four steps is known to catch (330 N·s on 138.5 kg
/// is 2.4), the second are past it (390 N·s is 2.8).
/// Figures differ in where the one ends and the other begins: what a greater one does not fell is drawn again. From 3.8 on a fall forwards
/// is as hard as `falls` has them at 4 to 5 m/s, which is another question.
const CAUGHT: [f32; 2] = [2.0, 2.4];
const PAST: [f32; 2] = [2.8, 3.6];
/// Draws of one run after which there is no such shove.
const DRAWS: usize = 40;
/// Seconds after the shove in which catch steps are quick: what comes later brings the body to rest.
const FIRST: f64 = 1.0;
/// Lean (rad) from which on a figure falls.
const TIPS: f64 = 0.35;
/// A body that goes slower (m/s) is no longer catching itself: what it steps is to bring its feet together.
const GOES: f64 = 0.25;

struct Found {
    caught: Caught,
    past: Past,
}

/// A shove that is stepped out of.
struct Caught {
    redraws: usize,
    stood: bool,
    steps: usize,
    apart: f64,
    over: bool,
    feet_apart: f64,
    same: bool,
}

/// A shove that is past all steps, and the twin's that falls unprotected.
struct Past {
    redraws: usize,
    own: Fall,
    twin: Fall,
    steps: usize,
    same: bool,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        let seed = variation.seed();
        let standing = Setting::standing(subject, options);
        let setting = Setting { yaw: variation.yaw(), seed, carried: Some(&carried), stepping: true, ..standing };
        Ok(Found { caught: caught(&setting, variation)?, past: past(&setting, variation)? })
    })?;
    let mut rows = caught_rows(&runs.iter().map(|run| &run.caught).collect::<Vec<_>>());
    rows.extend(past_rows(&runs.iter().map(|run| &run.past).collect::<Vec<_>>()));
    Ok((runs.len(), rows))
}

fn caught_rows(runs: &[&Caught]) -> Vec<Row> {
    let way = "2.0 to 2.4 m/s";
    let row = |name, unit, measured, bound| Row::new(name, way, unit, measured, bound);
    let stood = || runs.iter().filter(|run| run.stood);
    let of = |value: fn(&Caught) -> f64| stood().map(move |run| value(run));
    vec![
        row("stand", "%", 100.0 * share(runs.iter().map(|run| run.stood)), Bound::AtLeast(95.0)),
        row("steps_least", "", least(of(|run| run.steps as f64)), Bound::AtLeast(2.0)),
        row("steps_most", "", most(of(|run| run.steps as f64)), Bound::Reported),
        row("apart_s", "s", most(of(|run| run.apart)), Bound::AtMost(0.4)),
        row("over", "%", 100.0 * share(stood().map(|run| run.over)), Bound::Exactly(100.0)),
        row("feet_apart_cm", "cm", 100.0 * most(of(|run| run.feet_apart)), Bound::AtMost(10.0)),
        row("same_bits", "%", 100.0 * share(runs.iter().map(|run| run.same)), Bound::Exactly(100.0)),
        row("redraws", "", runs.iter().map(|run| run.redraws as f64).sum(), Bound::Reported),
    ]
}

fn past_rows(runs: &[&Past]) -> Vec<Row> {
    let way = "2.8 to 3.6 m/s, felled";
    let row = |name, unit, measured, bound| Row::new(name, way, unit, measured, bound);
    let percent = |what: fn(&Past) -> bool| 100.0 * share(runs.iter().map(|run| what(run)));
    let mean = |value: fn(&Past) -> f64| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64;
    vec![
        row("fall", "%", percent(|run| run.own.fell), Bound::AtLeast(95.0)),
        // As many as catch the lesser shove: who goes on longer does not know that it falls.
        row("steps_most", "", most(runs.iter().map(|run| run.steps as f64)), Bound::AtMost(4.0)),
        row("protected_slower", "%", percent(|run| slower(&run.own, &run.twin)), Bound::AtLeast(92.0)),
        row("head_mps", "m/s", mean(|run| run.own.head_mps), Bound::Reported),
        row("twin_head_mps", "m/s", mean(|run| run.twin.head_mps), Bound::Reported),
        row("hands_before_head", "%", percent(|run| run.own.hands_first()), Bound::Exactly(100.0)),
        row("same_bits", "%", percent(|run| run.same), Bound::Exactly(100.0)),
        row("redraws", "", runs.iter().map(|run| run.redraws as f64).sum(), Bound::Reported),
    ]
}

/// Draws shoves until one fells a twin that does not step.
fn caught(setting: &Setting<'_>, variation: &mut Variation) -> Result<Caught, MeasureError> {
    let (redraws, shove, _) = draw(&Setting { stepping: false, ..*setting }, CAUGHT, variation, |twin| !twin.stands())?;
    let stage = shoved(setting, shove)?;
    let ragdoll = setting.subject.ragdoll();
    let kept = stage.kept();
    let steps = steps(kept, ragdoll);
    let after = kept.span(SETTLE, SETTLE + WATCHED);
    let catches = |step: &Step| step.lifted as f64 <= FIRST * kept.step_hz && goes(after, step.lifted, kept.step_hz) > GOES;
    let apart = steps.windows(2).filter(|pair| catches(&pair[1]));
    Ok(Caught {
        redraws,
        stood: kept.stands(),
        steps: steps.len(),
        apart: most(apart.map(|pair| (pair[1].lifted - pair[0].lifted) as f64 / kept.step_hz).chain([0.0])),
        over: stage.figure()?.phase() == Phase::Standing,
        feet_apart: (beside(&after[after.len() - 1], ragdoll) - beside(&after[0], ragdoll)).length(),
        same: same(kept, shoved(setting, shove)?.kept()),
    })
}

/// Draws shoves until one fells a twin that does not protect itself, head first.
fn past(setting: &Setting<'_>, variation: &mut Variation) -> Result<Past, MeasureError> {
    let tells = |kept: &Kept| Fall::of(kept, SETTLE).head_mps > TELLS && !kept.stands();
    let (redraws, shove, twin) = draw(&Setting { protective: false, ..*setting }, PAST, variation, tells)?;
    let stage = shoved(setting, shove)?;
    let kept = stage.kept();
    // Feet that leave the ground in the fall itself step nowhere.
    let upright = kept.frames.iter().position(|frame| frame.lean() > TIPS).unwrap_or(kept.frames.len());
    let settled = (SETTLE * kept.step_hz).round() as usize;
    let steps = steps(kept, setting.subject.ragdoll()).iter().filter(|step| settled + step.landed < upright).count();
    Ok(Past {
        redraws,
        own: Fall::of(kept, SETTLE),
        twin: Fall::of(twin.kept(), SETTLE),
        steps,
        same: same(kept, shoved(setting, shove)?.kept()),
    })
}

/// A shove from behind: m/s × the figure's mass, off its front (rad), off the chest's middle (m).
type Shove = (f32, f32, Vec3);

/// Draws shoves until the twin shows what is wanted: how many were drawn in vain, the shove, and the twin's run.
fn draw(
    twin: &Setting<'_>,
    [least, most]: [f32; 2],
    variation: &mut Variation,
    wanted: impl Fn(&Kept) -> bool,
) -> Result<(usize, Shove, Stage), MeasureError> {
    for redraws in 0..DRAWS {
        let shove = (variation.between(least, most), variation.near(0.0), variation.aside());
        let stage = shoved(twin, shove)?;
        if wanted(stage.kept()) {
            return Ok((redraws, shove, stage));
        }
    }
    let why = format!("of {DRAWS} shoves of {least} to {most} m/s from behind none fells the twin of '{}'", twin.subject.name);
    Err(MeasureError::Nothing(why))
}

fn shoved(setting: &Setting<'_>, (speed, heading, aside): Shove) -> Result<Stage, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    stage.shove(speed, heading, aside)?;
    stage.run(WATCHED)?;
    Ok(stage)
}

/// The steps of both feet after the shove, in the order in which they begin.
fn steps(kept: &Kept, ragdoll: &Ragdoll) -> Vec<Step> {
    let after = kept.span(SETTLE, SETTLE + WATCHED);
    let mut steps: Vec<Step> = (0..2).flat_map(|side| Foot::of(after, ragdoll, side, kept.step_hz).steps).collect();
    steps.sort_by_key(|step| step.lifted);
    steps
}

/// How fast the pelvis goes over the ground at a frame (m/s).
fn goes(frames: &[Frame], index: usize, step_hz: f64) -> f64 {
    frames[index].drift(&frames[index - 1]) * step_hz
}

/// Where the left foot is from the right one, as the pelvis faces (m).
fn beside(frame: &Frame, ragdoll: &Ragdoll) -> DVec3 {
    let apart = level(ankle(frame, ragdoll, 0) - ankle(frame, ragdoll, 1));
    let front = level(frame.bodies[0].rotation.as_dquat() * DVec3::Z).normalize_or_zero();
    DVec3::new(apart.dot(front.cross(DVec3::Y)), 0.0, apart.dot(front))
}

/// Whether two runs are the same to the bit.
fn same(one: &Kept, other: &Kept) -> bool {
    one.frames.len() == other.frames.len() && one.frames.iter().zip(&other.frames).all(|(a, b)| a.bodies == b.bodies)
}
