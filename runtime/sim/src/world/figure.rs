//! Live figures and objects.

use crate::command::Behaviour;
use crate::decide::{Claims, Intent, Want};
use crate::draw::{DrawnPose, Fade, PartFades};
use crate::drive::Successions;
use crate::error::Error;
use crate::event::Happening;
use crate::figure::{BONES, Bone, Model, Ragdoll};
use crate::id::{FigureHandle, ObjectHandle, StableId};
use crate::keyed::Way;
use crate::motion::{Act, ActClips, GetUp, Holding, Mode, Motion, Phase};
use crate::pose::{Animator, TargetPose};
use crate::sense::Senses;
use crate::solve::boundary::{BodyKind, FigureInput, FigureOutput, ObjectDef, Shape};
use crate::solve::{BodyPose, Feet, poses};
use crate::space::{Rigid, Vec3, rotation_from_yaw, yaw_of};
use crate::trace::{Because, Trace, What};
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A live figure.
#[derive(Debug, Serialize, Deserialize)]
pub struct Figure {
    /// Its handle.
    pub handle: FigureHandle,
    /// Unique in the world.
    pub name: String,
    /// From the name.
    pub id: StableId,
    /// What it wears. A snapshot holds it once for all who wear it.
    #[serde(skip)]
    pub model: Arc<Model>,
    /// World from figure: where its clip stands, upright, turned by a yaw.
    pub place: Rigid,
    /// Whether the clip's travel moves the place.
    pub root_motion: bool,
    /// What it plays.
    pub animator: Animator,
    /// Clips that it has for what it does.
    pub acts: ActClips,
    /// Its active ragdoll, if it has one.
    pub motion: Option<Motion>,
    /// In the order in which they run.
    pub behaviours: Vec<Behaviour>,
    /// Who wants which bone.
    pub claims: Claims,
    /// How bones pass from who had them to who has them.
    pub(crate) successions: Successions,
    /// What the animation asks.
    pub target: TargetPose,
    /// Where the bodies are; `None` without an active ragdoll.
    pub body: Option<BodyPose>,
    /// How its feet hang; `None` where they are rigid on their shins.
    pub feet: Option<Box<Feet>>,
    /// What is shown.
    pub drawn: DrawnPose,
    /// The step at whose start a command last put it where it was not: spawned it, moved its place or laid its bodies.
    pub placed_in: u64,
    /// What it feels.
    pub senses: Senses,
    /// What balance asks.
    pub intent: Intent,
    /// What the solver said of the last step.
    pub solved: FigureOutput,
    /// Why it does what it does.
    pub trace: Trace,
    /// What the solver is told of the coming step.
    pub(crate) input: FigureInput,
    /// The hand-over being drawn.
    pub(crate) fade: Fade,
    /// Parts that are drawn otherwise than the rest.
    pub(crate) part_fades: PartFades,
    /// The clip's pose in the figure's frame as last sampled.
    pub(crate) pose_in_place: Option<[Rigid; BONES]>,
    /// Whether it belongs to a pool, and lies in it.
    pub(crate) pooled: Pooled,
    /// What happened to it in a room that sees one figure at a time.
    pub(crate) happened: Vec<Happening>,
}

/// A figure's part in the pool of a horde.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Pooled {
    /// None: it is its own.
    #[default]
    No,
    /// It waits there.
    Parked,
    /// It is a member's.
    Out,
}

impl Figure {
    /// Its motion.
    ///
    /// # Errors
    /// A figure without an active ragdoll.
    pub fn motion(&self) -> Result<&Motion, Error> {
        self.motion.as_ref().ok_or_else(|| Error::NoMotion(self.name.clone()))
    }

    /// What drives it: a figure without motion is animated.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.motion.as_ref().map_or(Mode::Animated, |motion| motion.mode)
    }

    /// What its balance is doing: a figure without motion stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.motion.as_ref().map_or(Phase::Standing, |motion| motion.phase)
    }

    /// World from bone: the body's where it has one, else the animation's.
    #[inline]
    #[must_use]
    pub fn bone(&self, bone: Bone) -> Rigid {
        self.body.as_ref().map_or(self.target.bodies[bone.index()], |body| body.bodies[bone.index()].pose)
    }

    /// How far its feet are bent at their ankles, left and right (rad): 0 without ankles.
    #[must_use]
    pub fn bent(&self) -> [f32; 2] {
        self.feet.as_ref().map_or([0.0; 2], |feet| feet.bent)
    }

    /// The same as drawn.
    #[must_use]
    pub fn drawn_bent(&self) -> [f32; 2] {
        self.feet.as_ref().map_or([0.0; 2], |feet| feet.drawn)
    }

    /// Where the solver's bodies are: empty without a body.
    pub(crate) fn solver_poses(&self) -> Vec<Rigid> {
        let ankles = self.model.ragdoll.as_ref().ok().and_then(|ragdoll| ragdoll.ankles.as_deref());
        let at = |body: &BodyPose| poses(ankles, self.feet.as_deref(), &body.bodies.map(|state| state.pose));
        self.body.as_ref().map(at).unwrap_or_default()
    }

    /// How much of its standing did not come from its feet: impulse of anchor and heading motor (N·m·s) over weight × 1 m × time, in %.
    #[must_use]
    pub fn assist(&self) -> f32 {
        let (Some(motion), Ok(ragdoll)) = (&self.motion, &self.model.ragdoll) else { return 0.0 };
        let weight_time = f64::from(ragdoll.mass) * 9.81 * motion.balance.driven_seconds;
        if weight_time > 0.0 { (100.0 * motion.balance.assist_impulse / weight_time) as f32 } else { 0.0 }
    }

    /// The same of the time since a step, to half a second and a minute back at most.
    #[must_use]
    pub fn assist_since(&self, step: u64) -> f32 {
        let (Some(motion), Ok(ragdoll)) = (&self.motion, &self.model.ragdoll) else { return 0.0 };
        let (impulse, seconds) = motion.balance.recent.since(step);
        if seconds > 0.0 { 100.0 * impulse / (ragdoll.mass * 9.81 * seconds) } else { 0.0 }
    }

    /// Whether it writhes now: the behaviour `writhe` moves it, and does not merely hold the shape that it ended in.
    #[must_use]
    pub fn is_writhing(&self) -> bool {
        self.claims.iter().any(|claim| &*claim.owner == "writhe" && !matches!(claim.want, Want::Hold(_)))
    }

    /// Whether its numbers went bad; see [`Motion::frozen`].
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.motion.as_ref().is_some_and(|motion| motion.frozen)
    }

    pub(crate) fn enter_phase(&mut self, phase: Phase, because: Because, step: u64) {
        let figure = self.handle;
        if let Some(from) = self.motion.as_mut().and_then(|motion| motion.enter(phase, step)) {
            self.trace.put(step, What::Phase { from, to: phase, because });
            self.happened.push(Happening::PhaseChanged { figure, from, to: phase });
        }
    }

    /// Enters a phase, or begins something else of the kind that it is in: another step, another act.
    fn go_on_in(&mut self, phase: Phase, because: Because, step: u64) {
        if self.phase() == phase {
            self.trace.put(step, What::Phase { from: phase, to: phase, because });
        } else {
            self.enter_phase(phase, because, step);
        }
    }

    /// A behaviour says what it is doing. Each step counts, also one of a run.
    pub(crate) fn declare(&mut self, phase: Phase, because: Because, step: u64) {
        let steps = matches!(phase, Phase::Stepping | Phase::Staggering);
        if steps {
            self.go_on_in(phase, because, step);
        } else {
            self.enter_phase(phase, because, step);
        }
        if let Some(motion) = &mut self.motion {
            motion.steps_taken += u32::from(steps);
        }
    }

    /// Has its hands do this from now on.
    pub(crate) fn set_holding(&mut self, holding: Option<Holding>, step: u64) {
        let Some(motion) = &mut self.motion else { return };
        if let Some((item, deed)) = Holding::deed(motion.holding.as_ref(), holding.as_ref()) {
            self.trace.put(step, What::Handled { item, deed });
        }
        motion.holding = holding;
    }

    /// Keeps that it was struck by an impulse (N·s, world).
    pub(crate) fn trace_blow(&mut self, step: u64, bone: Bone, impulse: Vec3, by: Option<ObjectHandle>) {
        let Ok(ragdoll) = &self.model.ragdoll else { return };
        let heading = rotation_from_yaw(yaw_of(self.bone(Bone::Pelvis).rotation));
        let from = heading.conjugate() * -impulse.normalize_or_zero();
        self.trace.strike(step, What::Struck { bone, speed: impulse.length() / ragdoll.mass, from, by });
    }

    /// Changes the mode, with the hand-over that goes with it. `ground` is the height (m) of the ground under the pelvis.
    pub(crate) fn change_mode(&mut self, mode: Mode, because: Because, step: u64, ground: Option<f32>) {
        let from = self.mode();
        if from == mode || self.body.is_none() {
            return;
        }
        if mode == Mode::Animated {
            // At the end of a way the two are the same.
            if !matches!(from, Mode::GettingUp | Mode::Acting) || self.is_on_way() {
                self.fade = Fade::to_animation(&self.drawn.bodies);
                self.stand_place_under_body(ground);
            }
            self.enter_phase(Phase::Standing, because.clone(), step);
        } else if from.is_followed()
            && let Some(body) = &self.body
        {
            self.fade = Fade::to_bodies(&self.drawn.bodies, &body.bodies.map(|state| state.pose));
            // Torn from its way it stands on nothing, and its clip not as deep as it was.
            let torn = self.is_on_way();
            if torn {
                self.place.translation.y = ground.unwrap_or(self.senses.lowest);
            }
            self.enter_phase(if torn { Phase::Falling } else { Phase::Standing }, because.clone(), step);
        }
        if let Some(motion) = &mut self.motion {
            motion.mode = mode;
            motion.record.mode = mode;
            motion.way = None;
            motion.act = None;
            motion.get_up.still = 0;
        }
        self.happened.push(Happening::ModeChanged { figure: self.handle, from, to: mode });
        self.trace.put(step, What::Mode { from, to: mode, because });
    }

    fn is_on_way(&self) -> bool {
        let way = self.motion.as_ref().and_then(|motion| motion.way.as_ref());
        way.is_some_and(|way| !way.ends_in_animation() || !way.is_over())
    }

    /// Sets it on a way up, or with an act on one there; when that is left it is on its muscles if it was, and else on its animation.
    pub(crate) fn go(&mut self, way: Way, act: Option<Act>, step: u64) {
        let from = self.mode();
        let Some(motion) = &mut self.motion else { return };
        let (mode, phase, because) = match &act {
            Some(act) => (Mode::Acting, Phase::Acting, Because::Acts { kind: act.kind, leaving: act.leaving }),
            None => (Mode::GettingUp, Phase::GettingUp, Because::Rested),
        };
        motion.get_up = GetUp::default();
        (motion.way, motion.act) = (Some(way), act);
        motion.mode = mode;
        if from != Mode::Acting {
            motion.record.mode = if from == Mode::Powered { from } else { Mode::Animated };
        }
        self.target = TargetPose::still(self.drawn.bodies);
        self.fade = Fade::None;
        self.happened.push(Happening::ModeChanged { figure: self.handle, from, to: mode });
        self.go_on_in(phase, because, step);
    }

    /// Moves the place to where the bodies stand, so that the clip takes over there.
    fn stand_place_under_body(&mut self, ground: Option<f32>) {
        let (Some(body), Some(pose)) = (&self.body, &self.pose_in_place) else { return };
        let pelvis = body.bodies[0].pose;
        let yaw = yaw_of(pelvis.rotation) - yaw_of(pose[0].rotation);
        self.place.rotation = rotation_from_yaw(yaw);
        let offset = self.place.rotation * pose[0].translation;
        self.place.translation.x = pelvis.translation.x - offset.x;
        self.place.translation.z = pelvis.translation.z - offset.z;
        if let Some(height) = ground {
            self.place.translation.y = height;
        }
        // From here on the target moves from where it now is, not from where the place was.
        self.target = TargetPose::still(pose.map(|local| self.place * local));
    }

    /// Where each joint's child stands in its parent now.
    #[must_use]
    pub fn joint_rotations(&self) -> [crate::space::Quat; BONES] {
        Ragdoll::joint_rotations(&std::array::from_fn(|bone| self.bone(Bone::ALL[bone])))
    }
}

/// A live object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Object {
    /// Its handle.
    pub handle: ObjectHandle,
    /// Unique in the world.
    pub name: String,
    /// From the name.
    pub id: StableId,
    /// Its form.
    pub shape: Shape,
    /// How it moves.
    pub kind: BodyKind,
    /// World from object.
    pub pose: Rigid,
    /// m/s.
    pub linear: Vec3,
    /// rad/s.
    pub angular: Vec3,
    /// Kilograms.
    pub mass: f32,
    /// Coulomb coefficient.
    pub friction: f32,
    /// Share of the closing speed that comes back, 0..=1.
    pub restitution: f32,
    /// Where hands hold it, by name (its frame, m).
    pub grips: BTreeMap<String, Vec3>,
    /// What scripts read.
    pub params: BTreeMap<String, Value>,
}

impl Object {
    /// As the solver is told of it.
    pub(crate) fn def(&self) -> ObjectDef {
        ObjectDef {
            shape: self.shape.clone(),
            kind: self.kind,
            pose: self.pose,
            mass: self.mass,
            friction: self.friction,
            restitution: self.restitution,
        }
    }
}
