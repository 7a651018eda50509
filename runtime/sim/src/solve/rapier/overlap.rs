//! Bodies of a figure that never collide with each other.

use super::shapes::{Edges, shared_shape};
use super::to_pose;
use crate::solve::boundary::Topology;
use crate::space::Rigid;
use rapier3d::parry::query;

/// For each body a mask of those it never collides with: what it is jointed to, and what it overlaps as the topology stands at
/// rest (its rotations the identity).
pub(super) fn overlaps_at_rest(topology: &Topology) -> Vec<u32> {
    let mut rest = vec![Rigid::IDENTITY; topology.bodies.len()];
    let mut masks = vec![0_u32; topology.bodies.len()];
    for joint in &topology.joints {
        let at = rest[joint.parent].translation + joint.parent_from_joint.translation;
        rest[joint.child].translation = at - joint.child_from_joint.translation;
        masks[joint.parent] |= 1 << joint.child;
        masks[joint.child] |= 1 << joint.parent;
    }
    let overlap = |a: usize, b: usize| {
        topology.bodies[a].shapes.iter().any(|one| {
            topology.bodies[b].shapes.iter().any(|two| {
                let (Some(first), Some(second)) =
                    (shared_shape(&one.shape, Edges::Plain), shared_shape(&two.shape, Edges::Plain))
                else {
                    return false;
                };
                let (at_first, at_second) = (to_pose(rest[a] * one.body_from_shape), to_pose(rest[b] * two.body_from_shape));
                matches!(query::contact(&at_first, first.as_ref(), &at_second, second.as_ref(), 0.0), Ok(Some(_)))
            })
        })
    };
    for a in 0..topology.bodies.len() {
        for b in a + 1..topology.bodies.len() {
            if masks[a] & (1 << b) == 0 && overlap(a, b) {
                masks[a] |= 1 << b;
                masks[b] |= 1 << a;
            }
        }
    }
    masks
}
