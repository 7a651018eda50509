//! The world: all that a simulation is, and the doors to it.

mod apply;
pub(crate) mod check;
mod figure;
mod horde;
mod log;
mod settings;
mod snapshot;
mod sound;

pub use figure::{Figure, Object};
use log::EventLog;
use serde::{Deserialize, Serialize};
pub use settings::{StepSettings, WorldSettings};
pub use snapshot::Snapshot;
pub(crate) use sound::{joint, topology};

use crate::command::Command;
use crate::crowd::Horde;
use crate::decide::{Claim, Claims, Decide};
use crate::error::Error;
use crate::event::{Event, Happening};
use crate::figure::Bone;
use crate::id::{FigureHandle, ObjectHandle, handle_of, key_of};
use crate::motion::{LookAt, Motion};
use crate::profile::{Profile, Room, SolveParts, Stopwatch};
use crate::record::{Asked, Entry, Journal, RoomHashes};
use crate::sense;
use crate::slots::Slots;
use crate::solve::boundary::{FigureOutput, RayContact, Shape, Solver, Touched};
use crate::solve::{Backend, bone_of};
use crate::space::{Rigid, Vec3};
use crate::trace::What;
use rand_pcg::Pcg32;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The longest name of a figure or object (bytes).
const LONGEST_NAME: usize = 200;

/// A simulation: figures, objects, time.
pub struct World {
    pub(super) state: State,
    solver: Box<dyn Solver>,
    deciding: bool,
    /// What was asked of the world, if somebody wants it kept.
    journal: Option<Journal>,
    profile: Profile,
    clock: Option<fn() -> Duration>,
    pool: Option<rayon::ThreadPool>,
}

/// All that a snapshot of the world holds beside the solver's own state; whatever is not in here is workspace.
#[derive(Serialize, Deserialize)]
pub(super) struct State {
    settings: WorldSettings,
    step: u64,
    /// `None` where a handle is reserved and not yet spawned.
    figures: Slots<FigureHandle, Option<Box<Figure>>>,
    objects: Slots<ObjectHandle, Option<Box<Object>>>,
    names: BTreeMap<String, Named>,
    /// Names of figures that are gone, the latest first, for messages about their handles.
    gone: VecDeque<(FigureHandle, String)>,
    /// Figures that live and are not parked, in the order of their ids.
    order: Vec<FigureHandle>,
    object_order: Vec<ObjectHandle>,
    hordes: BTreeMap<String, Horde>,
    /// Commands that a behaviour gave, for the coming step.
    queue: VecDeque<Command>,
    log: EventLog,
    random: Pcg32,
    hashes: RoomHashes,
}

impl State {
    fn new(settings: WorldSettings) -> Self {
        Self {
            step: 0,
            figures: Slots::default(),
            objects: Slots::default(),
            names: BTreeMap::new(),
            gone: VecDeque::new(),
            order: Vec::new(),
            object_order: Vec::new(),
            hordes: BTreeMap::new(),
            queue: VecDeque::new(),
            log: EventLog::default(),
            random: Pcg32::new(settings.seed, 0x0a02_bdbf_7bb3_c0a7),
            hashes: RoomHashes::default(),
            settings,
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Named {
    Figure(FigureHandle),
    Object(ObjectHandle),
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "World {{ step {}, {} figures, {} objects }}",
            self.state.step,
            self.state.order.len(),
            self.state.object_order.len()
        )
    }
}

impl World {
    /// An empty world at step 0.
    #[must_use]
    pub fn new(settings: WorldSettings) -> Self {
        let solver = Backend::default().make(settings.gravity);
        Self::with_solver(settings, solver)
    }

    /// An empty world at step 0 that is solved by a solver of the caller's, which is empty too.
    #[must_use]
    pub fn with_solver(settings: WorldSettings, mut solver: Box<dyn Solver>) -> Self {
        solver.set_threads(settings.threads);
        let pool =
            (settings.threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build().ok()).flatten();
        Self {
            solver,
            deciding: false,
            journal: None,
            profile: Profile::default(),
            clock: None,
            pool,
            state: State::new(settings),
        }
    }

    /// A world that holds nothing and costs nothing: what stands in a world's place while that is lent to a script host.
    #[must_use]
    pub fn hollow() -> Self {
        Self::new(WorldSettings::default())
    }

    /// Gives the world a clock to fill [`World::profile`] with; results never depend on it.
    pub fn set_clock(&mut self, clock: fn() -> Duration) {
        self.clock = Some(clock);
        self.solver.set_clock(Some(clock));
    }

    /// What it was made with.
    #[must_use]
    pub fn settings(&self) -> &WorldSettings {
        &self.state.settings
    }

    /// Seconds a step.
    #[must_use]
    pub fn dt(&self) -> f32 {
        1.0 / self.state.settings.step_hz
    }

    /// Steps since the world began.
    #[must_use]
    pub fn step_index(&self) -> u64 {
        self.state.step
    }

    /// Seconds since the world began.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.step as f64 / f64::from(self.state.settings.step_hz)
    }

    /// A figure of a name.
    #[must_use]
    pub fn find_figure(&self, name: &str) -> Option<FigureHandle> {
        if let Some(Named::Figure(handle)) = self.state.names.get(name) { Some(*handle) } else { None }
    }

    /// An object of a name.
    #[must_use]
    pub fn find_object(&self, name: &str) -> Option<ObjectHandle> {
        if let Some(Named::Object(handle)) = self.state.names.get(name) { Some(*handle) } else { None }
    }

    /// Every live figure that is not parked, in the order of their ids.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.state.order.iter().filter_map(|handle| self.state.figures.get(*handle)?.as_deref())
    }

    /// Every live object, in the order of their ids.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.state.object_order.iter().filter_map(|handle| self.state.objects.get(*handle)?.as_deref())
    }

    /// A figure.
    ///
    /// # Errors
    /// A stale handle.
    #[inline]
    pub fn figure(&self, handle: FigureHandle) -> Result<&Figure, Error> {
        self.state.figures.get(handle).and_then(Option::as_deref).ok_or_else(|| self.stale(handle))
    }

    /// An object.
    ///
    /// # Errors
    /// A stale handle.
    pub fn object(&self, handle: ObjectHandle) -> Result<&Object, Error> {
        self.state
            .objects
            .get(handle)
            .and_then(Option::as_deref)
            .ok_or_else(|| Error::StaleObject { name: format!("{handle:?}") })
    }

    #[cold]
    fn stale(&self, handle: FigureHandle) -> Error {
        Error::StaleFigure { name: self.name_of(handle).unwrap_or_else(|| format!("{handle:?}")) }
    }

    fn name_of(&self, handle: FigureHandle) -> Option<String> {
        let named = |named: &Named| matches!(named, Named::Figure(known) if *known == handle);
        let gone = || self.state.gone.iter().find(|(gone, _)| *gone == handle).map(|(_, name)| name);
        self.state.names.iter().find(|(_, known)| named(known)).map(|(name, _)| name).or_else(gone).cloned()
    }

    /// A handle for a figure about to be spawned, so that it can be used at once.
    ///
    /// # Errors
    /// A name that is taken.
    pub fn reserve_figure(&mut self, name: &str) -> Result<FigureHandle, Error> {
        self.free_name(name)?;
        let handle = self.state.figures.insert(None);
        self.state.names.insert(name.to_owned(), Named::Figure(handle));
        self.note(|| Asked::ReserveFigure(name.to_owned()));
        Ok(handle)
    }

    /// A handle for an object about to be added.
    ///
    /// # Errors
    /// A name that is taken.
    pub fn reserve_object(&mut self, name: &str) -> Result<ObjectHandle, Error> {
        self.free_name(name)?;
        let handle = self.state.objects.insert(None);
        self.state.names.insert(name.to_owned(), Named::Object(handle));
        self.note(|| Asked::ReserveObject(name.to_owned()));
        Ok(handle)
    }

    pub(crate) fn free_name(&self, name: &str) -> Result<(), Error> {
        // What would break a line of a report is no name either.
        if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
            let shown: String = name.chars().take(40).flat_map(char::escape_default).collect();
            let accepted = format!("1 to {LONGEST_NAME} bytes without control characters");
            return Err(Error::Name { found: format!("\"{shown}\""), accepted });
        }
        if self.state.names.contains_key(name) || self.state.hordes.contains_key(name) {
            Err(Error::NameTaken(name.to_owned()))
        } else {
            Ok(())
        }
    }

    /// Gives a command: it applies at once between steps, and at the start of the next step in DECIDE. It is checked now either way.
    ///
    /// # Errors
    /// A command that names what is not there, or carries a number out of range: nothing is applied.
    pub fn command(&mut self, command: Command) -> Result<(), Error> {
        self.check(&command)?;
        if self.deciding {
            self.state.queue.push_back(command);
        } else {
            self.apply(command);
        }
        Ok(())
    }

    /// Makes or changes a claim; the step since which it holds is filled in.
    ///
    /// # Errors
    /// A stale handle, a figure without motion, a number that is not finite.
    pub fn claim(&mut self, figure: FigureHandle, claim: Claim) -> Result<(), Error> {
        check::claim(&claim)?;
        let since_step = self.state.step;
        let Some(figure) = self.figure_mut(figure) else { return self.figure(figure).map(drop) };
        figure.motion()?;
        figure.claims.put(Claim { since_step, ..claim });
        Ok(())
    }

    /// Lets go of what an owner claims on a bone, or on all.
    ///
    /// # Errors
    /// A stale handle.
    pub fn release(&mut self, figure: FigureHandle, owner: &str, bone: Option<Bone>) -> Result<(), Error> {
        self.figure(figure)?;
        if let Some(figure) = self.figure_mut(figure) {
            figure.claims.release(owner, bone);
        }
        Ok(())
    }

    /// What happened, in order. In DECIDE: since the last DECIDE, so that a blow is heard of in its own step. Between steps: in the
    /// last step, and in the commands that were given before it and since.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        if self.deciding { self.state.log.since_decide() } else { self.state.log.since_step() }
    }

    /// One step: the seven rooms.
    pub fn step(&mut self, decide: &mut dyn Decide) {
        crate::step::step(self, decide);
    }

    /// Time that the last step took in each room; zero unless a clock was given.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Time that the last step took in the parts of SOLVE; zero unless a clock was given and the solver knows its parts.
    #[must_use]
    pub fn solve_profile(&self) -> SolveParts {
        self.solver.parts()
    }

    /// Hash of physics, motion and claims as they stand.
    #[must_use]
    pub fn sim_hash(&self) -> u64 {
        RoomHashes::of(self).all()
    }

    /// The hashes that RECORD kept of the last step.
    #[must_use]
    pub fn last_hashes(&self) -> RoomHashes {
        self.state.hashes
    }

    /// Begins or ends keeping what is asked of the world: [`World::take_journal`] gives it out.
    pub fn keep_journal(&mut self, on: bool) {
        self.journal = on.then(Journal::default);
    }

    /// What was asked of the world since the last call, in order; empty unless [`World::keep_journal`] said so.
    pub fn take_journal(&mut self) -> Vec<Entry> {
        self.journal.as_mut().map(Journal::take).unwrap_or_default()
    }

    /// The world's own random stream.
    pub fn random(&mut self) -> &mut Pcg32 {
        &mut self.state.random
    }

    /// Figures within `margin` (m) of an object, in the order of their ids; none within less than nothing.
    #[must_use]
    pub fn near(&self, object: ObjectHandle, margin: f32) -> Vec<Near> {
        let (Ok(thing), true) = (self.object(object), margin >= 0.0) else { return Vec::new() };
        self.figures().filter_map(|figure| self.near_one(figure, thing, margin)).collect()
    }

    fn near_one(&self, figure: &Figure, object: &Object, margin: f32) -> Option<Near> {
        let gap = self.solver.gap(key_of(figure.handle), key_of(object.handle), margin)?;
        let bone = bone_of(gap.body);
        let body = &figure.body.as_ref()?.bodies[bone.index()];
        let velocity = |linear: Vec3, angular: Vec3, centre: Vec3, point: Vec3| linear + angular.cross(point - centre);
        let of_object = velocity(object.linear, object.angular, object.pose.translation, gap.on_object);
        let of_body = velocity(body.linear, body.angular, body.pose.translation, gap.on_body);
        let way = (gap.on_body - gap.on_object).try_normalize();
        let way = way.unwrap_or_else(|| (body.pose.translation - object.pose.translation).normalize_or_zero());
        Some(Near {
            figure: figure.handle,
            bone,
            distance: gap.distance,
            closing: (of_object - of_body).dot(way),
            point: gap.on_body,
        })
    }

    /// Who has an object in its hands.
    #[must_use]
    pub fn holder(&self, object: ObjectHandle) -> Option<&Figure> {
        let holds = |figure: &&Figure| figure.motion.as_ref().and_then(Motion::holds).is_some_and(|held| held.item == object);
        self.figures().find(holds)
    }

    /// Where what a figure is to look at is (world, m); `None` where it is to look at nothing, or at what is gone.
    #[must_use]
    pub fn looked_at(&self, figure: &Figure) -> Option<Vec3> {
        match figure.motion.as_ref()?.looks_at? {
            LookAt::Point(point) => Some(point),
            LookAt::Figure(other) => self.figure(other).ok().map(|other| other.bone(Bone::Head).translation),
            LookAt::Object(object) => self.object(object).ok().map(|object| object.pose.translation),
        }
    }

    pub(crate) fn is_close(&self, figure: FigureHandle, object: ObjectHandle, margin: f32) -> bool {
        self.solver.gap(key_of(figure), key_of(object), margin).is_some()
    }

    /// The first thing that a ray meets within `reach` (m); nothing within less than nothing.
    #[must_use]
    pub fn raycast(&self, from: Vec3, direction: Vec3, reach: f32) -> Option<RayHit> {
        if reach.is_nan() || reach < 0.0 {
            return None;
        }
        let hit = self.solver.raycast(from, direction, reach, false)?;
        let (object, figure) = match hit.what {
            Touched::Object(key) => (Some(handle_of(key)), None),
            Touched::Figure(key, body) => (None, Some((handle_of(key), bone_of(body)))),
        };
        let point = from + direction.normalize_or_zero() * hit.distance;
        Some(RayHit { point, normal: hit.normal, distance: hit.distance, object, figure })
    }

    /// How far (m) forms of a figure, each placed in the world, can go straight down together before one meets an object, and which: but for
    /// what the figure has in its hands, which goes with them.
    pub(crate) fn cast_down(&self, figure: &Figure, forms: &[(&Shape, Rigid)], reach: f32) -> Option<(f32, ObjectHandle)> {
        let held = figure.motion.as_ref().and_then(|motion| motion.holding.as_ref()).map(|holding| key_of(holding.item));
        self.solver.cast_down(forms, reach, held).map(|(fall, key)| (fall, handle_of(key)))
    }

    /// Height (m) of the fixed ground under a point, at most 100 m down.
    #[must_use]
    pub fn ground_under(&self, point: Vec3) -> Option<f32> {
        self.fixed_under(point, 100.0).map(|hit| point.y - hit.distance)
    }

    /// What never moves under a point, within `reach` (m).
    pub(crate) fn fixed_under(&self, point: Vec3, reach: f32) -> Option<RayContact> {
        self.solver.raycast(point, Vec3::NEG_Y, reach, true)
    }
}

/// What the rooms need of the world.
impl World {
    pub(crate) fn begin_step(&mut self) {
        while let Some(command) = self.state.queue.pop_front() {
            // Checked when it was given; what it names may have gone since, and then there is nothing to do.
            if self.check(&command).is_ok() {
                self.apply(command);
            }
        }
        sense::placed::run(self);
    }

    pub(crate) fn end_step(&mut self) {
        for index in 0..self.state.order.len() {
            let handle = self.state.order[index];
            let happened = self.figure_mut(handle).map(|figure| std::mem::take(&mut figure.happened)).unwrap_or_default();
            happened.into_iter().for_each(|what| self.happen(what));
        }
        self.state.step += 1;
        self.state.log.end_step();
    }

    /// Times one room, if there is a clock.
    pub(crate) fn room(&mut self, room: Room, run: impl FnOnce(&mut Self)) {
        let mut watch = Stopwatch::start(self.clock);
        run(self);
        self.profile.rooms[room as usize] = watch.lap();
    }

    /// Runs a room that sees one figure at a time, on every figure that is not frozen; the results do not depend on the threads.
    pub(crate) fn each(&mut self, run: impl Fn(&mut Figure) + Sync) {
        let mut figures: Vec<&mut Figure> = in_the_rooms(&mut self.state.figures).filter(|figure| !figure.is_frozen()).collect();
        match &self.pool {
            Some(pool) => pool.install(|| {
                use rayon::prelude::*;
                figures.par_iter_mut().for_each(|figure| run(figure));
            }),
            None => figures.into_iter().for_each(run),
        }
    }

    pub(crate) fn deciding(&mut self, run: impl FnOnce(&mut Self)) {
        self.deciding = true;
        let heard = self.state.log.len();
        run(self);
        self.state.log.decided(heard);
        self.deciding = false;
    }

    pub(crate) fn happen(&mut self, what: Happening) {
        self.state.log.push(Event { step: self.state.step, what });
    }

    /// Has an object somewhere at a step's end, moving (m/s, rad/s).
    pub(crate) fn carry_object(&mut self, handle: ObjectHandle, pose: Rigid, linear: Vec3, angular: Vec3) {
        let Some(object) = self.state.objects.get_mut(handle).and_then(Option::as_deref_mut) else { return };
        (object.pose, object.linear, object.angular) = (pose, linear, angular);
        self.solver.place_object(key_of(handle), pose);
        self.solver.move_object(key_of(handle), linear, angular);
    }

    /// Lets an object go that has been carried, as it then moves, or at rest where it has been put down. The solver has it anew: what it has
    /// kept of contacts made while the object was put here and there would push it.
    pub(crate) fn let_go_of(&mut self, handle: ObjectHandle, put_down: Option<Rigid>) {
        let Some(object) = self.state.objects.get_mut(handle).and_then(Option::as_deref_mut) else { return };
        if let Some(pose) = put_down {
            (object.pose, object.linear, object.angular) = (pose, Vec3::ZERO, Vec3::ZERO);
        }
        let (def, linear, angular) = (object.def(), object.linear, object.angular);
        self.solver.remove_object(key_of(handle));
        self.solver.add_object(key_of(handle), &def);
        self.solver.move_object(key_of(handle), linear, angular);
    }

    pub(crate) fn keep_hashes(&mut self, hashes: RoomHashes) {
        self.state.hashes = hashes;
    }

    /// Puts claims in a figure's place of them, as a log has them.
    ///
    /// # Errors
    /// A claim that nobody could have made.
    pub(crate) fn set_claims(&mut self, handle: FigureHandle, claims: Claims) -> Result<(), Error> {
        claims.iter().try_for_each(check::claim)?;
        if let Some(figure) = self.figure_mut(handle) {
            figure.claims = claims;
        }
        Ok(())
    }

    /// Drops the commands that wait for the coming step.
    pub(crate) fn forget_queue(&mut self) {
        self.state.queue.clear();
    }

    fn note(&mut self, asked: impl FnOnce() -> Asked) {
        let in_decide = self.deciding;
        if let Some(journal) = &mut self.journal {
            journal.push(Entry { in_decide, asked: asked() });
        }
    }

    /// Takes a figure whose numbers went bad out of the solver's world, as it last was.
    pub(crate) fn freeze(&mut self, handle: FigureHandle) {
        let Some(figure) = self.state.figures.get_mut(handle).and_then(Option::as_deref_mut) else { return };
        let at = figure.solver_poses();
        if let (Some(body), Some(motion)) = (&mut figure.body, &mut figure.motion) {
            motion.frozen = true;
            for state in &mut body.bodies {
                (state.linear, state.angular) = (Vec3::ZERO, Vec3::ZERO);
            }
            figure.solved = FigureOutput::default();
            figure.trace.put(self.state.step, What::Frozen);
            self.solver.freeze(key_of(handle), &at, true);
        }
        self.happen(Happening::Poisoned(handle));
    }

    /// Puts a frozen figure back as it was, at rest.
    fn thaw(&mut self, handle: FigureHandle) {
        let Some(figure) = self.state.figures.get_mut(handle).and_then(Option::as_deref_mut) else { return };
        let at = figure.solver_poses();
        if let Some(motion) = &mut figure.motion
            && motion.frozen
        {
            motion.frozen = false;
            figure.input.impulses.clear();
            self.solver.freeze(key_of(handle), &at, false);
        }
    }

    pub(crate) fn order(&self) -> &[FigureHandle] {
        &self.state.order
    }

    pub(crate) fn figure_mut(&mut self, handle: FigureHandle) -> Option<&mut Figure> {
        self.state.figures.get_mut(handle)?.as_deref_mut()
    }

    /// Every live figure that is not parked, in no order that matters.
    pub(crate) fn figures_mut(&mut self) -> impl Iterator<Item = &mut Figure> {
        in_the_rooms(&mut self.state.figures)
    }

    /// The solver, the figures (in no order that matters) and the objects.
    pub(crate) fn solve_parts(&mut self) -> (&mut dyn Solver, Option<&rayon::ThreadPool>, Vec<&mut Figure>, Vec<&mut Object>) {
        (
            &mut *self.solver,
            self.pool.as_ref(),
            in_the_rooms(&mut self.state.figures).collect(),
            self.state.objects.values_mut().filter_map(Option::as_deref_mut).collect(),
        )
    }

    pub(crate) fn step_settings(&self) -> StepSettings {
        StepSettings {
            dt: self.dt(),
            hz: self.state.settings.step_hz,
            step: self.state.step,
            substeps: self.state.settings.substeps,
            sleep: self.state.settings.sleep,
            gravity: self.state.settings.gravity.length(),
            thresholds: self.state.settings.thresholds,
        }
    }
}

/// The figures that the rooms see: not those that are parked.
fn in_the_rooms(figures: &mut Slots<FigureHandle, Option<Box<Figure>>>) -> impl Iterator<Item = &mut Figure> {
    figures.values_mut().filter_map(Option::as_deref_mut).filter(|figure| !figure.is_parked())
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
    /// The object met, if it was one.
    pub object: Option<ObjectHandle>,
    /// The figure and bone met, if it was one.
    pub figure: Option<(FigureHandle, Bone)>,
}
