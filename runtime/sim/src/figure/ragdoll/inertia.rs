//! Inertia tensors of solids, about any point, and their principal axes.

use crate::space::{Quat, Vec3};
use glam::Mat3;

/// Tensor (kg·m²) of a solid capsule about its centre: a cylinder and two half-balls of one density.
pub fn of_capsule(a: Vec3, b: Vec3, radius: f32, mass: f32) -> Mat3 {
    let axis = b - a;
    let length = axis.length();
    let square = radius * radius;
    let cylinder_share = length / (length + radius * (4.0 / 3.0));
    let cylinder = mass * cylinder_share;
    let ball = mass - cylinder;
    let along = cylinder * square * 0.5 + ball * square * 0.4;
    // A half-ball's centre lies 3/8 of the radius off its flat side.
    let across = cylinder * (length * length / 12.0 + square * 0.25)
        + ball * (square * 0.4 + length * length * 0.25 + length * radius * 0.375);
    let unit = axis.normalize_or(Vec3::Y);
    Mat3::IDENTITY * across + outer(unit, unit) * (along - across)
}

/// Tensor (kg·m²) of a solid box about its centre.
pub fn of_box(size: Vec3, rotation: Quat, mass: f32) -> Mat3 {
    let s = size * size * (mass / 12.0);
    let turn = Mat3::from_quat(rotation);
    turn * Mat3::from_diagonal(Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y)) * turn.transpose()
}

/// What a mass's tensor grows by when it is taken about a point `offset` away from its centre.
pub fn shifted(mass: f32, offset: Vec3) -> Mat3 {
    (Mat3::IDENTITY * offset.length_squared() - outer(offset, offset)) * mass
}

/// Principal moments of a symmetric tensor and the rotation from the principal axes: cyclic Jacobi (Golub & Van Loan, 8.5).
pub fn principal(tensor: Mat3) -> (Vec3, Quat) {
    // Quadratic convergence: four sweeps bring a 3 × 3 tensor to single precision, six leave no doubt.
    const SWEEPS: usize = 6;
    let mut a = tensor;
    let mut axes = Mat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = a.col(q)[p];
            if off.abs() <= f32::EPSILON * (a.col(p)[p].abs() + a.col(q)[q].abs()) {
                continue;
            }
            let theta = (a.col(q)[q] - a.col(p)[p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (t * t + 1.0).sqrt();
            let sine = t * cosine;
            let mut turn = Mat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(q)[p] = sine;
            turn.col_mut(p)[q] = -sine;
            a = turn.transpose() * a * turn;
            axes *= turn;
        }
    }
    (Vec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), Quat::from_mat3(&axes).normalize())
}

fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_without_length_is_a_ball() {
        let tensor = of_capsule(Vec3::ZERO, Vec3::ZERO, 0.5, 2.0);
        assert!((tensor.x_axis.x - 0.4 * 2.0 * 0.25).abs() < 1.0e-6);
        assert!((tensor.y_axis.y - tensor.x_axis.x).abs() < 1.0e-6);
    }

    #[test]
    fn principal_axes_rebuild_the_tensor() {
        let turn = Quat::from_xyzw(0.3, -0.2, 0.5, 0.8).normalize();
        let tensor = of_box(Vec3::new(0.1, 0.4, 0.9), turn, 3.0) + shifted(1.0, Vec3::new(0.2, -0.1, 0.3));
        let (moments, axes) = principal(tensor);
        let turn = Mat3::from_quat(axes);
        let again = turn * Mat3::from_diagonal(moments) * turn.transpose();
        assert!(again.abs_diff_eq(tensor, 1.0e-5), "{again:?} {tensor:?}");
    }
}
