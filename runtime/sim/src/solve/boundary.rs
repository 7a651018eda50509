//! The boundary of SOLVE: plain data in, plain data out, whatever solver stands behind it.
//!
//! No type of a physics library crosses it. The solver is given *targets* (a pose to be at, a velocity to have there, a time
//! constant, a budget), never motor velocities: how a target becomes rows is the solver's own affair.
//!
//! Frames: a body's frame has its origin at the body's centre of mass and the figure's axes at rest (so every body's rotation
//! is the identity when the figure stands at rest facing +Z). A joint's frames have their X axis along the twist axis.

use crate::profile::SolveParts;
use crate::space::{Quat, Rigid, Vec3};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A form, in its body's frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Full sizes along X, Y, Z (m).
    Box(Vec3),
    /// Radius (m).
    Sphere(f32),
    /// Two end points (m) and a radius (m).
    Capsule {
        /// One end of the axis.
        a: Vec3,
        /// The other.
        b: Vec3,
        /// Radius (m).
        radius: f32,
    },
    /// Along Y.
    Cylinder {
        /// Full height (m).
        height: f32,
        /// Radius (m).
        radius: f32,
    },
    /// The half-space below Y = 0 of its frame.
    Plane,
    /// Heights over an X–Z grid.
    Heightfield {
        /// Number of rows along Z; columns follow from the heights' count.
        rows: usize,
        /// Row by row (m).
        heights: Vec<f32>,
        /// Full extents along X and Z and the factor on heights.
        size: Vec3,
    },
    /// Triangles.
    Mesh {
        /// Corner points (m).
        points: Vec<Vec3>,
        /// Three indices a triangle.
        triangles: Vec<[u32; 3]>,
    },
}

impl Shape {
    /// The least and the most that it reaches along X, Y and Z of its frame (m); `None` of one without bounds, and of a surface.
    #[must_use]
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let around = |half: Vec3| Some([-half, half]);
        match self {
            Self::Box(size) => around(*size * 0.5),
            Self::Sphere(radius) => around(Vec3::splat(*radius)),
            Self::Capsule { a, b, radius } => Some([a.min(*b) - Vec3::splat(*radius), a.max(*b) + Vec3::splat(*radius)]),
            Self::Cylinder { height, radius } => around(Vec3::new(*radius, height * 0.5, *radius)),
            Self::Plane | Self::Heightfield { .. } | Self::Mesh { .. } => None,
        }
    }
}

/// A form with its place in the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedShape {
    /// The form.
    pub shape: Shape,
    /// Body from shape.
    pub body_from_shape: Rigid,
    /// Coulomb coefficient.
    pub friction: f32,
}

/// A body of a figure, once a topology.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDef {
    /// Kilograms.
    pub mass: f32,
    /// Principal moments of inertia about the centre of mass (kg·m²).
    pub principal_inertia: Vec3,
    /// Body from principal axes.
    pub inertia_frame: Quat,
    /// Forms it collides with; they add no mass.
    pub shapes: Vec<PlacedShape>,
}

/// What a joint lets its child do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointKind {
    /// Three ways to turn, within an elliptic cone and a twist.
    Ball {
        /// Half-angles of the cone about the joint frame's Y and Z axes (rad).
        swing: [f32; 2],
        /// The least and the most twist about X (rad).
        twist: [f32; 2],
    },
    /// One way, about X.
    Hinge {
        /// The least and the most angle (rad).
        range: [f32; 2],
    },
    /// None.
    Weld,
}

/// A joint, once a topology.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointDef {
    /// Index of the body it hangs from.
    pub parent: usize,
    /// Index of the body that hangs; every body but the first is the child of one joint.
    pub child: usize,
    /// Parent body from joint.
    pub parent_from_joint: Rigid,
    /// Child body from joint. Both frames meet at the middle of the joint's range: twist and swing are zero there.
    pub child_from_joint: Rigid,
    /// What it lets the child do.
    pub kind: JointKind,
}

/// A figure's bodies and joints: what the solver is told once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Topology {
    /// Parents before children.
    pub bodies: Vec<BodyDef>,
    /// Joint `i` has body `i + 1` as its child.
    pub joints: Vec<JointDef>,
}

/// How an object moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Never.
    Fixed,
    /// As it is told; nothing pushes it.
    Kinematic,
    /// As it is pushed.
    Dynamic,
}

/// How a muscle brings its joint to its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pull {
    /// In so many seconds (above 0), whatever hangs on the joint.
    Servo(f32),
    /// As a spring and a damper: what hangs on the joint swings slower than the two bodies that it holds.
    Spring {
        /// Frequency of the two bodies alone (Hz, above 0).
        hz: f32,
        /// Their damping ratio; 1: critical.
        ratio: f32,
    },
}

/// What one joint's muscle shall do in this step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointTarget {
    /// The child body's rotation in the parent body's frame, at the step's start.
    pub rotation: Quat,
    /// How the target itself turns over the step (rad/s, parent's frame).
    pub velocity: Vec3,
    /// How it is brought there.
    pub pull: Pull,
    /// The most torque (N·m); for a ball the norm over its axes. 0: no muscle.
    pub budget: f32,
}

/// Axes of the world along or about which an anchor holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axes {
    /// Along or about world X.
    pub x: bool,
    /// Along or about world Y.
    pub y: bool,
    /// Along or about world Z.
    pub z: bool,
}

impl Axes {
    /// None of them.
    pub const NONE: Self = Self { x: false, y: false, z: false };
    /// All of them.
    pub const ALL: Self = Self { x: true, y: true, z: true };
    /// The level ones.
    pub const LEVEL: Self = Self { x: true, y: false, z: true };
    /// The vertical one.
    pub const VERTICAL: Self = Self { x: false, y: true, z: false };
}

/// A pull from outside on one body of a figure: balance, heading, a clip that is followed. Its other end is the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Index of the body.
    pub body: usize,
    /// Where it holds the body's centre.
    pub linear: Axes,
    /// About which axes it holds the body's turn.
    pub angular: Axes,
    /// World from body, as wanted at the step's start.
    pub target: Rigid,
    /// m/s of the target.
    pub linear_velocity: Vec3,
    /// rad/s of the target.
    pub angular_velocity: Vec3,
    /// Seconds in which the gap closes.
    pub tau: f32,
    /// The most turn rate that a gap may ask for (rad/s).
    pub rate_cap: f32,
    /// The most force (N): the norm over its axes.
    pub max_force: f32,
    /// The most torque (N·m): the norm over its axes.
    pub max_torque: f32,
}

/// An impulse at the step's start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// Index of the body.
    pub body: usize,
    /// N·s, world.
    pub impulse: Vec3,
    /// World, m.
    pub point: Vec3,
}

/// A pull over the whole step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Force {
    /// Index of the body.
    pub body: usize,
    /// N at the body's centre, world.
    pub force: Vec3,
    /// N·m, world.
    pub torque: Vec3,
}

/// What the solver is told of one figure each step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FigureInput {
    /// Sub-steps a step; 0 parks the figure.
    pub substeps: usize,
    /// Additional sweeps over the rows a sub-step.
    pub sweeps: usize,
    /// Joint `i`'s muscle. DRIVE writes it anew each step: no snapshot holds it.
    #[serde(skip)]
    pub joints: Vec<JointTarget>,
    /// In any order; as `joints`.
    #[serde(skip)]
    pub anchors: Vec<Anchor>,
    /// At the step's start.
    pub impulses: Vec<Impulse>,
    /// Over the whole step.
    pub forces: Vec<Force>,
    /// Whether the figure may fall asleep once it is still.
    pub may_sleep: bool,
    /// World poses and velocities (linear, angular) to put the bodies at first; one a body, or none.
    pub teleport: Option<Vec<(Rigid, Vec3, Vec3)>>,
    /// Bodies that collide with the others of the figure: two do where either is one.
    pub self_contacts: BodySet,
    /// Bodies that collide with what never moves.
    pub fixed_contacts: BodySet,
    /// Objects that the figure passes through in this step, by the object's key.
    pub pass_through: Vec<u64>,
}

/// Some of a figure's bodies: a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodySet(u32);

impl BodySet {
    /// All of them.
    pub const ALL: Self = Self(u32::MAX);
    /// None of them.
    pub const NONE: Self = Self(0);

    /// All, or none.
    #[must_use]
    pub const fn all_if(all: bool) -> Self {
        if all { Self::ALL } else { Self::NONE }
    }

    /// Those of which something is true.
    #[must_use]
    pub fn of(is: impl Fn(usize) -> bool) -> Self {
        Self((0..u32::BITS).filter(|body| is(*body as usize)).fold(0, |bits, body| bits | 1 << body))
    }

    /// Whether a body is among them.
    #[must_use]
    pub const fn has(self, body: usize) -> bool {
        self.0 >> body & 1 != 0
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, body: usize) -> Self {
        Self(self.0 | 1 << body)
    }

    /// Those in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// As a number, a bit a body.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// A body after the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// World from body.
    pub pose: Rigid,
    /// m/s of the centre of mass.
    pub linear: Vec3,
    /// rad/s, world.
    pub angular: Vec3,
}

impl BodyState {
    /// Farther from the origin (m) single precision places nothing to the millimetre; nobody is moved there.
    const FARTHEST: f32 = 20_000.0;
    /// Faster than anything here gets (m/s): the speed of sound. Commands are refused from 300 on; rapier caps at 400.
    const FASTEST: f32 = 343.0;
    /// Turns faster than anything here gets (rad/s).
    const FASTEST_TURN: f32 = 100_000.0;

    /// Whether its numbers can be those of a body: finite, and not beyond all measure.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        // Written so that NaN fails every comparison.
        let within = |vector: Vec3, most: f32| vector.length_squared() <= most * most;
        self.pose.rotation.is_finite()
            && within(self.pose.translation, Self::FARTHEST)
            && within(self.linear, Self::FASTEST)
            && within(self.angular, Self::FASTEST_TURN)
    }
}

/// A joint after the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// Torque that the muscle used at the step's end (N·m).
    pub torque: f32,
    /// Distance between the joint's two ends (m).
    pub separation: f32,
    /// What the muscle did in the step (J): less than 0 where it braked.
    pub work: f32,
}

/// What a body of a figure touches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Touched {
    /// An object, by its key.
    Object(u64),
    /// A figure's body, by the figure's key.
    Figure(u64, usize),
}

/// A contact of a figure's body after the step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Index of the body.
    pub body: usize,
    /// The other side.
    pub other: Touched,
    /// World, m.
    pub point: Vec3,
    /// Unit, world, out of the other side into the body.
    pub normal: Vec3,
    /// N·s over the step, along the normal.
    pub impulse: f32,
    /// Coulomb coefficient between the two.
    pub friction: f32,
    /// How fast the two closed at the step's start, along the normal (m/s, 0 when they part).
    pub closing: f32,
    /// The pair did not touch in the step before.
    pub fresh: bool,
}

/// What the solver says of one figure after the step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FigureOutput {
    /// In the topology's order.
    pub bodies: Vec<BodyState>,
    /// In the topology's order.
    pub joints: Vec<JointState>,
    /// Anchor `i`'s impulse over the step: linear (N·s) and angular (N·m·s) norms.
    pub anchors: Vec<(f32, f32)>,
    /// Ordered by body, then by what they touch.
    pub contacts: Vec<Contact>,
    /// It was still, and was not solved.
    pub asleep: bool,
}

/// An object as the solver is told of it once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectDef {
    /// Its form.
    pub shape: Shape,
    /// How it moves.
    pub kind: BodyKind,
    /// World from object.
    pub pose: Rigid,
    /// Kilograms, for a dynamic one.
    pub mass: f32,
    /// Coulomb coefficient.
    pub friction: f32,
    /// Share of the closing speed that comes back, 0..=1.
    pub restitution: f32,
}

/// What a ray meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayContact {
    /// m along the ray.
    pub distance: f32,
    /// Unit, world.
    pub normal: Vec3,
    /// What it met; of a figure, with the body's index.
    pub what: Touched,
}

/// A figure's body near an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Index of the nearest body.
    pub body: usize,
    /// Metres between the two; 0 when they overlap.
    pub distance: f32,
    /// Nearest point on the body (world, m).
    pub on_body: Vec3,
    /// Nearest point on the object (world, m).
    pub on_object: Vec3,
}

/// What a solver holds, by the caller's keys, in any order.
#[derive(Clone, Copy, Debug)]
pub struct Holds<'a> {
    /// Figures, each with how many bodies it has.
    pub figures: &'a [(u64, usize)],
    /// Objects.
    pub objects: &'a [u64],
}

/// What stands behind the boundary. Figures and objects go by the caller's 64-bit keys.
///
/// A figure's bits depend on its own island's inputs alone: never on the order of insertion, the thread or who else is there.
pub trait Solver: std::fmt::Debug + Send {
    /// Puts a figure's bodies and joints in; `poses` are world from body.
    fn add_figure(&mut self, key: u64, topology: &Topology, poses: &[Rigid]);
    /// Takes a figure out with all it has.
    fn remove_figure(&mut self, key: u64);
    /// Puts an object in.
    fn add_object(&mut self, key: u64, object: &ObjectDef);
    /// Takes an object out.
    fn remove_object(&mut self, key: u64);
    /// Puts an object elsewhere, at once.
    fn place_object(&mut self, key: u64, pose: Rigid);
    /// Gives an object a velocity (m/s, rad/s): a kinematic one keeps it.
    fn move_object(&mut self, key: u64, linear: Vec3, angular: Vec3);
    /// Pushes a dynamic object (N·s at a world point; `None`: its centre).
    fn push_object(&mut self, key: u64, impulse: Vec3, point: Option<Vec3>);
    /// World from object, m/s, rad/s.
    fn object(&self, key: u64) -> Option<BodyState>;
    /// Takes a figure out of the world of contacts and blows, or puts it back at rest in these poses (world from body).
    fn freeze(&mut self, key: u64, at: &[Rigid], frozen: bool);
    /// How many threads the pool has that steps run in; the results do not depend on it.
    fn set_threads(&mut self, _threads: usize) {}
    /// All that the solver knows, so that a solver that loads it goes on with the same bits.
    fn save(&self) -> Vec<u8>;
    /// Becomes the solver that saved these bytes, which held these figures and objects.
    ///
    /// # Errors
    /// Bytes of another build or another solver, or of one that held something else; nothing has changed.
    fn load(&mut self, bytes: &[u8], holds: Holds<'_>) -> Result<(), String>;
    /// One step of `dt` seconds. `figures` pairs a key with its input and output, in any order.
    fn step(&mut self, dt: f32, figures: &mut [(u64, &FigureInput, &mut FigureOutput)]);
    /// The first thing that a ray meets; with `fixed_only`, the first that never moves.
    fn raycast(&self, from: Vec3, direction: Vec3, reach: f32, fixed_only: bool) -> Option<RayContact>;
    /// The body of a figure that is nearest to an object, if any is within `margin` (m).
    fn gap(&self, figure: u64, object: u64, margin: f32) -> Option<Gap>;
    /// How far (m) forms, each placed in the world, can go straight down together before one of them meets an object other than `but`, and
    /// which; `None` if they meet none within `reach` (m).
    fn cast_down(&self, forms: &[(&Shape, Rigid)], reach: f32, but: Option<u64>) -> Option<(f32, u64)>;
    /// Gives it a clock to time its parts with, or takes it away; results never depend on it.
    fn set_clock(&mut self, _clock: Option<fn() -> Duration>) {}
    /// Time that the last step took in each part; zero without a clock, and for solvers that have no such parts.
    fn parts(&self) -> SolveParts {
        SolveParts::default()
    }
}
