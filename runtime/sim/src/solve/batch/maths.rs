//! Vectors, rotations and tensors of figures side by side.
//!
//! The formulas are the usual ones, written out so that every width rounds alike (see [`super::lanes`]).

use super::lanes::Lane;
use crate::space::{Quat, Vec3};
use std::ops::{Add, Mul, Neg, Sub};

/// A vector.
#[derive(Clone, Copy, Debug)]
pub struct Vector<V> {
    pub x: V,
    pub y: V,
    pub z: V,
}

/// A rotation, as a unit quaternion.
#[derive(Clone, Copy, Debug)]
pub struct Turn<V> {
    pub x: V,
    pub y: V,
    pub z: V,
    pub w: V,
}

/// A matrix by its columns.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<V> {
    pub x: Vector<V>,
    pub y: Vector<V>,
    pub z: Vector<V>,
}

/// A symmetric matrix.
#[derive(Clone, Copy, Debug)]
pub struct Tensor<V> {
    pub xx: V,
    pub yy: V,
    pub zz: V,
    pub xy: V,
    pub xz: V,
    pub yz: V,
}

macro_rules! by_component {
    ($type:ident { $($field:ident),* }) => {
        impl<V: Lane> Add for $type<V> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $($field: self.$field + other.$field),* }
            }
        }
        impl<V: Lane> Sub for $type<V> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $($field: self.$field - other.$field),* }
            }
        }
    };
}
by_component!(Vector { x, y, z });
by_component!(Tensor { xx, yy, zz, xy, xz, yz });

impl<V: Lane> Neg for Vector<V> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<V: Lane> Mul<V> for Vector<V> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: V) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

impl<V: Lane> Vector<V> {
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(Vec3::ZERO)
    }
    #[inline(always)]
    pub fn splat(value: Vec3) -> Self {
        Self { x: V::splat(value.x), y: V::splat(value.y), z: V::splat(value.z) }
    }
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.get(lane), self.y.get(lane), self.z.get(lane))
    }
    #[inline(always)]
    pub fn set(&mut self, lane: usize, value: Vec3) {
        self.x.set(lane, value.x);
        self.y.set(lane, value.y);
        self.z.set(lane, value.z);
    }
    #[inline(always)]
    pub fn dot(self, other: Self) -> V {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
    /// Component by component.
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }
    #[inline(always)]
    pub fn select(mask: V, then: Self, other: Self) -> Self {
        Self { x: V::select(mask, then.x, other.x), y: V::select(mask, then.y, other.y), z: V::select(mask, then.z, other.z) }
    }
    /// No longer than `most` (≥ 0).
    #[inline(always)]
    pub fn no_longer_than(self, most: V) -> Self {
        let square = self.dot(self);
        let factor = V::select((most * most).below(square), most / square.sqrt(), V::splat(1.0));
        self * factor
    }
}

impl<V: Lane> Neg for Turn<V> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: -self.w }
    }
}

impl<V: Lane> Turn<V> {
    #[inline(always)]
    pub fn select(mask: V, then: Self, other: Self) -> Self {
        Self {
            x: V::select(mask, then.x, other.x),
            y: V::select(mask, then.y, other.y),
            z: V::select(mask, then.z, other.z),
            w: V::select(mask, then.w, other.w),
        }
    }
    #[inline(always)]
    pub fn identity() -> Self {
        Self { x: V::zero(), y: V::zero(), z: V::zero(), w: V::splat(1.0) }
    }
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Quat {
        Quat::from_xyzw(self.x.get(lane), self.y.get(lane), self.z.get(lane), self.w.get(lane))
    }
    #[inline(always)]
    pub fn set(&mut self, lane: usize, value: Quat) {
        self.x.set(lane, value.x);
        self.y.set(lane, value.y);
        self.z.set(lane, value.z);
        self.w.set(lane, value.w);
    }
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }
    /// `self` after `inner`.
    #[inline(always)]
    pub fn after(self, inner: Self) -> Self {
        let (a, b) = (self, inner);
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }
    #[inline(always)]
    pub fn vector(self) -> Vector<V> {
        Vector { x: self.x, y: self.y, z: self.z }
    }
    #[inline(always)]
    pub fn matrix(self) -> Matrix<V> {
        let (one, two) = (V::splat(1.0), V::splat(2.0));
        let (x2, y2, z2) = (self.x * two, self.y * two, self.z * two);
        let (xx, yy, zz) = (self.x * x2, self.y * y2, self.z * z2);
        let (xy, xz, yz) = (self.x * y2, self.x * z2, self.y * z2);
        let (wx, wy, wz) = (self.w * x2, self.w * y2, self.w * z2);
        Matrix {
            x: Vector { x: one - (yy + zz), y: xy + wz, z: xz - wy },
            y: Vector { x: xy - wz, y: one - (xx + zz), z: yz + wx },
            z: Vector { x: xz + wy, y: yz - wx, z: one - (xx + yy) },
        }
    }
    /// Turned on by a small world rotation vector, and of length 1 again. Half a sub-step's turn, 0.1 rad at 100 rad/s, is itself here
    /// to 0.3 %: the tangent for the angle, as engines do.
    #[inline(always)]
    pub fn turned(self, by: Vector<V>) -> Self {
        let half = by * V::splat(0.5);
        let q = self;
        let moved = Self {
            x: q.x + (half.x * q.w + half.y * q.z - half.z * q.y),
            y: q.y + (half.y * q.w + half.z * q.x - half.x * q.z),
            z: q.z + (half.z * q.w + half.x * q.y - half.y * q.x),
            w: q.w - (half.x * q.x + half.y * q.y + half.z * q.z),
        };
        let square = moved.x * moved.x + moved.y * moved.y + moved.z * moved.z + moved.w * moved.w;
        let factor = V::splat(1.0) / square.sqrt();
        Self { x: moved.x * factor, y: moved.y * factor, z: moved.z * factor, w: moved.w * factor }
    }
    /// Axis × angle, the shorter way round, of a unit quaternion.
    #[inline(always)]
    pub fn rotation_vector(self) -> Vector<V> {
        let negative = self.w.below(V::zero());
        let one_and_w = V::splat(1.0) + self.w.abs();
        let vector = self.vector();
        let tangent_square = vector.dot(vector) / (one_and_w * one_and_w);
        let factor = V::splat(4.0) * arctangent_over(tangent_square) / one_and_w;
        vector * V::select(negative, -factor, factor)
    }
}

/// arctan(t)/t by t², for |t| ≤ 1: Abramowitz & Stegun 4.4.49, wrong by less than 2e-8.
#[inline(always)]
fn arctangent_over<V: Lane>(square: V) -> V {
    const TERMS: [f32; 9] = [
        1.0,
        -0.333_331_45,
        0.199_935_51,
        -0.142_089,
        0.106_562_64,
        -0.075_289_64,
        0.042_909_613,
        -0.016_165_737,
        0.002_866_225_7,
    ];
    let mut sum = V::splat(TERMS[8]);
    for term in [TERMS[7], TERMS[6], TERMS[5], TERMS[4], TERMS[3], TERMS[2], TERMS[1], TERMS[0]] {
        sum = sum * square + V::splat(term);
    }
    sum
}

/// 2·arctan(sine / cosine), the shorter way round, −π..=π.
#[inline(always)]
pub fn double_angle<V: Lane>(sine: V, cosine: V) -> V {
    let negative = cosine.below(V::zero());
    let sine = V::select(negative, -sine, sine);
    let length = (sine * sine + cosine * cosine).sqrt();
    // Both may be zero where a rotation is half a turn about another axis: any angle is right then.
    let tangent = sine / (length + cosine.abs()).most(V::splat(1.0e-9));
    V::splat(4.0) * tangent * arctangent_over(tangent * tangent)
}

impl<V: Lane> Matrix<V> {
    #[inline(always)]
    pub fn apply(&self, v: Vector<V>) -> Vector<V> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }
    /// By the transposed matrix.
    #[inline(always)]
    pub fn apply_back(&self, v: Vector<V>) -> Vector<V> {
        Vector { x: self.x.dot(v), y: self.y.dot(v), z: self.z.dot(v) }
    }
    /// R · diag(d) · Rᵀ.
    #[inline(always)]
    pub fn around(&self, d: Vector<V>) -> Tensor<V> {
        let (a, b, c) = (self.x * d.x, self.y * d.y, self.z * d.z);
        Tensor {
            xx: a.x * self.x.x + b.x * self.y.x + c.x * self.z.x,
            yy: a.y * self.x.y + b.y * self.y.y + c.y * self.z.y,
            zz: a.z * self.x.z + b.z * self.y.z + c.z * self.z.z,
            xy: a.x * self.x.y + b.x * self.y.y + c.x * self.z.y,
            xz: a.x * self.x.z + b.x * self.y.z + c.x * self.z.z,
            yz: a.y * self.x.z + b.y * self.y.z + c.y * self.z.z,
        }
    }
}

impl<V: Lane> Tensor<V> {
    #[inline(always)]
    pub fn zero() -> Self {
        Self::diagonal(V::zero())
    }
    #[inline(always)]
    pub fn diagonal(d: V) -> Self {
        let none = V::zero();
        Self { xx: d, yy: d, zz: d, xy: none, xz: none, yz: none }
    }
    #[inline(always)]
    pub fn apply(&self, v: Vector<V>) -> Vector<V> {
        Vector {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let a = self.yy * self.zz - self.yz * self.yz;
        let b = self.xz * self.yz - self.xy * self.zz;
        let c = self.xy * self.yz - self.xz * self.yy;
        let over = V::splat(1.0) / (self.xx * a + self.xy * b + self.xz * c);
        Self {
            xx: a * over,
            xy: b * over,
            xz: c * over,
            yy: (self.xx * self.zz - self.xz * self.xz) * over,
            yz: (self.xy * self.xz - self.xx * self.yz) * over,
            zz: (self.xx * self.yy - self.xy * self.xy) * over,
        }
    }
    /// \[r\] · S · \[r\]ᵀ: what an inverse inertia adds to the velocity of a point at `r` per impulse there.
    #[inline(always)]
    pub fn at_lever(&self, r: Vector<V>) -> Self {
        let x = r.cross(Vector { x: self.xx, y: self.xy, z: self.xz });
        let y = r.cross(Vector { x: self.xy, y: self.yy, z: self.yz });
        let z = r.cross(Vector { x: self.xz, y: self.yz, z: self.zz });
        let first = r.cross(Vector { x: x.x, y: y.x, z: z.x });
        let second = r.cross(Vector { x: x.y, y: y.y, z: z.y });
        let third = r.cross(Vector { x: x.z, y: y.z, z: z.z });
        Self { xx: first.x, yy: second.y, zz: third.z, xy: first.y, xz: first.z, yz: second.z }
    }
}
