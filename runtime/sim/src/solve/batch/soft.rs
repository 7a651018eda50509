//! Softness: how fast a row closes its gap, and how much it gives.
//!
//! A row is a damped spring, stepped implicitly: stiff ones stay stable at any sub-step. With ω = 2π·Hz and ratio ζ, a row of gap `C` and
//! speed `Ċ` gives `λ = −m·mass·(Ċ + rate·C) − impulse·Λ`, Λ what it gave so far (Catto, "Soft Constraints", GDC 2011; "Solver2D",
//! 2024). A muscle is the same row, said by its time constant: with ω = 2ζ/(τ − h) its rate is exactly 1/τ.

use crate::solve::boundary::Pull;
use std::f32::consts::PI;

/// The three numbers of a soft row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// 1/s: the share of its gap that it closes a second.
    pub rate: f32,
    /// Share of the impulse that a hard row would give.
    pub mass: f32,
    /// Share of what it has given that it takes back.
    pub impulse: f32,
}

/// How hard joints hold and limits press back (Hz, ratio), at most a quarter of the sub-steps' rate: 120 Hz at 8 sub-steps a step, 240 at 16.
/// Held by `measure limits` and the openings of `measure shove`. At 60 Hz a blow of 0.8 m/s opens joints by 4 mm, at 120 by 1.3; limits softer
/// than joints leak 0.03 to 0.1 rad. Ratio 2 opens a landing's joints by 2 mm more.
const JOINT: (f32, f32) = (240.0, 5.0);
/// How hard contacts press back what overlaps (Hz, ratio); at most a quarter of the sub-steps' rate. Held by `measure pile`: at 30 Hz the lowest
/// limbs of a heap of 16 sink 23 mm into each other.
const CONTACT: (f32, f32) = (60.0, 10.0);
/// Damping ratio of a muscle at 8 sub-steps a step of 1/60 s. With hard velocity rows a standing figure walks for ever; softer ones sag.
const MUSCLE_RATIO: f32 = 10.0;
/// The sub-step (s) that the ratio was found at.
const USUAL_SUBSTEP: f32 = 1.0 / 480.0;

impl Softness {
    /// No softness: the gap is left to itself, and the row gives nothing.
    pub const HARD: Self = Self { rate: 0.0, mass: 1.0, impulse: 0.0 };

    fn of(omega: f32, ratio: f32, h: f32) -> Self {
        let damping = 2.0 * ratio + h * omega;
        let stiffness = h * omega * damping;
        let give = 1.0 / (1.0 + stiffness);
        Self { rate: omega / damping, mass: stiffness * give, impulse: give }
    }

    /// A joint's, for a sub-step of `h` seconds.
    pub fn joint(h: f32) -> Self {
        Self::of(2.0 * PI * JOINT.0.min(0.25 / h), JOINT.1, h)
    }

    /// A contact's.
    pub fn contact(h: f32) -> Self {
        Self::of(2.0 * PI * CONTACT.0.min(0.25 / h), CONTACT.1, h)
    }

    /// A muscle's.
    pub fn pull(pull: Pull, h: f32) -> Self {
        match pull {
            Pull::Servo(tau) => Self::servo(tau, h),
            Pull::Spring { hz, ratio } => Self::of(2.0 * PI * hz.min(0.25 / h), ratio, h),
        }
    }

    /// A servo's or an anchor's that closes its gap in `tau` seconds.
    pub fn servo(tau: f32, h: f32) -> Self {
        let tau = tau.max(2.0 * h);
        let ratio = MUSCLE_RATIO * (USUAL_SUBSTEP / h).min(1.0);
        Self::of(2.0 * ratio / (tau - h), ratio, h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_muscle_closes_its_gap_at_one_over_tau() {
        for (tau, h) in [(0.05, 1.0 / 480.0), (0.2, 1.0 / 240.0), (0.03, 1.0 / 960.0)] {
            assert!((Softness::servo(tau, h).rate * tau - 1.0).abs() < 1.0e-5);
        }
    }
}
