//! Hordes in the world, and figures parked and taken out again.

use super::apply::make_figure;
use super::{Figure, Named, World};
use crate::command::{Command, FigureSpec};
use crate::crowd::{Horde, HordeCommand};
use crate::decide::Claims;
use crate::draw::{Fade, PartFades};
use crate::drive::Successions;
use crate::error::Error;
use crate::figure::BONES;
use crate::id::{FigureHandle, key_of};
use crate::pose::TargetPose;
use crate::solve::boundary::{FigureInput, FigureOutput};
use crate::space::{Rigid, Vec3};
use crate::world::figure::Pooled;

impl World {
    /// Every horde, in the order of their names.
    pub fn hordes(&self) -> impl Iterator<Item = &Horde> {
        self.state.hordes.values()
    }

    /// A horde.
    ///
    /// # Errors
    /// A name that is no horde's.
    pub fn horde(&self, name: &str) -> Result<&Horde, Error> {
        self.state.hordes.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.state.hordes.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Error::UnknownHorde { name: name.to_owned(), known }
        })
    }

    pub(crate) fn horde_mut(&mut self, name: &str) -> Option<&mut Horde> {
        self.state.hordes.get_mut(name)
    }

    /// Every horde, the threads that may take part, and what finds the height of the fixed ground under a point, within a reach.
    pub(crate) fn hordes_to_step(
        &mut self,
    ) -> (impl Iterator<Item = &mut Horde>, Option<&rayon::ThreadPool>, impl Fn(Vec3, f32) -> Option<f32>) {
        let solver = &self.solver;
        let ground = |point: Vec3, reach: f32| {
            let hit = solver.raycast(point, Vec3::NEG_Y, reach, true);
            // One that begins inside something has not found its top.
            hit.filter(|hit| hit.distance > 0.0).map(|hit| point.y - hit.distance)
        };
        (self.state.hordes.values_mut(), self.pool.as_ref(), ground)
    }

    pub(crate) fn put_horde(&mut self, horde: Horde) {
        self.state.hordes.insert(horde.name.clone(), horde);
    }

    pub(crate) fn remove_horde(&mut self, name: &str) {
        let Some(horde) = self.state.hordes.remove(name) else { return };
        for slot in horde.pool().into_iter().flat_map(|pool| pool.slots()) {
            self.destroy_figure(slot.figure);
        }
    }

    /// Commands of a horde that wait for the coming step.
    pub(crate) fn queued_for<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a HordeCommand> {
        self.state.queue.iter().filter_map(move |command| match command {
            Command::Horde { horde, command } if horde == name => Some(command),
            _ => None,
        })
    }

    /// Makes a figure that is parked from the beginning. Its name must be free.
    pub(crate) fn add_parked(&mut self, spec: FigureSpec) -> FigureHandle {
        let handle = self.state.figures.insert(None);
        self.state.names.insert(spec.name.clone(), Named::Figure(handle));
        let mut figure = make_figure(handle, spec, self.state.step, self.state.settings.trace);
        figure.pooled = Pooled::Parked;
        if let Some(slot) = self.state.figures.get_mut(handle) {
            *slot = Some(Box::new(figure));
        }
        handle
    }

    /// Takes a figure out of the solver's world and out of every room.
    pub(crate) fn park(&mut self, handle: FigureHandle) {
        let Some(figure) = self.figure_mut(handle) else { return };
        if figure.pooled == Pooled::Parked {
            return;
        }
        figure.pooled = Pooled::Parked;
        (figure.claims, figure.successions) = (Claims::default(), Successions::default());
        (figure.fade, figure.part_fades) = (Fade::None, PartFades::default());
        (figure.input, figure.solved) = (FigureInput::default(), FigureOutput::default());
        let happened = std::mem::take(&mut figure.happened);
        happened.into_iter().for_each(|what| self.happen(what));
        self.solver.remove_figure(key_of(handle));
        self.state.order.retain(|known| *known != handle);
    }

    /// Makes a parked figure anew as `spec` says it (its name and model stay its own), and puts it back into the rooms. `before`: where
    /// its bodies were a step ago (world from body), so that they move on as they did.
    pub(crate) fn unpark(&mut self, handle: FigureHandle, spec: FigureSpec, before: Option<[Rigid; BONES]>) {
        let dt = self.dt();
        let mut figure = make_figure(handle, spec, self.state.step, self.state.settings.trace);
        figure.pooled = Pooled::Out;
        if let (Some(before), Some(body)) = (before, &mut figure.body) {
            let now = body.bodies.map(|state| state.pose);
            let moving = TargetPose::between(before, now, dt);
            for (bone, state) in body.bodies.iter_mut().enumerate() {
                (state.linear, state.angular) = (moving.linear[bone], moving.angular[bone]);
            }
            figure.input.teleport = Some(body.bodies.iter().map(|state| (state.pose, state.linear, state.angular)).collect());
        }
        self.put_figure(figure);
    }
}

impl Figure {
    /// Whether it lies in a pool until a member of its horde is struck: no room sees it, and it is nowhere.
    #[must_use]
    pub fn is_parked(&self) -> bool {
        self.pooled == Pooled::Parked
    }

    /// Whether it belongs to the pool of a horde.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.pooled != Pooled::No
    }
}
