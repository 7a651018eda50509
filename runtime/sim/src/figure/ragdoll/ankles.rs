//! Feet that hang from ankles of their own.
//!
//! Everywhere but in the solver a shin has its foot on it, as it has without ankles, and beside that each foot is *bent* by an angle: what knows
//! nothing of ankles sees a foot that is rigid on its shin. The solver has two bodies more, and shins without feet.

use super::Ragdoll;
use crate::figure::rig::{Rig, Transform};
use crate::figure::{BONES, Bone};
use crate::solve::boundary::{Anchor, BodyDef, BodyState, JointDef, JointKind, PlacedShape, Shape, Topology};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_from_yaw};
use serde::{Deserialize, Serialize};

/// The bones that feet hang from, left and right.
pub(crate) const SHINS: [Bone; 2] = [Bone::ShinL, Bone::ShinR];

/// How far ankles bend up and down (rad): 20° and 50° (AAOS 1965).
const BENDS: [f32; 2] = [-0.35, 0.87];
/// Torque (N·m) of an ankle of a person of 75 kg and 1.75 m: people's, pressing down.
const BUDGET: f32 = 120.0;
/// Least part of a foot's length that is seen from the side, where its slope is asked for: a shin that lies flat has none.
const LEAST_ALONG: f32 = 0.1;

/// How the feet of a figure hang from their ankles; left and right.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ankles {
    /// What the solver is told: the bodies of the bones in their order, then both feet.
    pub topology: Topology,
    /// Torque budget of an ankle (N·m).
    pub budget: f32,
    /// The mass centre of a shin without its foot, in the shin body's frame (m).
    shins: [Vec3; 2],
    /// The ankle in the shin body's frame (m).
    at: [Vec3; 2],
    /// Axis about which a foot bends, in the shin body's frame (unit): positive, the toes go down.
    axes: [Vec3; 2],
    /// The way the toes point at no bend, in the shin body's frame (unit).
    ahead: [Vec3; 2],
    /// The rig's nodes that are feet, and their rotations at rest in the figure's frame; a rig without them shows no bend.
    nodes: [Option<usize>; 2],
    node_rest: [Quat; 2],
}

/// A leg that is built of two bodies.
#[derive(Debug)]
pub struct Leg {
    /// The shin without its foot, and where its mass centre is in the figure's frame at rest (m).
    pub shin: (BodyDef, Vec3),
    /// The same of the foot.
    pub foot: (BodyDef, Vec3),
}

/// The solver's body of a foot.
const fn foot_body(side: usize) -> usize {
    BONES + side
}

/// Hangs the feet of two legs from a ragdoll's shins.
pub(super) fn hang(ragdoll: &Ragdoll, legs: [Leg; 2], toes: [Vec3; 2], nodes: [Option<usize>; 2], world: &[Quat]) -> Ankles {
    let mut topology = ragdoll.topology.clone();
    let rest = |bone: Bone| ragdoll.rest[bone.index()].translation;
    let mut ankles = Ankles {
        topology: Topology { bodies: Vec::new(), joints: Vec::new() },
        budget: BUDGET * ragdoll.size(),
        shins: [Vec3::ZERO; 2],
        at: [Vec3::ZERO; 2],
        axes: [Vec3::X; 2],
        ahead: toes,
        nodes,
        node_rest: nodes.map(|node| node.map_or(Quat::IDENTITY, |node| world[node])),
    };
    for (side, leg) in legs.into_iter().enumerate() {
        let bone = SHINS[side];
        let (ankle, turn) = (ragdoll.tip_at[bone.index()], rotation_from_yaw(libm::atan2f(toes[side].x, toes[side].z)));
        ankles.shins[side] = leg.shin.1 - rest(bone);
        ankles.at[side] = ankle - rest(bone);
        ankles.axes[side] = turn * Vec3::X;
        topology.bodies[bone.index()] = leg.shin.0;
        topology.joints[bone.index() - 1].child_from_joint.translation -= ankles.shins[side];
        topology.bodies.push(leg.foot.0);
        topology.joints.push(JointDef {
            parent: bone.index(),
            child: foot_body(side),
            parent_from_joint: Rigid::new(turn, ankle - leg.shin.1),
            child_from_joint: Rigid::new(turn, ankle - leg.foot.1),
            kind: JointKind::Hinge { range: BENDS },
        });
    }
    ankles.topology = topology;
    ankles
}

impl Ankles {
    /// The side whose foot hangs from a bone.
    pub(crate) fn side_of(bone: Bone) -> Option<usize> {
        SHINS.iter().position(|shin| *shin == bone)
    }

    /// Bent and unbent again: where what is on an unbent foot comes to, in the shin body's frame.
    #[must_use]
    pub fn bend(&self, side: usize, angle: f32) -> Rigid {
        let rotation = rotation_from_vector(self.axes[side] * angle);
        Rigid::new(rotation, self.at[side] - rotation * self.at[side])
    }

    /// By how much (rad) a foot is bent that is turned so against its shin.
    #[must_use]
    pub fn angle(&self, side: usize, shin_from_foot: Quat) -> f32 {
        let sine = shin_from_foot.xyz().dot(self.axes[side]);
        2.0 * libm::atan2f(sine, shin_from_foot.w).clamp(-1.0e3, 1.0e3)
    }

    /// The bend (rad), as far as an ankle goes, that gives a foot on a shin turned `shin` the slope that one has that is bent by `bent` on a
    /// shin turned `like`.
    #[must_use]
    pub fn bend_as(&self, side: usize, shin: Quat, like: Quat, bent: f32) -> f32 {
        let [own, other] = [shin, like].map(|turn| {
            let (ahead, axis) = (turn * self.ahead[side], turn * self.axes[side]);
            libm::atan2f(ahead.y, (-axis.cross(ahead).y).max(LEAST_ALONG))
        });
        (own - other + bent).clamp(BENDS[0], BENDS[1])
    }

    /// Whether its nodes are among the first `nodes`.
    pub(crate) fn bends_only(&self, nodes: usize) -> bool {
        self.nodes.iter().flatten().all(|node| *node < nodes)
    }

    /// The bodies as the solver has them, of bodies whose feet are bent so and turn with their shins.
    pub(crate) fn to_solver(&self, bodies: &[(Rigid, Vec3, Vec3)], bent: [f32; 2]) -> Vec<(Rigid, Vec3, Vec3)> {
        let mut out = bodies.to_vec();
        for (side, shin) in SHINS.into_iter().enumerate() {
            let Some((pose, linear, angular)) = bodies.get(shin.index()).copied() else { continue };
            let moved = |to: Rigid| (to, linear + angular.cross(to.translation - pose.translation), angular);
            out[shin.index()] = moved(Rigid::new(pose.rotation, pose.point(self.shins[side])));
            let joint = &self.topology.joints[foot_body(side) - 1];
            let rotation = pose.rotation * self.bend(side, bent[side]).rotation;
            // Foot from ankle, in the foot's frame, which at no bend is the shin's.
            let foot = pose.point(self.at[side]) - rotation * joint.child_from_joint.translation;
            out.push(moved(Rigid::new(rotation, foot)));
        }
        out
    }

    /// What pulls a shin with its foot, as it pulls the solver's shin and, turned so against it, the foot: each by its share of the mass.
    pub(crate) fn split(&self, side: usize, anchor: &Anchor, shin_from_foot: Quat) -> [Anchor; 2] {
        let bodies = [anchor.body, foot_body(side)];
        let masses = bodies.map(|body| self.topology.bodies[body].mass);
        let joint = &self.topology.joints[foot_body(side) - 1];
        let Rigid { rotation, .. } = anchor.target;
        // Both from the shin body's centre, turned as it is.
        let foot = self.at[side] - shin_from_foot * joint.child_from_joint.translation;
        let places = [Rigid::new(Quat::IDENTITY, self.shins[side]), Rigid::new(shin_from_foot, foot)];
        [0, 1].map(|part| {
            let share = masses[part] / (masses[0] + masses[1]);
            Anchor {
                body: bodies[part],
                target: anchor.target * places[part],
                linear_velocity: anchor.linear_velocity + anchor.angular_velocity.cross(rotation * places[part].translation),
                max_force: anchor.max_force * share,
                max_torque: anchor.max_torque * share,
                ..*anchor
            }
        })
    }

    /// The bodies of the bones, of what the solver says, and how far each foot is bent.
    pub(crate) fn of_solver(&self, bodies: &[BodyState]) -> Option<([BodyState; BONES], [f32; 2])> {
        let mut out = <[BodyState; BONES]>::try_from(bodies.get(..BONES)?).ok()?;
        let mut bent = [0.0; 2];
        for (side, shin) in SHINS.into_iter().enumerate() {
            let (state, foot) = (&mut out[shin.index()], bodies.get(foot_body(side))?);
            let off = state.pose.rotation * self.shins[side];
            state.pose.translation -= off;
            state.linear -= state.angular.cross(off);
            bent[side] = self.angle(side, (state.pose.rotation.conjugate() * foot.pose.rotation).normalize());
        }
        Some((out, bent))
    }
}

impl Ragdoll {
    /// The forms of a bone whose body is there, and where each is; a shin's foot bent as said (rad, left and right; 0 without ankles).
    pub fn forms(&self, bone: Bone, body: Rigid, bent: [f32; 2]) -> impl Iterator<Item = (&PlacedShape, Rigid)> {
        let side = Ankles::side_of(bone).filter(|side| bent[*side] != 0.0);
        let bend = side.zip(self.ankles.as_ref()).map(|(side, ankles)| ankles.bend(side, bent[side]));
        self.topology.bodies[bone.index()].shapes.iter().map(move |placed| {
            let bend = bend.filter(|_| matches!(placed.shape, Shape::Box(_))).unwrap_or(Rigid::IDENTITY);
            (placed, body * bend * placed.body_from_shape)
        })
    }

    /// The corners of a sole's underside (world, m) on a shin whose body is there, bent by so much at its ankle (rad; 0 without ankles).
    #[must_use]
    pub fn sole(&self, side: usize, shin: Rigid, bent: f32) -> [Vec3; 4] {
        let bend = self.ankles.as_ref().filter(|_| bent != 0.0).map_or(Rigid::IDENTITY, |ankles| ankles.bend(side, bent));
        self.soles[side].map(|corner| shin.point(bend.point(corner)))
    }

    /// How far (rad) each foot is bent in local transforms of the rig's nodes, of which these are the bodies (figure's frame); 0 without ankles.
    pub(crate) fn bends_of(&self, rig: &Rig, locals: &[Transform], bodies: &[Rigid; BONES]) -> [f32; 2] {
        let Some(ankles) = &self.ankles else { return [0.0; 2] };
        [0, 1].map(|side| {
            let Some(node) = ankles.nodes[side] else { return 0.0 };
            let foot = self.turn_above(rig, locals, node) * locals[node].rotation * ankles.node_rest[side].conjugate();
            let shin = bodies[SHINS[side].index()].rotation;
            ankles.angle(side, (shin.conjugate() * foot).normalize())
        })
    }

    /// Bends the feet of a rig's local transforms by so much more (rad, left and right), whose bodies are these (figure's frame).
    pub(crate) fn bend_nodes(&self, rig: &Rig, bodies: &[Rigid; BONES], by: [f32; 2], locals: &mut [Transform]) {
        let Some(ankles) = &self.ankles else { return };
        for (side, shin) in SHINS.into_iter().enumerate() {
            let Some(node) = ankles.nodes[side] else { continue };
            let (shin, above) = (bodies[shin.index()].rotation, self.turn_above(rig, locals, node));
            let turn = shin * ankles.bend(side, by[side]).rotation * shin.conjugate();
            locals[node].rotation = (above.conjugate() * turn * above * locals[node].rotation).normalize();
        }
    }

    /// Rotation of a node's parent in the figure's frame.
    fn turn_above(&self, rig: &Rig, locals: &[Transform], node: usize) -> Quat {
        let mut out = Quat::IDENTITY;
        let mut at = rig.nodes[node].parent;
        while let Some(above) = at {
            out = locals[above].rotation * out;
            at = rig.nodes[above].parent;
        }
        (self.figure_rotation * out).normalize()
    }

    /// What the solver is told of it.
    #[must_use]
    pub fn solved(&self) -> &Topology {
        self.ankles.as_ref().map_or(&self.topology, |ankles| &ankles.topology)
    }
}
