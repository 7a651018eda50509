//! Energy and momentum of bodies, from their masses, poses and velocities alone.

use glam::DVec3;
use simrun_sim::solve::boundary::{BodyDef, BodyState};
use simrun_sim::space::{Quat, Vec3};

/// What bodies have together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Kilograms.
    pub mass: f64,
    /// Centre of mass (world, m).
    pub centre: DVec3,
    /// ½·m·v² + ½·ω·I·ω of all bodies (J).
    pub energy: f64,
    /// kg·m/s.
    pub linear: DVec3,
    /// About the common centre of mass (kg·m²/s).
    pub angular: DVec3,
    /// Sum of the lengths of the bodies' own momenta (kg·m/s), which cancel in `linear`.
    pub moving: f64,
    /// The same of what `angular` sums (kg·m²/s).
    pub turning: f64,
}

impl Momentum {
    /// Of these bodies.
    #[must_use]
    pub fn of<'a>(bodies: impl Iterator<Item = (&'a BodyDef, &'a BodyState)> + Clone) -> Self {
        let mut sum = Self::default();
        for (def, state) in bodies.clone() {
            let (mass, velocity) = (f64::from(def.mass), state.linear.as_dvec3());
            sum.mass += mass;
            sum.centre += state.pose.translation.as_dvec3() * mass;
            sum.linear += velocity * mass;
            sum.moving += velocity.length() * mass;
            sum.energy += 0.5 * mass * velocity.length_squared();
        }
        sum.centre /= sum.mass;
        for (def, state) in bodies {
            let (spin, energy) = spin(def, state);
            let lever = state.pose.translation.as_dvec3() - sum.centre;
            let whole = spin + lever.cross(state.linear.as_dvec3() * f64::from(def.mass));
            sum.angular += whole;
            sum.turning += whole.length();
            sum.energy += energy;
        }
        sum
    }
}

/// A body's spin about its own centre (kg·m²/s), and the energy in it (J).
fn spin(def: &BodyDef, state: &BodyState) -> (DVec3, f64) {
    let world_from_principal = state.pose.rotation.as_dquat().normalize() * def.inertia_frame.as_dquat().normalize();
    let rate = world_from_principal.conjugate() * state.angular.as_dvec3();
    let spin = def.principal_inertia.as_dvec3() * rate;
    (world_from_principal * spin, 0.5 * rate.dot(spin))
}

/// A solid box as a body.
#[must_use]
pub fn solid_box(size: Vec3, mass: f32) -> BodyDef {
    let squares = size * size;
    let principal_inertia = Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass / 12.0);
    BodyDef { mass, principal_inertia, inertia_frame: Quat::IDENTITY, shapes: Vec::new() }
}
