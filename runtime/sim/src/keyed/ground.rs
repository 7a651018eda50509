//! The ground that a keyed way goes over, taken once: slopes, kerbs and steps.

use crate::figure::{BONES, Ragdoll};
use crate::solve::boundary::Shape;
use crate::space::{Rigid, Vec3};
use serde::{Deserialize, Serialize};

/// Heights a side of the patch, and metres between them.
const COUNT: usize = 11;
const SPACING: f32 = 0.25;
/// What is higher over the figure's own ground than this (m), or lower, is nothing that it rises over: a wall, an abyss.
const REACH: f32 = 0.5;

/// Heights of the ground around a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// The patch's corner (m).
    corner: [f32; 2],
    /// Row by row along X, then Z (m).
    heights: Vec<f32>,
}

impl Ground {
    /// Around a point of a figure whose lowest point is at `lowest` (m). `under` tells the height of the fixed ground beneath a point.
    #[must_use]
    pub fn around(point: Vec3, lowest: f32, under: impl Fn(Vec3) -> Option<f32>) -> Self {
        let half = SPACING * (COUNT - 1) as f32 * 0.5;
        let corner = [point.x - half, point.z - half];
        let heights = (0..COUNT * COUNT).map(|index| {
            let x = corner[0] + SPACING * (index % COUNT) as f32;
            let z = corner[1] + SPACING * (index / COUNT) as f32;
            let found = under(Vec3::new(x, lowest + REACH, z));
            found.filter(|height| (height - lowest).abs() < REACH * 0.99).unwrap_or(lowest)
        });
        Self { corner, heights: heights.collect() }
    }

    pub(super) fn is_sound(&self) -> bool {
        self.heights.len() == COUNT * COUNT && self.heights.iter().chain(&self.corner).all(|number| number.is_finite())
    }

    /// Height (m) under a point: between the four nearest that were taken; at the patch's edge beyond it.
    #[must_use]
    pub fn height(&self, point: Vec3) -> f32 {
        let last = (COUNT - 1) as f32;
        let x = ((point.x - self.corner[0]) / SPACING).clamp(0.0, last);
        let z = ((point.z - self.corner[1]) / SPACING).clamp(0.0, last);
        let (column, row) = ((x as usize).min(COUNT - 2), (z as usize).min(COUNT - 2));
        let (right, down) = (x - column as f32, z - row as f32);
        let at = |column: usize, row: usize| self.heights[row * COUNT + column];
        let along = |row: usize| at(column, row) * (1.0 - right) + at(column + 1, row) * right;
        along(row) * (1.0 - down) + along(row + 1) * down
    }

    /// How far (m) bodies have to be lifted so that the lowest of them lies on the ground; negative to let them down.
    #[must_use]
    pub fn lift(&self, ragdoll: &Ragdoll, bodies: &[Rigid; BONES]) -> f32 {
        lift(ragdoll, bodies, |point| self.height(point))
    }

    /// How far (m) they have to be lifted beyond what level ground at the height under a point would ask for.
    #[must_use]
    pub fn unevenness(&self, ragdoll: &Ragdoll, bodies: &[Rigid; BONES], point: Vec3) -> f32 {
        let level = self.height(point);
        self.lift(ragdoll, bodies) - lift(ragdoll, bodies, |_| level)
    }
}

fn lift(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], height: impl Fn(Vec3) -> f32) -> f32 {
    let mut lift = f32::MIN;
    for (body, def) in bodies.iter().zip(&ragdoll.topology.bodies) {
        for placed in &def.shapes {
            let pose = *body * placed.body_from_shape;
            let (ends, radius) = ends(&placed.shape);
            let over = ends.into_iter().map(|end| pose.point(end)).map(|point| height(point) + radius - point.y);
            lift = over.fold(lift, f32::max);
        }
    }
    lift
}

/// Balls whose hull is a ragdoll's shape: middles (the shape's frame) and radius.
fn ends(shape: &Shape) -> (Vec<Vec3>, f32) {
    match shape {
        Shape::Capsule { a, b, radius } => (vec![*a, *b], *radius),
        Shape::Sphere(radius) => (vec![Vec3::ZERO], *radius),
        Shape::Box(size) => {
            let side = |corner: usize, bit: usize| if corner & bit == 0 { -0.5 } else { 0.5 };
            ((0..8).map(|corner| *size * Vec3::new(side(corner, 1), side(corner, 2), side(corner, 4))).collect(), 0.0)
        }
        // A ragdoll is made of nothing else.
        _ => (Vec::new(), 0.0),
    }
}
