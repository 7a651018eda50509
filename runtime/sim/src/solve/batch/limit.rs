//! Limits of joints side by side: how far a ball swings and twists, and a hinge bends.
//!
//! A limit is a row that only pushes back. It is there while its joint may come to it within the step, and knows how far it is: up to
//! there it lets the joint turn freely, so nothing overshoots and nothing sticks.

use super::lanes::Lane;
use super::maths::{Matrix, Tensor, Turn, Vector, double_angle};
use super::soft::Softness;

/// How near (rad) a limit is that has a row: a muscle turns 20 rad/s × 1/60 s in a step. Rows that are never near cost a fifth of the time.
const NEAR: f32 = 0.35;
/// What a joint that already turns may turn further in a step, as a multiple of its present rate × the step: blows come in between.
const REACH: f32 = 1.5;
/// The least sine of a swing that the ellipse's slope is taken at: at the middle and at half a turn it has no direction.
const LEAST_SINE: f32 = 0.1;

/// Pushes along one row: `gap` to go until the limit (negative past it), `speed` at which the gap grows.
#[inline(always)]
fn push<V: Lane>(gap: V, speed: V, given: V, mass: V, soft: &Softness, biased: bool, h: V) -> V {
    let free = V::zero().below(gap);
    let mut to_go = gap / h;
    if !biased {
        // The poses have moved: part of the gap is gone.
        to_go = (to_go + speed).most(V::zero());
    }
    let bias = V::select(free, to_go, gap * V::splat(soft.rate));
    let mass_share = V::select(free, V::splat(1.0), V::splat(soft.mass));
    let impulse_share = V::select(free, V::zero(), V::splat(soft.impulse));
    (given - mass * mass_share * (speed + bias) - given * impulse_share).most(V::zero())
}

/// What a limit gave in the last sub-step, and in the one before (N·m·s).
///
/// A sub-step begins with the lesser of the two: a limit that is leaned on gives the same again and again, one that was struck has given
/// once and for all. Begun with all of it, it would throw the joint back: energy then rises by up to 0.7 % a step (`measure limits`). With half
/// of it always, heaps do not come to rest.
#[derive(Clone, Copy, Debug)]
pub struct Push<V> {
    pub now: V,
    pub before: V,
}

impl<V: Lane> Push<V> {
    fn none() -> Self {
        Self { now: V::zero(), before: V::zero() }
    }

    #[inline(always)]
    fn begin(&mut self) {
        let now = self.now;
        self.now = now.least(self.before);
        self.before = now;
    }

    #[inline(always)]
    fn where_set(self, mask: V) -> Self {
        Self { now: self.now.where_set(mask), before: self.before.where_set(mask) }
    }

    /// Of one lane.
    pub fn get(&self, lane: usize) -> [f32; 2] {
        [self.now.get(lane), self.before.get(lane)]
    }

    /// Sets one lane.
    pub fn set(&mut self, lane: usize, [now, before]: [f32; 2]) {
        self.now.set(lane, now);
        self.before.set(lane, before);
    }
}

/// A range of angles about an axis.
#[derive(Clone, Copy, Debug)]
pub struct Stop<V> {
    /// rad.
    pub low: V,
    pub high: V,
    /// Tangents of half of these.
    low_tangent: V,
    high_tangent: V,
    /// N·m·s given in the last sub-step.
    pub low_push: Push<V>,
    pub high_push: Push<V>,
    /// Lanes where a limit is near.
    near: V,
    /// Whether there is one.
    pub near_any: bool,
    /// The angle's gradient (world): 1 long for a hinge.
    axis: Vector<V>,
    mass: V,
    low_gap: V,
    high_gap: V,
}

impl<V: Lane> Stop<V> {
    pub fn idle() -> Self {
        let none = V::zero();
        let (low, high) = (V::splat(-1.0e3), V::splat(1.0e3));
        Self {
            low,
            high,
            low_tangent: low,
            high_tangent: high,
            low_push: Push::none(),
            high_push: Push::none(),
            near: none,
            near_any: false,
            axis: Vector::zero(),
            mass: none,
            low_gap: none,
            high_gap: none,
        }
    }

    /// A lane's range (rad).
    pub fn put(&mut self, lane: usize, range: [f32; 2]) {
        // Past half a turn there is no limit: just short of it the tangent is as good as infinite.
        let most = std::f32::consts::PI - 0.0016;
        let tangents = range.map(|angle| libm::tanf(angle.clamp(-most, most) * 0.5));
        self.low.set(lane, range[0]);
        self.high.set(lane, range[1]);
        self.low_tangent.set(lane, tangents[0]);
        self.high_tangent.set(lane, tangents[1]);
    }

    /// Mask of lanes whose rotation (real part ≥ 0) is twisted out of the range.
    #[inline(always)]
    pub fn outside(&self, turn: Turn<V>) -> V {
        turn.x.below(turn.w * self.low_tangent).or((turn.w * self.high_tangent).below(turn.x))
    }

    #[inline(always)]
    pub fn look(&mut self, angle: V, reach: V) {
        let near = V::splat(NEAR).most(reach * V::splat(REACH));
        self.near = (angle - self.low).below(near).or((self.high - angle).below(near));
        self.near_any = self.near.any();
        self.low_push = self.low_push.where_set(self.near);
        self.high_push = self.high_push.where_set(self.near);
    }

    /// A ball's twist, whose gradient leans with the swing: (parent's axis + child's) / (1 + their cosine).
    #[inline(always)]
    pub fn prepare_twist(
        &mut self,
        present: Turn<V>,
        parent_axis: Vector<V>,
        child_axis: Vector<V>,
        both: &Tensor<V>,
    ) -> Vector<V> {
        let cosine = parent_axis.dot(child_axis);
        let lean = V::splat(1.0) / (V::splat(1.0) + cosine).most(V::splat(0.05));
        self.prepare(double_angle(present.x, present.w), (parent_axis + child_axis) * lean, both)
    }

    /// Its rows where the joint is now, for an angle and its gradient (world): a hinge's is its axis. Gives what they gave last (N·m·s on the
    /// child, world).
    #[inline(always)]
    pub fn prepare(&mut self, angle: V, axis: Vector<V>, both: &Tensor<V>) -> Vector<V> {
        self.axis = axis;
        self.mass = V::splat(1.0) / axis.dot(both.apply(axis));
        self.low_gap = angle - self.low;
        self.high_gap = self.high - angle;
        self.low_push.begin();
        self.high_push.begin();
        axis * (self.low_push.now - self.high_push.now)
    }

    /// What its rows give in this sweep (N·m·s on the child, world).
    #[inline(always)]
    pub fn sweep(&mut self, spin: Vector<V>, soft: &Softness, biased: bool, h: V) -> Vector<V> {
        let speed = self.axis.dot(spin);
        let low = push(self.low_gap, speed, self.low_push.now, self.mass, soft, biased, h).where_set(self.near);
        let high = push(self.high_gap, -speed, self.high_push.now, self.mass, soft, biased, h).where_set(self.near);
        let given = (low - self.low_push.now) - (high - self.high_push.now);
        self.low_push.now = low;
        self.high_push.now = high;
        self.axis * given
    }
}

/// An elliptic cone that a ball's twist axis stays in.
#[derive(Clone, Copy, Debug)]
pub struct Cone<V> {
    /// 1 / half-angle about the joint frame's Y and Z (1/rad).
    pub over_y: V,
    pub over_z: V,
    /// N·m·s given in the last sub-step.
    pub pushed: Push<V>,
    near: V,
    pub near_any: bool,
    /// World, unit: turning the child about it opens the gap.
    axis: Vector<V>,
    mass: V,
    gap: V,
}

/// Where a swing is.
struct Swing<V> {
    /// rad, 0..=π.
    angle: V,
    /// Its sine.
    sine: V,
    /// The swing's axis in the parent's joint frame: X is 0.
    y: V,
    z: V,
    /// The ellipse's radius (rad) there.
    radius: V,
}

impl<V: Lane> Cone<V> {
    pub fn idle() -> Self {
        let none = V::zero();
        Self {
            over_y: V::splat(0.1),
            over_z: V::splat(0.1),
            pushed: Push::none(),
            near: none,
            near_any: false,
            axis: Vector::zero(),
            mass: none,
            gap: none,
        }
    }

    /// Mask of lanes whose rotation may be swung out of the cone. A swing's half-angle has the sine √(y² + z²), whatever the twist, and
    /// sin(θ/2) ≥ θ/π on 0..π; but a twist turns the direction, so the narrower of the two half-angles has to do.
    #[inline(always)]
    pub fn may_be_outside(&self, turn: Turn<V>) -> V {
        let over_least = self.over_y.most(self.over_z) * V::splat(std::f32::consts::PI);
        let (y, z) = (turn.y * over_least, turn.z * over_least);
        V::splat(1.0).below(y * y + z * z)
    }

    #[inline(always)]
    fn swing(&self, present: Turn<V>) -> (Swing<V>, Vector<V>) {
        let q = present;
        let two = V::splat(2.0);
        // Where the child's X axis points in the parent's joint frame.
        let along = Vector {
            x: V::splat(1.0) - two * (q.y * q.y + q.z * q.z),
            y: two * (q.x * q.y + q.w * q.z),
            z: two * (q.x * q.z - q.w * q.y),
        };
        let angle = double_angle((q.y * q.y + q.z * q.z).sqrt(), (q.x * q.x + q.w * q.w).sqrt());
        let sine = (along.y * along.y + along.z * along.z).sqrt();
        let over = V::splat(1.0) / sine.most(V::splat(1.0e-6));
        let (y, z) = (-along.z * over, along.y * over);
        let (a, b) = (y * self.over_y, z * self.over_z);
        let radius = V::splat(1.0) / (a * a + b * b).most(V::splat(1.0e-6)).sqrt();
        (Swing { angle, sine, y, z, radius }, along)
    }

    #[inline(always)]
    pub fn look(&mut self, present: Turn<V>, reach: V) {
        let (swing, _) = self.swing(present);
        let near = V::splat(NEAR).most(reach * V::splat(REACH));
        // In the middle the direction is open: the nearest part of the ellipse is what may be met.
        let least = V::splat(1.0) / self.over_y.most(self.over_z);
        let radius = V::select(V::splat(LEAST_SINE).below(swing.sine), swing.radius, least);
        self.near = (radius - swing.angle).below(near);
        self.near_any = self.near.any();
        self.pushed = self.pushed.where_set(self.near);
    }

    /// The row where the joint is now; gives what it gave last (N·m·s on the child, world).
    ///
    /// With the swing at angle θ and azimuth φ the gap is ρ(φ) − θ, ρ the ellipse's radius. Turning at ω, θ grows by ω·u (u the swing's axis)
    /// and φ by ω·(d × u) / sin θ (d where the child points): the gradient is −u + ρ′ / sin θ · (d × u). A row along u alone leaks
    /// round the ellipse's flanks.
    #[inline(always)]
    pub fn prepare(&mut self, present: Turn<V>, frame: &Matrix<V>, both: &Tensor<V>) -> Vector<V> {
        let (swing, d) = self.swing(present);
        let (y, z) = (swing.y, swing.z);
        let cube = swing.radius * swing.radius * swing.radius;
        let slope = -(cube * y * z * (self.over_z * self.over_z - self.over_y * self.over_y));
        let tilt = slope / swing.sine.most(V::splat(LEAST_SINE));
        let gradient = Vector { x: tilt * (d.y * z - d.z * y), y: -y - tilt * (d.x * z), z: tilt * (d.x * y) - z };
        let over = V::splat(1.0) / gradient.dot(gradient).most(V::splat(1.0e-6)).sqrt();
        self.axis = frame.apply(gradient * over);
        self.gap = (swing.radius - swing.angle) * over;
        self.mass = V::splat(1.0) / self.axis.dot(both.apply(self.axis)).most(V::splat(1.0e-9));
        // Without a swing the axis is none.
        self.mass = self.mass.where_set(V::splat(1.0e-5).below(swing.sine));
        self.pushed.begin();
        self.axis * self.pushed.now
    }

    /// What the row gives in this sweep (N·m·s on the child, world).
    #[inline(always)]
    pub fn sweep(&mut self, spin: Vector<V>, soft: &Softness, biased: bool, h: V) -> Vector<V> {
        let all = push(self.gap, self.axis.dot(spin), self.pushed.now, self.mass, soft, biased, h).where_set(self.near);
        let given = all - self.pushed.now;
        self.pushed.now = all;
        self.axis * given
    }
}
