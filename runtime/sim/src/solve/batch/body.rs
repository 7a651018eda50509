//! Bodies of figures side by side: how they move, freely.

use super::lanes::Lane;
use super::maths::{Matrix, Tensor, Turn, Vector};

/// One body of each figure, in its principal axes.
#[derive(Clone, Copy, Debug)]
pub struct Body<V> {
    /// World, m: the centre of mass.
    pub position: Vector<V>,
    /// World from principal axes.
    pub rotation: Turn<V>,
    /// m/s, world.
    pub linear: Vector<V>,
    /// rad/s, world.
    pub angular: Vector<V>,
    /// 1/kg.
    pub inverse_mass: V,
    /// kg·m².
    pub inertia: Vector<V>,
    /// 1/(kg·m²).
    pub inverse_inertia: Vector<V>,
    /// m/s², world: gravity and forces of the step.
    pub pull: Vector<V>,
    /// N·m, world: torques of the step.
    pub torque: Vector<V>,
    /// `rotation` as a matrix, at the sub-step's start.
    pub axes: Matrix<V>,
    /// 1/(kg·m²), world, at the sub-step's start.
    pub inverse: Tensor<V>,
    /// rad/s, world, at the sub-step's start: what muscles' work is reckoned from.
    pub angular_before: Vector<V>,
}

impl<V: Lane> Body<V> {
    /// A body that no force moves: what stands in lanes without a figure.
    pub fn idle() -> Self {
        let (none, one) = (Vector::zero(), V::splat(1.0));
        Self {
            position: none,
            rotation: Turn::identity(),
            linear: none,
            angular: none,
            inverse_mass: one,
            inertia: Vector { x: one, y: one, z: one },
            inverse_inertia: Vector { x: one, y: one, z: one },
            pull: none,
            torque: none,
            axes: Turn::identity().matrix(),
            inverse: Tensor::diagonal(one),
            angular_before: none,
        }
    }

    /// At the step's start.
    #[inline(always)]
    pub fn begin_step(&mut self) {
        self.axes = self.rotation.matrix();
    }

    /// At a sub-step's start: gravity and forces.
    #[inline(always)]
    pub fn accelerate(&mut self, h: V) {
        self.tumble();
        self.inverse = self.axes.around(self.inverse_inertia);
        self.angular_before = self.angular;
        self.linear = self.linear + self.pull * h;
        self.angular = self.angular + self.inverse.apply(self.torque) * h;
    }

    /// How a free body tumbles: its angular momentum is in the world what it was where it stood at the sub-step's start, and the turn rate
    /// follows from it where it has turned to since (Euler's equations). What energy that may gain is taken off again: nothing
    /// speeds up by itself.
    #[inline(always)]
    pub fn tumble(&mut self) {
        let spin = self.axes.apply_back(self.angular);
        let momentum = self.inertia.times(spin);
        let kept = self.axes.apply(momentum);
        self.axes = self.rotation.matrix();
        let momentum_after = self.axes.apply_back(kept);
        let spin_after = self.inverse_inertia.times(momentum_after);
        let (energy, energy_after) = (momentum.dot(spin), momentum_after.dot(spin_after));
        let gained = energy.below(energy_after);
        let share = V::select(gained, (energy / energy_after).sqrt(), V::splat(1.0));
        self.angular = self.axes.apply(spin_after * share);
    }

    /// Moves on for `h` seconds.
    #[inline(always)]
    pub fn advance(&mut self, h: V) {
        self.position = self.position + self.linear * h;
        self.rotation = self.rotation.turned(self.angular * h);
    }

    /// How the point at `arm` from the centre moves (m/s).
    #[inline(always)]
    pub fn velocity_at(&self, arm: Vector<V>) -> Vector<V> {
        self.linear + self.angular.cross(arm)
    }

    /// What an impulse of 1 N·s along `way` at `arm` from the centre adds to the speed there, along it (1/kg).
    #[inline(always)]
    pub fn mass_along(&self, arm: Vector<V>, way: Vector<V>) -> V {
        let lever = arm.cross(way);
        self.inverse_mass + lever.dot(self.inverse.apply(lever))
    }

    /// Turns it (N·m·s).
    #[inline(always)]
    pub fn twist(&mut self, impulse: Vector<V>) {
        self.angular = self.angular + self.inverse.apply(impulse);
    }
}
