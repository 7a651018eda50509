//! The solver as bytes: topologies once, figures as plain data, and the scenery's own.

use super::BatchSolver;
use super::figure::Figure;
use super::structure::{Pressed, State};
use crate::solve::boundary::{Holds, Topology};
use crate::solve::rapier::Scenery;
use crate::space::{Rigid, Vec3};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Written<'a> {
    topologies: Vec<&'a Topology>,
    /// Key, which topology, state.
    figures: Vec<(u64, usize, &'a State)>,
    pressed: &'a [Pressed],
    scenery: Vec<u8>,
}

#[derive(Deserialize)]
struct Read {
    topologies: Vec<Topology>,
    figures: Vec<(u64, usize, State)>,
    pressed: Vec<Pressed>,
    scenery: Vec<u8>,
}

pub fn save(solver: &BatchSolver) -> Vec<u8> {
    let mut topologies: Vec<&Topology> = Vec::new();
    let mut figures = Vec::with_capacity(solver.figures.len());
    for (key, figure) in &solver.figures {
        let index = topologies.iter().position(|known| **known == figure.topology).unwrap_or_else(|| {
            topologies.push(&figure.topology);
            topologies.len() - 1
        });
        figures.push((*key, index, &figure.state));
    }
    let written = Written { topologies, figures, pressed: &solver.pressed, scenery: solver.scenery.save() };
    // Plain data into memory: nothing of it can fail to be written.
    postcard::to_allocvec(&written).unwrap_or_default()
}

/// Reads what [`save`] wrote; a solver that refuses it has not changed.
pub fn load(solver: &mut BatchSolver, bytes: &[u8], holds: Holds<'_>) -> Result<(), String> {
    let read: Read = postcard::from_bytes(bytes).map_err(|error| format!("the solver's state: {error}"))?;
    let wrong = |what: &str| Err(format!("the solver's state: {what}"));
    let mut keys = holds.figures.to_vec();
    keys.sort_unstable();
    if !read.figures.iter().map(|(key, ..)| key).eq(keys.iter().map(|(key, _)| key)) {
        return wrong("it holds others than the world");
    }
    let mut new = BatchSolver::with_width(solver.gravity, solver.width);
    (new.threads, new.clock) = (solver.threads, solver.clock);
    for topology in &read.topologies {
        crate::world::topology(topology).map_err(|error| format!("the solver's state: {error}"))?;
        if topology.joints.len() + 1 != topology.bodies.len() {
            return wrong("a figure's bodies and joints do not fit together");
        }
    }
    let chosen = read.figures.iter().map(|(key, index, _)| Some((*key, read.topologies.get(*index)?)));
    let Some(chosen) = chosen.collect::<Option<Vec<_>>>() else {
        return wrong("a figure's bodies and joints do not fit together");
    };
    if chosen.iter().zip(&keys).any(|((_, topology), (_, bodies))| topology.bodies.len() != *bodies) {
        return wrong("a figure's bodies and joints do not fit together");
    }
    new.scenery = Scenery::load(&read.scenery, holds.objects, chosen.iter().copied())?;
    for (key, index, state) in read.figures {
        let topology = &read.topologies[index];
        if !fits(&state, topology) {
            return wrong("a figure's bodies are nowhere");
        }
        let structure = new.structure_of(topology);
        let poses = vec![Rigid::IDENTITY; topology.bodies.len()];
        new.serials += 1;
        let mut figure = Figure::new(topology, structure, new.serials, &poses);
        figure.state = state;
        figure.show();
        new.figures.insert(key, figure);
    }
    if !read.pressed.iter().all(|pressed| pressed.force.is_finite()) || !read.pressed.is_sorted_by_key(|pressed| pressed.key) {
        return wrong("a contact presses without measure");
    }
    new.pressed = read.pressed;
    *solver = new;
    Ok(())
}

/// As many bodies and joints as the topology, all of them somewhere.
fn fits(state: &State, topology: &Topology) -> bool {
    let finite = |vectors: &[Vec3]| vectors.iter().all(|vector| vector.is_finite());
    let bodies = state.bodies.iter().all(|body| {
        let unit = (body.rotation.length() - 1.0).abs() < 1.0e-3;
        unit && finite(&[body.position, body.linear, body.angular])
    });
    let joints = state.joints.iter().all(|joint| {
        finite(&[joint.point, joint.turn]) && joint.stops.iter().chain([&joint.cone]).flatten().all(|given| given.is_finite())
    });
    let anchors = state.anchors.iter().all(|anchor| finite(&[anchor.linear, anchor.angular]));
    let substep = state.substep.is_finite() && (0.0..=1.0).contains(&state.substep);
    let counted = state.bodies.len() == topology.bodies.len() && state.joints.len() == topology.joints.len();
    counted && bodies && joints && anchors && substep && state.touching.is_sorted()
}
