//! Contacts of figures side by side: with scenery, and of a figure with itself.

use super::body::Body;
use super::lanes::Lane;
use super::maths::Vector;
use super::soft::Softness;

/// The fastest that an overlap is pressed out (m/s): more throws bodies up.
pub(super) const PRESS_OUT: f32 = 3.0;
/// Closing speed (m/s) under which nothing bounces.
pub(super) const BOUNCE_FROM: f32 = 1.0;

/// Sweeps over contacts that bounce: a box that lands flat comes back without a spin.
pub(super) const BOUNCE_SWEEPS: usize = 16;

/// One contact point of each figure, on the same bodies of theirs.
#[derive(Clone, Copy, Debug)]
pub struct Contact<V> {
    pub one: usize,
    /// `None`: scenery.
    pub two: Option<usize>,
    /// Lanes that have it.
    pub active: V,
    /// From the bodies' centres, in principal axes (m): they turn with the bodies, and say how deep the point is.
    pub arm_one: Vector<V>,
    pub arm_two: Vector<V>,
    /// From the bodies' centres, as they were at the step's start (m, world): where impulses act. What rolls does not take the place
    /// where it is touched along.
    pub at_one: Vector<V>,
    pub at_two: Vector<V>,
    /// Unit, world, out of the second into the first; and two across it.
    pub normal: Vector<V>,
    pub across: [Vector<V>; 2],
    /// Added to the points' distance along the normal it is the gap (m).
    pub offset: V,
    /// How the scenery's surface moves along the normal and across it (m/s).
    pub drift: V,
    pub slide: [V; 2],
    pub friction: V,
    pub restitution: V,
    /// Whether any lane bounces.
    pub bounces: bool,

    /// N·s given in the last sub-step.
    pub press: V,
    pub rub: [V; 2],
    /// N·s along the normal over the step, and the most of a sub-step.
    pub total: V,
    pub peak: V,
    /// How fast it closed at the step's start (m/s; less than 0 where it parts).
    pub closing: V,
    /// N·s given to come back.
    bounced: V,

    gap: V,
    mass: V,
    /// One for both ways across: with one each, rubbing would lean toward the lighter way and not against the sliding.
    rub_mass: V,
}

impl<V: Lane> Contact<V> {
    pub fn idle(one: usize, two: Option<usize>) -> Self {
        let (none, vector) = (V::zero(), Vector::zero());
        Self {
            one,
            two,
            active: none,
            arm_one: vector,
            arm_two: vector,
            at_one: vector,
            at_two: vector,
            normal: vector,
            across: [vector; 2],
            offset: none,
            drift: none,
            slide: [none; 2],
            friction: none,
            restitution: none,
            bounces: false,
            press: none,
            rub: [none; 2],
            total: none,
            peak: none,
            closing: none,
            bounced: none,
            gap: none,
            mass: none,
            rub_mass: none,
        }
    }

    /// How the first's point moves against the second's (m/s).
    #[inline(always)]
    fn speed(&self, bodies: &[Body<V>]) -> Vector<V> {
        let one = bodies[self.one].velocity_at(self.at_one);
        match self.two {
            Some(two) => one - bodies[two].velocity_at(self.at_two),
            None => one,
        }
    }

    #[inline(always)]
    fn push(&self, bodies: &mut [Body<V>], impulse: Vector<V>, mask: V) {
        push_one(&mut bodies[self.one], self.at_one, impulse, mask);
        if let Some(two) = self.two {
            push_one(&mut bodies[two], self.at_two, -impulse, mask);
        }
    }

    /// At a sub-step's start; `passed`: seconds of the step before it.
    #[inline(always)]
    pub fn prepare(&mut self, bodies: &mut [Body<V>], passed: V, first: bool) {
        let one = &bodies[self.one];
        let mut apart = one.position + one.axes.apply(self.arm_one);
        let ways = [self.normal, self.across[0], self.across[1]];
        let mut masses = [V::zero(); 3];
        // Loops and no closures in here: a closure is not compiled for the width's instruction set.
        for way in 0..3 {
            masses[way] = one.mass_along(self.at_one, ways[way]);
        }
        if let Some(two) = self.two {
            let two = &bodies[two];
            apart = apart - two.position - two.axes.apply(self.arm_two);
            for way in 0..3 {
                masses[way] = masses[way] + two.mass_along(self.at_two, ways[way]);
            }
        }
        let one = V::splat(1.0);
        self.gap = apart.dot(self.normal) + self.offset - self.drift * passed;
        self.mass = one / masses[0];
        self.rub_mass = one / masses[1].most(masses[2]);
        if first {
            self.closing = self.drift - self.speed(bodies).dot(self.normal);
        }
        let impulse = self.normal * self.press + self.across[0] * self.rub[0] + self.across[1] * self.rub[1];
        self.push(bodies, impulse, self.active);
    }

    #[inline(always)]
    pub fn sweep(&mut self, bodies: &mut [Body<V>], soft: &Softness, biased: bool, per_h: V) {
        // Friction first: the press has the last word.
        let speed = self.speed(bodies);
        let first = self.rub[0] - self.rub_mass * (speed.dot(self.across[0]) - self.slide[0]);
        let second = self.rub[1] - self.rub_mass * (speed.dot(self.across[1]) - self.slide[1]);
        let most = self.friction * self.press;
        let square = first * first + second * second;
        let share = V::select((most * most).below(square), most / square.most(V::splat(1.0e-20)).sqrt(), V::splat(1.0));
        let rub = [(first * share).where_set(self.active), (second * share).where_set(self.active)];
        let given = self.across[0] * (rub[0] - self.rub[0]) + self.across[1] * (rub[1] - self.rub[1]);
        self.push(bodies, given, self.active);
        self.rub = rub;

        let speed = self.speed(bodies).dot(self.normal) - self.drift;
        let free = V::zero().below(self.gap);
        let (out, mass_share, impulse_share) = if biased {
            let out = (self.gap * V::splat(soft.rate)).most(V::splat(-PRESS_OUT));
            (out, V::splat(soft.mass), V::splat(soft.impulse))
        } else {
            (V::zero(), V::splat(1.0), V::zero())
        };
        let mut to_go = self.gap * per_h;
        if !biased {
            // The poses have moved: part of the gap is gone.
            to_go = (to_go + speed).most(V::zero());
        }
        let bias = V::select(free, to_go, out);
        let mass_share = V::select(free, V::splat(1.0), mass_share);
        let impulse_share = V::select(free, V::zero(), impulse_share);
        let all = self.press - self.mass * mass_share * (speed + bias) - self.press * impulse_share;
        let all = all.most(V::zero()).where_set(self.active);
        self.push(bodies, self.normal * (all - self.press), self.active);
        self.press = all;
    }

    /// After a sub-step.
    #[inline(always)]
    pub fn reckon(&mut self) {
        self.total = self.total + self.press;
        self.peak = self.peak.most(self.press);
    }

    /// After the last sub-step, in several sweeps: what closed fast comes back.
    #[inline(always)]
    pub fn bounce(&mut self, bodies: &mut [Body<V>]) {
        let met = V::splat(BOUNCE_FROM).below(self.closing).and(V::zero().below(self.peak));
        let speed = self.speed(bodies).dot(self.normal) - self.drift;
        let wanted = self.closing * self.restitution;
        let all = (self.bounced + self.mass * (wanted - speed)).most(V::zero());
        let bounces = V::zero().below(self.restitution).and(self.active);
        let all = all.where_set(met.and(bounces));
        let given = all - self.bounced;
        self.push(bodies, self.normal * given, bounces);
        self.bounced = all;
        self.total = self.total + given;
    }
}

/// Lanes without this contact have no impulse here, and are left alone: adding none could still turn −0 to 0.
#[inline(always)]
fn push_one<V: Lane>(body: &mut Body<V>, at: Vector<V>, impulse: Vector<V>, mask: V) {
    let linear = body.linear + impulse * body.inverse_mass;
    let angular = body.angular + body.inverse.apply(at.cross(impulse));
    body.linear = Vector::select(mask, linear, body.linear);
    body.angular = Vector::select(mask, angular, body.angular);
}
