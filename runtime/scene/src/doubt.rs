//! What a scene says that can be run, and is hardly meant.

use crate::code::Code;
use crate::format::{Object, Scene};
use crate::problem::Flaw;
use simrun_sim::solve::boundary::Shape as Form;
use simrun_sim::space::Vec3;
use std::collections::BTreeMap;

/// The behaviour that turns the head to what a figure looks at.
const LOOK: &str = "look";
/// How far (m) out of its item's bounds a grip is a handle still.
const HANDLE: f32 = 0.05;
/// The most that is carried in the hands (kg): people are advised to lift no more than 25 kg.
const HEAVY: f32 = 25.0;

/// Everything doubtful.
pub(crate) fn doubts(scene: &Scene) -> Vec<Flaw> {
    let mut doubts = Vec::new();
    let mut doubt = |path: String, found: String, accepted: &str| {
        doubts.push(Flaw::new(Code::Doubtful, path, found, accepted));
    };
    for (index, object) in scene.objects.iter().enumerate().filter(|(_, object)| !object.grips.is_empty()) {
        let at = format!("objects[{index}]");
        for name in object.grips.keys() {
            let off = off(object, name);
            if off > HANDLE {
                let found = format!("a grip {off:.2} m off its item: hands hold what they do not touch");
                doubt(format!("{at}.grips.{name}"), found, "a grip on it, in its own frame");
            }
        }
        if let Some(mass) = object.mass.filter(|mass| *mass > HEAVY) {
            doubt(format!("{at}.mass"), format!("{mass} kg with grips: it is held all the same"), "up to 25 kg in hands");
        }
    }
    let mut places: BTreeMap<[u32; 3], &str> = BTreeMap::new();
    for (index, figure) in scene.figures.iter().enumerate() {
        if figure.look_at.is_some() && !figure.behaviours.iter().any(|behaviour| behaviour.script == LOOK) {
            let found = format!("look_at without the behaviour \"{LOOK}\": the head does not turn");
            doubt(format!("figures[{index}].look_at"), found, "\"look\" among its behaviours");
        }
        if let Some(other) = places.insert(figure.position.map(f32::to_bits), &figure.name) {
            let found = format!("the place where \"{other}\" stands too: they are thrust apart");
            doubt(format!("figures[{index}].position"), found, "a place of its own");
        }
    }
    doubts
}

/// How far (m) a grip is out of an item's bounds.
fn off(object: &Object, grip: &str) -> f32 {
    let (Some([least, most]), Some(grip)) = (Form::from(&object.shape).bounds(), object.grips.get(grip)) else { return 0.0 };
    let grip = Vec3::from_array(*grip);
    grip.distance(grip.clamp(least, most))
}
