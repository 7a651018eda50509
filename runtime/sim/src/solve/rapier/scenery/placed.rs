//! Where a figure's forms are, and how far they reach in a step.

use super::HALF_MARGIN;
use super::forms::Form;
use crate::solve::boundary::BodyState;
use crate::space::Vec3;
use glam::Mat3;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::query::details::closest_points_segment_segment_with_locations_nD as closest_of_segments;

/// Farther (m) nothing moves in a step.
const FARTHEST: f32 = 10.0;

/// A form in the world, as the capsule around it.
pub(super) struct Placed {
    /// Both ends of the capsule.
    ends: (Vec3, Vec3),
    /// The capsule's box.
    pub(super) bounds: Aabb,
    /// Half the margin and how far it may move in the step (m).
    pub(super) loose: f32,
    /// The same against the figure's own forms, which move along with it.
    pub(super) own_loose: f32,
}

/// A body, and how far it may move in the step.
pub(super) struct Moving {
    turn: Mat3,
    at: Vec3,
    /// m of its centre of mass, and of that within the figure.
    far: f32,
    own_far: f32,
    /// rad.
    turning: f32,
}

impl Moving {
    #[inline]
    pub(super) fn of(state: &BodyState, along: Vec3, dt: f32) -> Self {
        Self {
            turn: Mat3::from_quat(state.pose.rotation),
            at: state.pose.translation,
            far: dt * state.linear.length(),
            own_far: dt * (state.linear - along).length(),
            turning: dt * state.angular.length(),
        }
    }

    #[inline]
    pub(super) fn place(&self, form: &Form) -> Placed {
        let (a, b, radius) = form.hull;
        let ends = (self.turn * a + self.at, self.turn * b + self.at);
        let bounds = Aabb::new(ends.0.min(ends.1) - Vec3::splat(radius), ends.0.max(ends.1) + Vec3::splat(radius));
        let turning = self.turning * form.reach;
        let loose = |far: f32| HALF_MARGIN + (far + turning).min(FARTHEST);
        Placed { ends, bounds, loose: loose(self.far), own_loose: loose(self.own_far) }
    }
}

/// Whether two boxes are within a distance (m) of each other along every axis.
#[inline]
pub(super) fn within(one: &Aabb, two: &Aabb, distance: f32) -> bool {
    one.mins.y - two.maxs.y <= distance
        && two.mins.y - one.maxs.y <= distance
        && one.mins.x - two.maxs.x <= distance
        && two.mins.x - one.maxs.x <= distance
        && one.mins.z - two.maxs.z <= distance
        && two.mins.z - one.maxs.z <= distance
}

/// Whether the capsules around two forms are within the margin: cheaper than looking at the forms.
pub(super) fn hulls_meet((one, first): (&Form, &Placed), (two, second): (&Form, &Placed), margin: f32) -> bool {
    let ((a, b), (c, d)) = (first.ends, second.ends);
    let (on_one, on_two) = closest_of_segments((&a, &b), (&c, &d));
    let (on_one, on_two) = (on_one.barycentric_coordinates(), on_two.barycentric_coordinates());
    let gap = (a * on_one[0] + b * on_one[1]) - (c * on_two[0] + d * on_two[1]);
    let reach = one.hull.2 + two.hull.2 + margin;
    gap.length_squared() <= reach * reach
}
