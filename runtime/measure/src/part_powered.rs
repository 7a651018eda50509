//! `part_powered`: the trunk and the head of a figure that follows its clip are on their muscles, and a jab at the face is seen.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, most_drawn_turn};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most, share};
use simrun_sim::figure::{Bone, Part};
use simrun_sim::space::Vec3;
use simrun_sim::{Command, Hit, Mode};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "part_powered",
    about: "a jab at the face of a figure on its clip, whose trunk and head are on their muscles, is seen and forgotten",
    rows: &[
        ("stands_off_mm", "how far the drawn head is from its clip's before the jab, worst"),
        ("goes_back_cm", "how far the jab drives the drawn head back"),
        ("pelvis_off_mm", "how far the drawn pelvis is from its clip, worst"),
        ("stays", "share of the runs in which it stays on its clip"),
        ("back_off_mm", "how far the drawn head is from where it stood 0.9 s later, worst"),
        ("given_back_mm", "the most that the drawn head moves in a step more than its clip's while it is given back"),
        ("given_back_deg", "the most that a drawn bone turns in a step then"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds in which it settles, for which the jab is looked at, and after which it is over.
const SETTLE: f64 = 1.0;
const SEEN: f64 = 0.4;
const OVER: f64 = 0.9;
/// The jab (m/s × the figure's mass: 10.8 N·s of 75 kg), and what it takes of the head's muscle.
const JAB: f32 = 0.144;
const COST: f32 = 0.1;

struct Found {
    stands_off_mm: f64,
    goes_back_cm: f64,
    pelvis_off_mm: f64,
    stays: bool,
    back_off_mm: f64,
    given_back_mm: f64,
    given_back_deg: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let row = |name, unit, measured, bound| Row::new(name, "10.8 N·s of 75 kg", unit, measured, bound);
    let rows = vec![
        row("stands_off_mm", "mm", worst(|run| run.stands_off_mm), Bound::AtMost(1.0)),
        row("goes_back_cm", "cm", least(runs.iter().map(|run| run.goes_back_cm)), Bound::Within(2.0, 6.0)),
        Row::new("goes_back_cm", "… most of the runs", "cm", worst(|run| run.goes_back_cm), Bound::Within(2.0, 6.0)),
        row("pelvis_off_mm", "mm", worst(|run| run.pelvis_off_mm), Bound::AtMost(1.0)),
        row("stays", "", share(runs.iter().map(|run| run.stays)), Bound::Exactly(1.0)),
        row("back_off_mm", "mm", worst(|run| run.back_off_mm), Bound::AtMost(1.0)),
        row("given_back_mm", "mm a step", worst(|run| run.given_back_mm), Bound::AtMost(1.0)),
        row("given_back_deg", "° a step", worst(|run| run.given_back_deg), Bound::AtMost(1.0)),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let mut stage = Stage::new(&Setting { mode: Mode::Animated, yaw, seed, ..Setting::standing(subject, options) })?;
    let figure = stage.handle();
    let set = |stage: &mut Stage, mode| {
        [Part::Spine, Part::Head].into_iter().try_for_each(|part| stage.command(Command::SetPartMode { figure, part, mode }))
    };
    set(&mut stage, Mode::Powered)?;
    stage.run(SETTLE)?;
    let back = stage.figure()?.place.rotation * Vec3::NEG_Z;
    let jab = Hit { cost: Some(COST), ..Hit::new(figure, Bone::Head, back * (JAB * subject.ragdoll().mass)) };
    stage.command(Command::Hit(jab))?;
    stage.run(OVER)?;
    let over = stage.time();
    set(&mut stage, Mode::Animated)?;
    stage.run(0.5)?;
    let stays = stage.figure()?.mode() == Mode::Animated;
    let (kept, given_back) = (stage.kept(), stage.kept().span(over, over + 0.5));
    let head = |frame: &Frame| frame.drawn[Bone::Head.index()].translation.as_dvec3();
    let stood = kept.at(SETTLE);
    let gap = |bone: Bone| {
        move |frame: &Frame| {
            1.0e3 * f64::from(frame.drawn[bone.index()].translation.distance(frame.target[bone.index()].translation))
        }
    };
    let own = |pair: &[Frame]| {
        let clip = |frame: &Frame| frame.target[Bone::Head.index()].translation.as_dvec3();
        1.0e3 * ((head(&pair[1]) - head(&pair[0])) - (clip(&pair[1]) - clip(&pair[0]))).length()
    };
    let driven = |frame: &Frame| 100.0 * (head(frame) - head(stood)).dot(back.as_dvec3());
    Ok(Found {
        stands_off_mm: gap(Bone::Head)(stood),
        goes_back_cm: most(kept.span(SETTLE, SETTLE + SEEN).iter().map(driven)),
        pelvis_off_mm: most(kept.span(SETTLE, over).iter().map(gap(Bone::Pelvis))),
        stays,
        back_off_mm: 1.0e3 * head(kept.at(over)).distance(head(stood)),
        given_back_mm: most(given_back.windows(2).map(own)),
        given_back_deg: most_drawn_turn(given_back).to_degrees(),
    })
}
