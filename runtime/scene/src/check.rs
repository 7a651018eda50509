//! What a scene says that JSON alone cannot refuse: ranges, names, what belongs together. Every problem is found, not the first.

use crate::code::Code;
use crate::format::{Behaviour, Body, Figure, Motion, Object, Scene, Shape, World};
use crate::problem::Flaw;
use simrun_sim::{MotionRecord, Part, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Positions beyond this lose millimetres in single precision (m).
pub(crate) const FAR: f32 = 10_000.0;
/// Least size of anything (m): below it contacts are lost between two steps.
const LEAST_SIZE: f32 = 0.001;
/// Most objects and figures of a scene, and most heights of a field: more is a mistake, or meant to fill the memory.
const MOST_THINGS: usize = 10_000;
const MOST_HEIGHTS: usize = 1 << 20;
/// A day or more of anything counted in seconds is a slip of units.
pub(crate) const LONG: f32 = 86_400.0;
/// Most of what a figure does of its own (s), as the simulation accepts it.
const WHILE: f32 = 600.0;

/// Every flaw of a scene.
pub(crate) fn check(scene: &Scene) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    if let Some(seconds) = scene.seconds {
        within(&mut flaws, "seconds", seconds, 0.0..=LONG, "s");
    }
    world(&mut flaws, &scene.world);
    for (index, object) in scene.objects.iter().enumerate() {
        self::object(&mut flaws, &format!("objects[{index}]."), object);
    }
    for (index, figure) in scene.figures.iter().enumerate() {
        self::figure(&mut flaws, &format!("figures[{index}]."), figure);
    }
    for (index, horde) in scene.hordes.iter().enumerate() {
        crate::horde::check(&mut flaws, &format!("hordes[{index}]."), horde);
    }
    names(&mut flaws, scene);
    crate::look::check(&mut flaws, scene);
    crate::held::check(&mut flaws, scene);
    for (path, found) in [("objects", scene.objects.len()), ("figures", scene.figures.len()), ("hordes", scene.hordes.len())] {
        if found > MOST_THINGS {
            flaws.push(Flaw::new(Code::TooMany, path, found.to_string(), format!("up to {MOST_THINGS}")));
        }
    }
    flaws
}

fn world(flaws: &mut Vec<Flaw>, world: &World) {
    vector(flaws, "world.gravity", world.gravity, 1000.0, "m/s²");
    within(flaws, "world.step_hz", world.step_hz, 30.0..=480.0, "steps a second");
    if !(1..=64).contains(&world.substeps) {
        flaws.push(Flaw::new(Code::Range, "world.substeps", world.substeps.to_string(), "1 to 64"));
    }
}

fn names(flaws: &mut Vec<Flaw>, scene: &Scene) {
    let objects = scene.objects.iter().enumerate().map(|(index, object)| (format!("objects[{index}].name"), &object.name));
    let figures = scene.figures.iter().enumerate().map(|(index, figure)| (format!("figures[{index}].name"), &figure.name));
    let hordes = scene.hordes.iter().enumerate().map(|(index, horde)| (format!("hordes[{index}].name"), &horde.name));
    let mut first: BTreeMap<&str, String> = BTreeMap::new();
    for (path, name) in objects.chain(figures).chain(hordes) {
        if name.trim().is_empty() {
            flaws.push(Flaw::new(Code::Name, path, "an empty name", "a name"));
        } else if let Some(earlier) = first.get(name.as_str()) {
            let found = format!("the name \"{name}\", which {earlier} has already");
            flaws.push(Flaw::new(Code::Name, path, found, "a name that no other object, figure or horde has"));
        } else {
            first.insert(name, path);
        }
    }
}

fn object(flaws: &mut Vec<Flaw>, at: &str, object: &Object) {
    vector(flaws, &format!("{at}position"), object.position, FAR, "m");
    within(flaws, &format!("{at}yaw_deg"), object.yaw_deg, -360.0..=360.0, "degrees");
    within(flaws, &format!("{at}friction"), object.friction, 0.0..=2.0, "");
    within(flaws, &format!("{at}restitution"), object.restitution, 0.0..=1.0, "");
    if let Some(rotation) = object.rotation {
        let length = rotation.iter().map(|part| part * part).sum::<f32>().sqrt();
        // A hundredth: numbers written by hand with two digits.
        if !(0.99..=1.01).contains(&length) {
            let path = format!("{at}rotation");
            flaws.push(Flaw::new(Code::Range, path, format!("a quaternion of length {length}"), "x, y, z, w of length 1"));
        }
        if object.yaw_deg != 0.0 {
            flaws.push(Flaw::new(Code::Conflict, format!("{at}yaw_deg"), "yaw_deg beside rotation", "one of the two"));
        }
    }
    match (object.body, object.mass) {
        (Body::Dynamic, None) => {
            flaws.push(Flaw::new(Code::Conflict, format!("{at}mass"), "a dynamic body without a mass", "kilograms"))
        }
        (_, Some(mass)) => within(flaws, &format!("{at}mass"), mass, 0.001..=1.0e6, "kg"),
        _ => {}
    }
    shape(flaws, &format!("{at}shape"), object);
    crate::held::grips(flaws, at, object);
    for (name, param) in &object.params {
        finite(flaws, &format!("{at}params.{name}"), &param.0);
    }
}

fn shape(flaws: &mut Vec<Flaw>, at: &str, object: &Object) {
    let mut size = |path: String, size: f32| within(flaws, &path, size, LEAST_SIZE..=FAR, "m");
    match &object.shape {
        Shape::Box(sizes) => {
            for (axis, extent) in sizes.iter().enumerate() {
                size(format!("{at}.box[{axis}]"), *extent);
            }
        }
        Shape::Sphere(radius) => size(format!("{at}.sphere"), *radius),
        Shape::Cylinder { height, radius } => {
            size(format!("{at}.cylinder.height"), *height);
            size(format!("{at}.cylinder.radius"), *radius);
        }
        Shape::Capsule { a, b, radius } => {
            size(format!("{at}.capsule.radius"), *radius);
            vector(flaws, &format!("{at}.capsule.a"), *a, FAR, "m");
            vector(flaws, &format!("{at}.capsule.b"), *b, FAR, "m");
        }
        Shape::Plane => {}
        Shape::Heightfield { rows, heights, size } => heightfield(flaws, &format!("{at}.heightfield"), *rows, heights, *size),
    }
    let flat = matches!(object.shape, Shape::Plane | Shape::Heightfield { .. });
    if flat && object.body == Body::Dynamic {
        flaws.push(Flaw::new(
            Code::Conflict,
            at,
            "a plane or a heightfield that is pushed",
            "a body that is \"fixed\" or \"kinematic\"",
        ));
    }
}

fn heightfield(flaws: &mut Vec<Flaw>, at: &str, rows: usize, heights: &[f32], size: [f32; 3]) {
    if heights.len() > MOST_HEIGHTS {
        return flaws.push(Flaw::new(
            Code::TooMany,
            format!("{at}.heights"),
            heights.len().to_string(),
            format!("up to {MOST_HEIGHTS}"),
        ));
    }
    if rows < 2 || !heights.len().is_multiple_of(rows.max(1)) || heights.len() < rows * 2 {
        let found = format!("{} heights in {rows} rows", heights.len());
        flaws.push(Flaw::new(Code::Range, format!("{at}.heights"), found, "at least two rows of two, all of one length"));
    }
    for (index, height) in heights.iter().enumerate() {
        within(flaws, &format!("{at}.heights[{index}]"), *height, -FAR..=FAR, "m");
    }
    for (axis, extent) in size.iter().enumerate() {
        within(flaws, &format!("{at}.size[{axis}]"), *extent, LEAST_SIZE..=FAR, "m");
    }
}

/// Every flaw of one figure; `at` ends in a dot, or is empty.
pub(crate) fn figure(flaws: &mut Vec<Flaw>, at: &str, figure: &Figure) {
    vector(flaws, &format!("{at}position"), figure.position, FAR, "m");
    within(flaws, &format!("{at}yaw_deg"), figure.yaw_deg, -360.0..=360.0, "degrees");
    within(flaws, &format!("{at}clip_time"), figure.clip_time, 0.0..=LONG, "s");
    if let Some(motion) = &figure.motion {
        self::motion(flaws, &format!("{at}motion."), motion);
    }
    behaviours(flaws, at, &figure.behaviours);
}

/// Every flaw of a list of behaviours.
pub(crate) fn behaviours(flaws: &mut Vec<Flaw>, at: &str, behaviours: &[Behaviour]) {
    let mut seen = BTreeSet::new();
    for (index, Behaviour { script, params }) in behaviours.iter().enumerate() {
        let path = format!("{at}behaviours[{index}]");
        if script.is_empty() {
            flaws.push(Flaw::new(Code::Name, path.as_str(), "an empty name", "a script's name"));
        } else if !seen.insert(script) {
            flaws.push(Flaw::new(
                Code::Conflict,
                path.as_str(),
                format!("the behaviour \"{script}\" a second time"),
                "each behaviour once",
            ));
        }
        for (name, param) in params {
            finite(flaws, &format!("{path}.params.{name}"), &param.0);
        }
    }
}

pub(crate) fn motion(flaws: &mut Vec<Flaw>, at: &str, motion: &Motion) {
    within(flaws, &format!("{at}strength"), motion.strength, 0.0..=1.0, "");
    within(flaws, &format!("{at}writhing"), motion.writhing, 0.0..=WHILE, "s");
    within(flaws, &format!("{at}get_up"), motion.get_up, 0.0..=WHILE, "s");
    within(flaws, &format!("{at}recovery"), motion.recovery, 0.01..=WHILE, "s");
    within(flaws, &format!("{at}anchor"), motion.anchor, 0.0..=10.0, "");
    for (part, record) in Part::ALL.into_iter().zip(MotionRecord::from(motion).parts) {
        within(flaws, &format!("{at}parts.{}.strength", part.name()), record.strength, 0.0..=1.0, "");
    }
}

fn finite(flaws: &mut Vec<Flaw>, path: &str, value: &Value) {
    let is_finite = match value {
        Value::Number(number) => number.is_finite(),
        Value::Vector(vector) => vector.is_finite(),
        Value::List(list) => return list.iter().for_each(|inner| finite(flaws, path, inner)),
        Value::Map(map) => return map.values().for_each(|inner| finite(flaws, path, inner)),
        _ => true,
    };
    if !is_finite {
        flaws.push(Flaw::new(Code::Range, path, "a number beyond what can be kept", "a finite number"));
    }
}

pub(crate) fn vector(flaws: &mut Vec<Flaw>, path: &str, vector: [f32; 3], most: f32, unit: &str) {
    for (axis, part) in vector.iter().enumerate() {
        within(flaws, &format!("{path}[{axis}]"), *part, -most..=most, unit);
    }
}

/// Refuses what is out of range, and with it what is not finite.
pub(crate) fn within(flaws: &mut Vec<Flaw>, path: &str, number: f32, range: RangeInclusive<f32>, unit: &str) {
    if !range.contains(&number) {
        let accepted = format!("{} to {} {unit}", range.start(), range.end());
        flaws.push(Flaw::new(Code::Range, path, number.to_string(), accepted.trim_end()));
    }
}
