//! Joints of figures side by side: where two bodies meet, the muscle that turns them, and the limits of how far.

use super::body::Body;
use super::lanes::Lane;
use super::limit::{Cone, Stop};
use super::maths::{Tensor, Turn, Vector, double_angle};
use super::soft::Softness;
use super::structure::Kind;
use crate::solve::boundary::JointKind;
use crate::solve::limits::nearest_within;

/// The most a muscle asks for (rad/s): a gap of half a turn would ask for 63.
const RATE_CAP: f32 = 20.0;

/// One joint of each figure.
#[derive(Clone, Copy, Debug)]
pub struct Joint<V> {
    pub kind: Kind,
    pub parent: usize,
    pub child: usize,
    /// Joint from the parent's centre, in the parent's principal axes (m).
    pub parent_arm: Vector<V>,
    /// Joint from the child's centre, in the child's principal axes (m).
    pub child_arm: Vector<V>,
    /// Parent's principal axes from joint.
    pub parent_frame: Turn<V>,
    /// Child's principal axes from joint.
    pub child_frame: Turn<V>,
    /// Parent body and child body from joint, for what is asked.
    pub frames: [Turn<V>; 2],
    /// The least and the most twist or hinge angle.
    pub stop: Stop<V>,
    /// A ball's swing.
    pub cone: Cone<V>,

    /// The child body's rotation in the parent body's frame, as asked for at the step's start, and how that turns (rad/s, parent's frame).
    pub asked: Turn<V>,
    pub asked_rate: Vector<V>,
    /// The child's joint frame in the parent's, as wanted at the step's start; within the limits.
    wanted: Turn<V>,
    /// A hinge's wanted angle (rad).
    wanted_angle: V,
    /// How the wanted rotation turns (rad/s, parent's joint frame).
    wanted_rate: Vector<V>,
    /// The muscle's softness.
    pub rate: V,
    pub mass_share: V,
    pub impulse_share: V,
    /// The most it gives a sub-step (N·m·s).
    pub cap: V,

    /// N·s on the child, world: what holds the two together, given in the last sub-step.
    pub point: Vector<V>,
    /// N·m·s on the child, world: the muscle, and what locks a hinge's or weld's other axes.
    pub turn: Vector<V>,
    /// What the muscle did in this step (J).
    pub work: V,
    /// What it gave in the last sub-step (N·m).
    pub torque: V,
    /// How far the two ends are apart after the step (m).
    pub separation: V,

    /// World arms at the sub-step's start.
    parent_at: Vector<V>,
    child_at: Vector<V>,
    /// How far the child's end is off the parent's (m, world).
    gap: Vector<V>,
    point_mass: Tensor<V>,
    turn_mass: Tensor<V>,
    /// The turn rate wanted (rad/s, world; along the axis for a hinge, against the error for a weld).
    aim: Vector<V>,
    /// A hinge's axis (world, unit).
    axis: Vector<V>,
    /// What turns about a hinge's axis and no other way (N·m·s, world): 1 along the axis, and what the locked axes then bear.
    about: Vector<V>,
    /// What the child has to turn by so that a hinge's axes meet (rad, world).
    slant: Vector<V>,
}

impl<V: Lane> Joint<V> {
    /// A joint without a figure.
    pub fn idle(kind: Kind, parent: usize, child: usize) -> Self {
        let (none, vector, turn) = (V::zero(), Vector::zero(), Turn::identity());
        Self {
            kind,
            parent,
            child,
            parent_arm: vector,
            child_arm: vector,
            parent_frame: turn,
            child_frame: turn,
            frames: [turn; 2],
            stop: Stop::idle(),
            cone: Cone::idle(),
            asked: turn,
            asked_rate: vector,
            wanted: turn,
            wanted_angle: none,
            wanted_rate: vector,
            rate: none,
            mass_share: none,
            impulse_share: none,
            cap: none,
            point: vector,
            turn: vector,
            work: none,
            torque: none,
            separation: none,
            parent_at: vector,
            child_at: vector,
            gap: vector,
            point_mass: Tensor::zero(),
            turn_mass: Tensor::zero(),
            aim: vector,
            axis: vector,
            about: vector,
            slant: vector,
        }
    }

    /// At the step's start: which limits are so near that they may be met in a step of `dt` seconds.
    #[inline(always)]
    pub fn begin_step(&mut self, bodies: &[Body<V>], dt: V) {
        self.work = V::zero();
        if self.kind != Kind::Weld {
            self.take_target();
        }
        let (parent, child) = (&bodies[self.parent], &bodies[self.child]);
        let present = parent.rotation.after(self.parent_frame).conjugate().after(child.rotation.after(self.child_frame));
        let spin = child.angular - parent.angular;
        let reach = spin.dot(spin).sqrt() * dt;
        match self.kind {
            Kind::Ball => {
                self.stop.look(double_angle(present.x, present.w), reach);
                self.cone.look(present, reach);
            }
            Kind::Hinge => {
                self.wanted_angle = double_angle(self.wanted.x, self.wanted.w);
                self.stop.look(double_angle(present.x, present.w), reach);
            }
            Kind::Weld => {}
        }
    }

    /// Brings what is asked for within the limits: a target past one would drive the muscle into it for good.
    #[inline(always)]
    fn take_target(&mut self) {
        let from_parent = self.frames[0].conjugate();
        self.wanted = from_parent.after(self.asked).after(self.frames[1]);
        self.wanted_rate = from_parent.matrix().apply(self.asked_rate);
        // Most targets are well within, which their half-angles' sines and tangents tell.
        let negative = self.wanted.w.below(V::zero());
        let turn = Turn::select(negative, -self.wanted, self.wanted);
        let mut outside = self.stop.outside(turn);
        if self.kind == Kind::Ball {
            outside = outside.or(self.cone.may_be_outside(turn));
        }
        if outside.any() {
            for lane in 0..V::COUNT {
                if outside.get(lane).to_bits() != 0 {
                    self.wanted.set(lane, nearest_within(&self.limits(lane), self.wanted.get(lane)));
                }
            }
        }
    }

    /// A lane's limits.
    fn limits(&self, lane: usize) -> JointKind {
        let range = [self.stop.low.get(lane), self.stop.high.get(lane)];
        match self.kind {
            Kind::Ball => {
                let swing = [1.0 / self.cone.over_y.get(lane), 1.0 / self.cone.over_z.get(lane)];
                JointKind::Ball { swing, twist: range }
            }
            Kind::Hinge => JointKind::Hinge { range },
            Kind::Weld => JointKind::Weld,
        }
    }

    /// At a sub-step's start: rows anew where the bodies are now, and what they gave last time. `passed`: seconds of the step before it.
    #[inline(always)]
    pub fn prepare(&mut self, bodies: &mut [Body<V>], joint: &Softness, passed: V) {
        let (parent, child) = (&bodies[self.parent], &bodies[self.child]);
        self.parent_at = parent.axes.apply(self.parent_arm);
        self.child_at = child.axes.apply(self.child_arm);
        self.gap = child.position + self.child_at - parent.position - self.parent_at;
        // Impulses act midway between the two ends: at an end each, they would turn the figure from nothing.
        let half = self.gap * V::splat(0.5);
        self.parent_at = self.parent_at + half;
        self.child_at = self.child_at - half;
        let masses = Tensor::diagonal(parent.inverse_mass + child.inverse_mass);
        let levers = parent.inverse.at_lever(self.parent_at) + child.inverse.at_lever(self.child_at);
        self.point_mass = (levers + masses).inverse();
        let both = parent.inverse + child.inverse;
        self.turn_mass = both.inverse();

        let world_from_parent = parent.rotation.after(self.parent_frame);
        let world_from_child = child.rotation.after(self.child_frame);
        let present = world_from_parent.conjugate().after(world_from_child);
        let frame = world_from_parent.matrix();
        let mut turn = self.turn;
        match self.kind {
            Kind::Ball => {
                let gap = self.wanted.after(present.conjugate()).rotation_vector() + self.wanted_rate * passed;
                let rate = gap * self.rate + self.wanted_rate;
                self.aim = frame.apply(rate.no_longer_than(V::splat(RATE_CAP)));
                if self.stop.near_any || self.cone.near_any {
                    let child_axis = world_from_child.matrix().x;
                    if self.stop.near_any {
                        turn = turn + self.stop.prepare_twist(present, frame.x, child_axis, &both);
                    }
                    if self.cone.near_any {
                        turn = turn + self.cone.prepare(present, &frame, &both);
                    }
                }
            }
            Kind::Hinge => {
                let angle = double_angle(present.x, present.w);
                let gap = self.wanted_angle - angle + self.wanted_rate.x * passed;
                let rate = (gap * self.rate + self.wanted_rate.x).within(V::splat(-RATE_CAP), V::splat(RATE_CAP));
                self.axis = frame.x;
                let about = self.turn_mass.apply(frame.x);
                self.about = about * (V::splat(1.0) / about.dot(frame.x));
                self.slant = world_from_child.matrix().x.cross(frame.x);
                self.aim = self.axis * rate;
                if self.stop.near_any {
                    turn = turn + self.stop.prepare(angle, self.axis, &both);
                }
            }
            Kind::Weld => self.aim = frame.apply(present.rotation_vector()) * V::splat(-joint.rate),
        }
        self.apply(bodies, self.point, turn);
    }

    #[inline(always)]
    fn apply(&self, bodies: &mut [Body<V>], point: Vector<V>, turn: Vector<V>) {
        let parent = &mut bodies[self.parent];
        parent.linear = parent.linear - point * parent.inverse_mass;
        parent.angular = parent.angular - parent.inverse.apply(turn + self.parent_at.cross(point));
        let child = &mut bodies[self.child];
        child.linear = child.linear + point * child.inverse_mass;
        child.angular = child.angular + child.inverse.apply(turn + self.child_at.cross(point));
    }

    /// Once the poses have moved: impulses act midway between the two ends still, or they would turn the figure.
    #[inline(always)]
    pub fn recentre(&mut self, bodies: &[Body<V>]) {
        let (parent, child) = (&bodies[self.parent], &bodies[self.child]);
        let apart = child.position + self.child_at - parent.position - self.parent_at;
        let half = apart * V::splat(0.5);
        self.parent_at = self.parent_at + half;
        self.child_at = self.child_at - half;
    }

    /// One sweep over its rows: muscle, limits, then what holds the bodies together, which so has the last word.
    #[inline(always)]
    pub fn sweep(&mut self, bodies: &mut [Body<V>], joint: &Softness, h: V, biased: bool) {
        let soft = if biased { joint } else { &Softness::HARD };
        let (parent, child) = (&bodies[self.parent], &bodies[self.child]);
        let (parent_inverse, child_inverse) = (parent.inverse, child.inverse);
        let (mut parent_spin, mut child_spin) = (parent.angular, child.angular);

        let given = match self.kind {
            Kind::Ball => self.muscle(child_spin - parent_spin),
            Kind::Hinge => self.hinge(child_spin - parent_spin, soft),
            Kind::Weld => self.weld(child_spin - parent_spin, soft),
        };
        parent_spin = parent_spin - parent_inverse.apply(given);
        child_spin = child_spin + child_inverse.apply(given);
        if self.kind != Kind::Weld && self.stop.near_any {
            let given = self.stop.sweep(child_spin - parent_spin, soft, biased, h);
            parent_spin = parent_spin - parent_inverse.apply(given);
            child_spin = child_spin + child_inverse.apply(given);
        }
        if self.kind == Kind::Ball && self.cone.near_any {
            let given = self.cone.sweep(child_spin - parent_spin, soft, biased, h);
            parent_spin = parent_spin - parent_inverse.apply(given);
            child_spin = child_spin + child_inverse.apply(given);
        }

        let apart = child.linear + child_spin.cross(self.child_at) - parent.linear - parent_spin.cross(self.parent_at);
        let wanted = apart + self.gap * V::splat(soft.rate);
        let given = -(self.point_mass.apply(wanted) * V::splat(soft.mass)) - self.point * V::splat(soft.impulse);
        self.point = self.point + given;
        let parent = &mut bodies[self.parent];
        parent.linear = parent.linear - given * parent.inverse_mass;
        parent.angular = parent_spin - parent_inverse.apply(self.parent_at.cross(given));
        let child = &mut bodies[self.child];
        child.linear = child.linear + given * child.inverse_mass;
        child.angular = child_spin + child_inverse.apply(self.child_at.cross(given));
    }

    /// A ball's muscle: three soft rows as one, whose norm the budget caps.
    #[inline(always)]
    fn muscle(&mut self, spin: Vector<V>) -> Vector<V> {
        let given = -(self.turn_mass.apply(spin - self.aim) * self.mass_share) - self.turn * self.impulse_share;
        let all = (self.turn + given).no_longer_than(self.cap);
        let given = all - self.turn;
        self.turn = all;
        given
    }

    /// A hinge: two locked axes and the muscle about the third, in one block. What the muscle does not give of what the block asks is
    /// taken back so that the locked axes stay as solved; these are as soft as all that holds bodies together.
    #[inline(always)]
    fn hinge(&mut self, spin: Vector<V>, soft: &Softness) -> Vector<V> {
        let off = spin - self.aim - self.slant * V::splat(soft.rate);
        let hard = -self.turn_mass.apply(off);
        let along = hard.dot(self.axis);
        let before = self.turn.dot(self.axis);
        let softened = along * self.mass_share - before * self.impulse_share;
        let locked = hard * V::splat(soft.mass) - self.turn * V::splat(soft.impulse);
        let all = self.turn + locked + self.about * (softened - locked.dot(self.axis));
        let muscle = all.dot(self.axis);
        let all = all + self.about * (muscle.within(-self.cap, self.cap) - muscle);
        let given = all - self.turn;
        self.turn = all;
        given
    }

    /// A weld: three locked axes.
    #[inline(always)]
    fn weld(&mut self, spin: Vector<V>, soft: &Softness) -> Vector<V> {
        // `aim` closes the error at the joint's rate; unbiased, nothing does.
        let off = if soft.rate == 0.0 { spin } else { spin - self.aim };
        let given = -(self.turn_mass.apply(off) * V::splat(soft.mass)) - self.turn * V::splat(soft.impulse);
        self.turn = self.turn + given;
        given
    }

    /// What the muscle gave in the last sub-step (N·m·s, world).
    #[inline(always)]
    fn muscle_impulse(&self) -> Vector<V> {
        match self.kind {
            Kind::Ball => self.turn,
            Kind::Hinge => self.axis * self.turn.dot(self.axis),
            Kind::Weld => Vector::zero(),
        }
    }

    /// After a sub-step: what the muscle did. An impulse works by the mean of the speeds before and after.
    #[inline(always)]
    pub fn reckon(&mut self, bodies: &[Body<V>]) {
        if self.kind == Kind::Weld {
            return;
        }
        let (parent, child) = (&bodies[self.parent], &bodies[self.child]);
        let before = child.angular_before - parent.angular_before;
        let after = child.angular - parent.angular;
        self.work = self.work + self.muscle_impulse().dot(before + after) * V::splat(0.5);
    }

    /// After the last sub-step of `h` seconds.
    #[inline(always)]
    pub fn end_step(&mut self, bodies: &[Body<V>], h: V) {
        let (parent, child) = (&bodies[self.parent], &bodies[self.child]);
        let apart = child.position + child.axes.apply(self.child_arm) - parent.position - parent.axes.apply(self.parent_arm);
        self.separation = apart.dot(apart).sqrt();
        let muscle = self.muscle_impulse();
        self.torque = muscle.dot(muscle).sqrt() / h;
    }
}
