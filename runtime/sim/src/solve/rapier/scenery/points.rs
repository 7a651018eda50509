//! Fewer points that say the same.

use super::narrow::{Finder, Point, order_in_space};
use crate::space::Vec3;

/// Cosine of the angle within which two normals are one: 1°.
const SAME_NORMAL: f32 = 0.999_848;
/// Distance (m) within which two points are one.
const SAME_POINT: f32 = 0.005;
/// Depth (m) that makes no difference: else the noise of depths would pick other corners each step.
const SAME_DEPTH: f32 = 1.0e-4;
/// Depth (m) below all corners that a point must have to take a corner's place.
const DEEPER: f32 = 5.0e-4;
/// Points that hold a face on a face.
const MOST: usize = 4;

impl Finder {
    /// Merges points that are in one place, and leaves four of those that face the same way: those that span the most, and the deepest.
    pub(super) fn reduce(&mut self) {
        if self.points.len() < 2 {
            return;
        }
        self.points.sort_unstable_by(|a, b| a.id.cmp(&b.id).then_with(|| order_in_space(a, b)));
        if self.points.len() <= MOST {
            return merge(&mut self.points);
        }
        let Self { points, spare, .. } = self;
        spare.clear();
        // Those that face as the first does, then as the first of the rest does.
        while let Some(first) = points.first().map(|point| point.normal) {
            let start = spare.len();
            points.retain(|point| {
                let faces = point.normal.dot(first) >= SAME_NORMAL;
                if faces {
                    spare.push(*point);
                }
                // A normal that is none is like nothing, itself too.
                !faces && first.dot(first) > 0.5
            });
            let count = keep_four(&mut spare[start..]);
            spare.truncate(start + count);
        }
        std::mem::swap(points, spare);
        // After the corners were chosen, so that no point beside one stands for it.
        merge(points);
    }
}

/// Of points in one place with one normal the deeper stays; of two as deep the earlier.
fn merge(points: &mut Vec<Point>) {
    let mut kept = 0;
    for index in 0..points.len() {
        let point = points[index];
        let same = points[..kept].iter().position(|other| {
            other.normal.dot(point.normal) >= SAME_NORMAL
                && other.on_one.distance_squared(point.on_one) <= SAME_POINT * SAME_POINT
        });
        match same {
            Some(same) if point.distance < points[same].distance - SAME_DEPTH => points[same] = point,
            Some(_) => {}
            None => {
                points[kept] = point;
                kept += 1;
            }
        }
    }
    points.truncate(kept);
}

/// Puts the four that span the most to the front, the deepest among them; says how many there are.
fn keep_four(points: &mut [Point]) -> usize {
    if points.len() <= MOST {
        return points.len();
    }
    let normal = points[0].normal;
    let middle = points.iter().map(|point| point.on_one).sum::<Vec3>() / points.len() as f32;
    // Across the normal only: how deep they are says nothing of what they span.
    let across = |vector: Vec3| vector - normal * vector.dot(normal);
    let farthest = |from: Vec3, points: &[Point]| most(points, |point| across(point.on_one - from).length_squared());
    let first = farthest(middle, points);
    points.swap(0, first);
    let second = farthest(points[0].on_one, &points[1..]) + 1;
    points.swap(1, second);
    let (from, along) = (points[0].on_one, points[1].on_one - points[0].on_one);
    let side = along.cross(normal);
    let third = most(&points[2..], |point| (point.on_one - from).dot(side)) + 2;
    points.swap(2, third);
    let fourth = most(&points[3..], |point| -(point.on_one - from).dot(side)) + 3;
    points.swap(3, fourth);
    let deepest = most(points, |point| -point.distance);
    let depth = points[deepest].distance;
    if deepest >= MOST && points[..MOST].iter().all(|point| depth < point.distance - DEEPER) {
        let place = points[deepest].on_one;
        let nearest = most(&points[..MOST], |point| -point.on_one.distance_squared(place));
        points.swap(nearest, deepest);
    }
    MOST
}

/// The first with the greatest measure.
fn most(points: &[Point], measure: impl Fn(&Point) -> f32) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, point) in points.iter().enumerate() {
        let value = measure(point);
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}
