//! Figures that stand on nothing.

use super::Found;
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::solve::boundary::{BodyState, Contact};

/// Time (s) for which nothing may carry a figure that does not fall: a stumble has both feet off the ground for half as long.
const HOVERS: f64 = 0.3;
/// Share of its weight that something other than contacts carries then.
const UNCARRIED: f64 = 0.5;

/// What carries a figure in a step (N·s, upwards).
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Its weight: mass × gravity × time.
    pub weight: f64,
    /// What kept it from falling, whatever that was: its weight, and the momentum that it gained upwards.
    pub held: f64,
    /// What its contacts gave.
    pub contacts: f64,
}

/// How long a figure has hovered.
#[derive(Debug, Default)]
pub struct Weight {
    /// Momentum upwards after the last step (N·s).
    momentum: Option<f64>,
    /// Seconds uncarried.
    seconds: f64,
}

impl Weight {
    /// After a step of `dt` seconds: what share of the weight nothing carries. `contacts` are those with what is not of the figure,
    /// `weight` the impulse of its weight in the step (N·s).
    pub fn look(
        &mut self,
        ragdoll: &Ragdoll,
        bodies: &[BodyState],
        contacts: &[&Contact],
        weight: f32,
        dt: f64,
    ) -> Option<Found<'static>> {
        let masses = ragdoll.topology.bodies.iter().map(|def| def.mass);
        let momentum = masses.zip(bodies).map(|(mass, body)| f64::from(mass * body.linear.y)).sum();
        let before = self.momentum.replace(momentum)?;
        let weight = f64::from(weight);
        let given = contacts.iter().map(|contact| f64::from(contact.impulse * contact.normal.y)).sum();
        self.count(Carried { weight, held: weight + momentum - before, contacts: given }, dt)
    }

    /// Who falls is held by nothing, and does not hover.
    fn count(&mut self, step: Carried, dt: f64) -> Option<Found<'static>> {
        let uncarried = (step.held - step.contacts) / step.weight;
        // Without gravity nobody has to be carried.
        let hovers = step.weight > 0.0 && uncarried > UNCARRIED;
        self.seconds = if hovers { self.seconds + dt } else { 0.0 };
        (self.seconds > HOVERS).then(|| Found::new(Bone::Pelvis, uncarried, "of its weight"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds of one for which a figure hovers that is held and carried by such shares of its weight.
    fn hovered(held: f64, contacts: f64) -> f64 {
        let mut weight = Weight::default();
        let step = Carried { weight: 12.0, held: 12.0 * held, contacts: 12.0 * contacts };
        (0..60).filter(|_| weight.count(step, 1.0 / 60.0).is_some()).count() as f64 / 60.0
    }

    #[test]
    fn who_is_carried_by_nothing_and_does_not_fall_hovers() {
        assert!((hovered(1.0, 0.0) - 0.7).abs() < 0.02, "{}", hovered(1.0, 0.0));
        assert!((hovered(1.0, 0.4) - 0.7).abs() < 0.02);
        assert!((hovered(1.5, 0.0) - 0.7).abs() < 0.02, "lifted");
    }

    #[test]
    fn who_stands_or_falls_does_not() {
        assert_eq!((hovered(1.0, 1.0), hovered(1.0, 0.6), hovered(0.0, 0.0), hovered(2.5, 2.5)), (0.0, 0.0, 0.0, 0.0));
    }
}
