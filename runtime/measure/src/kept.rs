//! Poses kept of a run, and what can be said from them alone: nothing here knows modes, phases, strengths or the controller.

use glam::{DQuat, DVec3};
use simrun_sim::figure::{BONES, Bone};
use simrun_sim::space::{Quat, Rigid, Vec3};

/// Share of the pelvis's standing height under which a figure is down.
const DOWN: f64 = 0.6;
/// Lean from the pose (rad) past which a figure is down, whatever its height.
const DOWN_LEAN: f64 = 0.6;

/// One moment of a run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// World from body, where the bodies are.
    pub bodies: [Rigid; BONES],
    /// World from body, where the animation asks them to be.
    pub target: [Rigid; BONES],
    /// World from body, as drawn.
    pub drawn: [Rigid; BONES],
    /// How far the feet are bent at their ankles, left and right (rad; 0 without): where the bodies are, and as drawn.
    pub bent: [f32; 2],
    /// See [`Self::bent`].
    pub drawn_bent: [f32; 2],
    /// Where the bodies touch something (world, m).
    pub contacts: Vec<Vec3>,
    /// Bones that touch something that is not of the figure.
    pub touching: Vec<Bone>,
    /// Between the two ends of the joint that is open widest (m), as the solver says it.
    pub opening: f64,
    /// Torque of the joint that is nearest to its budget, as a share of it, as the solver says it.
    pub strain: f64,
    /// Height of the ground under the pelvis (m).
    pub ground: f32,
}

/// The frames of a run: the first is how it began, the others one a step.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Steps a second.
    pub step_hz: f64,
    /// Height of the pelvis over the ground when the figure stands (m).
    pub standing_height: f64,
    /// In order of time.
    pub frames: Vec<Frame>,
}

impl Kept {
    /// The frame at a time (s); the last one from its end on.
    #[must_use]
    pub fn at(&self, time: f64) -> &Frame {
        &self.frames[self.index(time)]
    }

    /// The frames from one time (s) to another, both included.
    #[must_use]
    pub fn span(&self, from: f64, to: f64) -> &[Frame] {
        &self.frames[self.index(from)..=self.index(to)]
    }

    fn index(&self, time: f64) -> usize {
        ((time * self.step_hz).round().max(0.0) as usize).min(self.frames.len() - 1)
    }

    /// Whether the figure is down.
    #[must_use]
    pub fn is_down(&self, frame: &Frame) -> bool {
        self.height(frame) < DOWN || frame.lean() > DOWN_LEAN
    }

    /// Whether it was never down, and stands still and upright at the end.
    #[must_use]
    pub fn stands(&self) -> bool {
        let last = &self.frames[self.frames.len() - 2..];
        let moved = last[1].bodies[0].translation.distance(last[0].bodies[0].translation);
        let still = f64::from(moved) * self.step_hz < 0.3;
        still && last[1].lean() < 0.2 && self.height(&last[1]) > 0.85 && self.stays_up()
    }

    /// Whether it was never down.
    #[must_use]
    pub fn stays_up(&self) -> bool {
        !self.frames.iter().any(|frame| self.is_down(frame))
    }

    /// Height of the pelvis as a share of its standing height.
    #[must_use]
    pub fn height(&self, frame: &Frame) -> f64 {
        frame.pelvis_height() / self.standing_height
    }
}

impl Frame {
    /// Height of the pelvis over the ground under it (m).
    #[must_use]
    pub fn pelvis_height(&self) -> f64 {
        f64::from(self.bodies[0].translation.y - self.ground)
    }

    /// Angle between the pelvis's up and its target's (rad).
    #[must_use]
    pub fn lean(&self) -> f64 {
        angle(self.bodies[0].rotation, self.target[0].rotation, DVec3::Y)
    }

    /// Angle between a body and its target (rad).
    #[must_use]
    pub fn off_target(&self, bone: Bone) -> f64 {
        turn(self.bodies[bone.index()].rotation, self.target[bone.index()].rotation)
    }

    /// How far the joint that is farthest from its pose is from it (rad).
    #[must_use]
    pub fn worst_joint(&self) -> f64 {
        Bone::ALL.into_iter().map(|bone| turn(joint(&self.bodies, bone), joint(&self.target, bone))).fold(0.0, f64::max)
    }

    /// How far the joint that differs most between two moments has turned (rad).
    #[must_use]
    pub fn worst_joint_since(&self, before: &Self) -> f64 {
        Bone::ALL.into_iter().map(|bone| turn(joint(&self.bodies, bone), joint(&before.bodies, bone))).fold(0.0, f64::max)
    }

    /// Level distance (m) of the pelvis from where it was.
    #[must_use]
    pub fn drift(&self, before: &Self) -> f64 {
        let way = moved(&before.bodies, &self.bodies);
        DVec3::new(way.x, 0.0, way.z).length()
    }

    /// How far the pelvis has turned about the vertical (rad) since an earlier moment.
    #[must_use]
    pub fn heading_change(&self, before: &Self) -> f64 {
        turn_about_vertical(before.bodies[0].rotation, self.bodies[0].rotation)
    }
}

/// The angle (rad) about the vertical between the ways that two rotations face.
#[must_use]
pub fn turn_about_vertical(from: Quat, to: Quat) -> f64 {
    let front = |rotation: Quat| {
        let front = precise(rotation) * DVec3::Z;
        DVec3::new(front.x, 0.0, front.z)
    };
    let (from, to) = (front(from), front(to));
    from.cross(to).length().atan2(from.dot(to))
}

/// Turn rates (rad/s) of the bodies over some frames, by the differences of their poses: mean over bones and steps, and the most.
#[must_use]
pub fn turn_rates(frames: &[Frame], step_hz: f64) -> (f64, f64) {
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0_u32);
    for pair in frames.windows(2) {
        for (before, after) in pair[0].bodies.iter().zip(&pair[1].bodies) {
            let rate = turn(before.rotation, after.rotation) * step_hz;
            sum += rate;
            most = most.max(rate);
            count += 1;
        }
    }
    (sum / f64::from(count), most)
}

/// The most that a drawn bone turns in a step (rad).
#[must_use]
pub fn most_drawn_turn(frames: &[Frame]) -> f64 {
    most_turn_of(frames, &Bone::ALL)
}

/// The most that one of these bones, as drawn, turns in a step (rad).
#[must_use]
pub fn most_turn_of(frames: &[Frame], bones: &[Bone]) -> f64 {
    let turned = |pair: &[Frame], bone: Bone| turn(pair[0].drawn[bone.index()].rotation, pair[1].drawn[bone.index()].rotation);
    let turns = frames.windows(2).flat_map(|pair| bones.iter().map(move |bone| turned(pair, *bone)));
    turns.fold(0.0, f64::max)
}

/// How a pelvis has moved from one pose to another (m, world).
#[must_use]
pub fn moved(before: &[Rigid; BONES], after: &[Rigid; BONES]) -> DVec3 {
    after[0].translation.as_dvec3() - before[0].translation.as_dvec3()
}

/// The angle between two rotations (rad, 0..=π). The arc tangent keeps its digits near 0, where an arc cosine has none.
#[must_use]
pub fn turn(from: Quat, to: Quat) -> f64 {
    let between = precise(from).conjugate() * precise(to);
    2.0 * between.xyz().length().atan2(between.w.abs())
}

/// The angle (rad) between an axis turned by one rotation and by another.
fn angle(a: Quat, b: Quat, axis: DVec3) -> f64 {
    let (a, b) = (precise(a) * axis, precise(b) * axis);
    a.cross(b).length().atan2(a.dot(b))
}

/// A bone's rotation in its parent; the pelvis stays where it is, its lean is counted apart.
#[must_use]
pub fn joint(bodies: &[Rigid; BONES], bone: Bone) -> Quat {
    bone.parent().map_or(Quat::IDENTITY, |parent| bodies[parent.index()].rotation.conjugate() * bodies[bone.index()].rotation)
}

fn precise(rotation: Quat) -> DQuat {
    rotation.as_dquat().normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_a_microradian_is_told_from_none() {
        let turned = DQuat::from_rotation_y(1.0e-3 + 1.0e-6).as_quat();
        let before = DQuat::from_rotation_y(1.0e-3).as_quat();
        assert!((turn(before, turned) - 1.0e-6).abs() < 2.0e-7);
        assert_eq!(turn(before, before), 0.0);
        assert_eq!(turn(before, -before), 0.0);
    }
}
