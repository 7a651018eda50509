//! `heading`: six shoves from behind, one after the other, leave a figure facing where it faced, whether it stands through them or steps;
//! and whatever rig it wears, it faces where it is put.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, turn_about_vertical};
use crate::options::{MeasureError, Options};
use crate::shove::SHOVE;
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use simrun_sim::space::rotation_from_yaw;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "heading",
    about: "six shoves from behind leave a figure facing where it faced, standing or stepping; any rig faces where it is put",
    rows: &[
        ("heading_deg", "how far the pelvis faces from where it did, before the next shove and at the end, worst"),
        ("swing_deg", "the same at any time: a leg that swings turns the pelvis"),
        ("stood", "share of the runs in which the figure is never down"),
        ("redraws", "runs drawn again since a shove felled the figure"),
        ("facing_deg", "how far the drawn figure faces from where it was put, after 2 s on its muscles, worst"),
        ("lean_deg", "how far it leans from its pose by then, worst"),
    ],
    carries: &["catch_step"],
    slopes: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 12;
/// Seconds in which a figure settles first.
const SETTLE: f64 = 1.0;
/// Shoves in a row.
const SIX: usize = 6;
/// Shoves that are stood, and that are stepped out of (m/s × the figure's mass), with the seconds that each takes to be over.
const STOOD: ([f32; 2], f64) = ([SHOVE * 0.97, SHOVE * 1.03], 2.0);
const STEPPED: ([f32; 2], f64) = ([1.4, 2.0], 4.0);
/// Draws of one run after which nobody stands through six.
const DRAWS: usize = 20;
/// Seconds for which a rig stands on its muscles.
const DRESSED: f64 = 2.0;

struct Found {
    stood: Six,
    stepped: Six,
    redraws: usize,
    dressed: Vec<Dressed>,
}

/// What six shoves did.
struct Six {
    heading_deg: f64,
    swing_deg: f64,
    stood: bool,
}

/// How a rig stands.
struct Dressed {
    facing_deg: f64,
    lean_deg: f64,
}

/// Takes the measure. A figure of one's own is dressed beside the box man.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let carried = MEASURE.carried(options)?;
    let other = options.figure.as_ref().map(|_| Subject::boxman()).transpose()?;
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        let setting = Setting { yaw: variation.yaw(), seed: variation.seed(), ..Setting::standing(subject, options) };
        let stood = six(&setting, STOOD, variation)?;
        let (stepped, redraws) = stepped(&Setting { carried: Some(&carried), stepping: true, ..setting }, variation)?;
        let rigs = std::iter::once(subject).chain(&other);
        let dressed = rigs.map(|subject| dressed(&Setting { subject, ..setting })).collect::<Result<_, _>>()?;
        Ok(Found { stood, stepped, redraws, dressed })
    })?;
    let (standing, stepping) = ("standing, six of 0.43 m/s", "stepping, six of 1.4 to 2.0 m/s");
    let row = Row::new;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let mut rows = vec![
        row("heading_deg", standing, "°", worst(|run| run.stood.heading_deg), Bound::AtMost(5.0)),
        row("swing_deg", standing, "°", worst(|run| run.stood.swing_deg), Bound::AtMost(5.0)),
        row("stood", standing, "", share(runs.iter().map(|run| run.stood.stood)), Bound::Exactly(1.0)),
        row("heading_deg", stepping, "°", worst(|run| run.stepped.heading_deg), Bound::AtMost(5.0)),
        row("swing_deg", stepping, "°", worst(|run| run.stepped.swing_deg), Bound::Reported),
        row("redraws", stepping, "", runs.iter().map(|run| run.redraws as f64).sum(), Bound::Reported),
    ];
    for (index, rig) in std::iter::once(subject).chain(&other).enumerate() {
        let worst = |value: fn(&Dressed) -> f64| most(runs.iter().map(|run| value(&run.dressed[index])));
        let way = format!("2 s, {}", rig.name);
        rows.push(Row::new("facing_deg", way.as_str(), "°", worst(|run| run.facing_deg), Bound::AtMost(1.5)));
        rows.push(Row::new("lean_deg", way, "°", worst(|run| run.lean_deg), Bound::AtMost(1.0)));
    }
    Ok((runs.len(), rows))
}

/// Draws runs of six until one is stepped out of six times: who falls has not kept a heading to speak of.
fn stepped(setting: &Setting<'_>, variation: &mut Variation) -> Result<(Six, usize), MeasureError> {
    for redraws in 0..DRAWS {
        let six = six(setting, STEPPED, variation)?;
        if six.stood {
            return Ok((six, redraws));
        }
    }
    Err(MeasureError::Nothing(format!("of {DRAWS} runs of six shoves '{}' stands through none", setting.subject.name)))
}

fn six(setting: &Setting<'_>, (speeds, over): ([f32; 2], f64), variation: &mut Variation) -> Result<Six, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    let mut heading = 0.0_f64;
    for _ in 0..SIX {
        stage.shove(variation.between(speeds[0], speeds[1]), variation.near(0.0), variation.aside())?;
        stage.run(over)?;
        let kept = stage.kept();
        heading = heading.max(kept.at(stage.time()).heading_change(kept.at(SETTLE)));
    }
    let kept = stage.kept();
    let turned = |frame: &Frame| frame.heading_change(kept.at(SETTLE));
    Ok(Six {
        heading_deg: heading.to_degrees(),
        swing_deg: most(kept.span(SETTLE, stage.time()).iter().map(turned)).to_degrees(),
        stood: kept.stays_up(),
    })
}

fn dressed(setting: &Setting<'_>) -> Result<Dressed, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(DRESSED)?;
    let end = stage.kept().at(DRESSED);
    let facing = turn_about_vertical(rotation_from_yaw(setting.yaw), end.drawn[0].rotation);
    Ok(Dressed { facing_deg: facing.to_degrees(), lean_deg: end.lean().to_degrees() })
}
