//! The one figure, as figure.json tells it, and the law of its motors.

use glam::{Quat, Vec3};
use serde::Deserialize;
use std::f32::consts::{PI, TAU};
use std::sync::LazyLock;

/// A capsule of the figure, in the world at rest.
#[derive(Debug, Deserialize)]
pub struct Body {
    /// One end of its axis (m).
    pub from: Vec3,
    /// The other end (m).
    pub to: Vec3,
    /// m.
    pub radius: f32,
    /// kg.
    pub mass: f32,
}

impl Body {
    /// Where it is (m).
    pub fn middle(&self) -> Vec3 {
        (self.from + self.to) / 2.0
    }

    /// Length of its axis (m).
    pub fn length(&self) -> f32 {
        (self.to - self.from).length()
    }

    /// Whether its axis is upright rather than along X.
    pub fn is_upright(&self) -> bool {
        (self.to - self.from).y.abs() > (self.to - self.from).x.abs()
    }

    /// kg/m³, for engines that take no mass.
    pub fn density(&self) -> f32 {
        self.mass / (PI * self.radius.powi(2) * self.length() + 4.0 / 3.0 * PI * self.radius.powi(3))
    }
}

/// A joint: a ball, or a hinge about an axis.
#[derive(Debug, Deserialize)]
pub struct Joint {
    /// Index of the body it hangs on.
    pub parent: usize,
    /// Index of the body it carries.
    pub child: usize,
    /// Where, in the world at rest (m).
    pub at: Vec3,
    /// Axis of a hinge; none for a ball.
    pub hinge: Option<Vec3>,
    /// Lower limit (rad).
    pub low: f32,
    /// Upper limit (rad).
    pub high: f32,
    /// The most that its motor exerts (N m).
    pub torque: f32,
}

#[derive(Debug, Deserialize)]
struct Bow {
    joint: usize,
    angle: f32,
    hz: f32,
}

/// The figure and how it is driven.
#[derive(Debug, Deserialize)]
pub struct Figure {
    /// The first is the pelvis.
    pub bodies: Vec<Body>,
    /// Parents before children.
    pub joints: Vec<Joint>,
    bow: Bow,
    /// The most that the pelvis' keeper exerts (N m).
    pub upright_torque: f32,
    close_secs: f32,
    most_speed: f32,
    /// Of the ground and of every body.
    pub friction: f32,
    spacing: f32,
    /// Steps a second.
    pub step_hz: f32,
}

/// The figure of figure.json.
pub static FIGURE: LazyLock<Figure> =
    LazyLock::new(|| serde_json::from_str(include_str!("../figure.json")).expect("figure.json tells a figure"));

impl Figure {
    /// Where the figure of an index of a crowd stands: rows of a square, none touches another.
    pub fn place(&self, index: usize, count: usize) -> Vec3 {
        let side = (count as f32).sqrt().ceil() as usize;
        Vec3::new((index % side) as f32, 0.0, (index / side) as f32) * self.spacing
    }

    /// Where a joint's child shall be in its parent at a time (s): the chest bows, the rest keeps still.
    pub fn target(&self, joint: usize, time: f32) -> Quat {
        if joint != self.bow.joint {
            return Quat::IDENTITY;
        }
        Quat::from_rotation_x(self.bow.angle * (TAU * self.bow.hz * time).sin())
    }

    /// The speed that a joint's motor wants (rad/s, in the parent's frame) from the turns of the bodies in the world.
    pub fn motor(&self, joint: usize, turns: &[Quat], time: f32) -> Vec3 {
        let Joint { parent, child, .. } = self.joints[joint];
        let found = turns[parent].conjugate() * turns[child];
        let gap = shortest(self.target(joint, time) * found.conjugate());
        (gap / self.close_secs).clamp_length_max(self.most_speed)
    }

    /// The speed that sets the pelvis upright again (rad/s, in the world); its Y is for the engine to leave out.
    pub fn keeper(&self, pelvis: Quat) -> Vec3 {
        shortest(pelvis.conjugate()) / self.close_secs
    }

    /// Mean angle between where the joints are and where they shall be (rad).
    pub fn gap(&self, turns: &[Quat], time: f32) -> f32 {
        let gap = |(index, joint): (usize, &Joint)| {
            (turns[joint.parent].conjugate() * turns[joint.child]).angle_between(self.target(index, time))
        };
        self.joints.iter().enumerate().map(gap).sum::<f32>() / self.joints.len() as f32
    }
}

/// The rotation vector of a turn, the short way round (rad).
fn shortest(turn: Quat) -> Vec3 {
    if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis()
}
