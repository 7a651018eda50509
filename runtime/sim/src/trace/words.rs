//! Causes in plain words.

use super::{Because, Cause, Deed, Limit, What};
use crate::figure::{Bone, Part};
use crate::motion::{ActKind, Phase};
use crate::solve::boundary::BodySet;
use crate::space::Vec3;
use crate::world::{Figure, World};

/// Seconds without any cause that part two stories.
const STORY_GAP: f64 = 3.0;
/// The first and the last lines of a story that stand.
const FIRST_LINES: usize = 8;
const LAST_LINES: usize = 16;

/// What led to what a figure was doing in a step, a line each with its time, the first cause first: the last story, which begins where nothing
/// had come about for three seconds. Empty where nothing has.
#[must_use]
pub fn words(world: &World, figure: &Figure, step: u64) -> Vec<String> {
    let hz = f64::from(world.settings().step_hz);
    let mut causes: Vec<&Cause> = figure.trace.causes().filter(|cause| cause.step <= step).collect();
    // One that is told of only once it has gone on for a while began before others that were told of at once.
    causes.sort_by_key(|cause| cause.step);
    let mut end: Option<u64> = None;
    let begins = causes.iter().rposition(|cause| {
        let gap = end.map_or(0, |end| end.saturating_sub(cause.until.min(step))) as f64 / hz;
        end = Some(cause.step);
        gap > STORY_GAP
    });
    let story = &causes[begins.map_or(0, |last_of_before| last_of_before + 1)..];
    let told = story.iter().filter(|cause| !is_told_by_phase(cause, story));
    let mut lines: Vec<String> = Vec::new();
    // Muscles that come to their limits one after another are told of together.
    let mut in_muscles = false;
    for cause in told {
        let is_muscle = matches!(cause.what, What::AtLimit(Limit::Muscle { .. }));
        match lines.last_mut() {
            Some(last) if in_muscles && is_muscle => *last += &format!(", {}", what(world, cause, step, hz)),
            _ if is_muscle => lines.push(line("muscles gave all they have: ", world, cause, step, hz)),
            _ => lines.push(line("", world, cause, step, hz)),
        }
        in_muscles = is_muscle;
    }
    if lines.len() > FIRST_LINES + LAST_LINES + 1 {
        let left_out = FIRST_LINES..lines.len() - LAST_LINES;
        let gap = format!("… {} more", left_out.len());
        lines.splice(left_out, [gap]);
    }
    lines
}

/// Whether a mode's change says no more than the phase's that came with it.
fn is_told_by_phase(cause: &Cause, story: &[&Cause]) -> bool {
    let What::Mode { because, .. } = &cause.what else { return false };
    let tells = |other: &What| matches!(other, What::Phase { because: known, .. } if known == because);
    story.iter().any(|other| other.step == cause.step && tells(&other.what))
}

fn during(cause: &Cause, step: u64, hz: f64) -> String {
    let lasted = (cause.until.min(step) - cause.step) as f64 / hz;
    if lasted > 0.0 { format!(" for {lasted:.2} s") } else { String::new() }
}

fn line(before: &str, world: &World, cause: &Cause, step: u64, hz: f64) -> String {
    format!("{:.2} s {before}{}", cause.step as f64 / hz, what(world, cause, step, hz))
}

fn what(world: &World, cause: &Cause, step: u64, hz: f64) -> String {
    let during = during(cause, step, hz);
    match &cause.what {
        What::Struck { bone, speed, from, by } => {
            let by = by.and_then(|by| world.object(by).ok()).map(|by| format!(" by {}", by.name)).unwrap_or_default();
            format!("struck at the {}{by}, {speed:.2} m/s from {}", bone.name(), side(*from))
        }
        What::Swayed { outside, lean } => {
            format!("capture point up to {outside:.2} m off the soles{during}, lean up to {}", degrees(*lean))
        }
        What::Phase { to, because, .. } => format!("{}{}", phase(*to), reason(because)),
        What::Mode { from, to, because } => format!("{}, no longer {}{}", to.name(), from.name(), reason(because)),
        What::Waits { why } => format!("getting up waits: {why}"),
        What::Took { owner, bones } => format!("{owner} took {}", named(*bones)),
        What::LetGo { owner, bones } => format!("{owner} let go of {}", named(*bones)),
        What::Handled { item, deed } => handled(*deed, world.object(*item).map_or("what is gone", |item| &item.name)),
        What::AtLimit(Limit::Muscle { bone, torque }) => format!("{} {torque:.0} N·m{during}", bone.name()),
        What::AtLimit(Limit::Balance { torque }) => format!("the balance gave all it may: {torque:.0} N·m{during}"),
        What::Noted { owner, text } => format!("{owner}: {text}"),
        What::Frozen => "frozen: its numbers went bad".to_owned(),
    }
}

fn handled(deed: Deed, item: &str) -> String {
    match deed {
        Deed::ReachFor => format!("reached for {item}"),
        Deed::Leave => format!("left {item} where it lay"),
        Deed::Take => format!("took {item}"),
        Deed::Eat => format!("ate from {item}"),
        Deed::Drink => format!("drank from {item}"),
        Deed::PutDown { then_up: false } => format!("put {item} down"),
        Deed::PutDown { then_up: true } => format!("put {item} down because it was told to stand up"),
        Deed::LetGo => format!("let go of {item}"),
    }
}

/// Where a blow came from, as a unit vector of a figure's left, up and ahead.
fn side(from: Vec3) -> &'static str {
    const AROUND: [&str; 8] = [
        "ahead",
        "ahead on the left",
        "the left",
        "behind on the left",
        "behind",
        "behind on the right",
        "the right",
        "ahead on the right",
    ];
    if from.y.abs() > 0.8 {
        return if from.y > 0.0 { "above" } else { "below" };
    }
    let eighths = libm::atan2f(from.x, from.z) / std::f32::consts::FRAC_PI_4;
    AROUND[(eighths.round() as i32).rem_euclid(8) as usize]
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Standing => "stood",
        Phase::Stepping => "stepped",
        Phase::Staggering => "staggered",
        Phase::Falling => "fell",
        Phase::Landed => "landed",
        Phase::Caught => "caught itself",
        Phase::Lying => "lay",
        Phase::GettingUp => "began to get up",
        Phase::Acting => "began to act",
    }
}

fn reason(because: &Because) -> String {
    let why = match because {
        Because::Leans { lean, most } => format!("it leaned {}, past {}", degrees(*lean), degrees(*most)),
        Because::Crumpled { height, least } => format!("its pelvis was {height:.2} m up, under {least:.2}"),
        Because::Dropped { speed } => format!("nothing bore it, and it went down at {speed:.1} m/s"),
        Because::Upright => "it was upright and slow".to_owned(),
        Because::Down { lean } => format!("its pelvis was on the ground and it leaned {}", degrees(*lean)),
        Because::Low { seconds } => format!("its pelvis had been low for {seconds:.1} s"),
        Because::Still => "its trunk was still".to_owned(),
        Because::Moves { speed } => format!("its trunk moved at {speed:.1} m/s"),
        Because::Rested => "it had lain still and had room".to_owned(),
        Because::Arrived => "it had gone its way to the end".to_owned(),
        Because::HeldBack => "something held it back from its way".to_owned(),
        Because::LostHold => "what it was on moved or went".to_owned(),
        Because::Acts { leaving: true, .. } => "it was told to stand up".to_owned(),
        Because::Acts { kind: ActKind::Sit, .. } => "it was told to sit down".to_owned(),
        Because::Acts { kind: ActKind::Lie, .. } => "it was told to lie down".to_owned(),
        Because::Struck => "it was struck".to_owned(),
        Because::Told => return " as it was told".to_owned(),
        Because::Declared { by, reason: None } => format!("{by} said so"),
        Because::Declared { by, reason: Some(reason) } => format!("{by}: {reason}"),
    };
    format!(" because {why}")
}

fn degrees(angle: f32) -> String {
    format!("{:.0}°", angle.to_degrees())
}

/// Whole parts by their names, other bones by theirs.
fn named(bones: BodySet) -> String {
    let has = |bone: &Bone| bones.has(bone.index());
    let names = Part::ALL.into_iter().flat_map(|part| {
        let own = || Bone::ALL.into_iter().filter(move |bone| bone.part() == part);
        let whole = own().all(|bone| has(&bone));
        let bones = own().filter(|bone| !whole && has(bone)).map(Bone::name);
        whole.then_some(plain(part)).into_iter().chain(bones).collect::<Vec<_>>()
    });
    names.collect::<Vec<_>>().join(", ")
}

const fn plain(part: Part) -> &'static str {
    match part {
        Part::Head => "the head",
        Part::Spine => "the trunk",
        Part::ArmL => "the left arm",
        Part::ArmR => "the right arm",
        Part::LegL => "the left leg",
        Part::LegR => "the right leg",
    }
}
