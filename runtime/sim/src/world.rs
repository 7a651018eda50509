//! The world: all that a simulation is, and the doors to it.

use crate::command::{Behaviour, Command};
use crate::decide::{Claim, Claims, Decide};
use crate::draw::DrawnPose;
use crate::error::Error;
use crate::event::Event;
use crate::figure::{Bone, Model};
use crate::id::{FigureHandle, ObjectHandle, StableId};
use crate::motion::{Mode, MotionRecord, Muscles, Phase};
use crate::pose::{Animator, TargetPose};
use crate::profile::Profile;
use crate::sense::Senses;
use crate::solve::BodyPose;
use crate::solve::boundary::{BodyKind, FigureOutput, Shape};
use crate::space::{Rigid, Vec3};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a world is made with.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSettings {
    /// m/s².
    pub gravity: Vec3,
    /// Steps a second.
    pub step_hz: f32,
    /// Sub-steps a step.
    pub substeps: usize,
    /// Seed of every random stream.
    pub seed: u64,
    /// Threads of the per-figure rooms; the results do not depend on it.
    pub threads: usize,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self { gravity: Vec3::new(0.0, -9.81, 0.0), step_hz: 60.0, substeps: 8, seed: 1, threads: 1 }
    }
}

/// A figure's motion: what its active ragdoll is doing.
#[derive(Clone, Debug)]
pub struct Motion {
    /// What drives it.
    pub mode: Mode,
    /// What its balance is doing.
    pub phase: Phase,
    /// Step in which the phase began.
    pub phase_since: u64,
    /// Shares of its budgets.
    pub muscles: Muscles,
    /// Switches and settings as a scene says them; `mode` and `strength` as they were given.
    pub record: MotionRecord,
    /// Catch steps taken since it last stood.
    pub steps_taken: u32,
}

/// A live figure.
#[derive(Debug)]
pub struct Figure {
    /// Its handle.
    pub handle: FigureHandle,
    /// Unique in the world.
    pub name: String,
    /// From the name.
    pub id: StableId,
    /// What it wears.
    pub model: Arc<Model>,
    /// World from figure: where its clip stands, upright, turned by a yaw.
    pub place: Rigid,
    /// Whether the clip's travel moves the place.
    pub root_motion: bool,
    /// What it plays.
    pub animator: Animator,
    /// Its active ragdoll, if it has one.
    pub motion: Option<Motion>,
    /// In the order in which they run.
    pub behaviours: Vec<Behaviour>,
    /// Who wants which bone.
    pub claims: Claims,
    /// What the animation asks.
    pub target: TargetPose,
    /// Where the bodies are; `None` without an active ragdoll.
    pub body: Option<BodyPose>,
    /// What is shown.
    pub drawn: DrawnPose,
    /// What it feels.
    pub senses: Senses,
    /// What the solver said of the last step.
    pub solved: FigureOutput,
}

/// A live object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its handle.
    pub handle: ObjectHandle,
    /// Unique in the world.
    pub name: String,
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
    /// What scripts read.
    pub params: BTreeMap<String, Value>,
}

/// A simulation: figures, objects, time.
#[derive(Debug)]
pub struct World {
    settings: WorldSettings,
}

impl World {
    /// An empty world at step 0.
    #[must_use]
    pub fn new(settings: WorldSettings) -> Self {
        Self { settings }
    }
    /// What it was made with.
    #[must_use]
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }
    /// Seconds a step.
    #[must_use]
    pub fn dt(&self) -> f32 {
        1.0 / self.settings.step_hz
    }
    /// Steps since the world began.
    #[must_use]
    pub fn step_index(&self) -> u64 {
        todo!()
    }
    /// Seconds since the world began.
    #[must_use]
    pub fn time(&self) -> f64 {
        todo!()
    }
    /// A figure or object of a name.
    #[must_use]
    pub fn find_figure(&self, name: &str) -> Option<FigureHandle> {
        let _ = name;
        todo!()
    }
    /// An object of a name.
    #[must_use]
    pub fn find_object(&self, name: &str) -> Option<ObjectHandle> {
        let _ = name;
        todo!()
    }
    /// Every figure, in the order of their ids.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        std::iter::empty()
    }
    /// Every object, in the order of their ids.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        std::iter::empty()
    }
    /// A figure.
    ///
    /// # Errors
    /// A stale handle.
    pub fn figure(&self, handle: FigureHandle) -> Result<&Figure, Error> {
        let _ = handle;
        todo!()
    }
    /// An object.
    ///
    /// # Errors
    /// A stale handle.
    pub fn object(&self, handle: ObjectHandle) -> Result<&Object, Error> {
        let _ = handle;
        todo!()
    }
    /// A handle for a figure about to be spawned, so that a script can use it at once.
    pub fn reserve_figure(&mut self, name: &str) -> Result<FigureHandle, Error> {
        let _ = name;
        todo!()
    }
    /// A handle for an object about to be added.
    pub fn reserve_object(&mut self, name: &str) -> Result<ObjectHandle, Error> {
        let _ = name;
        todo!()
    }
    /// Gives a command: at once between steps, at the start of the next step in DECIDE. It is checked now either way.
    ///
    /// # Errors
    /// A command that names what is not there, or carries a number out of range: nothing is applied.
    pub fn command(&mut self, command: Command) -> Result<(), Error> {
        let _ = command;
        todo!()
    }
    /// Makes or changes a claim. `since_step` is filled in.
    ///
    /// # Errors
    /// A stale handle, no motion, a non-finite number.
    pub fn claim(&mut self, figure: FigureHandle, claim: Claim) -> Result<(), Error> {
        let _ = (figure, claim);
        todo!()
    }
    /// Lets go of what an owner claims on a bone, or on all.
    ///
    /// # Errors
    /// A stale handle.
    pub fn release(&mut self, figure: FigureHandle, owner: &str, bone: Option<Bone>) -> Result<(), Error> {
        let _ = (figure, owner, bone);
        todo!()
    }
    /// What happened in the last step (and in commands since), in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &[]
    }
    /// One step: the seven rooms.
    pub fn step(&mut self, decide: &mut dyn Decide) {
        let _ = decide;
        todo!()
    }
    /// Time the last step took in each room (zero unless a clock was given).
    #[must_use]
    pub fn profile(&self) -> &Profile {
        todo!()
    }
    /// Hash of physics, motion and claims up to now.
    #[must_use]
    pub fn sim_hash(&self) -> u64 {
        todo!()
    }
    /// Objects that a figure's bodies overlap when these are grown by `margin` (m), and by how fast the two close there (m/s).
    #[must_use]
    pub fn near(&self, object: ObjectHandle, margin: f32) -> Vec<Near> {
        let _ = (object, margin);
        todo!()
    }
    /// The first thing that a ray meets within `reach` (m): point, normal, what.
    #[must_use]
    pub fn raycast(&self, from: Vec3, direction: Vec3, reach: f32) -> Option<RayHit> {
        let _ = (from, direction, reach);
        todo!()
    }
}

/// A figure close to an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Who.
    pub figure: FigureHandle,
    /// The nearest bone.
    pub bone: Bone,
    /// Metres between the two; 0 when they overlap.
    pub distance: f32,
    /// Speed at which they close along the line between them (m/s, negative when they part).
    pub closing: f32,
    /// The nearest point on the figure (world, m).
    pub point: Vec3,
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// World, m.
    pub point: Vec3,
    /// Unit, world.
    pub normal: Vec3,
    /// m along the ray.
    pub distance: f32,
    /// The object met, or
    pub object: Option<ObjectHandle>,
    /// the figure met.
    pub figure: Option<(FigureHandle, Bone)>,
}
