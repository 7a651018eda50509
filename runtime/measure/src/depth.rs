//! How deep one form is in another, from poses alone: nothing here knows a solver or its contacts.
//!
//! The signed distance from a convex form is convex, so along a straight line there is one least value and a golden section finds it.

use glam::{DQuat, DVec2, DVec3};
use simrun_sim::solve::boundary::{PlacedShape, Shape};
use simrun_sim::space::{Rigid, Vec3};
use std::f64::consts::TAU;

/// Halvings of a golden section: the tenth of a micrometre along a segment of a metre.
const SECTIONS: usize = 34;
/// Chords that a cylinder's rim is taken for: they lie within it by a fiftieth of its radius.
const CHORDS: u32 = 16;

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
    /// A cylinder.
    Cylinder {
        /// Middle (m).
        centre: DVec3,
        /// The way of its axis (unit).
        axis: DVec3,
        /// Half of its height (m).
        half: f64,
        /// m.
        radius: f64,
    },
    /// All that is below a plane.
    HalfSpace {
        /// A point of the plane (m).
        point: DVec3,
        /// Out of it (unit).
        normal: DVec3,
    },
}

impl Solid {
    /// A body's form where the body is. `None` for what is not convex: heightfields and meshes.
    #[must_use]
    pub fn of(world_from_body: Rigid, placed: &PlacedShape) -> Option<Self> {
        Self::of_shape(world_from_body * placed.body_from_shape, &placed.shape)
    }

    /// A form in its place. `None` for what is not convex: heightfields and meshes.
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
            Shape::Cylinder { height, radius } => Some(Self::Cylinder {
                centre: pose.translation.as_dvec3(),
                axis: (pose.rotation * Vec3::Y).as_dvec3().normalize(),
                half: f64::from(*height) * 0.5,
                radius: f64::from(*radius),
            }),
            Shape::Plane => Some(Self::HalfSpace {
                point: pose.translation.as_dvec3(),
                normal: (pose.rotation * Vec3::Y).as_dvec3().normalize(),
            }),
            Shape::Heightfield { .. } | Shape::Mesh { .. } => None,
        }
    }

    /// Middle, and radius of a ball around all of it (m); what has no end has no such ball, and an infinite radius.
    #[must_use]
    pub fn ball(&self) -> (DVec3, f64) {
        match *self {
            Self::Capsule { a, b, radius } => ((a + b) * 0.5, a.distance(b) * 0.5 + radius),
            Self::Box { centre, half, .. } => (centre, half.length()),
            Self::Cylinder { centre, half, radius, .. } => (centre, half.hypot(radius)),
            Self::HalfSpace { point, .. } => (point, f64::INFINITY),
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
            Self::Cylinder { centre, axis, half, radius } => {
                let along = (point - centre).dot(axis);
                let beyond = DVec2::new((point - centre - axis * along).length() - radius, along.abs() - half);
                beyond.max(DVec2::ZERO).length() + beyond.max_element().min(0.0)
            }
            Self::HalfSpace { point: origin, normal } => (point - origin).dot(normal),
        }
    }

    /// How far along a direction (unit) it reaches, from the world's origin (m).
    #[must_use]
    pub fn reach(&self, way: DVec3) -> f64 {
        match *self {
            Self::Capsule { a, b, radius } => a.dot(way).max(b.dot(way)) + radius,
            Self::Box { centre, rotation, half } => centre.dot(way) + (rotation.conjugate() * way).abs().dot(half),
            Self::Cylinder { centre, axis, half, radius } => {
                let along = axis.dot(way);
                centre.dot(way) + half * along.abs() + radius * (1.0 - along * along).max(0.0).sqrt()
            }
            Self::HalfSpace { point, normal } if way.dot(normal) > 1.0 - 1.0e-12 => point.dot(normal),
            Self::HalfSpace { .. } => f64::INFINITY,
        }
    }

    /// Normals of its flat faces, one of each two that are opposite.
    fn faces(&self) -> ([DVec3; 3], usize) {
        match *self {
            Self::Capsule { .. } => ([DVec3::ZERO; 3], 0),
            Self::Box { rotation, .. } => ([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| rotation * axis), 3),
            Self::Cylinder { axis, .. } => ([axis; 3], 1),
            Self::HalfSpace { normal, .. } => ([normal; 3], 1),
        }
    }

    /// The twelve edges of a box, as pairs of points; a capsule's axis; chords of a cylinder's rims.
    fn lines(&self) -> Vec<(DVec3, DVec3)> {
        match *self {
            Self::Capsule { a, b, .. } => vec![(a, b)],
            Self::Cylinder { centre, axis, half, radius } => {
                let (aside, across) = axis.any_orthonormal_pair();
                let rim = |end: f64, part: u32| {
                    let (sine, cosine) = (f64::from(part) / f64::from(CHORDS) * TAU).sin_cos();
                    centre + axis * (half * end) + (aside * cosine + across * sine) * radius
                };
                let chords = |end: f64| (0..CHORDS).map(move |part| (rim(end, part), rim(end, part + 1)));
                chords(-1.0).chain(chords(1.0)).collect()
            }
            Self::HalfSpace { .. } => Vec::new(),
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

/// How deep one is in the other (m) where that is more than `least`: told much faster than the depth where it is not.
///
/// Moved by their overlap along any direction the two are apart: no depth is greater than that.
#[must_use]
pub fn depth_over(one: &Solid, two: &Solid, least: f64) -> Option<f64> {
    if gap(one, two) > -least {
        return None;
    }
    let overlap = |way: DVec3| (one.reach(way) + two.reach(-way)).min(one.reach(-way) + two.reach(way));
    let shallow = [one, two].into_iter().any(|solid| {
        let (faces, count) = solid.faces();
        faces[..count].iter().any(|face| overlap(*face) <= least)
    });
    if shallow {
        return None;
    }
    Some(depth(one, two)).filter(|depth| *depth > least)
}

/// How deep one is in the other (m): less than 0 where they are apart, by the gap or less.
///
/// Of two boxes or cylinders it is how deep an edge of one is in the other, which is less than all of it where one is inside another.
#[must_use]
pub fn depth(one: &Solid, two: &Solid) -> f64 {
    let gap = gap(one, two);
    if gap > 0.0 {
        return -gap;
    }
    match (one, two) {
        (Solid::Capsule { a, b, radius }, _) => radius - least_along(*a, *b, |point| two.distance(point)),
        (_, Solid::Capsule { a, b, radius }) => radius - least_along(*a, *b, |point| one.distance(point)),
        _ => deepest_edge(one, two).max(deepest_edge(two, one)),
    }
}

/// No more than the gap between the two (m); less than 0 where they may be in each other, by the most that they can be. The ball around
/// one against the form of two: enough to pass over nearly all pairs.
fn gap(one: &Solid, two: &Solid) -> f64 {
    let ((centre, radius), (other, reach)) = (one.ball(), two.ball());
    (centre.distance(other) - radius - reach).max(two.distance(centre) - radius).max(one.distance(other) - reach)
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
