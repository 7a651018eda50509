//! `parts`: an arm that is let go of on a figure that follows its clip or is on its muscles, struck, and taken back; an arm that is weak.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::{Frame, joint, most_drawn_turn, turn};
use crate::options::{MeasureError, Options};
use crate::posed::{ARMS_AHEAD, arms_ahead};
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most, share};
use simrun_sim::figure::{BONES, Bone, Part};
use simrun_sim::space::{Rigid, Vec3, rotation_from_yaw};
use simrun_sim::{Command, Hit, Mode};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "parts",
    about: "an arm that is let go of hangs, is drawn so, and is taken back, while the rest goes on; a weak one stays weak",
    rows: &[
        ("comes_down_rad", "how far the upper arm that was let go of hangs from its clip, held ahead, least"),
        ("other_off_rad", "how far the other upper arm is from its clip, worst"),
        ("drawn_off_rad", "how far the drawn arm is turned from its bodies, under the trunk as drawn, worst"),
        ("clip_off_mm", "how far a drawn hip or foot is from the clip, worst"),
        ("swings_rad", "how far a blow of 8 N·s on the forearm, from the front or behind, swings the drawn arm, least"),
        ("stays", "share of the runs in which that blow leaves the figure on its clip"),
        ("whole", "share of the runs in which a blow of 0.43 m/s on the same arm takes the whole figure"),
        ("taken_back_rad", "the most that a drawn bone turns in a step while the arm is taken back, and let go of"),
        ("back_off_rad", "how far the drawn arm is from its clip a second after it was taken back, worst"),
        ("back_body_rad", "how far its bodies are by then, worst"),
        ("weak_pct", "muscle of an arm at 3 % before a blow, and after it and the recovery, farthest off"),
        ("struck_pct", "what that blow left it, most"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 16;
/// Seconds in which it settles; for which an arm hangs, and after which what is drawn no longer fades; for which it swings.
const SETTLE: f64 = 0.5;
const HANGS: f64 = 2.0;
const FADED: f64 = 0.7;
const SWINGS: f64 = 0.7;
/// Blows on the forearm (N·s) and on the whole figure (m/s × its mass).
const JAB: f32 = 8.0;
const BLOW: f32 = 0.43;
/// Share of its muscle that a weak arm has.
const WEAK: f32 = 0.03;

/// One arm of a figure that follows its clip.
struct Followed {
    comes_down: f64,
    other_off: f64,
    drawn_off: f64,
    clip_off_mm: f64,
    swings: f64,
    stays: bool,
    whole: bool,
    taken_back: f64,
    back_off: f64,
    back_body: f64,
}

/// Arms of a figure on its muscles.
struct Powered {
    comes_down: f64,
    other_off: f64,
    weak_pct: f64,
    struck_pct: f64,
}

/// Which arm: the runs take turns.
#[derive(Clone, Copy)]
struct Arm {
    part: Part,
    upper: Bone,
    fore: Bone,
}

const ARMS: [Arm; 2] = [
    Arm { part: Part::ArmL, upper: Bone::UpperArmL, fore: Bone::ForearmL },
    Arm { part: Part::ArmR, upper: Bone::UpperArmR, fore: Bone::ForearmR },
];

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        let subject = arms_ahead(subject)?;
        let side = variation.index % 2;
        let (arm, other) = (ARMS[side], ARMS[1 - side]);
        let held = followed(&subject, options, ARMS_AHEAD, [arm, other], variation)?;
        let walks = followed(&subject, options, "Walk", [arm, other], variation)?;
        Ok((held, walks, powered(&subject, options, [arm, other], variation)?))
    })?;
    let mut rows = Vec::new();
    for (way, of) in [("arms ahead", 0), ("walking", 1)] {
        let found: Vec<&Followed> = runs.iter().map(|(held, walks, _)| if of == 0 { held } else { walks }).collect();
        rows.extend(followed_rows(way, &found));
    }
    let worst = |value: fn(&Powered) -> f64| most(runs.iter().map(|(.., powered)| value(powered)));
    let fewest = least(runs.iter().map(|(.., powered)| powered.comes_down));
    let row = |name, unit, measured, bound| Row::new(name, "on its muscles", unit, measured, bound);
    rows.extend([
        row("comes_down_rad", "rad", fewest, Bound::AtLeast(0.4)),
        row("other_off_rad", "rad", worst(|run| run.other_off), Bound::AtMost(0.05)),
        row("weak_pct", "%", worst(|run| run.weak_pct), Bound::Within(2.99, 3.01)),
        row("struck_pct", "%", worst(|run| run.struck_pct), Bound::AtMost(1.5)),
    ]);
    Ok((runs.len(), rows))
}

fn followed_rows(way: &'static str, found: &[&Followed]) -> Vec<Row> {
    let worst = |value: fn(&Followed) -> f64| most(found.iter().map(|run| value(run)));
    let fewest = |value: fn(&Followed) -> f64| least(found.iter().map(|run| value(run)));
    let of = |is: fn(&Followed) -> bool| share(found.iter().map(|run| is(run)));
    let row = |name, unit, measured, bound| Row::new(name, way, unit, measured, bound);
    // A walker's arm hangs anyway, and swings with its step.
    let hangs = if way == "walking" { Bound::Reported } else { Bound::AtLeast(0.4) };
    vec![
        row("comes_down_rad", "rad", fewest(|run| run.comes_down), hangs),
        row("other_off_rad", "rad", worst(|run| run.other_off), Bound::AtMost(0.02)),
        row("drawn_off_rad", "rad", worst(|run| run.drawn_off), Bound::AtMost(0.03)),
        row("clip_off_mm", "mm", worst(|run| run.clip_off_mm), Bound::AtMost(1.0)),
        row("swings_rad", "rad", fewest(|run| run.swings), Bound::AtLeast(0.2)),
        row("stays", "", of(|run| run.stays), Bound::Exactly(1.0)),
        row("whole", "", of(|run| run.whole), Bound::Exactly(1.0)),
        row("taken_back_rad", "rad a step", worst(|run| run.taken_back), Bound::AtMost(0.1)),
        row("back_off_rad", "rad", worst(|run| run.back_off), Bound::AtMost(0.001)),
        row("back_body_rad", "rad", worst(|run| run.back_body), Bound::AtMost(0.15)),
    ]
}

fn followed(
    subject: &Subject,
    options: &Options,
    clip: &str,
    [arm, other]: [Arm; 2],
    variation: &mut Variation,
) -> Result<Followed, MeasureError> {
    let (clip, phase) = (Some(clip), variation.phase());
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let mut stage = Stage::new(&Setting { mode: Mode::Animated, clip, phase, yaw, seed, ..Setting::standing(subject, options) })?;
    let figure = stage.handle();
    let set = |stage: &mut Stage, mode| stage.command(Command::SetPartMode { figure, part: arm.part, mode });
    stage.run(SETTLE)?;
    let let_go = stage.time();
    set(&mut stage, Mode::Limp)?;
    stage.run(HANGS)?;
    let struck = stage.time();
    let way = stage.figure()?.place.rotation * rotation_from_yaw(variation.fore_and_aft()) * Vec3::Z;
    stage.command(Command::Hit(Hit::new(figure, arm.fore, way * JAB)))?;
    stage.run(SWINGS)?;
    let stays = stage.figure()?.mode() == Mode::Animated;
    let back = stage.time();
    set(&mut stage, Mode::Animated)?;
    stage.run(1.0)?;
    let taken = stage.time();
    set(&mut stage, Mode::Limp)?;
    stage.run(0.5)?;
    stage.command(Command::Hit(Hit::new(figure, arm.fore, Vec3::Y * (BLOW * subject.ragdoll().mass))))?;
    let whole = stage.figure()?.mode() == Mode::Powered;
    let kept = stage.kept();
    let off = |from: fn(&Frame) -> &[Rigid; BONES], bone| {
        move |frame: &Frame| turn(joint(from(frame), bone), joint(&frame.target, bone))
    };
    let hanging = kept.span(let_go + FADED, struck);
    let all = kept.span(let_go, taken);
    let drawn = |frame: &Frame, bone| turn(joint(&frame.drawn, bone), joint(&frame.bodies, bone));
    let off_clip = |frame: &Frame| {
        let bones = [Bone::Pelvis, Bone::ShinL, Bone::ShinR].map(Bone::index);
        most(bones.map(|bone| f64::from(frame.drawn[bone].translation.distance(frame.target[bone].translation))))
    };
    let before = kept.at(struck);
    let swung =
        |frame: &Frame| most([arm.upper, arm.fore].map(|bone| turn(joint(&frame.drawn, bone), joint(&before.drawn, bone))));
    let last = kept.at(taken);
    Ok(Followed {
        comes_down: off(|frame| &frame.drawn, arm.upper)(before),
        other_off: most(all.iter().map(off(|frame| &frame.drawn, other.upper))),
        drawn_off: most(hanging.iter().flat_map(|frame| [arm.upper, arm.fore].map(|bone| drawn(frame, bone)))),
        clip_off_mm: 1.0e3 * most(all.iter().map(off_clip)),
        swings: most(kept.span(struck, back).iter().map(swung)),
        stays,
        whole,
        taken_back: most_drawn_turn(kept.span(let_go - 0.1, let_go + FADED)).max(most_drawn_turn(kept.span(back, taken))),
        back_off: most([arm.upper, arm.fore].map(|bone| off(|frame| &frame.drawn, bone)(last))),
        back_body: off(|frame| &frame.bodies, arm.upper)(last),
    })
}

fn powered(
    subject: &Subject,
    options: &Options,
    [arm, other]: [Arm; 2],
    variation: &mut Variation,
) -> Result<Powered, MeasureError> {
    let setting = Setting { clip: Some(ARMS_AHEAD), yaw: variation.yaw(), ..Setting::standing(subject, options) };
    let mut stage = Stage::new(&setting)?;
    let figure = stage.handle();
    stage.command(Command::SetPartMode { figure, part: arm.part, mode: Mode::Limp })?;
    stage.run(HANGS)?;
    let hung = |bone| {
        let frame = stage.kept().at(stage.time());
        turn(joint(&frame.bodies, bone), joint(&frame.target, bone))
    };
    let (comes_down, other_off) = (hung(arm.upper), hung(other.upper));
    stage.command(Command::SetPartStrength { figure, part: other.part, strength: WEAK })?;
    let of = |stage: &Stage| -> Result<f64, MeasureError> {
        Ok(100.0 * f64::from(stage.figure()?.motion()?.muscles.share(other.upper)))
    };
    let before = of(&stage)?;
    stage.strike(other.upper, 1.63, variation.any_heading(), variation.aside(), None)?;
    let struck_pct = of(&stage)?;
    stage.run(1.5)?;
    let after = of(&stage)?;
    let weak = 100.0 * f64::from(WEAK);
    let weak_pct = if (before - weak).abs() > (after - weak).abs() { before } else { after };
    Ok(Powered { comes_down, other_off, weak_pct, struck_pct })
}
