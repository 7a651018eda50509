//! Room 5, SOLVE: drives become bodies. What stands behind the boundary is the solver's own affair.

mod batch;
pub mod boundary;
pub mod detected;
mod feet;
mod limits;
mod rapier;

pub use batch::{BatchSolver, Width};
pub use feet::Feet;
pub(crate) use feet::{bone_of, poses};
pub use rapier::RapierSolver;

use crate::event::Happening;
use crate::figure::{BONES, Bone, Ragdoll};
use crate::id::{FigureHandle, ObjectHandle, handle_of, key_of};
use crate::motion::{Mode, Passing};
use crate::space::Vec3;
use crate::world::{Figure, World};
use boundary::{BodyKind, BodyState, Contact, FigureInput, FigureOutput, Solver, Touched};
use serde::{Deserialize, Serialize};

/// The solvers that can stand behind the boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Our own, figures side by side.
    #[default]
    Batch,
    /// rapier's joints and contacts: a reference to measure against.
    Rapier,
}

impl Backend {
    /// Every one.
    pub const ALL: &[Self] = &[Self::Batch, Self::Rapier];

    /// Its name on command lines and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::Rapier => "rapier",
        }
    }

    /// The solver of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.name() == name)
    }

    /// An empty solver under this gravity (m/s²).
    #[must_use]
    pub fn make(self, gravity: Vec3) -> Box<dyn Solver> {
        match self {
            Self::Batch => Box::new(BatchSolver::new(gravity)),
            Self::Rapier => Box::new(RapierSolver::new(gravity)),
        }
    }
}

/// Closing speed (m/s) under which a touch by a thing that moves is no blow.
const BLOW_SPEED: f32 = 0.2;
/// Gap (m) past which a figure and an object that it passes through are apart.
const APART: f32 = 0.02;
/// Steps after which contact comes back though the two never met.
const NEVER_MET: u32 = 60;

/// Where the bodies are and how they move. It never mixes with what the animation asks: that is a
/// [`TargetPose`](crate::pose::TargetPose).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyPose {
    /// World from body, and velocities, of every bone.
    pub bodies: [BodyState; BONES],
}

/// Steps every figure and object by `dt` seconds.
pub fn run(world: &mut World, dt: f32) {
    let step = world.step_index();
    let (solver, pool, mut figures, objects) = world.solve_parts();
    let mut batch: Vec<(u64, &FigureInput, &mut FigureOutput)> = figures
        .iter_mut()
        .filter(|figure| figure.body.is_some() && !figure.is_frozen())
        .map(|figure| {
            let key = key_of(figure.handle);
            match (&mut figure.feet, &figure.model.ragdoll) {
                (Some(feet), Ok(Ragdoll { ankles: Some(ankles), .. })) => {
                    let (input, solved) = feet.told(ankles, &figure.input);
                    (key, input, solved)
                }
                _ => (key, &figure.input, &mut figure.solved),
            }
        })
        .collect();
    match pool {
        Some(pool) => pool.install(|| solver.step(dt, &mut batch)),
        None => solver.step(dt, &mut batch),
    }
    let mut poisoned = Vec::new();
    for object in objects {
        if let Some(state) = solver.object(key_of(object.handle)) {
            if !state.is_sound() {
                solver.place_object(key_of(object.handle), object.pose);
                solver.move_object(key_of(object.handle), Vec3::ZERO, Vec3::ZERO);
                (object.linear, object.angular) = (Vec3::ZERO, Vec3::ZERO);
                poisoned.push(object.handle);
                continue;
            }
            object.pose = state.pose;
            object.linear = state.linear;
            object.angular = state.angular;
        }
    }
    let (_, _, figures, _) = world.solve_parts();
    let bad: Vec<FigureHandle> =
        figures.into_iter().filter_map(|figure| (!settle(figure, step, dt)).then_some(figure.handle)).collect();
    // In the order of the ids, as everything that is told of.
    for handle in world.order().to_vec() {
        if bad.contains(&handle) {
            world.freeze(handle);
        }
    }
    poisoned.into_iter().for_each(|object| world.happen(Happening::ObjectPoisoned(object)));
    for index in 0..world.order().len() {
        let handle = world.order()[index];
        report_contacts(world, handle);
        let_contact_back(world, handle);
    }
}

/// Takes what the solver said into the figure; `false` where that cannot be, and the figure stays as it was.
fn settle(figure: &mut Figure, step: u64, dt: f32) -> bool {
    if figure.is_frozen() {
        return true;
    }
    let Some(body) = &mut figure.body else { return true };
    figure.input.impulses.clear();
    figure.input.teleport = None;
    if let (Some(feet), Ok(Ragdoll { ankles: Some(ankles), .. })) = (&mut figure.feet, &figure.model.ragdoll)
        && !feet.heard(ankles, &mut figure.solved)
    {
        return false;
    }
    figure.solved.contacts.iter_mut().for_each(|contact| contact.other = feet::touched(contact.other));
    if !figure.solved.bodies.iter().all(BodyState::is_sound) {
        return false;
    }
    if let Ok(bodies) = <[BodyState; BONES]>::try_from(figure.solved.bodies.as_slice()) {
        body.bodies = bodies;
    }
    if let Some(motion) = &mut figure.motion
        && motion.mode == Mode::Powered
    {
        let angular: f32 = figure.solved.anchors.iter().map(|(_, angular)| angular).sum();
        motion.balance.assist_impulse += f64::from(angular);
        motion.balance.driven_seconds += f64::from(dt);
        motion.balance.recent.add(step, angular, dt);
        if let Ok(ragdoll) = &figure.model.ragdoll {
            figure.trace.limits(step, dt, &ragdoll.budgets, &figure.input, &figure.solved);
        }
    }
    true
}

fn report_contacts(world: &mut World, handle: FigureHandle) {
    let mut fresh: Vec<(Contact, ObjectHandle)> = Vec::new();
    if let Ok(figure) = world.figure(handle) {
        for contact in figure.solved.contacts.iter().filter(|contact| contact.fresh) {
            if let Touched::Object(key) = contact.other {
                fresh.push((*contact, handle_of(key)));
            }
        }
    }
    for (contact, object) in fresh {
        let Ok(kind) = world.object(object).map(|object| object.kind) else { continue };
        let bone = Bone::ALL[contact.body];
        let point = contact.point;
        world.happen(Happening::Touched { figure: handle, bone, object, point, speed: contact.closing });
        // Ground is no striker: only what moves, or can be moved, strikes.
        if kind != BodyKind::Fixed && contact.closing > BLOW_SPEED {
            let impulse = contact.normal * contact.impulse;
            let closing_speed = Some(contact.closing);
            world.happen(Happening::Struck { figure: handle, bone, point, impulse, closing_speed, by: Some(object) });
            let step = world.step_index();
            if let Some(figure) = world.figure_mut(handle) {
                figure.trace_blow(step, bone, impulse, Some(object));
            }
        }
    }
}

/// Contact with an object passed through comes back once the two have met and are apart again.
fn let_contact_back(world: &mut World, handle: FigureHandle) {
    let Some(passing) = world.figure(handle).ok().and_then(|figure| figure.motion.as_ref()).map(|motion| motion.passing.clone())
    else {
        return;
    };
    let kept: Vec<Passing> = passing
        .into_iter()
        .filter_map(|passing| {
            let close = world.is_close(handle, passing.object, APART);
            let age = passing.age.saturating_add(1);
            let over = !close && (passing.met || age > NEVER_MET);
            (!over).then_some(Passing { met: passing.met || close, age, ..passing })
        })
        .collect();
    if let Some(motion) = world.figure_mut(handle).and_then(|figure| figure.motion.as_mut()) {
        motion.passing = kept;
    }
}
