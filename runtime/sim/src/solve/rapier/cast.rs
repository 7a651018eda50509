//! Forms let down on things.

use super::shapes::{Edges, shared_shape};
use super::to_pose;
use crate::solve::boundary;
use crate::space::Rigid;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::parry::query;
use rapier3d::prelude::*;

/// Gap (m) at which two forms touch, and how often it is looked at: on a round log each look leaves a tenth of it.
const TOUCHES: f32 = 2.0e-5;
const LOOKS: usize = 24;

/// How far (m) forms can go straight down together before one meets one of the things (keys, forms and places), and which; of two at
/// one height the first.
pub(super) fn down<'a>(
    things: impl Iterator<Item = (u64, &'a dyn Shape, Pose)>,
    forms: &[(&boundary::Shape, Rigid)],
    reach: f32,
) -> Option<(f32, u64)> {
    let forms: Vec<(SharedShape, Pose, Aabb)> = forms
        .iter()
        .filter_map(|(shape, at)| {
            let (shape, pose) = (shared_shape(shape, Edges::Plain)?, to_pose(*at));
            let mut swept = shape.compute_aabb(&pose);
            swept.mins.y -= reach;
            Some((shape, pose, swept))
        })
        .collect();
    let mut nearest: Option<(f32, u64)> = None;
    for (key, thing, at) in things {
        let bounds = thing.compute_aabb(&at);
        for (shape, pose, _) in forms.iter().filter(|(.., swept)| bounds.intersects(swept)) {
            let most = nearest.map_or(reach, |(known, _)| known);
            if let Some(fall) = fall(&**shape, pose, thing, &at, most) {
                nearest = Some((fall, key));
            }
        }
    }
    nearest
}

/// How far one form can go straight down before it meets another, if that is less than `most` (m). It goes down by the gap between the
/// two, again and again, and so never into it.
fn fall(one: &dyn Shape, from: &Pose, other: &dyn Shape, at: &Pose, most: f32) -> Option<f32> {
    let mut fall = 0.0;
    for _ in 0..LOOKS {
        let pose = Pose::from_parts(from.translation + Vector::NEG_Y * fall, from.rotation);
        let gap = query::distance(&pose, one, at, other).ok()?.distance;
        if gap < TOUCHES {
            return Some(fall);
        }
        fall += gap;
        if fall >= most {
            return None;
        }
    }
    Some(fall)
}
