//! Frames and transforms.
//!
//! SI units, radians, right-handed, Y up; a figure faces +Z at yaw 0 (the glTF convention). A transform says its direction in its
//! name: `world_from_body` takes a point given in the body's frame to the world.

pub use glam::{Mat4, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::Mul;

/// A rotation followed by a translation (m): a pose, or a change of frame without scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rigid {
    /// Unit quaternion.
    pub rotation: Quat,
    /// Metres.
    pub translation: Vec3,
}

impl Default for Rigid {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Rigid {
    /// Leaves every point where it is.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// A rotation about the origin, then a translation.
    #[inline]
    #[must_use]
    pub const fn new(rotation: Quat, translation: Vec3) -> Self {
        Self { rotation, translation }
    }

    /// Takes a point from the inner frame to the outer one.
    #[inline]
    #[must_use]
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// The opposite change of frame.
    #[inline]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// Between two poses: positions along a line, rotations along the shorter arc. `share` in 0..=1.
    #[inline]
    #[must_use]
    pub fn between(&self, to: &Self, share: f32) -> Self {
        Self { rotation: self.rotation.slerp(to.rotation, share), translation: self.translation.lerp(to.translation, share) }
    }

    /// No component is infinite or NaN.
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }
}

impl Mul for Rigid {
    type Output = Self;
    #[inline]
    fn mul(self, inner: Self) -> Self {
        Self {
            rotation: (self.rotation * inner.rotation).normalize(),
            translation: self.rotation * inner.translation + self.translation,
        }
    }
}

/// Axis × angle (rad) of a rotation, the shorter way round: its length is at most π.
#[inline]
#[must_use]
pub fn rotation_vector(rotation: Quat) -> Vec3 {
    let q = if rotation.w < 0.0 { -rotation } else { rotation };
    let sine = Vec3::new(q.x, q.y, q.z);
    let length = sine.length();
    if length < 1.0e-7 { sine * 2.0 } else { sine * (2.0 * libm::atan2f(length, q.w) / length) }
}

/// The rotation by `vector.length()` radians about `vector`.
#[inline]
#[must_use]
pub fn rotation_from_vector(vector: Vec3) -> Quat {
    let angle = vector.length();
    if angle < 1.0e-7 {
        return Quat::from_xyzw(vector.x * 0.5, vector.y * 0.5, vector.z * 0.5, 1.0).normalize();
    }
    let (sine, cosine) = libm::sincosf(angle * 0.5);
    let axis = vector * (sine / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cosine)
}

/// The way a rotation turns +Z, as a yaw about +Y (rad, −π..=π, 0 along +Z, positive toward +X).
#[must_use]
pub fn yaw_of(rotation: Quat) -> f32 {
    let front = rotation * Vec3::Z;
    libm::atan2f(front.x, front.z)
}

/// The rotation about +Y by `yaw` radians.
#[must_use]
pub fn rotation_from_yaw(yaw: f32) -> Quat {
    rotation_from_vector(Vec3::Y * yaw)
}

/// The part of a vector along the ground.
#[inline]
#[must_use]
pub fn level(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}

/// The angle (rad, 0..=π) between two directions; 0 where one of them has no length.
#[must_use]
pub fn angle_between(a: Vec3, b: Vec3) -> f32 {
    libm::atan2f(a.cross(b).length(), a.dot(b))
}

/// The shortest turn from one direction to another (unit vectors).
///
/// glam's `from_rotation_arc` takes turns under 0.0007 rad for none: a pelvis held upright by it trembled at 0.012 rad/s.
#[must_use]
pub fn turn_between(from: Vec3, to: Vec3) -> Quat {
    let axis = from.cross(to);
    let sine = axis.length();
    if sine < 1.0e-9 {
        // The same direction, or opposite ones, which leave the axis open.
        return Quat::from_rotation_arc(from, to);
    }
    rotation_from_vector(axis * (libm::atan2f(sine, from.dot(to)) / sine))
}

/// Splits a rotation into `swing * twist`, the twist about `axis` (unit).
#[inline]
#[must_use]
pub fn swing_twist(rotation: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = Vec3::new(rotation.x, rotation.y, rotation.z).dot(axis);
    let twist = Quat::from_xyzw(axis.x * along, axis.y * along, axis.z * along, rotation.w);
    let twist = if twist.length_squared() < 1.0e-12 { Quat::IDENTITY } else { twist.normalize() };
    (rotation * twist.conjugate(), twist)
}

/// Eases 0..=1 in and out (`3s² − 2s³`), clamped.
#[inline]
#[must_use]
pub fn smoothstep(share: f32) -> f32 {
    let s = share.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}
