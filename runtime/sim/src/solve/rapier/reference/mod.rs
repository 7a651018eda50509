//! Figures and objects solved by rapier alone: what a solver of our own is compared with.
//!
//! What works here was measured on rapier3d 0.36.1 (a figure of twelve bones, 78 kg): impulse joints rather than multibodies
//! (7 to 13 times dearer, and they ignore impulses on links), muscles as hard velocity rows, base sub-steps 4 with the rest added
//! by awake figures, friction in the bias pass (foot creep in 10 s of arm waving: 182 mm without it, 10 with it).

mod contacts;
mod figure;
mod joints;
mod query;
mod save;

use super::overlap::overlaps_at_rest;
use super::shapes::{Edges, shared_shape};
use super::{BASE_SUBSTEPS, FRICTION_RULE, objects, pack, parameters, state_of, to_pose, unpack};
use crate::solve::boundary::{self as form, BodySet, BodyState, Force, Impulse};
use crate::solve::boundary::{FigureInput, FigureOutput, Gap, Holds, ObjectDef, RayContact, Solver, Topology, Touched};
use crate::space::{Rigid, Vec3};
use figure::FigureBodies;
use rapier3d::prelude::*;
use std::collections::BTreeMap;

/// Sweeps of rapier's own a sub-step beyond the first. With none, its hard muscles sag under load: a chest that bows by 15° was 1.9 to
/// 2.5° off its pose, with one 1.2 to 1.5°. (Three, and a figure at rest trembles at 0.004 rad/s.)
const SWEEPS: usize = 1;

/// A world of figures and objects, solved by rapier.
pub struct RapierSolver {
    world: PhysicsWorld,
    /// The fixed body that anchors pull from.
    outside: RigidBodyHandle,
    figures: BTreeMap<u64, FigureBodies>,
    objects: BTreeMap<u64, RigidBodyHandle>,
    hooks: Hooks,
}

impl std::fmt::Debug for RapierSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RapierSolver {{ {} figures, {} objects }}", self.figures.len(), self.objects.len())
    }
}

/// Which pairs do not collide: bones that overlap at rest, and figures passing through objects.
#[derive(Debug, Default)]
struct Hooks {
    /// For each figure, a bit mask of bodies a body does not collide with.
    apart: BTreeMap<u64, Vec<u32>>,
    /// Figure and object.
    passing: Vec<(u64, u64)>,
    /// Bodies of figures that collide with the others of theirs.
    meets_itself: BTreeMap<u64, BodySet>,
    /// Bodies of figures that collide with what never moves.
    meets_fixed: BTreeMap<u64, BodySet>,
}

impl PhysicsHooks for Hooks {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let a = unpack(context.colliders[context.collider1].user_data);
        let b = unpack(context.colliders[context.collider2].user_data);
        let apart = match (a, b) {
            (Touched::Figure(one, body), Touched::Figure(two, other)) => {
                let overlap = || self.apart.get(&one).is_some_and(|masks| masks[body] & (1 << other) != 0);
                let meet = |set: &BodySet| set.has(body) || set.has(other);
                one == two && (!self.meets_itself.get(&one).is_some_and(meet) || overlap())
            }
            (Touched::Figure(figure, body), Touched::Object(object))
            | (Touched::Object(object), Touched::Figure(figure, body)) => {
                let fixed = || {
                    [context.rigid_body1, context.rigid_body2].into_iter().flatten().any(|body| context.bodies[body].is_fixed())
                };
                self.passing.contains(&(figure, object))
                    || (!self.meets_fixed.get(&figure).is_some_and(|set| set.has(body)) && fixed())
            }
            _ => false,
        };
        (!apart).then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }
}

impl RapierSolver {
    /// An empty world.
    #[must_use]
    pub fn new(gravity: Vec3) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = gravity;
        world.integration_parameters = parameters();
        let outside = world.insert_body(RigidBodyBuilder::fixed());
        Self { world, outside, figures: BTreeMap::new(), objects: BTreeMap::new(), hooks: Hooks::default() }
    }

    fn substeps(input: &FigureInput) -> usize {
        input.substeps.max(BASE_SUBSTEPS)
    }

    fn apply(&mut self, key: u64, input: &FigureInput) {
        let Some(figure) = self.figures.get_mut(&key) else { return };
        if let Some(poses) = &input.teleport {
            figure.teleport(&mut self.world, poses);
        }
        figure.set_effort(&mut self.world, Self::substeps(input) - BASE_SUBSTEPS, input.sweeps + SWEEPS);
        figure.drive_joints(&mut self.world, &input.joints);
        figure.drive_anchors(&mut self.world, self.outside, &input.anchors);
        for Impulse { body, impulse, point } in &input.impulses {
            let body = &mut self.world.bodies[figure.bodies[*body]];
            body.apply_impulse_at_point(*impulse, *point, true);
        }
        for handle in &figure.bodies {
            let body = &mut self.world.bodies[*handle];
            body.reset_forces(false);
            body.reset_torques(false);
        }
        for Force { body, force, torque } in &input.forces {
            let body = &mut self.world.bodies[figure.bodies[*body]];
            body.add_force(*force, true);
            body.add_torque(*torque, true);
        }
        self.hooks.meets_itself.insert(key, input.self_contacts);
        self.hooks.meets_fixed.insert(key, input.fixed_contacts);
        self.hooks.passing.extend(input.pass_through.iter().map(|object| (key, *object)));
    }
}

impl Solver for RapierSolver {
    fn add_figure(&mut self, key: u64, topology: &Topology, poses: &[Rigid]) {
        self.hooks.apart.insert(key, overlaps_at_rest(topology));
        let figure = FigureBodies::insert(&mut self.world, key, topology, poses);
        self.figures.insert(key, figure);
    }

    fn remove_figure(&mut self, key: u64) {
        if let Some(figure) = self.figures.remove(&key) {
            for body in figure.bodies {
                self.world.remove_body(body);
            }
        }
        self.hooks.apart.remove(&key);
    }

    fn add_object(&mut self, key: u64, object: &ObjectDef) {
        let body = objects::insert(&mut self.world, key, object, Edges::Plain);
        self.objects.insert(key, body);
    }

    fn remove_object(&mut self, key: u64) {
        if let Some(body) = self.objects.remove(&key) {
            self.world.remove_body(body);
        }
    }

    fn place_object(&mut self, key: u64, pose: Rigid) {
        if let Some(body) = self.objects.get(&key) {
            self.world.bodies[*body].set_position(to_pose(pose), true);
        }
    }

    fn move_object(&mut self, key: u64, linear: Vec3, angular: Vec3) {
        if let Some(body) = self.objects.get(&key) {
            let body = &mut self.world.bodies[*body];
            body.set_linvel(linear, true);
            body.set_angvel(angular, true);
        }
    }

    fn push_object(&mut self, key: u64, impulse: Vec3, point: Option<Vec3>) {
        if let Some(body) = self.objects.get(&key) {
            let body = &mut self.world.bodies[*body];
            let point = point.unwrap_or_else(|| body.center_of_mass());
            body.apply_impulse_at_point(impulse, point, true);
        }
    }

    fn object(&self, key: u64) -> Option<BodyState> {
        self.objects.get(&key).map(|body| state_of(&self.world.bodies[*body]))
    }

    fn freeze(&mut self, key: u64, at: &[Rigid], frozen: bool) {
        if let Some(figure) = self.figures.get_mut(&key) {
            let still: Vec<_> = at.iter().map(|pose| (*pose, Vec3::ZERO, Vec3::ZERO)).collect();
            figure.teleport(&mut self.world, &still);
            figure.set_enabled(&mut self.world, !frozen);
            figure.touching.clear();
        }
    }

    fn save(&self) -> Vec<u8> {
        save::save(self)
    }

    fn load(&mut self, bytes: &[u8], holds: Holds<'_>) -> Result<(), String> {
        *self = save::load(bytes, holds)?;
        Ok(())
    }

    fn step(&mut self, dt: f32, figures: &mut [(u64, &FigureInput, &mut FigureOutput)]) {
        self.world.integration_parameters.dt = dt;
        self.hooks.passing.clear();
        self.hooks.meets_itself.clear();
        self.hooks.meets_fixed.clear();
        for (key, input, _) in figures.iter() {
            self.apply(*key, input);
        }
        let before = contacts::Before::of(self);
        self.world.step_with_events(&self.hooks, &());
        for (key, input, output) in figures.iter_mut() {
            let Some(figure) = self.figures.get_mut(key) else { continue };
            figure.read(&self.world, dt, Self::substeps(input), input, output);
            contacts::read(&self.world, figure, &before, output);
        }
    }

    fn raycast(&self, from: Vec3, direction: Vec3, reach: f32, fixed_only: bool) -> Option<RayContact> {
        query::raycast(self, from, direction, reach, fixed_only)
    }

    fn gap(&self, figure: u64, object: u64, margin: f32) -> Option<Gap> {
        query::gap(self, figure, object, margin)
    }

    fn cast_down(&self, forms: &[(&form::Shape, Rigid)], reach: f32, but: Option<u64>) -> Option<(f32, u64)> {
        query::cast_down(self, forms, reach, but)
    }
}
