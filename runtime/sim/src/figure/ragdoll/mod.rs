//! The twelve bodies and eleven joints that fit a rig, from its rest pose.
//!
//! [`landmarks`] measures the rig, [`bodies`] builds around it, [`joints`] says what may turn how far, [`nodes`] goes between the
//! rig's nodes and the bodies. [`ankles`] hangs the feet from joints of their own, where that is asked for.

pub(crate) mod ankles;
mod bodies;
mod inertia;
mod joints;
mod landmarks;
mod nodes;
mod reach;
mod stance;

pub use ankles::Ankles;
pub(crate) use ankles::SHINS;

use crate::figure::rig::Rig;
use crate::figure::roles::{self, NoRagdoll, Role, Scheme};
use crate::figure::{BONES, Bone};
use crate::solve::boundary::Topology;
use crate::space::{Mat4, Quat, Rigid, Vec3};
use serde::{Deserialize, Serialize};

/// An active ragdoll's definition.
///
/// The *figure's frame* is metres, Y up, facing +Z, ground under the soles at Y = 0, origin under the middle of the feet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ragdoll {
    /// How the rig names its nodes.
    pub scheme: Scheme,
    /// Metres, soles to crown at rest.
    pub height: f32,
    /// Kilograms in all.
    pub mass: f32,
    /// Bodies and joints for the solver, in the order of [`Bone::ALL`]; joint `i` hangs bone `i + 1`.
    pub topology: Topology,
    /// Torque budget of each bone's joint to its parent (N·m); 0 for the pelvis.
    pub budgets: [f32; BONES],
    /// Figure from body at rest: rotations are the identity.
    pub rest: [Rigid; BONES],
    /// Each bone's joint to its parent at rest, in the figure's frame (m); the pelvis's is its node.
    pub joint_at: [Vec3; BONES],
    /// The far end of each bone at rest, in the figure's frame (m): wrist for the forearm, ankle for the shin, crown for the head.
    pub tip_at: [Vec3; BONES],
    /// Middle of each palm, left and right, in the forearm body's frame (m).
    pub palms: [Vec3; 2],
    /// The four corners of each sole's underside, left and right, in the shin body's frame (m): heel left, heel right, toe left, toe right.
    pub soles: [[Vec3; 4]; 2],
    /// Body rotations in the *neutral* pose: standing as at rest with flat soles, arms hanging straight, palms in. The same
    /// posture for every rig, so a rotation taken from it means the same on all of them.
    pub neutral: [Quat; BONES],
    /// The rig's node that each bone drives.
    pub nodes: [usize; BONES],
    /// Rotation of those nodes at rest, in the figure's frame.
    pub node_rest: [Quat; BONES],
    /// Figure from model: scale to metres, turn to face +Z, feet on the ground.
    ///
    /// A figure that measures 1 to 2.5 m keeps its size; one that would in centimetres or millimetres, or at a hundred times its
    /// size, is taken to be written so; any other is made 1.75 m tall.
    pub figure_from_model: Mat4,
    /// How its feet hang from ankles of their own, if they do.
    pub ankles: Option<Box<Ankles>>,
    /// The turn in `figure_from_model`.
    figure_rotation: Quat,
    /// The node that turns to give each of `nodes` its rotation: itself, or the neck for the head.
    turners: [usize; BONES],
}

/// How a figure is made: how tall, how heavy, and whether its feet hang from ankles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Build {
    /// Metres, soles to crown: all lengths grow with it. `None`: as tall as the rig is.
    pub height: Option<f32>,
    /// Kilograms in all. `None`: those of the usual person's body mass index (24.5) at this height.
    pub mass: Option<f32>,
    /// Whether its feet hang from ankles of their own; else they are rigid on their shins.
    pub ankles: bool,
}

impl Ragdoll {
    /// Fits a ragdoll to a rig's rest pose.
    ///
    /// # Errors
    /// A rig that is no humanoid in a known naming, or whose rest pose does not stand.
    pub fn fit(rig: &Rig) -> Result<Self, NoRagdoll> {
        Self::fit_built(rig, Build::default())
    }

    /// Fits a ragdoll that is built so to a rig's rest pose: budgets grow with mass × height, the added inertia with mass × height². Clips go
    /// as much farther as it is taller.
    ///
    /// # Errors
    /// A rig that is no humanoid in a known naming, or whose rest pose does not stand; a size that is not above 0.
    pub fn fit_built(rig: &Rig, build: Build) -> Result<Self, NoRagdoll> {
        let (scheme, roles) = roles::find(rig)?;
        let above_0 = |number: Option<f32>| number.is_none_or(|number| number.is_finite() && number > 0.0);
        if !above_0(build.height) || !above_0(build.mass) {
            let why = format!("{build:?}; accepted: metres and kilograms above 0");
            return Err(NoRagdoll::because(scheme, why));
        }
        let marks = landmarks::measure(rig, scheme, &roles)?;
        let marks = match build.height {
            None => marks,
            Some(height) => marks.made(height),
        };
        let built = bodies::build(&marks, build.mass.unwrap_or_else(|| bodies::usual_mass(marks.height)));
        let straight = joints::straight(&marks);
        let joints = joints::build(&marks, &built.rest, &straight);
        // `find` has seen that every role asked for here has a node.
        let node = |role: Role| roles[role as usize].unwrap_or_default();
        let head = roles[Role::Head as usize].unwrap_or_else(|| node(Role::Neck));
        let neck = roles[Role::Neck as usize].unwrap_or(head);
        let nodes = Bone::ALL.map(|bone| if bone == Bone::Head { head } else { node(role_of(bone)) });
        let turners = Bone::ALL.map(|bone| if bone == Bone::Head { neck } else { nodes[bone.index()] });
        let (_, figure_rotation, _) = marks.figure_from_model.to_scale_rotation_translation();
        let world = nodes::rotations(rig, &rig.rest(), figure_rotation);
        let ragdoll = Self {
            scheme,
            height: marks.height,
            mass: built.mass,
            budgets: joints::budgets(built.mass, marks.height),
            topology: Topology { bodies: built.defs, joints },
            rest: built.rest,
            neutral: stance::neutral(&straight),
            joint_at: marks.joint_at,
            tip_at: marks.tip_at,
            palms: built.palms,
            soles: built.soles,
            node_rest: nodes.map(|node| world[node]),
            nodes,
            figure_from_model: marks.figure_from_model,
            figure_rotation,
            turners,
            ankles: None,
        };
        let feet = [Role::FootL, Role::FootR].map(|role| roles[role as usize]);
        let ankles = build.ankles.then(|| Box::new(ankles::hang(&ragdoll, built.legs, marks.toes, feet, &world)));
        Ok(Self { ankles, ..ragdoll })
    }

    /// Whether every node that it drives is among the first `nodes`.
    pub(crate) fn drives_only(&self, nodes: usize) -> bool {
        let bends = self.ankles.as_ref().is_none_or(|ankles| ankles.bends_only(nodes));
        bends && self.nodes.iter().chain(&self.turners).all(|node| *node < nodes)
    }

    /// Rotation of each joint's child in its parent.
    #[must_use]
    pub fn joint_rotations(bodies: &[Rigid; BONES]) -> [Quat; BONES] {
        let mut out = [Quat::IDENTITY; BONES];
        for bone in Bone::ALL {
            let own = bodies[bone.index()].rotation;
            out[bone.index()] = bone.parent().map_or(own, |parent| bodies[parent.index()].rotation.conjugate() * own);
        }
        out
    }
}

/// The role whose node a bone drives.
const fn role_of(bone: Bone) -> Role {
    match bone {
        Bone::Pelvis => Role::Hips,
        Bone::Spine => Role::Spine,
        Bone::Chest => Role::Chest,
        Bone::Head => Role::Head,
        Bone::UpperArmL => Role::ArmL,
        Bone::ForearmL => Role::ForearmL,
        Bone::UpperArmR => Role::ArmR,
        Bone::ForearmR => Role::ForearmR,
        Bone::ThighL => Role::ThighL,
        Bone::ShinL => Role::ShinL,
        Bone::ThighR => Role::ThighR,
        Bone::ShinR => Role::ShinR,
    }
}
