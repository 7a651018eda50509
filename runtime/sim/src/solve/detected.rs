//! What detection tells the figure solver: which forms are near each other, as plain data.

use super::boundary::{BodySet, BodyState, Touched};
use crate::space::{Quat, Vec3};

/// A figure as detection needs it.
#[derive(Clone, Copy, Debug)]
pub struct FigureAt<'a> {
    /// The caller's key.
    pub key: u64,
    /// Where its bodies are at the step's start, and how they move: in the topology's order.
    pub bodies: &'a [BodyState],
    /// Bodies that collide with its others.
    pub self_contacts: BodySet,
    /// Bodies that collide with what never moves.
    pub fixed_contacts: BodySet,
    /// Objects that it passes through, by key.
    pub pass_through: &'a [u64],
}

/// Two points that are near each other, or overlap.
///
/// `one` is a figure's body, or a guest where no figure is in it; of two figures the one of the lower key, of two bodies of one figure
/// the lower index, of two guests the lower key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPoint {
    /// Whose surface `on_one` is.
    pub one: Touched,
    /// Whose surface `on_two` is.
    pub two: Touched,
    /// Tells the points of a pair apart, and the same point from step to step.
    pub id: u64,
    /// World, m, at the step's start.
    pub on_one: Vec3,
    /// World, m, at the step's start.
    pub on_two: Vec3,
    /// Unit, world, out of `two` into `one`.
    pub normal: Vec3,
    /// Metres from `on_two` to `on_one` along the normal; less than 0 where they overlap.
    pub distance: f32,
    /// Coulomb coefficient between the two.
    pub friction: f32,
    /// Share of the closing speed that comes back, 0..=1.
    pub restitution: f32,
    /// How `two`'s surface moves there where it is scenery (m/s): 0 for what never moves, and for figures and guests.
    pub scenery_velocity: Vec3,
}

/// A plain thing that touches a figure, and is solved with the figures for as long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guest {
    /// The object's key.
    pub key: u64,
    /// Kilograms.
    pub mass: f32,
    /// Centre of mass in the object's frame (m).
    pub centre: Vec3,
    /// Principal moments of inertia about the centre of mass (kg·m²).
    pub principal_inertia: Vec3,
    /// Object from principal axes.
    pub inertia_frame: Quat,
    /// World from object, m/s of the centre of mass and rad/s, at the step's start.
    pub state: BodyState,
}

/// All that a step's detection found. The order depends on keys and places alone.
#[derive(Clone, Debug, Default)]
pub struct Detected {
    /// Ordered by `one`, `two` and `id`.
    pub points: Vec<NearPoint>,
    /// Ordered by key.
    pub guests: Vec<Guest>,
}
