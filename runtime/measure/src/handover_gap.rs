//! `handover_gap`: what is drawn while bodies are taken up or let go does not part from them: not under a moving trunk, not where a
//! bent knee meets a straight pose.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::impact_shows;
use crate::kept::{Frame, turn};
use crate::limit::past;
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most};
use simrun_sim::figure::{BONES, Bone, Ragdoll};
use simrun_sim::space::{Rigid, Vec3, rotation_from_vector};
use simrun_sim::{Command, Mode};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "handover_gap",
    about: "what is drawn does not part from the bodies while these are taken up or let go, and no knee is drawn past straight",
    rows: &[
        ("hips_off_mm", "how far the way of the drawn hips since a blow of 0.43 m/s is from the pelvis body's, worst"),
        ("shown_pct", "how much of the body's way is drawn 0.2 s after the blow, least"),
        ("powered_to_animated_deg", "the most that a drawn bone turns in a step while the clip takes over"),
        ("knee_past_straight_deg", "how far a drawn knee is past its straight end, worst: below 0 it is short of it"),
        ("knee_past_both_deg", "how far a drawn knee is straighter than both the bodies' and the pose that was shown, worst"),
        ("drawn_off_deg", "how far the drawn knees are from the bodies' a quarter second after the hand-over, worst"),
        ("bent_deg", "how far the bodies' knees were bent under the straight pose, least"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds of following the clip before the hand-over.
const FOLLOWS: f64 = 0.5;
/// Bend (rad) of the bodies' knees under a pose whose knees are straight.
const BENT: [f32; 2] = [0.3, 0.9];
/// Seconds for which the drawing takes to be the bodies', and for which it is watched.
const FADES: f64 = 0.25;
const WATCHED: f64 = 0.6;
const LEGS: [(Bone, Bone); 2] = [(Bone::ThighL, Bone::ShinL), (Bone::ThighR, Bone::ShinR)];

struct Found {
    bowing: impact_shows::Found,
    walking_turn_deg: f64,
    knee: Knee,
}

struct Knee {
    past_deg: f64,
    past_both_deg: f64,
    back_past_deg: f64,
    off_deg: f64,
    bent_deg: f64,
}

/// Takes the measure. The rows of idling and walking figures are `impact_shows`'.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        Ok(Found {
            bowing: impact_shows::one(subject, options, "Bow", variation)?,
            walking_turn_deg: impact_shows::one(subject, options, "Walk", variation)?.turn_deg,
            knee: knee(subject, options, variation)?,
        })
    })?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let fewest = |value: fn(&Found) -> f64| least(runs.iter().map(value));
    let row = Row::new;
    let (turn, past) = ("powered_to_animated_deg", "knee_past_straight_deg");
    let rows = vec![
        row("hips_off_mm", "bowing", "mm", worst(|run| run.bowing.hips_off_mm), Bound::AtMost(9.0)),
        row("shown_pct", "bowing", "%", fewest(|run| run.bowing.shown_pct), Bound::AtLeast(91.0)),
        row(turn, "bowing", "°", worst(|run| run.bowing.turn_deg), Bound::AtMost(2.0)),
        row(turn, "walking", "°", worst(|run| run.walking_turn_deg), Bound::Reported),
        row(past, "bent under a straight pose", "°", worst(|run| run.knee.past_deg), Bound::AtMost(0.0)),
        row("knee_past_both_deg", "bent under a straight pose", "°", worst(|run| run.knee.past_both_deg), Bound::AtMost(0.1)),
        row(past, "and back to the clip", "°", worst(|run| run.knee.back_past_deg), Bound::AtMost(0.0)),
        row("drawn_off_deg", "0.25 s on", "°", worst(|run| run.knee.off_deg), Bound::AtMost(0.01)),
        row("bent_deg", "bent under a straight pose", "°", fewest(|run| run.knee.bent_deg), Bound::AtLeast(15.0)),
    ];
    Ok((runs.len(), rows))
}

/// Bodies whose knees are bent are taken up from a pose whose knees are straight, and straighten as what is left of the pose fades.
fn knee(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Knee, MeasureError> {
    let setting =
        Setting { mode: Mode::Animated, yaw: variation.yaw(), seed: variation.seed(), ..Setting::standing(subject, options) };
    let ragdoll = subject.ragdoll();
    let mut stage = Stage::new(&setting)?;
    stage.run(FOLLOWS)?;
    let figure = stage.handle();
    let bend = variation.between(BENT[0], BENT[1]);
    let bent = crouched(ragdoll, &stage.kept().at(FOLLOWS).bodies, bend);
    let shown = stage.kept().at(FOLLOWS).drawn;
    let bent_rad = least(LEGS.iter().map(|leg| knees_apart(leg, &bent, &shown)));
    stage.command(Command::SetBodies { figure, bodies: Box::new(bent) })?;
    stage.command(Command::SetMode { figure, mode: Mode::Powered })?;
    stage.run(WATCHED)?;
    let back = stage.time();
    stage.command(Command::SetMode { figure, mode: Mode::Animated })?;
    stage.run(WATCHED)?;
    let kept = stage.kept();
    let worst = |frames: &[Frame]| most(frames.iter().map(|frame| past_straight(ragdoll, &frame.drawn))).to_degrees();
    let past_both = |frame: &Frame| {
        let straightest = past_straight(ragdoll, &shown).max(past_straight(ragdoll, &frame.bodies));
        past_straight(ragdoll, &frame.drawn) - straightest
    };
    let faded = kept.at(FOLLOWS + FADES + 1.0 / kept.step_hz);
    Ok(Knee {
        past_deg: worst(kept.span(FOLLOWS, back)),
        past_both_deg: most(kept.span(FOLLOWS, back).iter().map(past_both)).to_degrees(),
        back_past_deg: worst(kept.span(back, stage.time())),
        off_deg: most(LEGS.iter().map(|leg| knees_apart(leg, &faded.drawn, &faded.bodies))).to_degrees(),
        bent_deg: bent_rad.to_degrees(),
    })
}

/// A standing pose with its knees bent, as low as that makes it: thighs forward, shins back.
fn crouched(ragdoll: &Ragdoll, standing: &[Rigid; BONES], bend: f32) -> [Rigid; BONES] {
    let across = standing[0].rotation * Vec3::X;
    let mut rotations = standing.map(|body| body.rotation);
    for (thigh, shin) in LEGS {
        rotations[thigh.index()] = rotation_from_vector(across * (-0.5 * bend)) * rotations[thigh.index()];
        rotations[shin.index()] = rotation_from_vector(across * (0.5 * bend)) * rotations[shin.index()];
    }
    let ankle = |pose: &[Rigid; BONES]| pose[Bone::ShinL.index()].point(ragdoll.tip_of(Bone::ShinL));
    let hung = ragdoll.hang(standing[0].translation, &rotations);
    let sunk = ankle(standing) - ankle(&hung);
    ragdoll.hang(standing[0].translation + sunk, &rotations)
}

/// The angle (rad) between the knees of two poses.
fn knees_apart((thigh, shin): &(Bone, Bone), one: &[Rigid; BONES], other: &[Rigid; BONES]) -> f64 {
    let knee = |pose: &[Rigid; BONES]| pose[thigh.index()].rotation.conjugate() * pose[shin.index()].rotation;
    turn(knee(one), knee(other))
}

/// How far the straighter knee is past its straight end (rad).
fn past_straight(ragdoll: &Ragdoll, pose: &[Rigid; BONES]) -> f64 {
    let knees = ragdoll.topology.joints.iter().filter(|joint| LEGS.iter().any(|(_, shin)| joint.child == shin.index()));
    most(knees.map(|joint| past(joint, pose[joint.parent].rotation, pose[joint.child].rotation).worst()))
}
