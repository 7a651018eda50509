//! The points where two forms are near each other, each pair by itself and without memory.

use super::flat::{Over, under};
use crate::space::Vec3;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::parry::query::details::NormalConstraints;
use rapier3d::parry::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use rapier3d::parry::shape::{PackedFeatureId, Triangle, TrianglePseudoNormals};
use rapier3d::prelude::*;

/// A form where it is.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) shape: &'a dyn Shape,
    /// World from form.
    pub(super) pose: &'a Pose,
    /// Which of its body's forms it is.
    pub(super) index: u8,
}

/// As a [`NearPoint`](crate::solve::detected::NearPoint), without whose it is.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) id: u64,
    pub(super) on_one: Vec3,
    pub(super) on_two: Vec3,
    /// Out of two into one.
    pub(super) normal: Vec3,
    pub(super) distance: f32,
}

type Manifold = ContactManifold<(), ()>;

/// Finds points, with room that is used again.
#[derive(Default)]
pub(super) struct Finder {
    /// What the last search found, ordered by id.
    pub(super) points: Vec<Point>,
    pub(super) spare: Vec<Point>,
    manifold: Manifold,
}

/// Bits of an id for each feature and for a triangle; above them are the indices of both forms.
const FEATURE_BITS: u32 = 12;
const PART_BITS: u32 = 24;

/// The part of an id that tells which corners, edges and faces meet.
pub(super) fn pack_features(one: PackedFeatureId, two: PackedFeatureId) -> u64 {
    let pack = |feature: PackedFeatureId| {
        // What is not known comes last: of two points in one place the other stays.
        if feature.is_unknown() { 0xfff } else { u64::from((feature.0 >> 30 << 10) | (feature.0 & 0x3ff)) }
    };
    (pack(one) << FEATURE_BITS) | pack(two)
}

impl Finder {
    /// Whether the last search found anything.
    pub(super) fn found(&self) -> bool {
        !self.points.is_empty()
    }

    /// Finds the points of two forms within a margin (m): at most four for each way that they face each other.
    pub(super) fn find(&mut self, one: Side<'_>, two: Side<'_>, margin: f32) {
        self.points.clear();
        let two_from_one = two.pose.inv_mul(one.pose);
        match under(one.shape, two.shape, &two_from_one, margin) {
            Over::Apart => return,
            Over::Face(normal, height, face) => {
                self.over_face(&one, &two, &two_from_one, (normal, height, face), margin, false);
                return self.finish(&one, &two);
            }
            Over::Other => {}
        }
        let one_from_two = two_from_one.inverse();
        match under(two.shape, one.shape, &one_from_two, margin) {
            Over::Apart => return,
            Over::Face(normal, height, face) => {
                self.over_face(&two, &one, &one_from_two, (normal, height, face), margin, true);
                return self.finish(&one, &two);
            }
            Over::Other => {}
        }
        match (is_surface(one.shape), is_surface(two.shape)) {
            (false, false) => {
                self.anew();
                let pos12 = &one_from_two;
                let found = DefaultQueryDispatcher.contact_manifold_convex_convex(
                    pos12,
                    one.shape,
                    two.shape,
                    None,
                    None,
                    margin,
                    &mut self.manifold,
                );
                if found.is_ok() {
                    take(&self.manifold, &one, &two, 0, margin, false, &mut self.points);
                }
            }
            (false, true) => self.over_triangles(&one, &two, &two_from_one, margin, false, 0),
            (true, false) => self.over_triangles(&two, &one, &one_from_two, margin, true, 0),
            (true, true) => self.surfaces(&one, &two, &one_from_two, margin),
        }
        self.reduce();
        self.finish(&one, &two);
    }

    /// A manifold without memory.
    fn anew(&mut self) {
        self.manifold.clear();
        (self.manifold.local_n1, self.manifold.local_n2) = (Vec3::ZERO, Vec3::ZERO);
    }

    /// The points of a form and each triangle of a surface near it; `flipped` says that the surface is the pair's `one`. `part` tells
    /// the form from others that are told of the same way.
    fn over_triangles(
        &mut self,
        form: &Side<'_>,
        surface: &Side<'_>,
        surface_from_form: &Pose,
        margin: f32,
        flipped: bool,
        part: u32,
    ) {
        let bounds = form.shape.compute_aabb(surface_from_form).loosened(margin);
        let form_from_surface = surface_from_form.inverse();
        each_triangle(surface.shape, &bounds, |id, triangle, constraints| {
            self.anew();
            let found = DefaultQueryDispatcher.contact_manifold_convex_convex(
                &form_from_surface,
                form.shape,
                triangle,
                None,
                constraints,
                margin,
                &mut self.manifold,
            );
            if found.is_ok() {
                take(&self.manifold, form, surface, id.wrapping_add(part), margin, flipped, &mut self.points);
            }
        });
    }

    /// Two surfaces of triangles: each triangle of `two` by itself.
    fn surfaces(&mut self, one: &Side<'_>, two: &Side<'_>, one_from_two: &Pose, margin: f32) {
        let bounds = one.shape.compute_aabb(&one_from_two.inverse()).loosened(margin);
        each_triangle(two.shape, &bounds, |id, triangle, _| {
            let form = Side { shape: triangle, ..*two };
            self.over_triangles(&form, one, one_from_two, margin, true, id.wrapping_mul(0x9e37));
        });
    }

    /// Orders the points by id and makes ids unique.
    fn finish(&mut self, one: &Side<'_>, two: &Side<'_>) {
        self.points.sort_unstable_by(|a, b| a.id.cmp(&b.id).then_with(|| order_in_space(a, b)));
        let forms = (u64::from(one.index) << 56) | (u64::from(two.index) << 48);
        let mut last = None;
        for point in &mut self.points {
            point.id |= forms;
            if let Some(last) = last.filter(|last| *last >= point.id) {
                point.id = last + 1;
            }
            last = Some(point.id);
        }
    }
}

fn is_surface(shape: &dyn Shape) -> bool {
    matches!(shape.shape_type(), ShapeType::TriMesh | ShapeType::HeightField)
}

fn as_constraints(normals: &TrianglePseudoNormals) -> &dyn NormalConstraints {
    normals
}

/// Looks at each triangle of a surface whose box meets `bounds`, with the directions that a contact with it may have.
fn each_triangle(surface: &dyn Shape, bounds: &Aabb, mut look: impl FnMut(u32, &Triangle, Option<&dyn NormalConstraints>)) {
    if let Some(mesh) = surface.as_trimesh() {
        for id in mesh.bvh().intersect_aabb(bounds) {
            look(id, &mesh.triangle(id), mesh.triangle_normal_constraints(id).as_ref().map(as_constraints));
        }
    } else if let Some(field) = surface.as_heightfield() {
        field.map_elements_in_local_aabb(bounds, &mut |id, triangle: &Triangle| {
            look(id, triangle, field.triangle_normal_constraints(id).as_ref().map(as_constraints));
        });
    }
}

/// For points that have the same features.
pub(super) fn order_in_space(a: &Point, b: &Point) -> std::cmp::Ordering {
    let key = |point: &Point| [point.distance, point.on_one.x, point.on_one.y, point.on_one.z];
    key(a).iter().zip(key(b)).map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}

/// Takes a manifold's points over into the world. `first` and `second` are the manifold's; `flipped` says that the pair's `one` is the
/// second.
fn take(
    manifold: &Manifold,
    first: &Side<'_>,
    second: &Side<'_>,
    part: u32,
    margin: f32,
    flipped: bool,
    points: &mut Vec<Point>,
) {
    let within = |pose: Option<&Pose>, side: &Side<'_>| pose.map_or(*side.pose, |inner| *side.pose * *inner);
    let (first, second) = (within(manifold.subshape_pos1(), first), within(manifold.subshape_pos2(), second));
    // Out of the first.
    let normal = first.rotation * manifold.local_n1;
    let is_one = normal.length_squared() > 0.5;
    if manifold.points.is_empty() || !is_one {
        return;
    }
    let part = u64::from(part & ((1 << PART_BITS) - 1)) << PART_BITS;
    for contact in manifold.points.iter().filter(|contact| contact.dist <= margin) {
        let (on_first, on_second) = (first * contact.local_p1, second * contact.local_p2);
        let distance = contact.dist;
        points.push(if flipped {
            let id = part | pack_features(contact.fid2, contact.fid1);
            Point { id, on_one: on_second, on_two: on_first, normal, distance }
        } else {
            let id = part | pack_features(contact.fid1, contact.fid2);
            Point { id, on_one: on_first, on_two: on_second, normal: -normal, distance }
        });
    }
}
