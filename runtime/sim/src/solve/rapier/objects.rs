//! The scene's things: roads, cars, crates.

use super::{FRICTION_RULE, pack, to_pose};
use crate::solve::boundary::{BodyKind, ObjectDef, Shape, Touched};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;

/// A form as rapier has it, or `None` for one that has no volume or surface.
pub(super) fn shared_shape(shape: &Shape) -> Option<SharedShape> {
    Some(match shape {
        Shape::Box(size) => SharedShape::cuboid(size.x * 0.5, size.y * 0.5, size.z * 0.5),
        Shape::Sphere(radius) => SharedShape::ball(*radius),
        Shape::Capsule { a, b, radius } => SharedShape::capsule(*a, *b, *radius),
        Shape::Cylinder { height, radius } => SharedShape::cylinder(height * 0.5, *radius),
        Shape::Plane => SharedShape::halfspace(Vector::Y),
        Shape::Heightfield { rows, heights, size } => {
            let columns = heights.len() / (*rows).max(1);
            let cells = Array2::new(*rows, columns, column_major(*rows, columns, heights));
            SharedShape::heightfield(cells, *size)
        }
        Shape::Mesh { points, triangles } => SharedShape::trimesh(points.clone(), triangles.clone()).ok()?,
    })
}

fn column_major(rows: usize, columns: usize, heights: &[f32]) -> Vec<f32> {
    (0..columns).flat_map(|column| (0..rows).map(move |row| heights[row * columns + column])).collect()
}

pub(super) fn insert(world: &mut PhysicsWorld, key: u64, object: &ObjectDef) -> RigidBodyHandle {
    let body = match object.kind {
        BodyKind::Fixed => RigidBodyBuilder::fixed(),
        BodyKind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
        BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
    };
    let body = world.insert_body(body.pose(to_pose(object.pose)));
    if let Some(shape) = shared_shape(&object.shape) {
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
