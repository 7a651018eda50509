//! One figure straight on the solver's boundary, without a world and without gravity: nothing drives it but what a measure says.

use crate::momentum::Momentum;
use crate::options::Options;
use crate::subject::Subject;
use simrun_sim::WorldSettings;
use simrun_sim::drive::SWEEPS;
use simrun_sim::figure::{BONES, Ragdoll};
use simrun_sim::solve::boundary::{
    BodyDef, BodySet, BodyState, Contact, FigureInput, FigureOutput, JointTarget, ObjectDef, Pull, Solver,
};
use simrun_sim::space::{Quat, Rigid, Vec3};

const FIGURE: u64 = 1;
const THING: u64 = 2;

/// A run in progress.
#[derive(Debug)]
pub struct Arena<'a> {
    ragdoll: &'a Ragdoll,
    solver: Box<dyn Solver>,
    input: FigureInput,
    output: FigureOutput,
    bodies: Vec<BodyState>,
}

impl<'a> Arena<'a> {
    /// The subject without muscle, and at most one thing. Its bodies start as `bodies` say.
    pub fn new(subject: &'a Subject, options: &Options, bodies: Vec<BodyState>, thing: Option<&ObjectDef>) -> Self {
        let ragdoll = subject.ragdoll();
        let mut solver = options.solver.make(Vec3::ZERO);
        let poses: Vec<Rigid> = bodies.iter().map(|body| body.pose).collect();
        solver.add_figure(FIGURE, &ragdoll.topology, &poses);
        if let Some(thing) = thing {
            solver.add_object(THING, thing);
        }
        let input = FigureInput {
            substeps: WorldSettings::default().substeps,
            sweeps: SWEEPS,
            joints: slack(),
            teleport: Some(bodies.iter().map(|body| (body.pose, body.linear, body.angular)).collect()),
            self_contacts: BodySet::ALL,
            fixed_contacts: BodySet::ALL,
            ..FigureInput::default()
        };
        Self { ragdoll, solver, input, output: FigureOutput::default(), bodies }
    }

    /// What its muscles shall do from now on.
    pub fn drive(&mut self, joints: Vec<JointTarget>) {
        self.input.joints = joints;
    }

    /// Its own bodies go through one another from now on.
    pub fn through_itself(&mut self) {
        self.input.self_contacts = BodySet::NONE;
    }

    /// One step.
    pub fn step(&mut self) {
        self.solver.step(self.dt(), &mut [(FIGURE, &self.input, &mut self.output)]);
        self.input.teleport = None;
        self.bodies.clone_from(&self.output.bodies);
    }

    /// Seconds a step.
    pub fn dt(&self) -> f32 {
        1.0 / WorldSettings::default().step_hz
    }

    /// Steps in so many seconds.
    pub fn steps(&self, seconds: f32) -> usize {
        (seconds / self.dt()).round() as usize
    }

    /// Where its bodies are.
    pub fn bodies(&self) -> &[BodyState] {
        &self.bodies
    }

    /// Where the thing is.
    pub fn thing(&self) -> Option<BodyState> {
        self.solver.object(THING)
    }

    /// What the figure touched in the last step.
    pub fn contacts(&self) -> &[Contact] {
        &self.output.contacts
    }

    /// What all muscles did in the last step (J), and as much as they did either way.
    pub fn work(&self) -> (f64, f64) {
        let of = |value: fn(f32) -> f32| self.output.joints.iter().map(|joint| f64::from(value(joint.work))).sum();
        (of(|work| work), of(f32::abs))
    }

    /// Energy and momentum of the figure.
    pub fn momentum(&self) -> Momentum {
        Momentum::of(self.ragdoll.topology.bodies.iter().zip(&self.bodies))
    }

    /// Energy and momentum of the figure and a thing.
    pub fn momentum_with(&self, def: &BodyDef, thing: &BodyState) -> Momentum {
        let thing = std::iter::once((def, thing));
        Momentum::of(self.ragdoll.topology.bodies.iter().zip(&self.bodies).chain(thing))
    }
}

/// Joints without muscle.
fn slack() -> Vec<JointTarget> {
    let target = JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, pull: Pull::Servo(0.05), budget: 0.0 };
    vec![target; BONES - 1]
}

/// A figure's rest pose turned about its centre of mass, which goes to `centre` (m), all of it moving as one rigid body.
pub fn thrown(ragdoll: &Ragdoll, rotation: Quat, centre: Vec3, linear: Vec3, angular: Vec3) -> Vec<BodyState> {
    let masses = ragdoll.topology.bodies.iter().map(|body| body.mass);
    let middle = ragdoll.rest.iter().zip(masses).map(|(pose, mass)| pose.translation * mass).sum::<Vec3>() / ragdoll.mass;
    let moving = ragdoll.rest.iter().map(|pose| {
        let lever = rotation * (pose.translation - middle);
        let pose = Rigid::new((rotation * pose.rotation).normalize(), centre + lever);
        BodyState { pose, linear: linear + angular.cross(lever), angular }
    });
    moving.collect()
}
