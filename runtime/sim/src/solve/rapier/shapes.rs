//! Forms as parry has them.

use crate::solve::boundary::Shape;
use rapier3d::parry::shape::{HeightFieldFlags, TriMeshFlags};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;

/// How contacts with the inner edges of a surface of triangles point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edges {
    /// As each triangle says by itself.
    Plain,
    /// As the surface bends there: an edge between two triangles that lie flat pushes nobody sideways.
    Smooth,
}

/// A form as rapier has it, or `None` for one that has no volume or surface.
pub(super) fn shared_shape(shape: &Shape, edges: Edges) -> Option<SharedShape> {
    Some(match shape {
        Shape::Box(size) => SharedShape::cuboid(size.x * 0.5, size.y * 0.5, size.z * 0.5),
        Shape::Sphere(radius) => SharedShape::ball(*radius),
        Shape::Capsule { a, b, radius } => SharedShape::capsule(*a, *b, *radius),
        Shape::Cylinder { height, radius } => SharedShape::cylinder(height * 0.5, *radius),
        Shape::Plane => SharedShape::halfspace(Vector::Y),
        Shape::Heightfield { rows, heights, size } => {
            let columns = heights.len() / (*rows).max(1);
            let cells = Array2::new(*rows, columns, column_major(*rows, columns, heights));
            let flags = match edges {
                Edges::Plain => HeightFieldFlags::empty(),
                Edges::Smooth => HeightFieldFlags::FIX_INTERNAL_EDGES,
            };
            SharedShape::heightfield_with_flags(cells, *size, flags)
        }
        Shape::Mesh { points, triangles } => {
            let flags = match edges {
                Edges::Plain => TriMeshFlags::empty(),
                // Two-sided: nothing says which way the triangles of a scene wind.
                Edges::Smooth => TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED,
            };
            SharedShape::trimesh_with_flags(points.clone(), triangles.clone(), flags).ok()?
        }
    })
}

fn column_major(rows: usize, columns: usize, heights: &[f32]) -> Vec<f32> {
    (0..columns).flat_map(|column| (0..rows).map(move |row| heights[row * columns + column])).collect()
}
