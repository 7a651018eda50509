//! Anchors of figures side by side: pulls from outside on one body.

use super::body::Body;
use super::lanes::Lane;
use super::maths::{Tensor, Turn, Vector};

/// One anchor of each figure, all on the same body of theirs. Soft rows, as muscles are.
#[derive(Clone, Copy, Debug)]
pub struct Anchor<V> {
    pub body: usize,
    /// Masks of the world's axes along and about which it holds.
    pub along: Vector<V>,
    pub about: Vector<V>,
    /// Where the body's centre shall be at the step's start (m, world), and its principal axes.
    pub place: Vector<V>,
    pub rotation: Turn<V>,
    /// How these move (m/s, rad/s).
    pub linear: Vector<V>,
    pub angular: Vector<V>,
    /// The most turn rate that a gap may ask for (rad/s).
    pub rate_cap: V,
    /// Softness.
    pub rate: V,
    pub mass_share: V,
    pub impulse_share: V,
    /// The most that it gives a sub-step (N·s, N·m·s): norms over its axes.
    pub force_cap: V,
    pub torque_cap: V,

    /// Given in the last sub-step (N·s, N·m·s, world).
    pub push: Vector<V>,
    pub twist: Vector<V>,
    /// Norms, summed over the step.
    pub pushed: V,
    pub twisted: V,

    aim_linear: Vector<V>,
    aim_angular: Vector<V>,
    turn_mass: Tensor<V>,
}

impl<V: Lane> Anchor<V> {
    /// An anchor without a figure: it holds nothing.
    pub fn idle(body: usize) -> Self {
        let (none, vector) = (V::zero(), Vector::zero());
        Self {
            body,
            along: vector,
            about: vector,
            place: vector,
            rotation: Turn::identity(),
            linear: vector,
            angular: vector,
            rate_cap: none,
            rate: none,
            mass_share: none,
            impulse_share: none,
            force_cap: none,
            torque_cap: none,
            push: vector,
            twist: vector,
            pushed: none,
            twisted: none,
            aim_linear: vector,
            aim_angular: vector,
            turn_mass: Tensor::diagonal(V::splat(1.0)),
        }
    }

    /// At a sub-step's start. `passed`: seconds of the step before it.
    #[inline(always)]
    pub fn prepare(&mut self, bodies: &mut [Body<V>], passed: V) {
        let body = &mut bodies[self.body];
        let gap = self.place - body.position + self.linear * passed;
        self.aim_linear = gap * self.rate + self.linear;
        let gap = self.rotation.after(body.rotation.conjugate()).rotation_vector() + self.angular * passed;
        self.aim_angular = (gap * self.rate).no_longer_than(self.rate_cap) + self.angular;
        // The inverse inertia about the held axes alone; the others are let be.
        let (x, y, z) = (self.about.x, self.about.y, self.about.z);
        let (one, all) = (V::splat(1.0), body.inverse);
        let held = Tensor {
            xx: V::select(x, all.xx, one),
            yy: V::select(y, all.yy, one),
            zz: V::select(z, all.zz, one),
            xy: all.xy.where_set(x.and(y)),
            xz: all.xz.where_set(x.and(z)),
            yz: all.yz.where_set(y.and(z)),
        };
        self.turn_mass = held.inverse();
        body.linear = body.linear + self.push * body.inverse_mass;
        body.twist(self.twist);
    }

    #[inline(always)]
    pub fn sweep(&mut self, bodies: &mut [Body<V>]) {
        let body = &mut bodies[self.body];
        let off = masked(self.along, body.linear - self.aim_linear);
        let given = -(off * (self.mass_share / body.inverse_mass)) - self.push * self.impulse_share;
        let all = (self.push + given).no_longer_than(self.force_cap);
        body.linear = body.linear + (all - self.push) * body.inverse_mass;
        self.push = all;

        let off = masked(self.about, body.angular - self.aim_angular);
        let given = -(masked(self.about, self.turn_mass.apply(off)) * self.mass_share) - self.twist * self.impulse_share;
        let all = (self.twist + given).no_longer_than(self.torque_cap);
        body.twist(all - self.twist);
        self.twist = all;
    }

    /// After a sub-step.
    #[inline(always)]
    pub fn reckon(&mut self) {
        self.pushed = self.pushed + self.push.dot(self.push).sqrt();
        self.twisted = self.twisted + self.twist.dot(self.twist).sqrt();
    }
}

#[inline(always)]
fn masked<V: Lane>(mask: Vector<V>, v: Vector<V>) -> Vector<V> {
    Vector { x: v.x.where_set(mask.x), y: v.y.where_set(mask.y), z: v.z.where_set(mask.z) }
}
