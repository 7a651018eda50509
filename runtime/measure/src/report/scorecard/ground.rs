//! Figures under the ground.

use super::Found;
use simrun_sim::World;
use simrun_sim::figure::{BONES, Bone};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Rigid, Vec3};

/// A bone's middle this far (m) under the ground's surface is through it: more than a bone is thick.
const THROUGH: f32 = 0.3;
/// Below this height (m) nothing is on a scene's ground.
const ABYSS: f32 = -1.0;

/// The lowest bone of a pose, if one is under the ground.
pub fn fallen_through(world: &World, pose: &[Rigid; BONES]) -> Option<Found<'static>> {
    let places = Bone::ALL.into_iter().map(|bone| (bone, pose[bone.index()].translation));
    let through = places.filter(|(_, place)| is_through(world, *place));
    Found::worst(through.map(|(bone, place)| (bone, f64::from(-place.y))), f64::NEG_INFINITY, "m down")
}

/// Whether a point lies deep in the ground: a fixed plane or box, or the abyss.
fn is_through(world: &World, point: Vec3) -> bool {
    let in_ground = |shape: &Shape, local: Vec3| match shape {
        Shape::Plane => local.y < -THROUGH,
        Shape::Box(size) => {
            let half = *size * 0.5;
            local.x.abs() < half.x && local.z.abs() < half.z && local.y > -half.y && local.y < half.y - THROUGH
        }
        _ => false,
    };
    point.y < ABYSS
        || world
            .objects()
            .any(|object| object.kind == BodyKind::Fixed && in_ground(&object.shape, object.pose.inverse().point(point)))
}
