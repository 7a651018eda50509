//! Keyed ways: what no muscle plays. From the pose that a figure is in, through postures, to what its animation has by then; planted on
//! the ground all the while. The way is drawn exactly and the bodies follow it, so that there is nothing to jump at its end.

mod clip;
mod hands;
mod key;
mod lift;
mod lying;
mod soles;

pub(crate) use clip::{Course, Stance};
pub(crate) use hands::thigh_top;
pub use hands::{Grip, mouth, palm, reach, shoulder};
pub use key::{Key, Spot};
pub(crate) use lying::lies;

use crate::figure::{BONES, Bone, Ragdoll};
use crate::space::{Quat, Rigid, Vec3, level, rotation_from_yaw, rotation_vector, smoothstep, yaw_of};
use lift::lift;
use serde::{Deserialize, Serialize};
use soles::Sole;

/// The most that a bone turns (rad/s) and the pelvis moves along the ground (m/s) on a way: 4.5° and 25 mm in a sixtieth of a second. A
/// stage that would ask for more takes longer; held by `get_up` at 6° and 40 mm.
pub(crate) const MOST_TURN: f32 = 4.7;
const MOST_SPEED: f32 = 1.5;
/// The most that the pelvis sinks and rises (m/s): a knee that comes down from a kerb must not drop it; with what it moves along the ground
/// a rise stays under 40 mm a step, which it did not at 2.2.
const MOST_SINK: f32 = 1.5;
const MOST_RISE: f32 = 1.8;
/// Seconds ahead at which higher ground is looked for, and how far (m) under it the way may be by then: a limb that is raised only as its
/// middle comes over a kerb has gone into the kerb's side, where its body is caught. Held by `get_up`'s kerb: with what is risen to only
/// as it is met, hands are over by 7.8° at one seed in some.
const AHEAD: [(f32, f32); 2] = [(0.05, 0.0), (0.1, 0.05)];
/// Level distance of the balls of the feet (m) under which they say no way to face.
const FEET_APART: f32 = 0.08;
/// Moments of a stage at which its pace is looked at.
const LOOKS: usize = 24;

/// One stage of a way, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where it leads.
    pub to: Key,
    /// What stays where it is meanwhile.
    pub plant: Plant,
    /// Seconds that it takes at least.
    pub seconds: f32,
}

/// What stays where it is while a stage is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plant {
    /// What stays on its spot as the stage begins, and what lies there as it ends. The lowest of the figure's shapes is on the ground.
    Spots([Spot; 2]),
    /// The soles, on ground of a height (m), while the hips' middle goes to a place (world, m), or to where the animation has it.
    Soles {
        /// Where the hips go.
        hips: Option<Vec3>,
        /// Height of the ground.
        ground: f32,
        /// How much of the way there the stage goes, 0..=1.
        share: f32,
    },
}

/// A way being gone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Way {
    stages: Vec<Stage>,
    /// The way it faces at its end (rad).
    yaw: f32,
    /// How far over the ground it begins (m; negative: how deep in it); `None` before its first step.
    over: Option<f32>,
    /// Height of the ground under it (m).
    ground: f32,
    /// Seconds gone.
    time: f32,
    /// World from body by then.
    bodies: [Rigid; BONES],
    /// How far along its thighs its palms rest, where they do.
    along: [f32; 2],
    /// What its palms are on in place of that.
    grips: [Grip; 2],
    /// It is over and its bodies are where it ends.
    rests: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stage {
    to: Key,
    planted: Planted,
    /// World from body where it begins.
    begins: [Rigid; BONES],
    /// Its palms rest on its thighs as it begins.
    hands: bool,
    seconds: f32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Planted {
    /// Two spots, and where those lie (world; its height says nothing).
    Spots { spots: [Spot; 2], at: Vec3 },
    /// Where the soles are as the stage begins and as it ends, and where the hips go.
    Soles { soles: [[Sole; 2]; 2], hips: Option<Vec3> },
}

impl Way {
    /// Plans a way from where the bodies are, to face `yaw` (rad) at its end. `animation` is the clip's pose in the figure's frame.
    #[must_use]
    pub fn plan(ragdoll: &Ragdoll, from: [Rigid; BONES], animation: &[Rigid; BONES], legs: &[Leg], yaw: f32) -> Self {
        let mut way = Self::sketch(ragdoll, from, animation, legs, yaw);
        way.pace(ragdoll, animation);
        way
    }

    /// The same, as fast as it is asked for: where it leads costs a tenth of what its pace does.
    pub(crate) fn sketch(ragdoll: &Ragdoll, from: [Rigid; BONES], animation: &[Rigid; BONES], legs: &[Leg], yaw: f32) -> Self {
        let mut way = Self {
            stages: Vec::new(),
            yaw,
            over: None,
            ground: from[0].translation.y,
            time: 0.0,
            bodies: from,
            along: [0.0; 2],
            grips: [Grip::default(); 2],
            rests: false,
        };
        legs.iter().for_each(|leg| way.add(ragdoll, animation, leg, false));
        way
    }

    /// Plans it on from where it ends.
    pub fn go_on(&mut self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], legs: &[Leg]) {
        let hands = self.stages.last().is_some_and(|stage| stage.to.rests_hands());
        let (along, grips) = (self.along, self.grips);
        *self = Self::sketch(ragdoll, self.bodies, animation, &[], self.yaw);
        (self.along, self.grips) = (along, grips);
        legs.iter().for_each(|leg| self.add(ragdoll, animation, leg, hands));
        self.pace(ragdoll, animation);
    }

    /// Adds a stage; `hands` says whether the palms rest on the thighs as the first one begins.
    fn add(&mut self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], leg: &Leg, hands: bool) {
        let index = self.stages.len();
        let before = index.checked_sub(1);
        let begins = before.map_or(self.bodies, |before| self.posture(ragdoll, animation, before, 1.0));
        let planted = match leg.plant {
            Plant::Spots(spots) => Planted::Spots { spots, at: spots[0].of(ragdoll, &begins) },
            Plant::Soles { hips, ground, share } => {
                let from = Sole::of(ragdoll, &begins);
                let flat = from.map(|sole| sole.on(ground));
                let (to, hips) = match (hips, leg.to) {
                    (Some(hips), key) => {
                        // A clip's postures are on the way to the seat's own.
                        let key = if matches!(key, Key::Clip(_)) { Key::Seated } else { key };
                        let pelvis = soles::pelvis_of(ragdoll, self.turned(ragdoll, animation, key)[0], hips);
                        (soles::reaching(ragdoll, &flat, &pelvis), Some(hips))
                    }
                    (None, Key::Clip(_)) => {
                        let end = self.animation_over(ragdoll, animation, &flat);
                        (Sole::of(ragdoll, &end), Some(soles::hips(ragdoll, &end[0])))
                    }
                    (None, _) => (flat, None),
                };
                match hips.filter(|_| share < 1.0) {
                    Some(hips) => {
                        let begins = (&from, soles::hips(ragdoll, &begins[0]));
                        let (to, hips) = soles::between(ragdoll, begins, (&to, hips), share);
                        Planted::Soles { soles: [from, to], hips: Some(hips) }
                    }
                    None => Planted::Soles { soles: [from, to], hips },
                }
            }
        };
        let hands = before.map_or(hands, |before| self.stages[before].to.rests_hands());
        self.stages.push(Stage { to: leg.to, planted, begins, hands, seconds: leg.seconds });
        if leg.to.rests_hands() && !hands {
            self.along = hands::along_thighs(ragdoll, &self.posture(ragdoll, animation, index, 1.0));
        }
    }

    /// Between the knees of a pose, its soles put flat on the ground with the shins upright, and between the balls of its feet.
    pub(crate) fn footing(ragdoll: &Ragdoll, bodies: &[Rigid; BONES]) -> [Vec3; 2] {
        let soles = Sole::of(ragdoll, bodies).map(|sole| sole.on(0.0));
        [soles::knees(ragdoll, &soles), (soles[0].ball() + soles[1].ball()) * 0.5]
    }

    /// Between the hip joints now (world).
    pub(crate) fn hips(&self, ragdoll: &Ragdoll) -> Vec3 {
        soles::hips(ragdoll, &self.bodies[0])
    }

    /// World from body now.
    #[must_use]
    pub fn bodies(&self) -> &[Rigid; BONES] {
        &self.bodies
    }

    /// Lets time pass (s). `ground` tells the height (m) of the ground under a point.
    pub fn advance(&mut self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], dt: f32, ground: impl Fn(Vec3) -> f32) {
        if self.rests {
            return;
        }
        let over = *self.over.get_or_insert_with(|| -lift(ragdoll, &self.bodies, &ground));
        self.time += dt;
        let (index, share) = self.at(self.time);
        let mut bodies = self.posture(ragdoll, animation, index, share);
        let Some(stage) = self.stages.get(index) else { return };
        let last = stage.to == Key::Animation;
        if matches!(stage.planted, Planted::Spots { .. }) {
            // About where it will be: the ground is looked for from there.
            let gap = self.bodies[0].translation.y - bodies[0].translation.y;
            raise(&mut bodies, gap);
            let mut up = lift(ragdoll, &bodies, &ground);
            let under = up - lift(ragdoll, &bodies, |_| 0.0);
            let higher = AHEAD.map(|(ahead, least)| self.under_at(ragdoll, animation, self.time + ahead, &ground) - least);
            up += higher.into_iter().fold(under, f32::max) - under;
            if index == 0 {
                up += over * (1.0 - share);
            }
            if last {
                let mut end = self.posture(ragdoll, animation, index, 1.0);
                let gap = bodies[0].translation.y + up - end[0].translation.y;
                raise(&mut end, gap);
                up += self.dip(ragdoll, animation, &end, &ground) * share;
            }
            raise(&mut bodies, up.clamp(-MOST_SINK * dt, MOST_RISE * dt));
        }
        self.ground = ground(bodies[0].translation);
        self.bodies = bodies;
        self.rests = !last && self.is_over();
    }

    /// Height (m) of the ground that it will lie on when it has gone for `time` (s); none where its soles say it.
    fn under_at(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], time: f32, ground: impl Fn(Vec3) -> f32) -> f32 {
        let (index, share) = self.at(time);
        let Some(Stage { planted: Planted::Spots { .. }, .. }) = self.stages.get(index) else { return f32::NEG_INFINITY };
        let mut bodies = self.posture(ragdoll, animation, index, share);
        let gap = self.bodies[0].translation.y - bodies[0].translation.y;
        raise(&mut bodies, gap);
        under(ragdoll, &bodies, ground)
    }

    /// How much deeper (m) than on its lowest point the animation stands. A clip's own soles may dip into its ground: it stands where it would
    /// on level ground, and no deeper where that slopes.
    fn dip(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], end: &[Rigid; BONES], ground: impl Fn(Vec3) -> f32) -> f32 {
        let place = self.under(&end[0], animation).translation;
        let level = ground(place);
        level - place.y - lift(ragdoll, end, |_| level)
    }

    /// Moves it as a whole, as the figure that goes it (world from world, about the vertical).
    pub(crate) fn carry(&mut self, moved: &Rigid) {
        self.bodies.iter_mut().for_each(|body| *body = *moved * *body);
        for stage in &mut self.stages {
            stage.begins.iter_mut().for_each(|body| *body = *moved * *body);
            match &mut stage.planted {
                Planted::Spots { at, .. } => *at = moved.point(*at),
                Planted::Soles { soles, hips, .. } => {
                    soles.iter_mut().flatten().for_each(|sole| sole.carry(moved));
                    *hips = hips.map(|hips| moved.point(hips));
                }
            }
        }
        self.yaw += yaw_of(moved.rotation);
    }

    /// Puts its palms on what they hold; shares of 0 leave them where they rest.
    pub fn grip(&mut self, grips: [Grip; 2]) {
        self.rests &= grips == self.grips;
        self.grips = grips;
    }

    /// What its palms are on.
    #[must_use]
    pub fn grips(&self) -> &[Grip; 2] {
        &self.grips
    }

    /// World from body where it ends, with its palms on other grips.
    #[must_use]
    pub fn gripping(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], grips: &[Grip; 2]) -> [Rigid; BONES] {
        self.posture_gripping(ragdoll, animation, self.stages.len().saturating_sub(1), 1.0, grips)
    }

    /// Whether it has been gone and its bodies stay where it ends.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.rests
    }

    /// Whether its soles stay where they are in the stage that it is in.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.stages.get(self.at(self.time).0).is_some_and(|stage| matches!(stage.planted, Planted::Soles { .. }))
    }

    /// Whether it leads to what the animation has by then.
    #[must_use]
    pub fn ends_in_animation(&self) -> bool {
        self.stages.last().is_some_and(|stage| stage.to == Key::Animation)
    }

    /// World from body where it leads by now.
    #[must_use]
    pub fn arrival(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> [Rigid; BONES] {
        self.posture(ragdoll, animation, self.stages.len().saturating_sub(1), 1.0)
    }

    /// Whether it has been gone.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.time >= self.stages.iter().map(|stage| stage.seconds).sum()
    }

    /// Where the animation takes over at its end (world from figure; its height says nothing).
    #[must_use]
    pub fn end(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> Rigid {
        self.under(&self.arrival(ragdoll, animation)[0], animation)
    }

    /// The place where its figure would stand by now (world from figure): over its soles where those stay, else where the animation has
    /// its pelvis as it is.
    #[must_use]
    pub fn place(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> Rigid {
        match self.stages.get(self.at(self.time).0).map(|stage| &stage.planted) {
            Some(Planted::Soles { soles: [_, soles], .. }) => self.over_soles(ragdoll, animation, soles),
            _ => {
                let place = self.under(&self.bodies[0], animation);
                // Its height is the animation's only where it has come to that.
                let there = self.ends_in_animation() && self.is_over();
                if there { place } else { Rigid { translation: place.translation.with_y(self.ground), ..place } }
            }
        }
    }

    /// The place from which the animation has its pelvis there (world from figure).
    fn under(&self, pelvis: &Rigid, animation: &[Rigid; BONES]) -> Rigid {
        let rotation = rotation_from_yaw(self.yaw);
        Rigid::new(rotation, pelvis.translation - rotation * animation[0].translation)
    }

    /// World from body as the animation stands on soles.
    fn animation_over(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], soles: &[Sole; 2]) -> [Rigid; BONES] {
        let place = self.over_soles(ragdoll, animation, soles);
        animation.map(|body| place * body)
    }

    /// The place on the ground from which the animation has its soles there (world from figure).
    fn over_soles(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], soles: &[Sole; 2]) -> Rigid {
        let between = |soles: &[Sole; 2]| (soles[0].ball() + soles[1].ball()) * 0.5;
        let across = |soles: &[Sole; 2]| level(soles[0].ball() - soles[1].ball());
        let yaw_along = |way: Vec3| libm::atan2f(way.x, way.z);
        // It faces as its feet stand, which need not be quite as it sits.
        let (is, was) = (across(soles), across(&Sole::of(ragdoll, animation)));
        let apart = is.length().min(was.length()) > FEET_APART;
        let rotation = rotation_from_yaw(if apart { yaw_along(is) - yaw_along(was) } else { self.yaw });
        let at = between(soles) - rotation * between(&Sole::of(ragdoll, animation));
        Rigid::new(rotation, at.with_y((soles[0].ball().y + soles[1].ball().y) * 0.5))
    }

    /// Whether its numbers are such as a plan can have come to.
    pub(crate) fn is_sound(&self) -> bool {
        let planted = |planted: &Planted| match planted {
            Planted::Spots { at, .. } => at.is_finite(),
            Planted::Soles { soles, hips } => soles.iter().flatten().all(Sole::is_finite) && hips.is_none_or(Vec3::is_finite),
        };
        let stages = self.stages.iter().all(|stage| {
            stage.to.is_sound()
                && planted(&stage.planted)
                && (0.0..=60.0).contains(&stage.seconds)
                && stage.begins.iter().all(Rigid::is_finite)
        });
        let [left, right] = self.along;
        let numbers =
            [self.yaw, self.over.unwrap_or_default(), self.ground, self.time, left, right].into_iter().all(f32::is_finite);
        let grips = self.grips.iter().all(|grip| grip.at.is_finite() && (0.0..=1.0).contains(&grip.share));
        stages && numbers && grips && self.bodies.iter().all(Rigid::is_finite)
    }

    /// The stage that it is in after `time` (s), and how much of it is done.
    fn at(&self, time: f32) -> (usize, f32) {
        let mut into = time;
        for (index, stage) in self.stages.iter().enumerate() {
            if into < stage.seconds {
                return (index, self.share(index, into / stage.seconds));
            }
            into -= stage.seconds;
        }
        (self.stages.len().saturating_sub(1), 1.0)
    }

    /// How much of a stage is done after a part of its time: it comes to rest in every posture, but passes through those of a clip.
    fn share(&self, index: usize, into: f32) -> f32 {
        let passes = |stage: Option<&Stage>| stage.is_some_and(|stage| matches!(stage.to, Key::Clip(_)));
        let before = index.checked_sub(1).and_then(|before| self.stages.get(before));
        match (passes(before), passes(self.stages.get(index))) {
            (false, false) => smoothstep(into),
            (false, true) => into * into,
            (true, true) => into,
            (true, false) => into * (2.0 - into),
        }
    }

    /// Gives every stage the time that it has to take.
    fn pace(&mut self, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) {
        for stage in 0..self.stages.len() {
            self.stages[stage].seconds = self.least_seconds(ragdoll, animation, stage);
        }
    }

    /// Seconds that a stage has to take.
    fn least_seconds(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], stage: usize) -> f32 {
        let mut seconds = self.stages[stage].seconds;
        let mut before = self.stages[stage].begins;
        for look in 1..=LOOKS {
            let bodies = self.posture(ragdoll, animation, stage, self.share(stage, look as f32 / LOOKS as f32));
            let turn = |bone: usize| rotation_vector(bodies[bone].rotation * before[bone].rotation.conjugate()).length();
            let turned = (0..BONES).map(turn).fold(0.0, f32::max);
            let moved = level(bodies[0].translation - before[0].translation).length();
            seconds = seconds.max(LOOKS as f32 * (turned / MOST_TURN).max(moved / MOST_SPEED));
            before = bodies;
        }
        seconds
    }

    /// World from body at a share of a stage; on spots at no height in particular.
    fn posture(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], index: usize, share: f32) -> [Rigid; BONES] {
        self.posture_gripping(ragdoll, animation, index, share, &self.grips)
    }

    /// The same with its palms on other grips.
    fn posture_gripping(
        &self,
        ragdoll: &Ragdoll,
        animation: &[Rigid; BONES],
        index: usize,
        share: f32,
        grips: &[Grip; 2],
    ) -> [Rigid; BONES] {
        let Some(stage) = self.stages.get(index) else { return self.bodies };
        let begins = stage.begins.map(|body| body.rotation);
        let to_turned = self.turned(ragdoll, animation, stage.to);
        match &stage.planted {
            Planted::Spots { spots, at } => {
                let turned = between(&begins, &to_turned, share);
                let mut bodies = ragdoll.hang(Vec3::ZERO, &turned);
                let [first, last] = spots.map(|spot| spot.of(ragdoll, &bodies));
                let shift = level(*at - first.lerp(last, share));
                bodies.iter_mut().for_each(|body| body.translation += shift);
                bodies
            }
            Planted::Soles { soles: [from, to], hips } => {
                let end = (stage.to == Key::Animation).then(|| self.animation_over(ragdoll, animation, to));
                let to_turned = end.map_or(to_turned, |end| end.map(|body| body.rotation));
                let mut turned = between(&begins, &to_turned, share);
                let to_soles = end.as_ref().map_or(*to, |end| Sole::of(ragdoll, end));
                let to_hips = hips.or(end.map(|end| soles::hips(ragdoll, &end[0])));
                let from_hips = soles::hips(ragdoll, &stage.begins[0]);
                let to_hips = to_hips.unwrap_or(from_hips);
                let (stand, hips) = soles::between(ragdoll, (from, from_hips), (&to_soles, to_hips), share);
                let mut pelvis = soles::pelvis_of(ragdoll, turned[0], hips);
                soles::stand(ragdoll, &mut pelvis, stand, &mut turned);
                let mut bodies = ragdoll.hang(pelvis.translation, &turned);
                let on_thighs = |rest: bool| if rest { 1.0 } else { 0.0 };
                let hands = on_thighs(stage.hands) * (1.0 - share) + on_thighs(stage.to.rests_hands()) * share;
                if hands > 0.0 {
                    hands::rest(ragdoll, &mut bodies, &self.along, grips, hands);
                }
                bodies
            }
        }
    }

    /// World rotation of each body in a posture.
    fn turned(&self, ragdoll: &Ragdoll, animation: &[Rigid; BONES], key: Key) -> [Quat; BONES] {
        let world_from_figure = rotation_from_yaw(self.yaw);
        key.rotations(ragdoll, animation).map(|rotation| world_from_figure * rotation)
    }
}

/// Height (m) of the ground that a pose lies on, wherever its lowest shape meets it.
fn under(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], ground: impl Fn(Vec3) -> f32) -> f32 {
    lift(ragdoll, bodies, ground) - lift(ragdoll, bodies, |_| 0.0)
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
