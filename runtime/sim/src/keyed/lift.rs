//! How far a pose is off the ground.

use crate::figure::{BONES, Ragdoll};
use crate::solve::boundary::Shape;
use crate::space::{Rigid, Vec3};

/// How far (m) bodies have to be lifted so that the lowest of them lies on the ground, negative to let them down; `ground` tells its
/// height (m) under a point.
pub(super) fn lift(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], ground: impl Fn(Vec3) -> f32) -> f32 {
    let mut lift = f32::MIN;
    for (body, def) in bodies.iter().zip(&ragdoll.topology.bodies) {
        for placed in &def.shapes {
            let pose = *body * placed.body_from_shape;
            let (ends, radius) = ends(&placed.shape);
            let over = ends.into_iter().map(|end| pose.point(end)).map(|point| ground(point) + radius - point.y);
            lift = over.fold(lift, f32::max);
        }
    }
    lift
}

/// Balls whose hull is a ragdoll's shape, and one between that meets an edge: middles (the shape's frame) and radius.
fn ends(shape: &Shape) -> (Vec<Vec3>, f32) {
    match shape {
        Shape::Capsule { a, b, radius } => (vec![*a, *b, (*a + *b) * 0.5], *radius),
        Shape::Sphere(radius) => (vec![Vec3::ZERO], *radius),
        Shape::Box(size) => {
            let side = |corner: usize, bit: usize| if corner & bit == 0 { -0.5 } else { 0.5 };
            ((0..8).map(|corner| *size * Vec3::new(side(corner, 1), side(corner, 2), side(corner, 4))).collect(), 0.0)
        }
        // A ragdoll is made of nothing else.
        _ => (Vec::new(), 0.0),
    }
}
