//! Figures and objects as lines that a person reads.

use crate::handle::Thing;
use simrun_sim::id::handle_of;
use simrun_sim::solve::boundary::{BodyKind, Touched};
use simrun_sim::{Bone, Figure, Mode, Object, Part, World};

/// Its name, or that it is gone.
pub(crate) fn name_of(world: &World, thing: Thing) -> String {
    match thing {
        Thing::Figure(figure) => world.figure(figure).map_or_else(|error| error.to_string(), |figure| figure.name.clone()),
        Thing::Object(object) => world.object(object).map_or_else(|error| error.to_string(), |object| object.name.clone()),
    }
}

/// One line: `ann: powered, standing, at (1.00, 0.93, 4.00); protective_fall has upper_arm_l, forearm_l`.
pub(crate) fn line(world: &World, thing: Thing) -> String {
    match thing {
        Thing::Figure(figure) => world.figure(figure).map_or_else(|error| error.to_string(), figure_line),
        Thing::Object(object) => world.object(object).map_or_else(|error| error.to_string(), object_line),
    }
}

fn figure_line(figure: &Figure) -> String {
    let at = figure.body.as_ref().map_or(figure.place.translation, |body| body.bodies[0].pose.translation);
    let mut line = format!("{}: {}", figure.name, figure.mode().name());
    if figure.motion.is_some() {
        line += &format!(", {}", figure.phase().name());
    }
    line += &format!(", at {}", vector(at));
    let clips: Vec<&str> = figure
        .animator
        .playing
        .iter()
        .filter_map(|playing| Some(figure.model.rig.clips.get(playing.clip)?.name.as_str()))
        .collect();
    if !clips.is_empty() {
        line += &format!(", playing {}", clips.join(" + "));
    }
    for (owner, bones) in owners(figure) {
        line += &format!("; {owner} has {}", bones.join(", "));
    }
    line
}

fn object_line(object: &Object) -> String {
    let mut line = format!("{}: {}, at {}", object.name, kind_name(object.kind), vector(object.pose.translation));
    if object.linear.length() > 0.005 {
        line += &format!(", {:.2} m/s", object.linear.length());
    }
    line
}

/// Who has which bones, in the order of the bones.
fn owners(figure: &Figure) -> Vec<(String, Vec<&'static str>)> {
    let mut all: Vec<(String, Vec<&'static str>)> = Vec::new();
    for bone in Bone::ALL {
        let Some(claim) = figure.claims.holder(bone) else { continue };
        match all.iter_mut().find(|(owner, _)| *owner == *claim.owner) {
            Some((_, bones)) => bones.push(bone.name()),
            None => all.push((claim.owner.to_string(), vec![bone.name()])),
        }
    }
    all
}

/// Why a figure does what it does, a reason a line: how it is now, then what led to it.
#[must_use]
pub fn why(world: &World, figure: &Figure) -> String {
    let Some(motion) = &figure.motion else {
        return format!("{} has no active ragdoll: it plays its clip and nothing moves it", figure.name);
    };
    let since = motion.phase_since as f64 * f64::from(world.dt());
    let senses = &figure.senses;
    let mut lines = vec![
        format!("{} is {}, {} since {since:.2} s", figure.name, motion.mode.name(), motion.phase.name()),
        format!("lean {:.2} rad, trunk {:.2} m/s, pelvis {:.2} m up", senses.lean, senses.trunk_speed, senses.pelvis_height),
    ];
    lines.push(if senses.capture_outside > 0.0 {
        format!("capture point {:.0} cm outside the feet", senses.capture_outside * 100.0)
    } else {
        "capture point within the feet".to_owned()
    });
    if let Some(why) = &motion.get_up.waits {
        lines.push(format!("it would get up, but {why}"));
    }
    let weak: Vec<String> = Bone::ALL
        .into_iter()
        .filter(|bone| motion.muscles.share(*bone) < 0.995)
        .map(|bone| format!("{} {:.0} %", bone.name(), motion.muscles.share(bone) * 100.0))
        .collect();
    if !weak.is_empty() {
        lines.push(format!("muscle left: {}", weak.join(", ")));
    }
    let others = Part::ALL.into_iter().map(|part| (part, motion.part_mode(part))).filter(|(_, mode)| *mode != Mode::Animated);
    lines.extend(others.map(|(part, mode)| format!("{} is {}", part.name(), mode.name())));
    lines.extend(owners(figure).into_iter().map(|(owner, bones)| format!("{owner} has {}", bones.join(", "))));
    lines.extend(simrun_sim::trace::words(world, figure, world.step_index()));
    lines.join("\n")
}

/// What a contact's other side is.
pub(crate) fn touched(touched: Touched) -> (Thing, Option<Bone>) {
    match touched {
        Touched::Object(key) => (Thing::Object(handle_of(key)), None),
        Touched::Figure(key, body) => (Thing::Figure(handle_of(key)), Bone::from_index(body)),
    }
}

/// `fixed`, `kinematic` or `dynamic`.
pub(crate) const fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Fixed => "fixed",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Dynamic => "dynamic",
    }
}

/// `(1.00, 0.00, 2.50)`
pub(crate) fn vector(v: glam::Vec3) -> String {
    format!("({:.2}, {:.2}, {:.2})", v.x, v.y, v.z)
}
