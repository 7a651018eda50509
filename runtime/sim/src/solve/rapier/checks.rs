//! What a world of rapier's must be to be taken over from bytes, as far as rapier shows it.

use rapier3d::prelude::*;

/// More than a world may fall (m/s²).
const HEAVIEST: f32 = 1.0e5;
/// More sub-steps and sweeps than a world may ask for.
const MOST_ITERATIONS: usize = 256;

/// Whether its gravity is one.
pub(super) fn falls(world: &PhysicsWorld) -> bool {
    world.gravity.is_finite() && world.gravity.length() <= HEAVIEST
}

/// Whether every body and form is somewhere, and every form a body's.
pub(super) fn is_somewhere(world: &PhysicsWorld) -> bool {
    let placed = world.bodies.iter().all(|(_, body)| is_placed(body));
    let shaped = world.colliders.iter().all(|(_, collider)| is_shaped(collider));
    let parented = world.colliders.iter().all(|(handle, collider)| {
        let body = collider.parent().and_then(|parent| world.bodies.get(parent));
        body.is_some_and(|body| body.colliders().contains(&handle))
    });
    placed && shaped && parented
}

/// Whether a body is there, with forms that say whose they are.
pub(super) fn is_own(world: &PhysicsWorld, body: RigidBodyHandle, own: impl Fn(&Collider) -> bool) -> bool {
    let colliders = world.bodies.get(body).map(RigidBody::colliders);
    colliders.is_some_and(|handles| {
        handles.iter().all(|handle| {
            let collider = world.colliders.get(*handle);
            collider.is_some_and(|collider| collider.parent() == Some(body) && own(collider))
        })
    })
}

/// Whether two lists hold the same keys; the first is in their order.
pub(super) fn same<'a>(found: impl ExactSizeIterator<Item = &'a u64>, wanted: &[u64]) -> bool {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    found.len() == wanted.len() && found.eq(&wanted)
}

/// Finite, and not solved for longer than any figure is.
fn is_placed(body: &RigidBody) -> bool {
    let finite = body.position().translation.is_finite()
        && body.position().rotation.is_finite()
        && body.linvel().is_finite()
        && body.angvel().is_finite()
        && body.mass().is_finite();
    finite && body.additional_solver_iterations() <= MOST_ITERATIONS && body.additional_pgs_iterations() <= MOST_ITERATIONS
}

/// One of the forms that are made here, somewhere, without what is never asked for.
fn is_shaped(collider: &Collider) -> bool {
    let made = matches!(
        collider.shape().shape_type(),
        ShapeType::Cuboid
            | ShapeType::Ball
            | ShapeType::Capsule
            | ShapeType::Cylinder
            | ShapeType::HalfSpace
            | ShapeType::HeightField
            | ShapeType::TriMesh
    );
    let place = collider.position();
    made && !collider.is_sensor()
        && place.translation.is_finite()
        && place.rotation.is_finite()
        && collider.friction().is_finite()
}
