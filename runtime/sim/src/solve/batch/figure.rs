//! A figure in the solver: what it is, and how it moves.

use super::rest;
use super::structure::{Held, Moving, Parts, State};
use crate::solve::boundary::{BodyState, FigureInput, Topology};
use crate::space::{Rigid, Vec3};

/// Mass of what hangs on a body, as a multiple of its own, from which on one sweep is too few, twice which takes two more, and so on up to
/// three: a trunk of a kilogram with limbs of twenty flies apart. A person's most is 7. Held by `conformance::random`: of a thousand trees 21
/// open their joints by 2 cm or worse without this. (Sweeping back and forth in turns is worse by ten times, whatever the masses.)
const HEAVY: f32 = 8.0;

/// A figure in the solver.
#[derive(Clone, Debug)]
pub struct Figure {
    pub topology: Topology,
    pub structure: usize,
    /// No other figure of this solver's life has it: lanes know by it whose numbers they hold.
    pub serial: u64,
    pub parts: Parts,
    pub state: State,
    /// `state`'s bodies as the boundary has them.
    pub bodies: Vec<BodyState>,
    /// Sweeps that it takes beyond those asked for.
    pub sweeps: usize,
    /// Whether it is solved in this step, unless it sleeps.
    pub live: bool,
}

impl Figure {
    /// At rest in these poses (world from body).
    pub fn new(topology: &Topology, structure: usize, serial: u64, poses: &[Rigid]) -> Self {
        let parts = Parts::of(topology);
        let state = State {
            bodies: Vec::new(),
            joints: vec![Held::default(); topology.joints.len()],
            anchors: Vec::new(),
            substep: 0.0,
            touching: Vec::new(),
            still: 0,
            asked: 0,
            frozen: false,
        };
        let sweeps = ((heaviest_load(topology) / HEAVY) as usize).min(3);
        let mut figure =
            Self { sweeps, topology: topology.clone(), structure, serial, parts, state, bodies: Vec::new(), live: false };
        figure.place(poses.iter().map(|pose| (*pose, Vec3::ZERO, Vec3::ZERO)));
        figure
    }

    /// Puts its bodies elsewhere (world from body, m/s, rad/s): what their rows gave is forgotten.
    pub fn place(&mut self, poses: impl Iterator<Item = (Rigid, Vec3, Vec3)>) {
        self.state.bodies.clear();
        self.state.bodies.extend(self.parts.bodies.iter().zip(poses).map(|(part, (pose, linear, angular))| Moving {
            position: pose.translation,
            rotation: (pose.rotation * part.frame).normalize(),
            linear,
            angular,
        }));
        self.state.joints.fill(Held::default());
        self.state.anchors.clear();
        self.show();
    }

    /// `bodies` as `state` has them.
    pub fn show(&mut self) {
        show(&self.parts, &self.state, &mut self.bodies);
    }

    /// Teleports and blows of the step.
    fn take(&mut self, input: &FigureInput) {
        if let Some(poses) = &input.teleport {
            self.place(poses.iter().copied());
        }
        for blow in &input.impulses {
            let (part, moving) = (&self.parts.bodies[blow.body], &mut self.state.bodies[blow.body]);
            moving.linear += blow.impulse * part.inverse_mass;
            let turned = moving.rotation.conjugate() * (blow.point - moving.position).cross(blow.impulse);
            moving.angular += moving.rotation * (turned / part.inertia);
        }
        if !input.impulses.is_empty() {
            self.show();
        }
    }

    /// Hears what it is asked in a step.
    pub fn listen(&mut self, input: &FigureInput) {
        if !self.state.frozen {
            self.take(input);
            rest::listen(&mut self.state, input);
        }
        self.live = !self.state.frozen && input.substeps > 0 && self.bodies.iter().all(BodyState::is_sound);
    }
}

/// The most mass that hangs on a body, over its own.
fn heaviest_load(topology: &Topology) -> f32 {
    let mut loads = vec![0.0; topology.bodies.len()];
    for joint in &topology.joints {
        loads[joint.parent] += topology.bodies[joint.child].mass;
        loads[joint.child] += topology.bodies[joint.parent].mass;
    }
    loads.iter().zip(&topology.bodies).map(|(load, body)| load / body.mass).fold(0.0, f32::max)
}

/// A figure's bodies as the boundary has them.
pub fn show(parts: &Parts, state: &State, bodies: &mut Vec<BodyState>) {
    bodies.clear();
    bodies.extend(parts.bodies.iter().zip(&state.bodies).map(|(part, moving)| BodyState {
        pose: Rigid::new((moving.rotation * part.frame.conjugate()).normalize(), moving.position),
        linear: moving.linear,
        angular: moving.angular,
    }));
}
