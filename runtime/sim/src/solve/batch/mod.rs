//! The figure solver: figures of one structure stand side by side in the lanes of a register, and are solved together.
//!
//! `runtime/ARCHITECTURE.md` has a page on how it works ("The figure solver"). In short: bodies keep all their coordinates and rows
//! (joints, muscles, limits, anchors, contacts) correct their velocities one after another, over and over, in small sub-steps.
//!
//! | file | what |
//! |---|---|
//! | `lanes`, `maths` | numbers and vectors of several figures at once |
//! | `structure` | what a figure is made of, and what is kept of it between steps |
//! | `body`, `joint`, `limit`, `anchor`, `contact`, `soft` | bodies and the rows on them |
//! | `coupled` | rows between figures, and guests |
//! | `plan`, `gather`, `fill`, `read`, `group` | who is solved with whom; who stands where; into lanes, and out; one step |
//! | `impact`, `rest` | steps that are taken in smaller sub-steps, and figures that are not solved |
//! | `figure`, `output`, `save` | a figure, what is told of it, and the solver as bytes |

mod anchor;
mod body;
mod contact;
mod coupled;
mod figure;
mod fill;
mod gather;
mod group;
mod impact;
mod joint;
mod lanes;
mod limit;
mod maths;
mod output;
mod plan;
mod read;
mod rest;
mod save;
mod soft;
mod structure;

pub use lanes::Width;

use super::boundary::{
    BodySet, BodyState, FigureInput, FigureOutput, Gap, Holds, ObjectDef, RayContact, Shape, Solver, Topology, Touched,
};
use super::detected::{Detected, FigureAt, Guest};
use super::rapier::Scenery;
use crate::profile::{SolveParts, Stopwatch};
use crate::space::{Rigid, Vec3};
use coupled::GuestBody;
use figure::Figure;
use gather::{Job, Member};
use group::{Group, Pace};
use lanes::{Lane, Scalar};
use plan::{Entry, Plan};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use structure::{PointKey, Pressed, Structure};

/// Figures solved side by side, in a world of things that rapier moves.
#[derive(Debug)]
pub struct BatchSolver {
    gravity: Vec3,
    width: Width,
    scenery: Scenery,
    figures: BTreeMap<u64, Figure>,
    /// Those that figures have; a figure keeps its index.
    structures: Vec<Structure>,
    /// What contacts gave in the last step, by key.
    pressed: Vec<Pressed>,
    /// What the last step's detection found: room for the next.
    detected: Detected,
    workspaces: Workspaces,
    /// Serials given so far.
    serials: u64,
    /// Threads of the pool that steps run in.
    threads: usize,
    clock: Option<fn() -> Duration>,
    /// Of the last step.
    parts: SolveParts,
}

/// Lanes to work in, one set a group that may be solved at a time; nothing of them is state.
#[derive(Debug, Default)]
struct Workspaces {
    scalar: Vec<Group<Scalar>>,
    #[cfg(target_arch = "x86_64")]
    sse2: Vec<Group<lanes::Sse2>>,
    #[cfg(target_arch = "x86_64")]
    avx2: Vec<Group<lanes::Avx2>>,
}

impl BatchSolver {
    /// An empty world, with as many figures side by side as the processor takes.
    #[must_use]
    pub fn new(gravity: Vec3) -> Self {
        Self::with_width(gravity, Width::best())
    }

    /// An empty world, with figures side by side as told: for tests and tables.
    ///
    /// # Panics
    /// Later, in a step, where the processor does not have the width.
    #[must_use]
    pub fn with_width(gravity: Vec3, width: Width) -> Self {
        Self {
            gravity,
            width,
            scenery: Scenery::new(gravity),
            figures: BTreeMap::new(),
            structures: Vec::new(),
            pressed: Vec::new(),
            detected: Detected::default(),
            workspaces: Workspaces::default(),
            serials: 0,
            threads: 1,
            clock: None,
            parts: SolveParts::default(),
        }
    }

    fn structure_of(&mut self, topology: &Topology) -> usize {
        let structure = Structure::of(topology);
        self.structures.iter().position(|known| *known == structure).unwrap_or_else(|| {
            self.structures.push(structure);
            self.structures.len() - 1
        })
    }

    fn lanes(&self) -> usize {
        match self.width {
            Width::Scalar => Scalar::COUNT,
            #[cfg(target_arch = "x86_64")]
            Width::Sse2 => lanes::Sse2::COUNT,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => lanes::Avx2::COUNT,
        }
    }
}

/// A side of a contact as a number, in the order of detection: figures before objects, by key, then body.
const fn number_of(side: Touched) -> u128 {
    match side {
        Touched::Figure(key, body) => ((key as u128) << 8) | body as u128,
        Touched::Object(key) => (1 << 127) | key as u128,
    }
}

/// How hard each point pressed in the last step (N on its first side); both lists are in order.
fn last_given(keys: &[PointKey], pressed: &[Pressed]) -> Vec<Vec3> {
    debug_assert!(keys.is_sorted(), "detection has its points in order");
    let mut pressed = pressed.iter().peekable();
    let given = |key: &PointKey| {
        while pressed.next_if(|last| last.key < *key).is_some() {}
        pressed.next_if(|last| last.key == *key).map_or(Vec3::ZERO, |last| last.force)
    };
    keys.iter().map(given).collect()
}

impl Solver for BatchSolver {
    fn add_figure(&mut self, key: u64, topology: &Topology, poses: &[Rigid]) {
        let structure = self.structure_of(topology);
        self.scenery.add_figure(key, topology);
        self.serials += 1;
        self.figures.insert(key, Figure::new(topology, structure, self.serials, poses));
    }

    fn remove_figure(&mut self, key: u64) {
        self.scenery.remove_figure(key);
        self.figures.remove(&key);
    }

    fn add_object(&mut self, key: u64, object: &ObjectDef) {
        self.scenery.add_object(key, object);
    }

    fn remove_object(&mut self, key: u64) {
        self.scenery.remove_object(key);
    }

    fn place_object(&mut self, key: u64, pose: Rigid) {
        self.scenery.place_object(key, pose);
    }

    fn move_object(&mut self, key: u64, linear: Vec3, angular: Vec3) {
        self.scenery.move_object(key, linear, angular);
    }

    fn push_object(&mut self, key: u64, impulse: Vec3, point: Option<Vec3>) {
        self.scenery.push_object(key, impulse, point);
    }

    fn object(&self, key: u64) -> Option<BodyState> {
        self.scenery.object(key)
    }

    fn freeze(&mut self, key: u64, at: &[Rigid], frozen: bool) {
        if let Some(figure) = self.figures.get_mut(&key) {
            figure.place(at.iter().map(|pose| (*pose, Vec3::ZERO, Vec3::ZERO)));
            figure.state.touching.clear();
            figure.state.frozen = frozen;
        }
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn save(&self) -> Vec<u8> {
        save::save(self)
    }

    fn load(&mut self, bytes: &[u8], holds: Holds<'_>) -> Result<(), String> {
        save::load(self, bytes, holds)
    }

    fn step(&mut self, dt: f32, figures: &mut [(u64, &FigureInput, &mut FigureOutput)]) {
        figures.sort_by_key(|(key, ..)| *key);
        let mut detected = std::mem::take(&mut self.detected);
        let mut watch = Stopwatch::start(self.clock);
        self.detect(dt, figures, &mut detected);
        let detection = watch.lap();
        let keys: Vec<PointKey> =
            detected.points.iter().map(|point| (number_of(point.one), number_of(point.two), point.id)).collect();
        let entries = self.entries(dt, figures, &detected);
        let plans = plan::plan(&entries, &detected, self.lanes());

        let given = self.solve(dt, figures, &entries, plans, &detected, &keys);
        let solved = watch.lap();
        self.scenery.step(dt);
        let things = watch.lap();
        output::contacts(&mut self.figures, figures, &detected, &given);
        self.detected = detected;
        self.parts = SolveParts { detection, figures: solved + watch.lap(), things };
    }

    fn set_clock(&mut self, clock: Option<fn() -> Duration>) {
        self.clock = clock;
    }

    fn parts(&self) -> SolveParts {
        self.parts
    }

    fn raycast(&self, from: Vec3, direction: Vec3, reach: f32, fixed_only: bool) -> Option<RayContact> {
        let figures: Vec<FigureAt<'_>> = if fixed_only { Vec::new() } else { self.all_at().collect() };
        self.scenery.raycast(&figures, from, direction, reach, fixed_only)
    }

    fn gap(&self, figure: u64, object: u64, margin: f32) -> Option<Gap> {
        let at = self.all_at().find(|at| at.key == figure)?;
        self.scenery.gap(figure, at.bodies, object, margin)
    }

    fn cast_down(&self, forms: &[(&Shape, Rigid)], reach: f32, but: Option<u64>) -> Option<(f32, u64)> {
        self.scenery.cast_down(forms, reach, but)
    }
}

impl BatchSolver {
    /// Every figure that is not frozen, where it is.
    fn all_at(&self) -> impl Iterator<Item = FigureAt<'_>> {
        self.figures.iter().filter(|(_, figure)| !figure.state.frozen).map(|(key, figure)| FigureAt {
            key: *key,
            bodies: &figure.bodies,
            self_contacts: BodySet::NONE,
            fixed_contacts: BodySet::ALL,
            pass_through: &[],
        })
    }

    /// Takes the step's blows, and finds what touches.
    fn detect(&mut self, dt: f32, figures: &[(u64, &FigureInput, &mut FigureOutput)], detected: &mut Detected) {
        for (key, input, _) in figures {
            if let Some(figure) = self.figures.get_mut(key) {
                figure.listen(input);
            }
        }
        let at: Vec<FigureAt<'_>> = figures
            .iter()
            .filter_map(|(key, input, _)| {
                let figure = self.figures.get(key).filter(|figure| figure.live)?;
                Some(FigureAt {
                    key: *key,
                    bodies: &figure.bodies,
                    self_contacts: input.self_contacts,
                    fixed_contacts: input.fixed_contacts,
                    pass_through: &input.pass_through,
                })
            })
            .collect();
        self.scenery.detect(dt, &at, detected);
    }

    fn entries(&self, dt: f32, figures: &[(u64, &FigureInput, &mut FigureOutput)], detected: &Detected) -> Vec<Entry> {
        let live = figures.iter().filter_map(|(key, input, _)| {
            let figure = self.figures.get(key).filter(|figure| figure.live)?;
            let (structure, anchors) = (figure.structure, input.anchors.len());
            let hard = impact::is_hard(figure, input);
            Some(Entry {
                key: *key,
                structure,
                effort: effort(figure, input, hard),
                anchors,
                rests: figure.state.still >= rest::STEPS,
            })
        });
        let mut entries: Vec<Entry> = live.collect();
        for key in impact::meeting(dt, &self.figures, detected) {
            let told = figures.binary_search_by_key(&key, |(key, ..)| *key);
            let entry = entries.binary_search_by_key(&key, |entry| entry.key);
            if let (Ok(told), Ok(entry)) = (told, entry) {
                entries[entry].effort = effort(&self.figures[&key], figures[told].1, true);
            }
        }
        entries
    }

    /// Solves every plan, on the pool that this runs in; gives what points gave.
    fn solve(
        &mut self,
        dt: f32,
        figures: &mut [(u64, &FigureInput, &mut FigureOutput)],
        entries: &[Entry],
        plans: Vec<Plan>,
        detected: &Detected,
        keys: &[PointKey],
    ) -> Vec<gather::Given> {
        let Self { gravity, width, figures: own, structures, pressed, workspaces, scenery, threads, .. } = self;
        let last = last_given(keys, pressed);
        let mut members = members(own, figures, entries);
        let mut solved: Vec<u64> = plans.iter().flat_map(|plan| plan.figures.iter().map(|index| entries[*index].key)).collect();
        solved.sort_unstable();
        let mut jobs: Vec<Job<'_>> = plans
            .into_iter()
            .map(|plan| Job {
                pace: Pace { dt, substeps: plan.effort.0, sweeps: plan.effort.1 },
                gravity: *gravity,
                structures,
                members: plan.figures.iter().filter_map(|index| members[*index].take()).collect(),
                guests: plan.guests.iter().map(|index| detected.guests[*index]).collect(),
                own: plan.own,
                between: plan.between,
                points: &detected.points,
                keys,
                last: &last,
                given: Vec::new(),
                pressed: Vec::new(),
                guests_after: Vec::new(),
            })
            .collect();
        match width {
            Width::Scalar => run(&mut jobs, &mut workspaces.scalar, *threads),
            #[cfg(target_arch = "x86_64")]
            Width::Sse2 => run(&mut jobs, &mut workspaces.sse2, *threads),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => run(&mut jobs, &mut workspaces.avx2, *threads),
        }
        let mut given = Vec::with_capacity(detected.points.len());
        let mut now = Vec::with_capacity(detected.points.len());
        let mut guests = Vec::with_capacity(detected.guests.len());
        for mut job in jobs {
            given.append(&mut job.given);
            now.append(&mut job.pressed);
            guests.extend(job.guests.iter().zip(&job.guests_after).map(|(guest, after)| (guest.key, state_of(guest, after))));
        }
        // Things on those who sleep lie still, and their points go on pressing as they did.
        guests.sort_unstable_by_key(|(key, _)| *key);
        let awake = guests.len();
        for Guest { key, state, .. } in &detected.guests {
            if guests[..awake].binary_search_by_key(key, |(key, _)| *key).is_err() {
                guests.push((*key, BodyState { linear: Vec3::ZERO, angular: Vec3::ZERO, ..*state }));
            }
        }
        let mut solved_points = vec![false; keys.len()];
        given.iter().for_each(|given: &gather::Given| solved_points[given.point] = true);
        let slept = (0..keys.len()).filter(|point| !solved_points[*point]);
        now.extend(slept.map(|point| Pressed { key: keys[point], force: last[point] }));
        now.sort_unstable_by_key(|pressed| pressed.key);
        given.sort_unstable_by_key(|given| given.point);
        guests.sort_unstable_by_key(|(key, _)| *key);
        scenery.set_guests(&guests);
        self.pressed = now;
        output::unsolved(&mut self.figures, figures, &solved);
        given
    }
}

/// Sub-steps and additional sweeps: what is asked for, and twice the sub-steps and a sweep more where something hard happens. A blow or a
/// landing opens joints within the step that it happens in; half the sub-step is half the opening. With one sweep, a body of 75 kg at 20 m/s
/// pressed a hand through a wall of 5 cm.
fn effort(figure: &Figure, input: &FigureInput, hard: bool) -> (usize, usize) {
    (if hard { input.substeps * 2 } else { input.substeps }, input.sweeps + figure.sweeps + usize::from(hard))
}

/// The entries' figures, in their order.
fn members<'a>(
    own: &'a mut BTreeMap<u64, Figure>,
    figures: &'a mut [(u64, &FigureInput, &mut FigureOutput)],
    entries: &[Entry],
) -> Vec<Option<Member<'a>>> {
    let mut told = figures.iter_mut();
    let mut states = own.iter_mut();
    let member = |entry: &Entry| {
        let (_, input, output) = told.find(|(key, ..)| *key == entry.key)?;
        let (_, figure) = states.find(|(key, _)| **key == entry.key)?;
        let Figure { structure, parts, state, serial, bodies, .. } = figure;
        Some(Member { key: entry.key, serial: *serial, structure: *structure, parts, state, bodies, input, output })
    };
    entries.iter().map(member).collect()
}

fn state_of(guest: &Guest, after: &GuestBody) -> BodyState {
    let rotation = (after.rotation * guest.inertia_frame.conjugate()).normalize();
    let pose = Rigid::new(rotation, after.position - rotation * guest.centre);
    BodyState { pose, linear: after.linear, angular: after.angular }
}

/// Runs jobs each in a workspace of its own, on the threads of the pool that this runs in. (Asked for by number: whoever steps many worlds
/// from a pool of their own wants each on one thread.)
fn run<V: Lane>(jobs: &mut [Job<'_>], groups: &mut Vec<Group<V>>, threads: usize) {
    groups.resize_with(groups.len().max(jobs.len()), Group::empty);
    if threads > 1 {
        jobs.par_iter_mut().zip(groups.par_iter_mut()).for_each(|(job, group)| job.solve(group));
    } else {
        jobs.iter_mut().zip(groups.iter_mut()).for_each(|(job, group)| job.solve(group));
    }
}
