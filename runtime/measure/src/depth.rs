//! How deep one form is in another, from poses alone: nothing here knows a solver or its contacts.
//!
//! Both the distance from a segment and the signed distance from a box are convex, so along a straight line there is one least value
//! and a golden section finds it.

use glam::{DQuat, DVec3};
use simrun_sim::solve::boundary::{PlacedShape, Shape};
use simrun_sim::space::Rigid;

/// Halvings of a golden section: the tenth of a micrometre along a segment of a metre.
const SECTIONS: usize = 34;

/// A form in the world.
#[derive(Clone, Copy, Debug)]
pub enum Solid {
    /// All that is within `radius` (m) of the segment between two points (m); a sphere where they are one.
    Capsule {
        /// One end.
        a: DVec3,
        /// The other.
        b: DVec3,
        /// m.
        radius: f64,
    },
    /// A box.
    Box {
        /// Middle (m).
        centre: DVec3,
        /// World from box.
        rotation: DQuat,
        /// Half sizes along its own axes (m).
        half: DVec3,
    },
}

impl Solid {
    /// A body's form where the body is. `None` for what is neither box, sphere nor capsule.
    #[must_use]
    pub fn of(world_from_body: Rigid, placed: &PlacedShape) -> Option<Self> {
        Self::of_shape(world_from_body * placed.body_from_shape, &placed.shape)
    }

    /// A form in its place. `None` for what is neither box, sphere nor capsule.
    #[must_use]
    pub fn of_shape(pose: Rigid, shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Capsule { a, b, radius } => {
                let [a, b] = [a, b].map(|end| pose.point(*end).as_dvec3());
                Some(Self::Capsule { a, b, radius: f64::from(*radius) })
            }
            Shape::Sphere(radius) => {
                let centre = pose.translation.as_dvec3();
                Some(Self::Capsule { a: centre, b: centre, radius: f64::from(*radius) })
            }
            Shape::Box(size) => Some(Self::Box {
                centre: pose.translation.as_dvec3(),
                rotation: pose.rotation.as_dquat().normalize(),
                half: size.as_dvec3() * 0.5,
            }),
            _ => None,
        }
    }

    /// Middle, and radius of a ball around all of it (m).
    #[must_use]
    pub fn ball(&self) -> (DVec3, f64) {
        match *self {
            Self::Capsule { a, b, radius } => ((a + b) * 0.5, a.distance(b) * 0.5 + radius),
            Self::Box { centre, half, .. } => (centre, half.length()),
        }
    }

    /// Signed distance of a point from the surface (m): less than 0 inside.
    #[must_use]
    pub fn distance(&self, point: DVec3) -> f64 {
        match *self {
            Self::Capsule { a, b, radius } => to_segment(point, a, b) - radius,
            Self::Box { centre, rotation, half } => {
                let beyond = (rotation.conjugate() * (point - centre)).abs() - half;
                beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
            }
        }
    }

    /// The twelve edges of a box, as pairs of points; a capsule's axis.
    fn lines(&self) -> Vec<(DVec3, DVec3)> {
        match *self {
            Self::Capsule { a, b, .. } => vec![(a, b)],
            Self::Box { centre, rotation, half } => {
                let corner = |index: usize| {
                    let sign = |bit: usize| if index & (1 << bit) == 0 { -1.0 } else { 1.0 };
                    centre + rotation * (half * DVec3::new(sign(0), sign(1), sign(2)))
                };
                let pairs = (0..8).flat_map(|from| (0..3).map(move |bit| (from, from | (1 << bit))));
                pairs.filter(|(from, to)| from != to).map(|(from, to)| (corner(from), corner(to))).collect()
            }
        }
    }
}

/// How deep one is in the other (m): less than 0 where they are apart, by the gap or less.
///
/// Of two boxes it is how deep an edge of one is in the other, which is less than all of it where a box is inside another.
#[must_use]
pub fn depth(one: &Solid, two: &Solid) -> f64 {
    let ((centre, radius), (other, reach)) = (one.ball(), two.ball());
    // The ball around one against the form of two: enough to pass over nearly all pairs.
    let apart = (centre.distance(other) - radius - reach).max(two.distance(centre) - radius).max(one.distance(other) - reach);
    if apart > 0.0 {
        return -apart;
    }
    match (one, two) {
        (Solid::Capsule { a, b, radius }, _) => radius - least_along(*a, *b, |point| two.distance(point)),
        (_, Solid::Capsule { a, b, radius }) => radius - least_along(*a, *b, |point| one.distance(point)),
        (Solid::Box { .. }, Solid::Box { .. }) => deepest_edge(one, two).max(deepest_edge(two, one)),
    }
}

fn deepest_edge(edges_of: &Solid, within: &Solid) -> f64 {
    let depths = edges_of.lines().into_iter().map(|(from, to)| -least_along(from, to, |point| within.distance(point)));
    depths.fold(f64::NEG_INFINITY, f64::max)
}

/// The least value of a convex function along a segment.
fn least_along(from: DVec3, to: DVec3, value: impl Fn(DVec3) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let at = |share: f64| value(from.lerp(to, share));
    let ends = at(0.0).min(at(1.0));
    if from == to {
        return ends;
    }
    let (mut low, mut high) = (0.0, 1.0);
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..SECTIONS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = at(right);
        }
    }
    ends.min(at_left).min(at_right)
}

fn to_segment(point: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let length = along.length_squared();
    let share = if length > 0.0 { ((point - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + along * share)
}
