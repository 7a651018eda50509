//! How far a joint is past its limits, from the poses of its two bodies alone.

use glam::DQuat;
use simrun_sim::solve::boundary::{JointDef, JointKind};
use simrun_sim::space::Quat;

/// How far a joint is past its limits (rad): less than 0 within them, by the room that is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Past {
    /// Past the swing's ellipse, along the swing; for hinges and welds `None`.
    pub swing: Option<f64>,
    /// Past an end of the twist's or the hinge's range; for welds `None`.
    pub twist: Option<f64>,
}

impl Past {
    /// The worse of the two.
    #[must_use]
    pub fn worst(&self) -> f64 {
        self.swing.unwrap_or(f64::NEG_INFINITY).max(self.twist.unwrap_or(f64::NEG_INFINITY))
    }
}

/// Where a joint stands whose bodies have these rotations (world).
#[must_use]
pub fn past(joint: &JointDef, parent: Quat, child: Quat) -> Past {
    let precise = |rotation: Quat| rotation.as_dquat().normalize();
    let from_parent = precise(parent) * precise(joint.parent_from_joint.rotation);
    let from_child = precise(child) * precise(joint.child_from_joint.rotation);
    let turned = from_parent.conjugate() * from_child;
    match joint.kind {
        JointKind::Ball { swing, twist } => {
            let (y, z, about_x) = swing_and_twist(turned);
            Past { swing: Some(past_ellipse(y, z, swing.map(f64::from))), twist: Some(past_range(about_x, twist)) }
        }
        JointKind::Hinge { range } => Past { swing: None, twist: Some(past_range(swing_and_twist(turned).2, range)) },
        JointKind::Weld => Past { swing: None, twist: None },
    }
}

fn past_range(angle: f64, range: [f32; 2]) -> f64 {
    let [least, most] = range.map(f64::from);
    (least - angle).max(angle - most)
}

/// Past the ellipse's radius along the swing's own direction.
fn past_ellipse(y: f64, z: f64, half: [f64; 2]) -> f64 {
    let angle = y.hypot(z);
    if angle < 1.0e-9 {
        return -half[0].min(half[1]);
    }
    angle - 1.0 / (y / angle / half[0]).hypot(z / angle / half[1])
}

/// A rotation as swing × twist: the swing's axis × angle along Y and Z, and the twist about X (rad).
fn swing_and_twist(rotation: DQuat) -> (f64, f64, f64) {
    let twist = if rotation.x == 0.0 && rotation.w == 0.0 {
        DQuat::IDENTITY
    } else {
        DQuat::from_xyzw(rotation.x, 0.0, 0.0, rotation.w).normalize()
    };
    let swing = rotation * twist.conjugate();
    let swing = if swing.w < 0.0 { -swing } else { swing };
    let sine = swing.y.hypot(swing.z);
    let scale = if sine < 1.0e-12 { 2.0 } else { 2.0 * sine.atan2(swing.w) / sine };
    let (x, w) = if twist.w < 0.0 { (-twist.x, -twist.w) } else { (twist.x, twist.w) };
    (swing.y * scale, swing.z * scale, 2.0 * x.atan2(w))
}
