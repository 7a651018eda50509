//! Rows between figures, and between figures and guests: one at a time, in the order of their keys, between the batches' sweeps.

use super::contact::{BOUNCE_FROM, PRESS_OUT, REACH, SLACK};
use super::group::Batch;
use super::lanes::Lane;
use super::soft::Softness;
use super::structure::PointKey;
use crate::solve::detected::NearPoint;
use crate::space::{Quat, Vec3};
use glam::Mat3;

/// Where a side of a row is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// A figure's body: batch, lane, body.
    Lane(usize, usize, usize),
    /// A guest.
    Guest(usize),
    /// What no impulse moves.
    Scenery,
}

/// A plain thing among figures, in its principal axes.
#[derive(Clone, Copy, Debug)]
pub struct GuestBody {
    /// World, m: the centre of mass.
    pub position: Vec3,
    /// World from principal axes.
    pub rotation: Quat,
    /// m/s.
    pub linear: Vec3,
    /// rad/s, world.
    pub angular: Vec3,
    /// 1/kg.
    pub inverse_mass: f32,
    /// kg·m².
    pub inertia: Vec3,
    /// m/s².
    pub pull: Vec3,
    /// `rotation` as a matrix, at the sub-step's start.
    pub axes: Mat3,
    /// 1/(kg·m²), world.
    pub inverse: Mat3,
}

impl GuestBody {
    /// As a figure's body: see [`super::body::Body`].
    fn accelerate(&mut self, h: f32) {
        self.tumble();
        self.inverse = self.axes * Mat3::from_diagonal(self.inertia.recip()) * self.axes.transpose();
        self.linear += self.pull * h;
    }

    fn tumble(&mut self) {
        let spin = self.axes.transpose() * self.angular;
        let kept = self.axes * (self.inertia * spin);
        self.axes = Mat3::from_quat(self.rotation);
        let momentum = self.axes.transpose() * kept;
        let spin_after = momentum / self.inertia;
        let (energy, energy_after) = ((self.inertia * spin).dot(spin), momentum.dot(spin_after));
        let share = if energy < energy_after { (energy / energy_after).sqrt() } else { 1.0 };
        self.angular = self.axes * (spin_after * share);
    }

    fn advance(&mut self, h: f32) {
        self.position += self.linear * h;
        let half = self.angular * (h * 0.5);
        self.rotation = (self.rotation + Quat::from_xyzw(half.x, half.y, half.z, 0.0) * self.rotation).normalize();
    }
}

/// What a row knows of one side: as it was at the sub-step's start.
#[derive(Clone, Copy, Debug)]
struct Seen {
    inverse_mass: f32,
    inverse: Mat3,
}

impl Seen {
    const STILL: Self = Self { inverse_mass: 0.0, inverse: Mat3::ZERO };

    #[inline(always)]
    fn of<V: Lane>(side: Side, batches: &[Batch<V>], guests: &[GuestBody]) -> Self {
        match side {
            Side::Scenery => Self::STILL,
            Side::Guest(index) => {
                let guest = &guests[index];
                Self { inverse_mass: guest.inverse_mass, inverse: guest.inverse }
            }
            Side::Lane(batch, lane, body) => {
                let body = &batches[batch].bodies[body];
                let tensor = &body.inverse;
                let [xx, yy, zz, xy, xz, yz] =
                    [tensor.xx, tensor.yy, tensor.zz, tensor.xy, tensor.xz, tensor.yz].map(|value| value.get(lane));
                Self {
                    inverse_mass: body.inverse_mass.get(lane),
                    inverse: Mat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
                }
            }
        }
    }
}

/// Where a side is.
#[inline(always)]
fn place<V: Lane>(side: Side, batches: &[Batch<V>], guests: &[GuestBody]) -> (Vec3, Quat) {
    match side {
        Side::Scenery => (Vec3::ZERO, Quat::IDENTITY),
        Side::Guest(index) => (guests[index].position, guests[index].rotation),
        Side::Lane(batch, lane, body) => {
            let body = &batches[batch].bodies[body];
            (body.position.get(lane), body.rotation.get(lane))
        }
    }
}

/// How a side moves (m/s, rad/s).
type Motion = [Vec3; 2];

#[inline(always)]
fn motion<V: Lane>(side: Side, batches: &[Batch<V>], guests: &[GuestBody]) -> Motion {
    match side {
        Side::Scenery => [Vec3::ZERO; 2],
        Side::Guest(index) => [guests[index].linear, guests[index].angular],
        Side::Lane(batch, lane, body) => {
            let body = &batches[batch].bodies[body];
            [body.linear.get(lane), body.angular.get(lane)]
        }
    }
}

#[inline(always)]
fn set_motion<V: Lane>(side: Side, batches: &mut [Batch<V>], guests: &mut [GuestBody], motion: Motion) {
    match side {
        Side::Scenery => {}
        Side::Guest(index) => [guests[index].linear, guests[index].angular] = motion,
        Side::Lane(batch, lane, body) => {
            let body = &mut batches[batch].bodies[body];
            body.linear.set(lane, motion[0]);
            body.angular.set(lane, motion[1]);
        }
    }
}

/// Two directions across a normal, the same for the same normal.
pub fn across(normal: Vec3) -> [Vec3; 2] {
    // The world's axis that is farthest from the normal, so that flat ground's are along the world's.
    let way = if normal.x.abs() < 0.7 { Vec3::X } else { Vec3::Y };
    let first = (way - normal * normal.dot(way)).normalize();
    [first, normal.cross(first)]
}

/// One direction of a contact: along the normal, or across it.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    along: Vec3,
    /// Both sides' arms × `along`, and what an impulse of 1 along it turns them by (rad/s per N·s).
    levers: [Vec3; 2],
    turns: [Vec3; 2],
    /// Effective mass (kg).
    mass: f32,
    /// How scenery's surface moves along it (m/s).
    moves: f32,
    /// N·s given in the last sub-step.
    given: f32,
}

impl Way {
    fn new(along: Vec3, scenery_velocity: Vec3, given: Vec3) -> Self {
        Self { along, moves: scenery_velocity.dot(along), given: given.dot(along), ..Self::default() }
    }

    fn prepare(&mut self, at: [Vec3; 2], sides: &[Seen; 2]) {
        let mut inverse_mass = 0.0;
        for side in 0..2 {
            self.levers[side] = at[side].cross(self.along);
            self.turns[side] = sides[side].inverse * self.levers[side];
            inverse_mass += sides[side].inverse_mass + self.levers[side].dot(self.turns[side]);
        }
        self.mass = 1.0 / inverse_mass;
    }

    #[inline(always)]
    fn speed(&self, [one, two]: &[Motion; 2]) -> f32 {
        let turning = self.levers[0].dot(one[1]) - self.levers[1].dot(two[1]);
        self.along.dot(one[0] - two[0]) + turning - self.moves
    }

    /// Gives `impulse` (N·s) in all.
    #[inline(always)]
    fn give(&mut self, impulse: f32, motions: &mut [Motion; 2], inverse_mass: [f32; 2]) {
        let more = impulse - self.given;
        self.given = impulse;
        self.push(more, motions, inverse_mass);
    }

    #[inline(always)]
    fn push(&self, impulse: f32, [one, two]: &mut [Motion; 2], inverse_mass: [f32; 2]) {
        one[0] += self.along * (impulse * inverse_mass[0]);
        one[1] += self.turns[0] * impulse;
        two[0] -= self.along * (impulse * inverse_mass[1]);
        two[1] -= self.turns[1] * impulse;
    }
}

/// One contact point.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub key: PointKey,
    pub sides: [Side; 2],
    /// From the sides' centres, in principal axes (m): they turn with the sides, and say how deep the point is.
    arms: [Vec3; 2],
    /// From the sides' centres, as they were at the step's start (m, world): where impulses act, midway between the two points.
    at: [Vec3; 2],
    press: Way,
    rub: [Way; 2],
    inverse_mass: [f32; 2],
    /// Whether it is so near that it may be met in this sub-step.
    near: bool,
    offset: f32,
    gap: f32,
    friction: f32,
    restitution: f32,
    /// N·s along the normal over the step, and the most of a sub-step.
    pub total: f32,
    peak: f32,
    /// N·s given to come back.
    bounced: f32,
    /// How fast it closed at the step's start (m/s).
    pub closing: f32,
}

impl Row {
    /// A row of a point; what it gave last (N·s on the first side, world).
    pub fn new(key: PointKey, point: &NearPoint, sides: [Side; 2], centres: [(Vec3, Quat); 2], given: Vec3) -> Self {
        let arm = |side: usize, at: Vec3| centres[side].1.conjugate() * (at - centres[side].0);
        let mut press = Way::new(point.normal, point.scenery_velocity, given);
        press.given = press.given.max(0.0);
        Self {
            key,
            sides,
            arms: [arm(0, point.on_one), arm(1, point.on_two)],
            at: centres.map(|(centre, _)| (point.on_one + point.on_two) * 0.5 - centre),
            press,
            rub: across(point.normal).map(|way| Way::new(way, point.scenery_velocity, given)),
            inverse_mass: [0.0; 2],
            near: false,
            offset: point.distance - point.normal.dot(point.on_one - point.on_two),
            gap: 0.0,
            friction: point.friction,
            restitution: point.restitution,
            total: 0.0,
            peak: 0.0,
            bounced: 0.0,
            closing: 0.0,
        }
    }

    /// N·s on the first side in the last sub-step, world.
    pub fn impulse(&self) -> Vec3 {
        [self.press, self.rub[0], self.rub[1]].iter().map(|way| way.along * way.given).sum()
    }

    /// How far the two are apart; `passed`: seconds of the step before this sub-step.
    fn look(&mut self, sides: &[(Vec3, Quat); 2], passed: f32) {
        let turned = [0, 1].map(|side: usize| sides[side].1 * self.arms[side]);
        // A scenery's point lies still in the world: its arm is the point itself.
        let apart = sides[0].0 + turned[0] - sides[1].0 - turned[1];
        self.gap = apart.dot(self.press.along) + self.offset - self.press.moves * passed;
        if self.sides[1] != Side::Scenery {
            // Impulses act at one point, wherever the two have moved to: else they would make angular momentum from nothing.
            let half = (sides[1].0 + self.at[1] - sides[0].0 - self.at[0]) * 0.5;
            self.at = [self.at[0] + half, self.at[1] - half];
        }
    }

    /// How fast it closes, before the levers are known (m/s).
    fn closing(&self, [one, two]: &[Motion; 2]) -> f32 {
        let at = |motion: &Motion, arm: Vec3| motion[0] + motion[1].cross(arm);
        self.press.moves - (at(one, self.at[0]) - at(two, self.at[1])).dot(self.press.along)
    }

    fn prepare(&mut self, sides: &[Seen; 2]) {
        self.inverse_mass = [sides[0].inverse_mass, sides[1].inverse_mass];
        self.press.prepare(self.at, sides);
        let at = self.at;
        self.rub.iter_mut().for_each(|way| way.prepare(at, sides));
        // One mass for both, so that rubbing is against the sliding: see [`super::contact`].
        let mass = self.rub[0].mass.min(self.rub[1].mass);
        self.rub.iter_mut().for_each(|way| way.mass = mass);
    }

    #[inline(always)]
    fn sweep(&mut self, motions: &mut [Motion; 2], soft: &Softness, h: f32, biased: bool) {
        // Friction first: the press has the last word.
        let masses = self.inverse_mass;
        let wanted = [0, 1].map(|way: usize| self.rub[way].given - self.rub[way].mass * self.rub[way].speed(motions));
        let (most, length) = (self.friction * self.press.given, (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt());
        let share = if length > most { most / length } else { 1.0 };
        for (way, wanted) in self.rub.iter_mut().zip(wanted) {
            way.give(wanted * share, motions, masses);
        }
        let speed = self.press.speed(motions);
        let (bias, mass, impulse) = if self.gap > 0.0 {
            // Once the poses have moved, part of the gap is gone.
            (if biased { self.gap / h } else { (self.gap / h + speed).max(0.0) }, 1.0, 0.0)
        } else if biased {
            ((self.gap * soft.rate).max(-PRESS_OUT), soft.mass, soft.impulse)
        } else {
            (0.0, 1.0, 0.0)
        };
        let press = &mut self.press;
        let all = press.given - press.mass * mass * (speed + bias) - press.given * impulse;
        press.give(all.max(0.0), motions, masses);
    }
}

/// All rows between figures and guests of one group.
#[derive(Debug, Default)]
pub struct Coupled {
    pub guests: Vec<GuestBody>,
    /// By key.
    pub rows: Vec<Row>,
}

impl Coupled {
    /// Whether anything may come back.
    pub fn bounces(&self) -> bool {
        self.rows.iter().any(|row| row.restitution > 0.0)
    }

    /// Without any.
    pub fn clear(&mut self) {
        self.guests.clear();
        self.rows.clear();
    }

    pub fn begin_substep<V: Lane>(&mut self, batches: &mut [Batch<V>], h: f32, passed: f32, first: bool) {
        let Self { guests, rows } = self;
        for guest in guests.iter_mut() {
            guest.accelerate(h);
        }
        for row in rows.iter_mut() {
            row.look(&row.sides.map(|side| place(side, batches, guests)), passed);
            let mut motions = row.sides.map(|side| motion(side, batches, guests));
            let closing = row.closing(&motions);
            if first {
                row.closing = closing;
            }
            row.near = row.gap < closing.max(0.0) * h * REACH + SLACK || row.press.given > 0.0;
            if !row.near {
                row.rub.iter_mut().for_each(|way| way.given = 0.0);
                continue;
            }
            row.prepare(&row.sides.map(|side| Seen::of(side, batches, guests)));
            for way in [&row.press, &row.rub[0], &row.rub[1]] {
                way.push(way.given, &mut motions, row.inverse_mass);
            }
            for (side, motion) in row.sides.into_iter().zip(motions) {
                set_motion(side, batches, guests, motion);
            }
        }
    }

    pub fn sweep<V: Lane>(&mut self, batches: &mut [Batch<V>], soft: &Softness, h: f32, biased: bool) {
        let Self { guests, rows } = self;
        for row in rows.iter_mut() {
            if !row.near {
                continue;
            }
            let mut motions = [motion(row.sides[0], batches, guests), motion(row.sides[1], batches, guests)];
            row.sweep(&mut motions, soft, h, biased);
            set_motion(row.sides[0], batches, guests, motions[0]);
            set_motion(row.sides[1], batches, guests, motions[1]);
        }
    }

    pub fn advance(&mut self, h: f32) {
        for guest in &mut self.guests {
            guest.advance(h);
        }
    }

    /// After the last sub-step.
    pub fn tumble(&mut self) {
        self.guests.iter_mut().for_each(GuestBody::tumble);
    }

    pub fn reckon(&mut self) {
        for row in &mut self.rows {
            row.total += row.press.given;
            row.peak = row.peak.max(row.press.given);
        }
    }

    /// After the last sub-step, in several sweeps: what closed fast comes back.
    pub fn bounce<V: Lane>(&mut self, batches: &mut [Batch<V>]) {
        let Self { guests, rows } = self;
        for row in rows.iter_mut() {
            if row.restitution <= 0.0 || row.closing <= BOUNCE_FROM || row.peak <= 0.0 {
                continue;
            }
            let mut motions = row.sides.map(|side| motion(side, batches, guests));
            let wanted = row.closing * row.restitution - row.press.speed(&motions);
            let all = (row.bounced + row.press.mass * wanted).max(0.0);
            let given = all - row.bounced;
            row.bounced = all;
            row.total += given;
            row.press.push(given, &mut motions, row.inverse_mass);
            for (side, motion) in row.sides.into_iter().zip(motions) {
                set_motion(side, batches, guests, motion);
            }
        }
    }
}
