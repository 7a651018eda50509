//! Rows between figures, and between figures and guests: one at a time, in the order of their keys, between the batches' sweeps.

use super::contact::{BOUNCE_FROM, PRESS_OUT};
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
    /// 1/(kg·m²), world.
    pub inverse: Mat3,
}

impl GuestBody {
    /// As a figure's body: see [`super::body::Body::accelerate`].
    fn accelerate(&mut self, h: f32) {
        let axes = Mat3::from_quat(self.rotation);
        self.inverse = axes * Mat3::from_diagonal(self.inertia.recip()) * axes.transpose();
        self.linear += self.pull * h;
        let spin = axes.transpose() * self.angular;
        let momentum = self.inertia * spin;
        let turned = spin + momentum.cross(spin) / self.inertia * h;
        let (before, after) = (momentum.dot(spin), (self.inertia * turned).dot(turned));
        let share = if before < after { (before / after).sqrt() } else { 1.0 };
        self.angular = axes * (turned * share);
    }

    fn advance(&mut self, h: f32) {
        self.position += self.linear * h;
        let half = self.angular * (h * 0.5);
        let moved = self.rotation + Quat::from_xyzw(half.x, half.y, half.z, 0.0) * self.rotation;
        self.rotation = moved.normalize();
    }
}

/// What a row knows of one side: as it was at the sub-step's start.
#[derive(Clone, Copy, Debug)]
struct Seen {
    position: Vec3,
    rotation: Quat,
    inverse_mass: f32,
    inverse: Mat3,
}

impl Seen {
    const STILL: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, inverse_mass: 0.0, inverse: Mat3::ZERO };

    #[inline(always)]
    fn of<V: Lane>(side: Side, batches: &[Batch<V>], guests: &[GuestBody]) -> Self {
        match side {
            Side::Scenery => Self::STILL,
            Side::Guest(index) => {
                let guest = &guests[index];
                Self {
                    position: guest.position,
                    rotation: guest.rotation,
                    inverse_mass: guest.inverse_mass,
                    inverse: guest.inverse,
                }
            }
            Side::Lane(batch, lane, body) => {
                let body = &batches[batch].bodies[body];
                let tensor = &body.inverse;
                let [xx, yy, zz, xy, xz, yz] =
                    [tensor.xx, tensor.yy, tensor.zz, tensor.xy, tensor.xz, tensor.yz].map(|value| value.get(lane));
                Self {
                    position: body.position.get(lane),
                    rotation: body.rotation.get(lane),
                    inverse_mass: body.inverse_mass.get(lane),
                    inverse: Mat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
                }
            }
        }
    }
}

/// One contact point.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub key: PointKey,
    pub point: NearPoint,
    pub sides: [Side; 2],
    /// From the sides' centres, in principal axes (m).
    arms: [Vec3; 2],
    across: [Vec3; 2],
    offset: f32,
    drift: f32,
    slide: [f32; 2],
    /// N·s given in the last sub-step.
    press: f32,
    rub: [f32; 2],
    /// N·s along the normal over the step.
    pub total: f32,
    peak: f32,
    /// How fast it closed at the step's start (m/s).
    pub closing: f32,
    at: [Vec3; 2],
    gap: f32,
    mass: f32,
    rub_mass: [f32; 2],
    inverse_mass: [f32; 2],
    inverse: [Mat3; 2],
}

/// Two directions across a normal, the same for the same normal.
pub fn across(normal: Vec3) -> [Vec3; 2] {
    // The world's axis that is farthest from the normal, so that flat ground's are along the world's.
    let way = if normal.x.abs() < 0.7 { Vec3::X } else { Vec3::Y };
    let first = (way - normal * normal.dot(way)).normalize();
    [first, normal.cross(first)]
}

impl Row {
    /// A row of a point; what it gave last (N·s on the first side, world).
    pub fn new(key: PointKey, point: NearPoint, sides: [Side; 2], centres: [(Vec3, Quat); 2], given: Vec3) -> Self {
        let across = across(point.normal);
        let arm = |side: usize, at: Vec3| centres[side].1.conjugate() * (at - centres[side].0);
        let arms = [arm(0, point.on_one), arm(1, point.on_two)];
        Self {
            key,
            point,
            sides,
            arms,
            across,
            offset: point.distance - point.normal.dot(point.on_one - point.on_two),
            drift: point.scenery_velocity.dot(point.normal),
            slide: across.map(|way| point.scenery_velocity.dot(way)),
            press: given.dot(point.normal).max(0.0),
            rub: across.map(|way| given.dot(way)),
            total: 0.0,
            peak: 0.0,
            closing: 0.0,
            at: [Vec3::ZERO; 2],
            gap: 0.0,
            mass: 0.0,
            rub_mass: [0.0; 2],
            inverse_mass: [0.0; 2],
            inverse: [Mat3::ZERO; 2],
        }
    }

    /// N·s on the first side in the last sub-step, world.
    pub fn impulse(&self) -> Vec3 {
        self.point.normal * self.press + self.across[0] * self.rub[0] + self.across[1] * self.rub[1]
    }

    fn mass_along(&self, way: Vec3) -> f32 {
        let of = |side: usize| {
            let lever = self.at[side].cross(way);
            self.inverse_mass[side] + lever.dot(self.inverse[side] * lever)
        };
        1.0 / (of(0) + of(1))
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
            let sides = row.sides.map(|side| Seen::of(side, batches, guests));
            row.at = [0, 1].map(|side| sides[side].rotation * row.arms[side]);
            row.inverse_mass = sides.map(|side| side.inverse_mass);
            row.inverse = sides.map(|side| side.inverse);
            // A scenery's point lies still in the world: its arm is the point itself.
            let apart = sides[0].position + row.at[0] - sides[1].position - row.at[1];
            row.gap = apart.dot(row.point.normal) + row.offset - row.drift * passed;
            row.mass = row.mass_along(row.point.normal);
            row.rub_mass = row.across.map(|way| row.mass_along(way));
            if first {
                row.closing = row.drift - speed(row, batches, guests).dot(row.point.normal);
            }
            let impulse = row.impulse();
            push(row, batches, guests, impulse);
        }
    }

    pub fn sweep<V: Lane>(&mut self, batches: &mut [Batch<V>], soft: &Softness, h: f32, biased: bool) {
        let Self { guests, rows } = self;
        for row in rows.iter_mut() {
            let now = speed(row, batches, guests);
            let mut rub = [0, 1].map(|way| row.rub[way] - row.rub_mass[way] * (now.dot(row.across[way]) - row.slide[way]));
            let (most, length) = (row.point.friction * row.press, (rub[0] * rub[0] + rub[1] * rub[1]).sqrt());
            if length > most {
                rub = rub.map(|rub| rub * (most / length));
            }
            let given = row.across[0] * (rub[0] - row.rub[0]) + row.across[1] * (rub[1] - row.rub[1]);
            row.rub = rub;
            push(row, batches, guests, given);

            let now = speed(row, batches, guests).dot(row.point.normal) - row.drift;
            let (bias, mass, impulse) = if row.gap > 0.0 {
                (row.gap / h, 1.0, 0.0)
            } else if biased {
                ((row.gap * soft.rate).max(-PRESS_OUT), soft.mass, soft.impulse)
            } else {
                (0.0, 1.0, 0.0)
            };
            let press = (row.press - row.mass * mass * (now + bias) - row.press * impulse).max(0.0);
            let given = row.point.normal * (press - row.press);
            row.press = press;
            push(row, batches, guests, given);
        }
    }

    pub fn advance(&mut self, h: f32) {
        for guest in &mut self.guests {
            guest.advance(h);
        }
    }

    pub fn reckon(&mut self) {
        for row in &mut self.rows {
            row.total += row.press;
            row.peak = row.peak.max(row.press);
        }
    }

    pub fn bounce<V: Lane>(&mut self, batches: &mut [Batch<V>]) {
        let Self { guests, rows } = self;
        for row in rows.iter_mut() {
            if row.point.restitution <= 0.0 || row.closing <= BOUNCE_FROM || row.peak <= 0.0 {
                continue;
            }
            let now = speed(row, batches, guests).dot(row.point.normal) - row.drift;
            let given = (row.mass * (row.closing * row.point.restitution - now)).max(0.0);
            row.total += given;
            let impulse = row.point.normal * given;
            push(row, batches, guests, impulse);
        }
    }
}

#[inline(always)]
fn speed<V: Lane>(row: &Row, batches: &[Batch<V>], guests: &[GuestBody]) -> Vec3 {
    let at = |side: usize| match row.sides[side] {
        Side::Scenery => Vec3::ZERO,
        Side::Guest(index) => guests[index].linear + guests[index].angular.cross(row.at[side]),
        Side::Lane(batch, lane, body) => {
            let body = &batches[batch].bodies[body];
            body.linear.get(lane) + body.angular.get(lane).cross(row.at[side])
        }
    };
    at(0) - at(1)
}

#[inline(always)]
fn push<V: Lane>(row: &Row, batches: &mut [Batch<V>], guests: &mut [GuestBody], impulse: Vec3) {
    for (side, impulse) in [(0, impulse), (1, -impulse)] {
        let linear = impulse * row.inverse_mass[side];
        let angular = row.inverse[side] * row.at[side].cross(impulse);
        match row.sides[side] {
            Side::Scenery => {}
            Side::Guest(index) => {
                guests[index].linear += linear;
                guests[index].angular += angular;
            }
            Side::Lane(batch, lane, body) => {
                let body = &mut batches[batch].bodies[body];
                let (now_linear, now_angular) = (body.linear.get(lane), body.angular.get(lane));
                body.linear.set(lane, now_linear + linear);
                body.angular.set(lane, now_angular + angular);
            }
        }
    }
}
