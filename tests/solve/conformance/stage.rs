//! A solver with figures on it, and figures to put there.

use simrun_sim::figure::{Ragdoll, stick_person};
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{
    BodyDef, BodyKind, BodySet, BodyState, FigureInput, FigureOutput, Force, Impulse, JointDef, JointKind, JointTarget,
    ObjectDef, PlacedShape, Pull, Shape, Solver, Topology,
};
use simrun_sim::space::{Quat, Rigid, Vec3};

/// Seconds a step.
pub const DT: f32 = 1.0 / 60.0;
/// m/s².
pub const G: f32 = 9.81;
/// Down.
pub const GRAVITY: Vec3 = Vec3::new(0.0, -G, 0.0);
/// No muscle.
pub const LIMP: JointTarget =
    JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, pull: Pull::Servo(0.05), budget: 0.0 };
/// The ground's key.
pub const GROUND: u64 = 1;

/// A figure on the stage.
#[derive(Debug)]
pub struct Actor {
    pub key: u64,
    pub topology: Topology,
    pub input: FigureInput,
    pub output: FigureOutput,
}

impl Actor {
    /// Limp, of eight sub-steps.
    pub fn new(key: u64, topology: &Topology, poses: &[Rigid]) -> Self {
        let input = FigureInput {
            substeps: 8,
            joints: vec![LIMP; topology.joints.len()],
            self_contacts: BodySet::ALL,
            fixed_contacts: BodySet::ALL,
            ..FigureInput::default()
        };
        let state = |pose: &Rigid| BodyState { pose: *pose, ..BodyState::default() };
        let output = FigureOutput { bodies: poses.iter().map(state).collect(), ..FigureOutput::default() };
        Self { key, topology: topology.clone(), input, output }
    }

    /// kg.
    pub fn mass(&self) -> f32 {
        self.topology.bodies.iter().map(|body| body.mass).sum()
    }

    /// Where its bodies are.
    pub fn poses(&self) -> Vec<Rigid> {
        self.output.bodies.iter().map(|body| body.pose).collect()
    }

    /// The child's rotation in a joint's own frame.
    pub fn joint_rotation(&self, joint: usize) -> Quat {
        let def = &self.topology.joints[joint];
        let rotation = |body: usize| self.output.bodies[body].pose.rotation;
        let (parent, child) =
            (rotation(def.parent) * def.parent_from_joint.rotation, rotation(def.child) * def.child_from_joint.rotation);
        (parent.conjugate() * child).normalize()
    }

    /// How the child turns against the parent (rad/s, world).
    pub fn joint_rate(&self, joint: usize) -> Vec3 {
        let def = &self.topology.joints[joint];
        self.output.bodies[def.child].angular - self.output.bodies[def.parent].angular
    }

    /// m.
    pub fn separation(&self, joint: usize) -> f32 {
        let def = &self.topology.joints[joint];
        let end = |body: usize, at: Vec3| self.output.bodies[body].pose.point(at);
        end(def.parent, def.parent_from_joint.translation).distance(end(def.child, def.child_from_joint.translation))
    }

    /// kg·m/s, and kg·m²/s about the world's origin.
    pub fn momentum(&self) -> (Vec3, Vec3) {
        self.topology.bodies.iter().zip(&self.output.bodies).fold((Vec3::ZERO, Vec3::ZERO), |(linear, angular), (def, body)| {
            let pushed = body.linear * def.mass;
            (linear + pushed, angular + body.pose.translation.cross(pushed) + spun(def, body))
        })
    }

    /// J of motion.
    pub fn energy(&self) -> f32 {
        let of = |(def, body): (&BodyDef, &BodyState)| {
            0.5 * (def.mass * body.linear.length_squared() + body.angular.dot(spun(def, body)))
        };
        self.topology.bodies.iter().zip(&self.output.bodies).map(of).sum()
    }
}

/// A body's own spin (kg·m²/s, world).
fn spun(def: &BodyDef, body: &BodyState) -> Vec3 {
    let axes = body.pose.rotation * def.inertia_frame;
    axes * (def.principal_inertia * (axes.conjugate() * body.angular))
}

/// A solver and its figures.
#[derive(Debug)]
pub struct Stage {
    pub solver: Box<dyn Solver>,
    pub figures: Vec<Actor>,
}

impl Stage {
    pub fn new(backend: Backend, gravity: Vec3) -> Self {
        Self::on(backend.make(gravity))
    }

    pub fn on(solver: Box<dyn Solver>) -> Self {
        Self { solver, figures: Vec::new() }
    }

    /// Puts a figure in, with keys from 100 on; its index.
    pub fn add(&mut self, topology: &Topology, poses: &[Rigid]) -> usize {
        self.add_as(100 + self.figures.len() as u64, topology, poses)
    }

    pub fn add_as(&mut self, key: u64, topology: &Topology, poses: &[Rigid]) -> usize {
        self.solver.add_figure(key, topology, poses);
        self.figures.push(Actor::new(key, topology, poses));
        self.figures.len() - 1
    }

    /// A wide floor, its top at height 0.
    pub fn floor(&mut self, friction: f32, restitution: f32) {
        let pose = Rigid::new(Quat::IDENTITY, Vec3::new(0.0, -0.5, 0.0));
        let shape = Shape::Box(Vec3::new(60.0, 1.0, 60.0));
        self.solver.add_object(GROUND, &ObjectDef { shape, kind: BodyKind::Fixed, pose, mass: 0.0, friction, restitution });
    }

    /// A box that is pushed about.
    pub fn crate_at(&mut self, key: u64, size: Vec3, at: Vec3, mass: f32) {
        let pose = Rigid::new(Quat::IDENTITY, at);
        let (shape, kind) = (Shape::Box(size), BodyKind::Dynamic);
        self.solver.add_object(key, &ObjectDef { shape, kind, pose, mass, friction: 0.6, restitution: 0.0 });
    }

    pub fn step(&mut self) {
        let mut told: Vec<_> = self.figures.iter_mut().map(|actor| (actor.key, &actor.input, &mut actor.output)).collect();
        self.solver.step(DT, &mut told);
        for actor in &mut self.figures {
            actor.input.impulses.clear();
            actor.input.teleport = None;
        }
    }

    pub fn run(&mut self, seconds: f32) {
        for _ in 0..steps(seconds) {
            self.step();
        }
    }

    /// All bits of all bodies, by key.
    pub fn bits(&self) -> Vec<u32> {
        let mut by_key: Vec<_> = self.figures.iter().map(|actor| (actor.key, &actor.output)).collect();
        by_key.sort_by_key(|(key, _)| *key);
        by_key.iter().flat_map(|(_, output)| bits_of(&output.bodies)).collect()
    }
}

/// How many steps that is.
pub fn steps(seconds: f32) -> usize {
    (seconds / DT).round() as usize
}

/// All bits of some bodies.
pub fn bits_of(bodies: &[BodyState]) -> Vec<u32> {
    let numbers = bodies.iter().flat_map(|body| {
        let BodyState { pose, linear, angular } = body;
        pose.rotation
            .to_array()
            .into_iter()
            .chain([pose.translation, *linear, *angular].into_iter().flat_map(|vector| vector.to_array()))
    });
    numbers.map(f32::to_bits).collect()
}

/// At a place, unturned.
pub const fn at(x: f32, y: f32, z: f32) -> Rigid {
    Rigid::new(Quat::IDENTITY, Vec3::new(x, y, z))
}

/// A form in the middle of its body.
pub fn placed(shape: Shape, friction: f32) -> PlacedShape {
    PlacedShape { shape, body_from_shape: Rigid::IDENTITY, friction }
}

/// A body that meets nothing.
pub fn ghost(mass: f32, principal_inertia: Vec3) -> BodyDef {
    BodyDef { mass, principal_inertia, inertia_frame: Quat::IDENTITY, shapes: Vec::new() }
}

/// A solid box's moments of inertia (kg·m²).
pub fn box_inertia(mass: f32, size: Vec3) -> Vec3 {
    let square = size * size;
    Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 12.0)
}

/// A solid box.
pub fn block(mass: f32, size: Vec3, friction: f32) -> BodyDef {
    BodyDef { shapes: vec![placed(Shape::Box(size), friction)], ..ghost(mass, box_inertia(mass, size)) }
}

/// A figure of one body.
pub fn lone(body: BodyDef) -> Topology {
    Topology { bodies: vec![body], joints: Vec::new() }
}

/// Two bodies, joined at an arm from each one's centre; the joint's frames are turned by `frame`.
pub fn pair(bodies: [BodyDef; 2], arms: [Vec3; 2], frame: Quat, kind: JointKind) -> Topology {
    let [parent_from_joint, child_from_joint] = arms.map(|arm| Rigid::new(frame, arm));
    Topology { bodies: bodies.into(), joints: vec![JointDef { parent: 0, child: 1, parent_from_joint, child_from_joint, kind }] }
}

/// Where a topology's bodies are as it stands at rest, the first at a place.
pub fn rest(topology: &Topology, first: Rigid) -> Vec<Rigid> {
    let mut poses = vec![first; topology.bodies.len()];
    for joint in &topology.joints {
        let way = joint.parent_from_joint.translation - joint.child_from_joint.translation;
        poses[joint.child] = poses[joint.parent] * Rigid::new(Quat::IDENTITY, way);
    }
    poses
}

/// Turns every way, almost.
pub const OPEN_BALL: JointKind = JointKind::Ball { swing: [3.0, 3.0], twist: [-3.0, 3.0] };
/// Turns all the way round, almost.
pub const OPEN_HINGE: JointKind = JointKind::Hinge { range: [-3.0, 3.0] };

/// What takes a body's weight off it.
pub fn lift(topology: &Topology, body: usize) -> Force {
    Force { body, force: -GRAVITY * topology.bodies[body].mass, torque: Vec3::ZERO }
}

/// A torque on one body and its opposite on another.
pub fn wrench(on: usize, against: usize, torque: Vec3) -> [Force; 2] {
    [(on, torque), (against, -torque)].map(|(body, torque)| Force { body, force: Vec3::ZERO, torque })
}

/// A push at a body's place in the world.
pub fn push(body: usize, impulse: Vec3, point: Vec3) -> Impulse {
    Impulse { body, impulse, point }
}

/// The person that needs no file.
pub fn person() -> Ragdoll {
    Ragdoll::fit(&stick_person()).expect("a person")
}

/// Numbers without a pattern, −1..1: the same for the same seed.
#[derive(Clone, Debug)]
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / ((1_u32 << 23) as f32) - 1.0
    }

    /// Between two bounds.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (self.number() * 0.5 + 0.5) * (high - low)
    }

    /// Each between −1 and 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// Any rotation.
    pub fn rotation(&mut self) -> Quat {
        simrun_sim::space::rotation_from_vector(self.vector() * 2.5)
    }
}
