//! What figures meet: objects, and which forms are near each other.
//!
//! rapier moves the objects; figures are no part of its world. Detection keeps nothing from step to step: what it says follows from
//! keys, places and forms alone.

mod broad;
mod flat;
mod forms;
mod guests;
mod narrow;
mod objects;
mod own;
mod placed;
mod points;
mod query;
mod save;
#[cfg(test)]
mod tests;

use super::shapes::Edges;
use super::{parameters, state_of, to_pose};
use crate::solve::boundary::{BodyKind, BodyState, ObjectDef, Topology};
use crate::solve::detected::{Detected, FigureAt};
use crate::space::{Rigid, Vec3};
use broad::Work;
use forms::Forms;
use objects::Objects;
use rapier3d::prelude::*;
use std::collections::BTreeMap;

/// Half the distance (m) within which two forms are near each other though neither moves.
const HALF_MARGIN: f32 = 0.01;
/// A step (s), until another length is told.
const STEP: f32 = 1.0 / 60.0;

/// Objects moved by rapier, and the forms of figures that others move.
pub(crate) struct Scenery {
    world: PhysicsWorld,
    figures: BTreeMap<u64, Forms>,
    objects: Objects,
    /// Keys of the guests, in their order.
    guests: Vec<u64>,
    work: Work,
}

impl std::fmt::Debug for Scenery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scenery {{ {} figures, {} objects }}", self.figures.len(), self.objects.bodies.len())
    }
}

impl Scenery {
    /// Nothing, in a world that falls by `gravity` (m/s²).
    pub(crate) fn new(gravity: Vec3) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = gravity;
        world.integration_parameters = parameters();
        Self { world, figures: BTreeMap::new(), objects: Objects::new(), guests: Vec::new(), work: Work::default() }
    }

    /// Takes over a figure's forms: at most 32 bodies.
    pub(crate) fn add_figure(&mut self, key: u64, topology: &Topology) {
        self.figures.insert(key, Forms::of(topology));
    }

    /// Forgets a figure.
    pub(crate) fn remove_figure(&mut self, key: u64) {
        self.figures.remove(&key);
    }

    /// Puts an object in.
    pub(crate) fn add_object(&mut self, key: u64, object: &ObjectDef) {
        self.remove_object(key);
        let body = super::objects::insert(&mut self.world, key, object, Edges::Smooth);
        self.objects.insert(&self.world, key, body, None);
    }

    /// Takes an object out.
    pub(crate) fn remove_object(&mut self, key: u64) {
        if let Some(body) = self.objects.remove(key) {
            self.world.remove_body(body);
            self.guests.retain(|guest| *guest != key);
        }
    }

    /// Puts an object elsewhere, at once.
    pub(crate) fn place_object(&mut self, key: u64, pose: Rigid) {
        self.change(key, |body| body.set_position(to_pose(pose), true));
    }

    /// Gives an object a velocity (m/s of its centre of mass, rad/s): a kinematic one keeps it.
    pub(crate) fn move_object(&mut self, key: u64, linear: Vec3, angular: Vec3) {
        self.change(key, |body| {
            body.set_linvel(linear, true);
            body.set_angvel(angular, true);
        });
    }

    /// Pushes a dynamic object (N·s at a world point; `None`: its centre).
    pub(crate) fn push_object(&mut self, key: u64, impulse: Vec3, point: Option<Vec3>) {
        self.change(key, |body| {
            let point = point.unwrap_or_else(|| body.center_of_mass());
            body.apply_impulse_at_point(impulse, point, true);
        });
    }

    /// World from object, m/s of its centre of mass, rad/s; of a guest as last given.
    pub(crate) fn object(&self, key: u64) -> Option<BodyState> {
        let body = self.objects.bodies.get(&key)?;
        let thing = self.objects.slot(key).and_then(|slot| self.objects.thing(slot));
        Some(thing.map_or_else(|| state_of(&self.world.bodies[*body]), |thing| thing.state))
    }

    /// Finds all that is near a figure or a guest at the step's start. `figures` are in any order; one that was never added has no
    /// forms.
    pub(crate) fn detect(&mut self, dt: f32, figures: &[FigureAt<'_>], out: &mut Detected) {
        self.objects.set_step(dt);
        broad::detect(&self.figures, &self.objects, &mut self.work, dt, figures, out);
    }

    /// Says which objects the figures' solver has, and how they are after its step. Others go on by themselves, as they last were.
    pub(crate) fn set_guests(&mut self, guests: &[(u64, BodyState)]) {
        let before = std::mem::take(&mut self.guests);
        self.guests.extend(guests.iter().map(|(key, _)| *key));
        self.guests.sort_unstable();
        for key in before {
            if self.guests.binary_search(&key).is_err() {
                self.release(key);
            }
        }
        guests.iter().for_each(|(key, state)| self.hold(*key, *state));
    }

    /// Moves all that is no guest by a step of `dt` seconds.
    pub(crate) fn step(&mut self, dt: f32) {
        self.world.integration_parameters.dt = dt;
        self.world.step();
        self.objects.refresh_movers(&self.world);
    }

    /// Does something to an object's body, which is no guest after that until it is found to be one again.
    fn change(&mut self, key: u64, how: impl FnOnce(&mut RigidBody)) {
        self.guests.retain(|guest| *guest != key);
        self.release(key);
        let Some(handle) = self.objects.bodies.get(&key) else { return };
        how(&mut self.world.bodies[*handle]);
        if let Some(slot) = self.objects.slot(key) {
            self.objects.refresh(&self.world, slot);
        }
    }

    /// Makes an object a guest: for rapier it stands where it was put.
    fn hold(&mut self, key: u64, state: BodyState) {
        let Some(slot) = self.objects.slot(key) else { return };
        let Some(thing) = self.objects.thing_mut(slot).filter(|thing| thing.kind == BodyKind::Dynamic) else { return };
        let body = &mut self.world.bodies[thing.body];
        if thing.guest.replace(state).is_none() {
            body.set_body_type(RigidBodyType::KinematicVelocityBased, true);
            body.set_linvel(Vec3::ZERO, true);
            body.set_angvel(Vec3::ZERO, true);
        }
        // rapier must never see a place that is none; whoever asks is told of it.
        if state.is_sound() {
            body.set_position(to_pose(state.pose), true);
        }
        self.objects.refresh(&self.world, slot);
    }

    /// Gives a guest back to rapier, as it last was.
    fn release(&mut self, key: u64) {
        let Some(slot) = self.objects.slot(key) else { return };
        let Some(thing) = self.objects.thing_mut(slot) else { return };
        let Some(state) = thing.guest.take() else { return };
        let body = &mut self.world.bodies[thing.body];
        body.set_body_type(RigidBodyType::Dynamic, true);
        if state.is_sound() {
            body.set_linvel(state.linear, true);
            body.set_angvel(state.angular, true);
        }
        self.objects.refresh(&self.world, slot);
    }
}
