//! Keyed ways: what no muscle plays. From the pose that a figure is in, through postures, to what its animation has by then; planted on
//! the ground all the while. The way is drawn exactly and the bodies follow it, so that there is nothing to jump at its end.

mod key;
mod lift;

pub use key::{Key, Spot};

use crate::figure::{BONES, Bone, Ragdoll};
use crate::space::{Quat, Rigid, Vec3, level, rotation_from_yaw, rotation_vector, smoothstep, yaw_of};
use lift::lift;
use serde::{Deserialize, Serialize};

/// The most that a bone turns (rad/s) and the pelvis moves along the ground (m/s) on a way: 4.5° and 25 mm in a sixtieth of a second. A
/// stage that would ask for more takes longer; held by `get_up` at 6° and 40 mm.
const MOST_TURN: f32 = 4.7;
const MOST_SPEED: f32 = 1.5;
/// The most that the pelvis sinks and rises (m/s): a knee that comes down from a kerb must not drop it, one that meets a kerb must not go
/// far into it.
const MOST_SINK: f32 = 1.5;
const MOST_RISE: f32 = 2.2;
/// Moments of a stage at which its pace is looked at.
const LOOKS: usize = 24;

/// One stage of a way, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where it leads.
    pub to: Key,
    /// What stays on its spot as the stage begins, and what lies there as it ends.
    pub spots: [Spot; 2],
    /// Seconds that it takes at least.
    pub seconds: f32,
}

/// A way being gone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Way {
    /// World from body where it begins.
    from: [Rigid; BONES],
    stages: Vec<Stage>,
    /// The way it faces at its end (rad).
    yaw: f32,
    /// How far over the ground it begins (m; negative: how deep in it); `None` before its first step.
    over: Option<f32>,
    /// Seconds gone.
    time: f32,
    /// World from body by then.
    bodies: [Rigid; BONES],
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stage {
    to: Key,
    spots: [Spot; 2],
    /// Where those lie (world; its height says nothing).
    at: Vec3,
    seconds: f32,
}

impl Way {
    /// Plans a way from where the bodies are, to face `yaw` (rad) at its end. `animation` is the clip's pose in the figure's frame.
    #[must_use]
    pub fn plan(ragdoll: &Ragdoll, from: [Rigid; BONES], animation: &[Rigid; BONES], legs: &[Leg], yaw: f32) -> Self {
        let mut way = Self { from, stages: Vec::new(), yaw, over: None, time: 0.0, bodies: from };
        let mut bodies = from;
        for leg in legs {
            let at = leg.spots[0].of(ragdoll, &bodies);
            way.stages.push(Stage { to: leg.to, spots: leg.spots, at, seconds: leg.seconds });
            let stage = way.stages.len() - 1;
            (way.stages[stage].seconds, bodies) = way.pace(ragdoll, animation, stage, bodies);
        }
        way
    }

    /// World from body now.
    #[must_use]
    pub fn bodies(&self) -> &[Rigid; BONES] {
        &self.bodies
    }

    /// Lets time pass (s). `ground` tells the height (m) of the ground under a point.
    pub fn advance(&mut self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], dt: f32, ground: impl Fn(Vec3) -> f32) {
        let over = *self.over.get_or_insert_with(|| -lift(ragdoll, &self.from, &ground));
        self.time += dt;
        let (stage, share) = self.now();
        let mut bodies = self.posture(ragdoll, animation, stage, share);
        // About where it will be: the ground is looked for from there.
        let gap = self.bodies[0].translation.y - bodies[0].translation.y;
        raise(&mut bodies, gap);
        let mut up = lift(ragdoll, &bodies, &ground);
        if stage == 0 {
            up += over * (1.0 - share);
        }
        if self.stages.get(stage).is_some_and(|stage| stage.to == Key::Animation) {
            let mut end = self.posture(ragdoll, animation, stage, 1.0);
            let gap = bodies[0].translation.y + up - end[0].translation.y;
            raise(&mut end, gap);
            up += self.dip(ragdoll, animation, &end, &ground) * share;
        }
        raise(&mut bodies, up.clamp(-MOST_SINK * dt, MOST_RISE * dt));
        self.bodies = bodies;
    }

    /// How much deeper (m) than on its lowest point the animation stands. A clip's own soles may dip into its ground: it stands where it would
    /// on level ground, and no deeper where that slopes.
    fn dip(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], end: &[Rigid; BONES], ground: impl Fn(Vec3) -> f32) -> f32 {
        let place = self.place(&end[0], animation).translation;
        let level = ground(place);
        level - place.y - lift(ragdoll, end, |_| level)
    }

    /// Moves it as a whole, as the figure that goes it (world from world, about the vertical).
    pub(crate) fn carry(&mut self, moved: &Rigid) {
        self.from.iter_mut().chain(&mut self.bodies).for_each(|body| *body = *moved * *body);
        self.stages.iter_mut().for_each(|stage| stage.at = moved.point(stage.at));
        self.yaw += yaw_of(moved.rotation);
    }

    /// Whether it has been gone.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.time >= self.stages.iter().map(|stage| stage.seconds).sum()
    }

    /// Where the animation takes over at its end (world from figure; its height says nothing).
    #[must_use]
    pub fn end(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> Rigid {
        self.place(&self.posture(ragdoll, animation, self.stages.len().saturating_sub(1), 1.0)[0], animation)
    }

    /// The place from which the animation has its pelvis there (world from figure).
    #[must_use]
    pub fn place(&self, pelvis: &Rigid, animation: &[Rigid; BONES]) -> Rigid {
        let rotation = rotation_from_yaw(self.yaw);
        Rigid::new(rotation, pelvis.translation - rotation * animation[0].translation)
    }

    /// Whether its numbers are such as a plan can have come to.
    pub(crate) fn is_sound(&self) -> bool {
        let stages = self.stages.iter().all(|stage| stage.at.is_finite() && (0.0..=60.0).contains(&stage.seconds));
        let numbers = [self.yaw, self.over.unwrap_or_default(), self.time].into_iter().all(f32::is_finite);
        stages && numbers && self.from.iter().chain(&self.bodies).all(Rigid::is_finite)
    }

    /// The stage that it is in and how much of it is done.
    fn now(&self) -> (usize, f32) {
        let mut into = self.time;
        for (index, stage) in self.stages.iter().enumerate() {
            if into < stage.seconds {
                return (index, smoothstep(into / stage.seconds));
            }
            into -= stage.seconds;
        }
        (self.stages.len().saturating_sub(1), 1.0)
    }

    /// Seconds that a stage has to take, and where it ends; `before` is where it begins.
    fn pace(
        &self,
        ragdoll: &Ragdoll,
        animation: &[Rigid; BONES],
        stage: usize,
        mut before: [Rigid; BONES],
    ) -> (f32, [Rigid; BONES]) {
        let mut seconds = self.stages[stage].seconds;
        for look in 1..=LOOKS {
            let bodies = self.posture(ragdoll, animation, stage, smoothstep(look as f32 / LOOKS as f32));
            let turn = |bone: usize| rotation_vector(bodies[bone].rotation * before[bone].rotation.conjugate()).length();
            let turned = (0..BONES).map(turn).fold(0.0, f32::max);
            let moved = level(bodies[0].translation - before[0].translation).length();
            seconds = seconds.max(LOOKS as f32 * (turned / MOST_TURN).max(moved / MOST_SPEED));
            before = bodies;
        }
        (seconds, before)
    }

    /// World from body at a share of a stage, planted on its spot, at no height in particular.
    fn posture(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], index: usize, share: f32) -> [Rigid; BONES] {
        let Some(stage) = self.stages.get(index) else { return self.from };
        let from = match index.checked_sub(1) {
            Some(before) => self.turned(ragdoll, animation, self.stages[before].to),
            None => self.from.map(|body| body.rotation),
        };
        let mut bodies = ragdoll.hang(Vec3::ZERO, &between(&from, &self.turned(ragdoll, animation, stage.to), share));
        let [first, last] = stage.spots.map(|spot| spot.of(ragdoll, &bodies));
        let shift = level(stage.at - first.lerp(last, share));
        bodies.iter_mut().for_each(|body| body.translation += shift);
        bodies
    }

    /// World rotation of each body in a posture.
    fn turned(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], key: Key) -> [Quat; BONES] {
        let world_from_figure = rotation_from_yaw(self.yaw);
        key.rotations(ragdoll, animation).map(|rotation| world_from_figure * rotation)
    }
}

fn raise(bodies: &mut [Rigid; BONES], by: f32) {
    bodies.iter_mut().for_each(|body| body.translation.y += by);
}

/// Rotations of bodies between two poses, joint by joint: the pelvis in the world, each other bone in its parent.
fn between(from: &[Quat; BONES], to: &[Quat; BONES], share: f32) -> [Quat; BONES] {
    let mut out = *from;
    for bone in Bone::ALL {
        let index = bone.index();
        let parent = bone.parent().map(Bone::index);
        let local = |pose: &[Quat; BONES]| parent.map_or(pose[index], |parent| pose[parent].conjugate() * pose[index]);
        let turned = local(from).slerp(local(to), share);
        out[index] = parent.map_or(turned, |parent| out[parent] * turned).normalize();
    }
    out
}
