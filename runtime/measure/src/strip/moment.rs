//! A figure at one moment, as a strip draws it.

use simrun_sim::figure::{BONES, Bone};
use simrun_sim::motion::Motion;
use simrun_sim::solve::boundary::Shape;
use simrun_sim::space::{Rigid, Vec3, level, rotation_from_yaw, yaw_of};
use simrun_sim::{Error, FigureHandle, World};
use std::f32::consts::TAU;

/// Points around each end of a cylinder.
const ROUND: usize = 16;

/// A body's form, in the world.
#[derive(Clone, Debug)]
pub(super) enum Solid {
    Capsule {
        a: Vec3,
        b: Vec3,
        radius: f32,
    },
    /// Points whose hull it is.
    Hull(Vec<Vec3>),
}

/// A figure at one moment.
#[derive(Clone, Debug)]
pub struct Moment {
    pub(super) time: f64,
    pub(super) phase: &'static str,
    /// Forms of the bodies where they are, with the bone that each belongs to.
    pub(super) bodies: Vec<(Bone, Solid)>,
    /// The same where the animation asks them to be.
    pub(super) target: Vec<(Bone, Solid)>,
    /// What it has in its hands.
    pub(super) held: Option<Solid>,
    /// Places and strengths of contacts: impulse over the step by the figure's weight.
    pub(super) contacts: Vec<(Vec3, f32)>,
    pub(super) support: Vec<Vec3>,
    pub(super) capture_point: Vec3,
    /// Height of the ground under the figure (m).
    pub(super) ground: f32,
    pub(super) pelvis: Vec3,
    /// The way that the figure faces (rad).
    pub(super) yaw: f32,
}

impl Moment {
    /// A figure as it is after a step.
    ///
    /// # Errors
    /// A stale handle, or a figure that has no ragdoll to draw.
    pub fn of(world: &World, figure: FigureHandle) -> Result<Self, Error> {
        let figure = world.figure(figure)?;
        let ragdoll = figure.model.ragdoll.as_ref();
        let ragdoll = ragdoll.map_err(|why| Error::NotHumanoid { figure: figure.name.clone(), why: why.clone() })?;
        let solids = |poses: [Rigid; BONES], bent: [f32; 2]| -> Vec<(Bone, Solid)> {
            let placed = |bone: Bone| ragdoll.forms(bone, poses[bone.index()], bent).map(move |form| (bone, form));
            let placed = Bone::ALL.into_iter().flat_map(placed);
            placed.filter_map(|(bone, (placed, pose))| Some((bone, solid(&placed.shape, &pose)?))).collect()
        };
        let bodies = Bone::ALL.map(|bone| figure.bone(bone));
        let pelvis = bodies[0].translation;
        // The lowest: under the pelvis of one who sits is a seat.
        let under = [Bone::Pelvis, Bone::ShinL, Bone::ShinR].map(|bone| world.ground_under(bodies[bone.index()].translation));
        let weight = ragdoll.mass * world.settings().gravity.length().max(0.1) * world.dt();
        Ok(Self {
            time: world.time(),
            phase: figure.phase().name(),
            bodies: solids(bodies, figure.bent()),
            held: figure.motion.as_ref().and_then(|motion| held(world, motion)),
            target: solids(figure.target.bodies, figure.target.bent),
            contacts: figure.solved.contacts.iter().map(|contact| (contact.point, contact.impulse / weight)).collect(),
            support: figure.senses.support.clone(),
            capture_point: level(figure.senses.capture_point),
            ground: under.into_iter().flatten().reduce(f32::min).unwrap_or(0.0),
            pelvis,
            yaw: yaw_of(figure.place.rotation),
        })
    }

    /// Seconds of simulation.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }
}

fn held(world: &World, motion: &Motion) -> Option<Solid> {
    let item = world.object(motion.holds()?.item).ok()?;
    solid(&item.shape, &item.pose)
}

fn solid(shape: &Shape, pose: &Rigid) -> Option<Solid> {
    match shape {
        Shape::Capsule { a, b, radius } => Some(Solid::Capsule { a: pose.point(*a), b: pose.point(*b), radius: *radius }),
        Shape::Sphere(radius) => Some(Solid::Capsule { a: pose.translation, b: pose.translation, radius: *radius }),
        Shape::Box(size) => {
            let sign = |corner: usize, bit: usize| if corner & bit == 0 { -0.5 } else { 0.5 };
            let corner = |corner| pose.point(*size * Vec3::new(sign(corner, 1), sign(corner, 2), sign(corner, 4)));
            Some(Solid::Hull((0..8).map(corner).collect()))
        }
        Shape::Cylinder { height, radius } => {
            let around = |index: usize| rotation_from_yaw(index as f32 / ROUND as f32 * TAU) * (Vec3::Z * *radius);
            let ends = [-0.5, 0.5].into_iter().flat_map(|end| (0..ROUND).map(move |index| (end, index)));
            Some(Solid::Hull(ends.map(|(end, index)| pose.point(around(index).with_y(end * height))).collect()))
        }
        _ => None,
    }
}
