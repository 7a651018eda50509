//! What a figure feels in the first step of its life: the ground that it was put on bears it, as if it had stood there before.
//!
//! Contacts are those of the step before, and there was none. Without this, nobody has a balance in the first step, and a blow given then
//! fells whom the same blow later does not.

use crate::figure::{Bone, Ragdoll};
use crate::id::handle_of;
use crate::motion::Mode;
use crate::solve::boundary::{Contact, Touched};
use crate::space::Vec3;
use crate::world::{Figure, World};

/// How far (m) the ground under a sole's corner may be from it: what a figure put on the ground by eye is off by.
const NEAR: f32 = 0.02;

/// Every powered figure that has not been solved yet.
pub(crate) fn run(world: &mut World) {
    for index in 0..world.order().len() {
        let handle = world.order()[index];
        let Ok(figure) = world.figure(handle) else { continue };
        if figure.solved.bodies.is_empty() && figure.mode() == Mode::Powered {
            let contacts = under_soles(world, figure);
            if let Some(figure) = world.figure_mut(handle) {
                figure.solved.contacts = contacts;
            }
        }
    }
}

/// The corners of its soles that something fixed is under, each with as much of its weight.
fn under_soles(world: &World, figure: &Figure) -> Vec<Contact> {
    let (Ok(ragdoll), Some(body)) = (&figure.model.ragdoll, &figure.body) else { return Vec::new() };
    let mut found = Vec::new();
    for (side, bone) in [Bone::ShinL, Bone::ShinR].into_iter().enumerate() {
        let corners = ragdoll.sole(side, body.bodies[bone.index()].pose, figure.bent()[side]);
        found.extend(corners.into_iter().filter_map(|corner| under(world, ragdoll, bone, corner)));
    }
    let settings = world.settings();
    let weight = ragdoll.mass * settings.gravity.length() / settings.step_hz;
    let share = weight / found.len().max(1) as f32;
    found.iter_mut().for_each(|contact| contact.impulse = share);
    found
}

fn under(world: &World, ragdoll: &Ragdoll, bone: Bone, corner: Vec3) -> Option<Contact> {
    let hit = world.fixed_under(corner + Vec3::Y * NEAR, 2.0 * NEAR)?;
    let Touched::Object(key) = hit.what else { return None };
    let ground = world.object(handle_of(key)).ok()?.friction;
    let shapes = ragdoll.topology.bodies[bone.index()].shapes.iter();
    let friction = shapes.map(|shape| shape.friction).fold(ground, f32::min);
    let (point, normal) = (corner, hit.normal);
    Some(Contact { body: bone.index(), other: hit.what, point, normal, impulse: 0.0, friction, closing: 0.0, fresh: false })
}
