//! `impact_shows`: a blow on a figure that follows its clip is seen at once, and nothing jumps where the bodies are taken up or let go.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Kept, most_drawn_turn, moved};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most};
use simrun_sim::{Command, Mode};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "impact_shows",
    about: "a blow on a figure that follows its clip is seen at once, and nothing jumps at the hand-over",
    rows: &[
        ("hips_off_mm", "how far the way of the drawn hips since the blow is from the pelvis body"),
        ("shown_pct", "how much of the body has gone is drawn 0.2 s after the blow"),
        ("powered_to_animated_deg", "the most that a drawn bone turns in a step while the clip takes over"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// The blow at the chest (m/s × the figure's mass).
const BLOW: f32 = 0.43;
/// Seconds of following the clip before it.
const FOLLOWS: f64 = 1.0;
/// Seconds after the blow within which the drawn hips are compared with the body's, and at which their ways are.
const COMPARED: f64 = 0.3;
const SHOWN_AT: f64 = 0.2;
/// Seconds over which the drawing goes back to the clip.
const GOING_BACK: f64 = 0.25;

/// What a blow on a figure that follows its clip came to, and the way back.
pub struct Found {
    /// See the rows.
    pub hips_off_mm: f64,
    /// See the rows.
    pub shown_pct: f64,
    /// See the rows.
    pub turn_deg: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        let idle = one(subject, options, "Idle", variation)?;
        Ok((idle, one(subject, options, "Walk", variation)?))
    })?;
    let (hips, shown, turn) = ("hips_off_mm", "shown_pct", "powered_to_animated_deg");
    let row = Row::new;
    let rows = vec![
        row(hips, "idle", "mm", most(runs.iter().map(|(idle, _)| idle.hips_off_mm)), Bound::AtMost(9.0)),
        row(shown, "idle", "%", least(runs.iter().map(|(idle, _)| idle.shown_pct)), Bound::AtLeast(91.0)),
        row(turn, "idle", "°", most(runs.iter().map(|(idle, _)| idle.turn_deg)), Bound::AtMost(2.0)),
        row(hips, "walking", "mm", most(runs.iter().map(|(_, walk)| walk.hips_off_mm)), Bound::AtMost(9.0)),
        row(shown, "walking", "%", least(runs.iter().map(|(_, walk)| walk.shown_pct)), Bound::AtLeast(91.0)),
    ];
    Ok((runs.len(), rows))
}

/// One run: a figure that plays a clip is struck, and some time after goes back to it.
pub fn one(subject: &Subject, options: &Options, clip: &str, variation: &mut Variation) -> Result<Found, MeasureError> {
    let mut stage = Stage::new(&Setting {
        mode: Mode::Animated,
        clip: Some(clip),
        phase: variation.phase(),
        yaw: variation.yaw(),
        seed: variation.seed(),
        ..Setting::standing(subject, options)
    })?;
    stage.run(FOLLOWS)?;
    stage.shove(BLOW * variation.speed(), variation.any_heading(), variation.aside())?;
    stage.run(variation.seconds(0.5, 2.5))?;
    let back = stage.time();
    let figure = stage.handle();
    stage.command(Command::SetMode { figure, mode: Mode::Animated })?;
    stage.run(GOING_BACK)?;
    let kept = stage.kept();
    Ok(Found {
        hips_off_mm: 1.0e3 * hips_off(kept),
        shown_pct: shown_pct(kept),
        turn_deg: most_drawn_turn(kept.span(back, back + GOING_BACK)).to_degrees(),
    })
}

/// How far (m) the way of the drawn hips since the blow is from the pelvis body's, at worst.
fn hips_off(kept: &Kept) -> f64 {
    let struck = kept.at(FOLLOWS);
    let after = kept.span(FOLLOWS, FOLLOWS + COMPARED);
    most(after.iter().map(|frame| (moved(&struck.drawn, &frame.drawn) - moved(&struck.bodies, &frame.bodies)).length()))
}

/// How much of the body's way the drawing has gone, %.
fn shown_pct(kept: &Kept) -> f64 {
    let (struck, shown) = (kept.at(FOLLOWS), kept.at(FOLLOWS + SHOWN_AT));
    let (body, drawn) = (moved(&struck.bodies, &shown.bodies), moved(&struck.drawn, &shown.drawn));
    100.0 * drawn.dot(body) / body.length_squared()
}
