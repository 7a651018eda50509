//! Questions about where things are.

use super::{RapierSolver, unpack};
use crate::solve::boundary::{self, Gap, RayContact};
use crate::solve::rapier::cast;
use crate::space::{Rigid, Vec3};
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query;
use rapier3d::prelude::*;

pub(super) fn raycast(solver: &RapierSolver, from: Vec3, direction: Vec3, reach: f32, fixed_only: bool) -> Option<RayContact> {
    let ray = Ray::new(from, direction.normalize_or_zero());
    let filter = if fixed_only { QueryFilter::only_fixed() } else { QueryFilter::default() };
    let (collider, hit) = solver.world.query_pipeline_with_filter(filter).cast_ray_and_get_normal(&ray, reach, true)?;
    let what = unpack(solver.world.colliders[collider].user_data);
    Some(RayContact { distance: hit.time_of_impact, normal: hit.normal, what })
}

pub(super) fn cast_down(
    solver: &RapierSolver,
    forms: &[(&boundary::Shape, Rigid)],
    reach: f32,
    but: Option<u64>,
) -> Option<(f32, u64)> {
    let colliders = |body: RigidBodyHandle| solver.world.bodies[body].colliders().iter();
    let things = solver.objects.iter().filter(|(key, _)| but != Some(**key)).flat_map(|(key, body)| {
        colliders(*body).map(|handle| &solver.world.colliders[*handle]).map(|it| (*key, it.shape(), *it.position()))
    });
    cast::down(things, forms, reach)
}

pub(super) fn gap(solver: &RapierSolver, figure: u64, object: u64, margin: f32) -> Option<Gap> {
    let figure = solver.figures.get(&figure)?;
    let object = solver.objects.get(&object)?;
    let colliders_of =
        |body: RigidBodyHandle| solver.world.bodies[body].colliders().iter().map(|handle| &solver.world.colliders[*handle]);
    let mut nearest: Option<Gap> = None;
    for (body, handle) in figure.bodies.iter().enumerate() {
        for own in colliders_of(*handle) {
            for other in colliders_of(*object) {
                // Boxes first: most figures are nowhere near.
                if !other.compute_aabb().loosened(margin).intersects(&own.compute_aabb()) {
                    continue;
                }
                let found = query::contact(own.position(), own.shape(), other.position(), other.shape(), margin);
                let Ok(Some(found)) = found else { continue };
                let distance = found.dist.max(0.0);
                if nearest.is_none_or(|known| distance < known.distance) {
                    nearest = Some(Gap { body, distance, on_body: found.point1, on_object: found.point2 });
                }
            }
        }
    }
    nearest
}
