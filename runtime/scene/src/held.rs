//! Whether what figures hold is there, has those grips, and is held once.

use crate::check::vector;
use crate::code::Code;
use crate::format::{Body, Holds, Object, Scene, Shape};
use crate::nearest::nearest;
use crate::problem::Flaw;
use std::collections::BTreeMap;

/// Farther than this from an item's middle (m) nobody holds it.
const FARTHEST_GRIP: f32 = 10.0;

/// Flaws of an object's grips.
pub(crate) fn grips(flaws: &mut Vec<Flaw>, at: &str, object: &Object) {
    for (name, grip) in &object.grips {
        let path = format!("{at}grips.{name}");
        if name.trim().is_empty() {
            flaws.push(Flaw::new(Code::Name, path.as_str(), "an empty name", "a grip's name"));
        }
        vector(flaws, &path, *grip, FARTHEST_GRIP, "m");
    }
    let flat = matches!(object.shape, Shape::Plane | Shape::Heightfield { .. });
    if !object.grips.is_empty() && (object.body != Body::Dynamic || flat) {
        let path = format!("{at}grips");
        flaws.push(Flaw::new(
            Code::Conflict,
            path,
            "grips on what nobody can hold",
            "a \"dynamic\" box, sphere, capsule or cylinder",
        ));
    }
}

/// Flaws of what the figures of a scene hold.
pub(crate) fn check(flaws: &mut Vec<Flaw>, scene: &Scene) {
    let mut held: BTreeMap<&str, &str> = BTreeMap::new();
    for (index, figure) in scene.figures.iter().enumerate() {
        let Some(holds) = &figure.holds else { continue };
        let at = format!("figures[{index}].holds");
        if figure.motion.is_none() {
            flaws.push(Flaw::new(
                Code::Conflict,
                at.as_str(),
                "hands of a figure without motion",
                "a \"motion\" record beside it",
            ));
        }
        item(flaws, &at, holds, &scene.objects);
        if let Some(other) = held.insert(&holds.item, &figure.name) {
            let found = format!("\"{}\", which \"{other}\" holds", holds.item);
            flaws.push(Flaw::new(Code::Conflict, format!("{at}.item"), found, "an object that nobody else holds"));
        }
    }
}

fn item(flaws: &mut Vec<Flaw>, at: &str, holds: &Holds, objects: &[Object]) {
    let all = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let Some(object) = objects.iter().find(|object| object.name == holds.item) else {
        let known: Vec<&str> =
            objects.iter().filter(|object| !object.grips.is_empty()).map(|object| object.name.as_str()).collect();
        let flaw = Flaw::new(Code::Name, format!("{at}.item"), format!("no object \"{}\"", holds.item), all(&known));
        return flaws.push(flaw.meaning(nearest(&holds.item, known)));
    };
    let known: Vec<&str> = object.grips.keys().map(String::as_str).collect();
    for (hand, grip) in [("left", &holds.left), ("right", &holds.right)] {
        let Some(grip) = grip.as_ref().filter(|grip| !object.grips.contains_key(*grip)) else { continue };
        let flaw =
            Flaw::new(Code::Name, format!("{at}.{hand}"), format!("no grip \"{grip}\" of \"{}\"", holds.item), all(&known));
        flaws.push(flaw.meaning(nearest(grip, known.iter().copied())));
    }
    if holds.left.is_none() && holds.right.is_none() {
        flaws.push(Flaw::new(Code::MissingField, at, "neither left nor right", format!("a grip for a hand: {}", all(&known))));
    }
}
