//! The solver as bytes: rapier's own state, and which of its bodies are whose. Rapier's pipelines are workspace and are made anew.

use super::figure::FigureBodies;
use super::{Hooks, RapierSolver, pack, parameters};
use crate::solve::boundary::{Holds, Touched};
use crate::solve::rapier::checks::{falls, is_own, is_somewhere, same};
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A solver's parts, borrowed to be written and owned once read.
#[derive(Serialize)]
struct Written<'a> {
    world: &'a PhysicsWorld,
    outside: RigidBodyHandle,
    figures: &'a BTreeMap<u64, FigureBodies>,
    objects: &'a BTreeMap<u64, RigidBodyHandle>,
    apart: &'a BTreeMap<u64, Vec<u32>>,
}

#[derive(Deserialize)]
struct Read {
    world: PhysicsWorld,
    outside: RigidBodyHandle,
    figures: BTreeMap<u64, FigureBodies>,
    objects: BTreeMap<u64, RigidBodyHandle>,
    apart: BTreeMap<u64, Vec<u32>>,
}

pub(super) fn save(solver: &RapierSolver) -> Vec<u8> {
    let written = Written {
        world: &solver.world,
        outside: solver.outside,
        figures: &solver.figures,
        objects: &solver.objects,
        apart: &solver.hooks.apart,
    };
    // Plain data into memory: nothing of it can fail to be written.
    postcard::to_allocvec(&written).unwrap_or_default()
}

/// Reads what [`save`] wrote. Settings are this build's own, whatever the bytes say, and what is never used is empty.
pub(super) fn load(bytes: &[u8], holds: Holds<'_>) -> Result<RapierSolver, String> {
    let Read { world, outside, figures, objects, apart } =
        postcard::from_bytes(bytes).map_err(|error| format!("the solver's state: {error}"))?;
    let mut solver = RapierSolver { world, outside, figures, objects, hooks: Hooks { apart, ..Hooks::default() } };
    solver.world.integration_parameters = parameters();
    (solver.world.multibody_joints, solver.world.soft_bodies) = (MultibodyJointSet::new(), SoftBodySet::new());
    match solver.contradiction(holds) {
        Some(what) => Err(format!("the solver's state: {what}")),
        None => Ok(solver),
    }
}

impl RapierSolver {
    /// What does not fit together in what was read, as far as rapier shows it.
    fn contradiction(&self, holds: Holds<'_>) -> Option<&'static str> {
        if !falls(&self.world) {
            return Some("nothing falls like this");
        }
        let mut figures = holds.figures.to_vec();
        figures.sort_unstable();
        if !self.figures.keys().eq(figures.iter().map(|(key, _)| key)) || !same(self.objects.keys(), holds.objects) {
            return Some("it holds others than the world");
        }
        let bodies = self.world.bodies.len();
        if bodies != 1 + self.objects.len() + figures.iter().map(|(_, bodies)| bodies).sum::<usize>() || !self.is_outside() {
            return Some("it holds bodies that are nobody's");
        }
        if !self.figures.iter().zip(&figures).all(|((key, figure), (_, bodies))| self.is_whole(*key, figure, *bodies)) {
            return Some("a figure's bodies and joints do not fit together");
        }
        if !self
            .objects
            .iter()
            .all(|(key, body)| is_own(&self.world, *body, |collider| collider.user_data == pack(Touched::Object(*key))))
        {
            return Some("an object's body is not its own");
        }
        if !self.is_joined() {
            return Some("a joint holds what is not there");
        }
        (!is_somewhere(&self.world)).then_some("a body or its form is nowhere")
    }

    /// The fixed body that anchors pull from is one, without a form.
    fn is_outside(&self) -> bool {
        self.world.bodies.get(self.outside).is_some_and(|body| body.is_fixed() && body.colliders().is_empty())
    }

    fn is_whole(&self, key: u64, figure: &FigureBodies, count: usize) -> bool {
        let bodies = figure.bodies.iter().enumerate();
        let mut bodies = bodies.map(|(index, body)| (*body, pack(Touched::Figure(key, index))));
        let masks = self.hooks.apart.get(&key).map(Vec::len);
        figure.fits(count)
            && masks == Some(count)
            && bodies.all(|(body, data)| is_own(&self.world, body, |collider| collider.user_data == data))
            && figure.jointed(&self.world, self.outside)
    }

    /// Whether every joint is a figure's, between bodies that are there.
    fn is_joined(&self) -> bool {
        let joints = &self.world.impulse_joints;
        joints.len() == self.figures.values().map(FigureBodies::joint_count).sum::<usize>()
            && joints
                .iter()
                .all(|(_, joint)| [joint.body1(), joint.body2()].into_iter().all(|body| self.world.bodies.contains(body)))
    }
}
