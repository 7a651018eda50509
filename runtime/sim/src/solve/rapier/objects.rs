//! The scene's things: roads, cars, crates.

use super::shapes::{Edges, shared_shape};
use super::{FRICTION_RULE, pack, to_pose};
use crate::solve::boundary::{BodyKind, ObjectDef, Touched};
use rapier3d::prelude::*;

pub(super) fn insert(world: &mut PhysicsWorld, key: u64, object: &ObjectDef, edges: Edges) -> RigidBodyHandle {
    let body = match object.kind {
        BodyKind::Fixed => RigidBodyBuilder::fixed(),
        BodyKind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
        BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
    };
    let body = world.insert_body(body.pose(to_pose(object.pose)));
    if let Some(shape) = shared_shape(&object.shape, edges) {
        let collider = ColliderBuilder::new(shape)
            .friction(object.friction)
            .friction_combine_rule(FRICTION_RULE)
            .restitution(object.restitution)
            .restitution_combine_rule(CoefficientCombineRule::Max)
            .mass(if object.kind == BodyKind::Dynamic { object.mass } else { 0.0 })
            .user_data(pack(Touched::Object(key)));
        world.insert_collider(collider, Some(body));
        world.bodies[body].recompute_mass_properties_from_colliders(&world.colliders);
    }
    body
}
