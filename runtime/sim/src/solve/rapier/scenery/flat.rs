//! Forms over something flat: a plane, or the face of a box that is wider than they are. No search is needed there, and the points are
//! the same corners from step to step.

use super::narrow::{Finder, Point, Side, pack_features};
use crate::space::Vec3;
use rapier3d::parry::shape::{Cuboid, PackedFeatureId, PolygonalFeature, ShapeType};
use rapier3d::prelude::*;

/// Sine of the tilt under which a cylinder stands upright.
const UPRIGHT: f32 = 0.05;

/// What a form is over.
pub(super) enum Over {
    /// Nothing within the margin.
    Apart,
    /// A face: its normal in the other form's frame, its height along it (m), and which it is.
    Face(Vec3, f32, u32),
    /// Something that has to be looked at closely.
    Other,
}

/// What is under `upper`, as far as `lower` says it at once. `lower_from_upper` is where one is in the other's frame.
pub(super) fn under(upper: &dyn Shape, lower: &dyn Shape, lower_from_upper: &Pose, margin: f32) -> Over {
    let known = matches!(upper.shape_type(), ShapeType::Ball | ShapeType::Cuboid | ShapeType::Capsule | ShapeType::Cylinder);
    if !known {
        return Over::Other;
    }
    if let Some(plane) = lower.as_halfspace() {
        return Over::Face(plane.normal, 0.0, 0);
    }
    let Some(block) = lower.as_cuboid() else { return Over::Other };
    under_block(upper, block, lower_from_upper, margin)
}

/// The face of a box that a form is over, if all of it is, and no other way out is shorter: then its normal is the contact's.
fn under_block(upper: &dyn Shape, block: &Cuboid, lower_from_upper: &Pose, margin: f32) -> Over {
    let bounds = upper.compute_aabb(lower_from_upper);
    let (centre, half) = (bounds.center(), bounds.half_extents());
    // Along each axis: the gap, which is less than 0 where they overlap.
    let gap = centre.abs() - half - block.half_extents;
    let axis = gap.max_position();
    if gap[axis] > margin {
        return Over::Apart;
    }
    let inside = (-gap[axis]).max(0.0);
    let slack = block.half_extents - centre.abs() - half;
    if (0..3).any(|other| other != axis && slack[other] < inside) {
        return Over::Other;
    }
    let mut normal = Vec3::ZERO;
    normal[axis] = if centre[axis] < 0.0 { -1.0 } else { 1.0 };
    let face = axis as u32 * 2 + u32::from(centre[axis] < 0.0);
    Over::Face(normal, block.half_extents[axis], face)
}

impl Finder {
    /// The points of `upper` over a face of `lower`; `flipped` says that `lower` is the pair's `one`.
    pub(super) fn over_face(
        &mut self,
        upper: &Side<'_>,
        lower: &Side<'_>,
        lower_from_upper: &Pose,
        (normal, height, face): (Vec3, f32, u32),
        margin: f32,
        flipped: bool,
    ) {
        let world = lower.pose.rotation * normal;
        let face = PackedFeatureId::face(face);
        let mut push = |corner: Vec3, radius: f32, feature: PackedFeatureId| {
            let distance = (*lower_from_upper * corner).dot(normal) - height - radius;
            if distance <= margin {
                let on_upper = *upper.pose * corner - world * radius;
                let on_lower = on_upper - world * distance;
                let id = if flipped { pack_features(face, feature) } else { pack_features(feature, face) };
                self.points.push(if flipped {
                    Point { id, on_one: on_lower, on_two: on_upper, normal: -world, distance }
                } else {
                    Point { id, on_one: on_upper, on_two: on_lower, normal: world, distance }
                });
            }
        };
        if let Some(ball) = upper.shape.as_ball() {
            push(Vec3::ZERO, ball.radius, PackedFeatureId::face(0));
            return;
        }
        let Some((form, radius)) = upper.shape.as_polygonal_feature_map() else { return };
        let down = lower_from_upper.rotation.conjugate() * -normal;
        let mut feature = PolygonalFeature::default();
        if upper.shape.shape_type() == ShapeType::Cylinder && libm::hypotf(down.x, down.z) < UPRIGHT {
            // The corners of a cap that lies flat would turn with the least tilt.
            form.local_support_feature_toward(down, Vec3::X, &mut feature);
        } else {
            form.local_support_feature(down, &mut feature);
        }
        for corner in 0..feature.num_vertices {
            push(feature.vertices[corner], radius, feature.vids[corner]);
        }
    }
}
