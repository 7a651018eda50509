//! The solver as bytes: rapier's own state, and which of its bodies are whose. Rapier's pipelines are workspace and are made anew.

use super::figure::FigureBodies;
use super::{Hooks, RapierSolver};
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

pub(super) fn load(bytes: &[u8]) -> Result<RapierSolver, String> {
    let Read { world, outside, figures, objects, apart } =
        postcard::from_bytes(bytes).map_err(|error| format!("the solver's state: {error}"))?;
    let bodies = figures.values().flat_map(|figure| figure.bodies.iter()).chain(objects.values()).chain([&outside]);
    if !bodies.into_iter().all(|body| world.bodies.contains(*body)) {
        return Err("the solver's state: a body is missing".to_owned());
    }
    Ok(RapierSolver { world, outside, figures, objects, hooks: Hooks { apart, ..Hooks::default() } })
}
