//! Contacts of figures side by side: with scenery, and of a figure with itself.

use super::body::Body;
use super::lanes::Lane;
use super::maths::Vector;
use super::soft::Softness;

/// The fastest that an overlap is pressed out (m/s): more throws bodies up.
pub(super) const PRESS_OUT: f32 = 3.0;
/// Closing speed (m/s) under which nothing bounces.
pub(super) const BOUNCE_FROM: f32 = 1.0;

/// A point that is farther (m) than this and [`REACH`] sub-steps of its closing is left out of a sub-step: detection tells of points that
/// are up to 2 cm away, and more than half of those of who lies have nothing to do. Held by `measure walls`, `pile` and `props`.
pub(super) const SLACK: f32 = 0.002;
/// See [`SLACK`].
pub(super) const REACH: f32 = 2.0;

/// Sweeps over contacts that bounce: a box that lands flat comes back without a spin.
pub(super) const BOUNCE_SWEEPS: usize = 16;

/// A point of each figure, where it is at the step's start.
#[derive(Clone, Copy, Debug)]
pub struct Met<V> {
    /// World, m.
    pub on_one: Vector<V>,
    pub on_two: Vector<V>,
    /// Unit, world, out of the second into the first.
    pub normal: Vector<V>,
    /// m; less than 0 where they overlap.
    pub distance: V,
    /// How the scenery moves there (m/s).
    pub velocity: Vector<V>,
    /// N·s on the first, world: a sub-step's worth of what it gave in the last step.
    pub given: Vector<V>,
}

/// One contact point of each figure, on the same bodies of theirs.
#[derive(Clone, Copy, Debug)]
pub struct Contact<V> {
    pub one: usize,
    /// `None`: scenery.
    pub two: Option<usize>,
    /// Lanes that have it.
    pub active: V,
    /// What detection says of it.
    pub met: Met<V>,
    /// From the bodies' centres, in principal axes (m): they turn with the bodies, and say how deep the point is.
    arm_one: Vector<V>,
    arm_two: Vector<V>,
    /// From the bodies' centres, as they were at the step's start (m, world): where impulses act. What rolls does not take the place
    /// where it is touched along.
    at_one: Vector<V>,
    at_two: Vector<V>,
    /// Two directions across the normal.
    across: [Vector<V>; 2],
    /// Added to the points' distance along the normal it is the gap (m).
    offset: V,
    /// How the scenery's surface moves along the normal and across it (m/s).
    drift: V,
    slide: [V; 2],
    pub friction: V,
    pub restitution: V,
    /// Whether any lane bounces.
    pub bounces: bool,

    /// N·s given in the last sub-step.
    press: V,
    rub: [V; 2],
    /// N·s along the normal over the step, and the most of a sub-step.
    pub total: V,
    pub peak: V,
    /// How fast it closed at the step's start (m/s; less than 0 where it parts).
    pub closing: V,
    /// N·s given to come back.
    bounced: V,

    /// Lanes where it is so near that it may be met in this sub-step, and whether there are any.
    near: V,
    near_any: bool,
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
            met: Met { on_one: vector, on_two: vector, normal: vector, distance: none, velocity: vector, given: vector },
            arm_one: vector,
            arm_two: vector,
            at_one: vector,
            at_two: vector,
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
            near: none,
            near_any: false,
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

    /// At the step's start, from what detection says.
    #[inline(always)]
    pub fn begin_step(&mut self, bodies: &[Body<V>]) {
        let Met { on_one, on_two, normal, distance, velocity, given } = self.met;
        let one = &bodies[self.one];
        let from_one = on_one - one.position;
        self.arm_one = one.axes.apply_back(from_one);
        (self.at_one, self.offset) = (from_one, distance - normal.dot(on_one));
        if let Some(two) = self.two {
            let two = &bodies[two];
            let from_two = on_two - two.position;
            self.arm_two = two.axes.apply_back(from_two);
            self.offset = distance - normal.dot(on_one - on_two);
            self.at_two = from_two;
            self.recentre(bodies);
        }
        self.across = across(normal);
        self.drift = velocity.dot(normal);
        self.press = given.dot(normal).most(V::zero());
        for way in 0..2 {
            self.slide[way] = velocity.dot(self.across[way]);
            self.rub[way] = given.dot(self.across[way]);
        }
    }

    /// What it gave in the last sub-step (N·s on the first, world).
    #[inline(always)]
    fn impulse(&self) -> Vector<V> {
        self.met.normal * self.press + self.across[0] * self.rub[0] + self.across[1] * self.rub[1]
    }

    /// At the start of a sub-step of `h` seconds; `passed`: seconds of the step before it.
    #[inline(always)]
    pub fn prepare(&mut self, bodies: &mut [Body<V>], h: V, passed: V, first: bool) {
        let one = &bodies[self.one];
        let mut apart = one.position + one.axes.apply(self.arm_one);
        if let Some(two) = self.two {
            let two = &bodies[two];
            apart = apart - two.position - two.axes.apply(self.arm_two);
        }
        self.gap = apart.dot(self.met.normal) + self.offset - self.drift * passed;
        self.recentre(bodies);
        let closing = self.drift - self.speed(bodies).dot(self.met.normal);
        if first {
            self.closing = closing;
        }
        let reach = closing.most(V::zero()) * h * V::splat(REACH) + V::splat(SLACK);
        self.near = self.gap.below(reach).or(V::zero().below(self.press)).and(self.active);
        self.near_any = self.near.any();
        if !self.near_any {
            self.rub = [V::zero(); 2];
            return;
        }
        self.rub = [self.rub[0].where_set(self.near), self.rub[1].where_set(self.near)];
        let one = &bodies[self.one];
        let ways = [self.met.normal, self.across[0], self.across[1]];
        let mut masses = [V::zero(); 3];
        // Loops and no closures in here: a closure is not compiled for the width's instruction set.
        for way in 0..3 {
            masses[way] = one.mass_along(self.at_one, ways[way]);
        }
        if let Some(two) = self.two {
            let two = &bodies[two];
            for way in 0..3 {
                masses[way] = masses[way] + two.mass_along(self.at_two, ways[way]);
            }
        }
        let one = V::splat(1.0);
        // A lane that has nothing to do keeps its own, whoever stands beside it.
        self.mass = V::select(self.near, one / masses[0], self.mass);
        self.rub_mass = one / masses[1].most(masses[2]);
        self.push(bodies, self.impulse(), self.near);
    }

    /// Impulses between two bodies act at one point, wherever these have moved to: else they would turn the figure from nothing.
    #[inline(always)]
    fn recentre(&mut self, bodies: &[Body<V>]) {
        let Some(two) = self.two else { return };
        let apart = bodies[two].position + self.at_two - bodies[self.one].position - self.at_one;
        let half = apart * V::splat(0.5);
        self.at_one = self.at_one + half;
        self.at_two = self.at_two - half;
    }

    #[inline(always)]
    pub fn sweep(&mut self, bodies: &mut [Body<V>], soft: &Softness, biased: bool, per_h: V) {
        if !self.near_any {
            return;
        }
        // Friction first: the press has the last word.
        let speed = self.speed(bodies);
        let first = self.rub[0] - self.rub_mass * (speed.dot(self.across[0]) - self.slide[0]);
        let second = self.rub[1] - self.rub_mass * (speed.dot(self.across[1]) - self.slide[1]);
        let most = self.friction * self.press;
        let square = first * first + second * second;
        let share = V::select((most * most).below(square), most / square.most(V::splat(1.0e-20)).sqrt(), V::splat(1.0));
        let rub = [(first * share).where_set(self.near), (second * share).where_set(self.near)];
        let given = self.across[0] * (rub[0] - self.rub[0]) + self.across[1] * (rub[1] - self.rub[1]);
        self.push(bodies, given, self.near);
        self.rub = rub;

        let speed = self.speed(bodies).dot(self.met.normal) - self.drift;
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
        let all = all.most(V::zero()).where_set(self.near);
        self.push(bodies, self.met.normal * (all - self.press), self.near);
        self.press = all;
    }

    /// After a sub-step: `met.given` becomes what it gives to the next step.
    #[inline(always)]
    pub fn reckon(&mut self) {
        self.met.given = self.impulse();
        self.total = self.total + self.press;
        self.peak = self.peak.most(self.press);
    }

    /// After the last sub-step, in several sweeps: what closed fast comes back.
    #[inline(always)]
    pub fn bounce(&mut self, bodies: &mut [Body<V>]) {
        let met = V::splat(BOUNCE_FROM).below(self.closing).and(V::zero().below(self.peak));
        let speed = self.speed(bodies).dot(self.met.normal) - self.drift;
        let wanted = self.closing * self.restitution;
        let all = (self.bounced + self.mass * (wanted - speed)).most(V::zero());
        let bounces = V::zero().below(self.restitution).and(self.active);
        let all = all.where_set(met.and(bounces));
        let given = all - self.bounced;
        self.push(bodies, self.met.normal * given, bounces);
        self.bounced = all;
        self.total = self.total + given;
    }
}

/// Two directions across a normal, the same for the same normal: see [`super::coupled::across`].
#[inline(always)]
fn across<V: Lane>(normal: Vector<V>) -> [Vector<V>; 2] {
    let (none, one) = (V::zero(), V::splat(1.0));
    let along_x = normal.x.abs().below(V::splat(0.7));
    let way = Vector { x: V::select(along_x, one, none), y: V::select(along_x, none, one), z: none };
    let first = way - normal * normal.dot(way);
    let first = first * (one / first.dot(first).sqrt());
    [first, normal.cross(first)]
}

/// Lanes without this contact have no impulse here, and are left alone: adding none could still turn −0 to 0.
#[inline(always)]
fn push_one<V: Lane>(body: &mut Body<V>, at: Vector<V>, impulse: Vector<V>, mask: V) {
    let linear = body.linear + impulse * body.inverse_mass;
    let angular = body.angular + body.inverse.apply(at.cross(impulse));
    body.linear = Vector::select(mask, linear, body.linear);
    body.angular = Vector::select(mask, angular, body.angular);
}
