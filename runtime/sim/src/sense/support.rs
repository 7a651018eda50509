//! The ground that the soles cover.

use crate::figure::{BONES, Bone, Ragdoll};
use crate::solve::boundary::BodyState;
use crate::space::{Vec3, level};

/// The convex outline of the soles that bear load, or of both where none does.
pub(super) fn outline(out: &mut Vec<Vec3>, ragdoll: &Ragdoll, bodies: &[BodyState; BONES], down: [bool; 2], bent: [f32; 2]) {
    let both = !down[0] && !down[1];
    let mut corners = Vec::with_capacity(8);
    for (side, bone) in [Bone::ShinL, Bone::ShinR].into_iter().enumerate() {
        if both || down[side] {
            corners.extend(ragdoll.sole(side, bodies[bone.index()].pose, bent[side]));
        }
    }
    hull(out, &mut corners);
}

/// Andrew's monotone chain over X and Z; heights go along.
fn hull(out: &mut Vec<Vec3>, points: &mut [Vec3]) {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
    out.clear();
    let turn = |o: Vec3, a: Vec3, b: Vec3| (a.x - o.x) * (b.z - o.z) - (a.z - o.z) * (b.x - o.x);
    for pass in 0..2 {
        let start = out.len();
        for index in 0..points.len() {
            let point = if pass == 0 { points[index] } else { points[points.len() - 1 - index] };
            while out.len() >= start + 2 && turn(out[out.len() - 2], out[out.len() - 1], point) <= 0.0 {
                out.pop();
            }
            out.push(point);
        }
        out.pop();
    }
}

/// How far a point lies outside an outline, over the ground (m); 0 inside.
pub(super) fn distance_outside(outline: &[Vec3], point: Vec3) -> f32 {
    let mut inside = outline.len() > 2;
    let mut nearest = f32::MAX;
    for (index, from) in outline.iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        let (edge, reach) = (level(to - *from), level(point - *from));
        if edge.x * reach.z - edge.z * reach.x < 0.0 {
            inside = false;
        }
        let along = if edge.length_squared() > 1.0e-9 { (reach.dot(edge) / edge.length_squared()).clamp(0.0, 1.0) } else { 0.0 };
        nearest = nearest.min((reach - edge * along).length());
    }
    if inside || outline.is_empty() { 0.0 } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_a_metre_past_a_square_is_a_metre_outside() {
        let mut square = Vec::new();
        hull(&mut square, &mut [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.5, 0.0, 0.5)]);
        assert_eq!(square.len(), 4);
        assert!((distance_outside(&square, Vec3::new(2.0, 3.0, 0.5)) - 1.0).abs() < 1.0e-6);
        assert_eq!(distance_outside(&square, Vec3::new(0.3, 0.0, 0.4)), 0.0);
    }
}
