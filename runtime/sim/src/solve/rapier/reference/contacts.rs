//! Contacts of figures, read after a step.

use super::figure::FigureBodies;
use super::{RapierSolver, state_of, unpack};
use crate::solve::boundary::{BodyState, Contact, FigureOutput};
use crate::space::Vec3;
use rapier3d::prelude::*;

/// How bodies moved before the step: what they closed at when they met.
pub(super) struct Before {
    /// By the handle's index.
    states: Vec<BodyState>,
}

impl Before {
    pub(super) fn of(solver: &RapierSolver) -> Self {
        let mut states = Vec::new();
        for (handle, body) in solver.world.bodies.iter() {
            let index = handle.into_raw_parts().0 as usize;
            states.resize(states.len().max(index + 1), BodyState::default());
            states[index] = state_of(body);
        }
        Self { states }
    }

    fn velocity_at(&self, body: Option<RigidBodyHandle>, point: Vec3) -> Vec3 {
        body.and_then(|handle| self.states.get(handle.into_raw_parts().0 as usize))
            .map_or(Vec3::ZERO, |state| state.linear + state.angular.cross(point - state.pose.translation))
    }
}

/// The deepest point of a pair.
struct Deepest {
    distance: f32,
    point: Vec3,
    normal: Vec3,
    friction: f32,
}

/// Fills in the contacts of one figure, ordered by body and by what they touch.
pub(super) fn read(world: &PhysicsWorld, figure: &mut FigureBodies, before: &Before, output: &mut FigureOutput) {
    output.contacts.clear();
    let mut touching = Vec::new();
    for (index, handle) in figure.bodies.iter().enumerate() {
        for collider in world.bodies[*handle].colliders() {
            for pair in world.contact_pairs_with(*collider) {
                read_pair(world, index, *collider, pair, figure, before, output, &mut touching);
            }
        }
    }
    output.contacts.sort_by_key(|contact| (contact.body, order_of(contact)));
    touching.sort_unstable();
    touching.dedup();
    figure.touching = touching;
}

fn order_of(contact: &Contact) -> u128 {
    super::pack(contact.other)
}

#[allow(clippy::too_many_arguments, reason = "one call site: the inside of a loop over pairs")]
fn read_pair(
    world: &PhysicsWorld,
    body: usize,
    own: ColliderHandle,
    pair: &ContactPair,
    figure: &FigureBodies,
    before: &Before,
    output: &mut FigureOutput,
    touching: &mut Vec<(usize, u128)>,
) {
    let first = pair.collider1 == own;
    let other = if first { pair.collider2 } else { pair.collider1 };
    let data = world.colliders[other].user_data;
    let mut impulse = 0.0;
    let mut best: Option<Deepest> = None;
    for manifold in pair.solver_manifolds() {
        for contact in &manifold.points {
            impulse += contact.data.impulse;
        }
        let normal = if first { -manifold.data.normal } else { manifold.data.normal };
        for contact in &manifold.data.solver_contacts {
            if best.as_ref().is_none_or(|deepest| contact.dist < deepest.distance) {
                let (one, two) = manifold.data.solver_contact_world_points(contact, &world.bodies);
                let point = (one + two) * 0.5;
                best = Some(Deepest { distance: contact.dist, point, normal, friction: manifold.data.friction });
            }
        }
    }
    let Some(Deepest { distance, point, normal, friction }) = best else { return };
    if impulse <= 0.0 && distance > 0.0 {
        return;
    }
    let relative =
        before.velocity_at(world.colliders[own].parent(), point) - before.velocity_at(world.colliders[other].parent(), point);
    let key = (body, data);
    output.contacts.push(Contact {
        body,
        other: unpack(data),
        point,
        normal,
        impulse,
        friction,
        closing: (-relative.dot(normal)).max(0.0),
        fresh: figure.touching.binary_search(&key).is_err(),
    });
    touching.push(key);
}
