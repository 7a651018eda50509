//! A figure's forms: what its topology says, as detection needs it.

use super::super::overlap::overlaps_at_rest;
use super::super::shapes::{Edges, shared_shape};
use super::super::to_pose;
use super::own::BLOCK;
use crate::solve::boundary::{PlacedShape, Shape, Topology};
use crate::space::Vec3;
use rapier3d::prelude::*;
use std::ops::Range;

/// A form of a body.
pub(super) struct Form {
    /// Index of the body.
    pub(super) body: usize,
    /// Index in the body.
    pub(super) index: u8,
    pub(super) shape: SharedShape,
    /// Body from form.
    pub(super) place: Pose,
    pub(super) friction: f32,
    /// Distance (m) of its farthest point from the body's centre of mass.
    pub(super) reach: f32,
    /// A capsule around it: both ends in the body's frame, and the radius (m).
    pub(super) hull: (Vec3, Vec3, f32),
}

/// The forms of a figure.
pub(super) struct Forms {
    pub(super) bodies: usize,
    /// Ordered by body.
    pub(super) forms: Vec<Form>,
    /// The forms of each body that has any.
    pub(super) parts: Vec<Range<usize>>,
    /// By two forms' indices: the second's bit (its index, modulo the size of a block) where it comes after the first and their bodies
    /// collide with each other, else 0.
    pub(super) collide: Vec<u32>,
}

impl Forms {
    pub(super) fn of(topology: &Topology) -> Self {
        let apart = overlaps_at_rest(topology);
        let mut forms: Vec<Form> = Vec::new();
        for (body, def) in topology.bodies.iter().enumerate() {
            forms.extend(def.shapes.iter().enumerate().filter_map(|(index, placed)| form_of(body, index, placed)));
        }
        let mut collide = vec![0; forms.len() * forms.len()];
        for (first, one) in forms.iter().enumerate() {
            for (second, two) in forms.iter().enumerate().skip(first + 1) {
                let together = one.body != two.body && apart[one.body] & (1 << two.body) == 0;
                collide[first * forms.len() + second] = u32::from(together) << (second % BLOCK);
            }
        }
        let mut parts = Vec::new();
        for chunk in forms.chunk_by(|one, two| one.body == two.body) {
            let start = parts.last().map_or(0, |last: &Range<usize>| last.end);
            parts.push(start..start + chunk.len());
        }
        Self { bodies: topology.bodies.len(), forms, parts, collide }
    }
}

fn form_of(body: usize, index: usize, placed: &PlacedShape) -> Option<Form> {
    let shape = shared_shape(&placed.shape, Edges::Smooth)?;
    let place = to_pose(placed.body_from_shape);
    let (a, b, radius) = hull_of(&placed.shape, &shape);
    let hull = (place * a, place * b, radius);
    let reach = hull.0.length().max(hull.1.length()) + radius;
    // More forms than an id has room for share the last one's number: their points still differ by their features.
    let index = u8::try_from(index).unwrap_or(u8::MAX);
    Some(Form { body, index, shape, place, friction: placed.friction, reach, hull })
}

/// A capsule around a form, in the form's frame.
fn hull_of(shape: &Shape, shared: &SharedShape) -> (Vec3, Vec3, f32) {
    match shape {
        Shape::Sphere(radius) => (Vec3::ZERO, Vec3::ZERO, *radius),
        Shape::Capsule { a, b, radius } => (*a, *b, *radius),
        _ => {
            let bounds = shared.compute_local_aabb();
            let (centre, half) = (bounds.center(), bounds.half_extents());
            // Along the longest side; across it the corners of the other two.
            let (axis, across) = if half.x >= half.y && half.x >= half.z {
                (Vec3::X * half.x, libm::hypotf(half.y, half.z))
            } else if half.y >= half.z {
                (Vec3::Y * half.y, libm::hypotf(half.x, half.z))
            } else {
                (Vec3::Z * half.z, libm::hypotf(half.x, half.y))
            };
            (centre - axis, centre + axis, across)
        }
    }
}
