//! Between a rig's nodes and the ragdoll's bodies.
//!
//! A node's rotation in the figure is the product of the local rotations above it: scale is left out, so that what
//! [`Ragdoll::pose_nodes`] writes is what [`Ragdoll::bodies_of`] reads, under any scale.

use super::Ragdoll;
use crate::figure::rig::{Rig, Transform};
use crate::figure::{BONES, Bone};
use crate::space::{Mat4, Quat, Rigid, Vec3};

/// Rotation of every node in the figure's frame.
pub(super) fn rotations(rig: &Rig, locals: &[Transform], figure_from_model: Quat) -> Vec<Quat> {
    let mut out: Vec<Quat> = Vec::with_capacity(rig.nodes.len());
    for (node, local) in rig.nodes.iter().zip(locals) {
        let above = node.parent.map_or(figure_from_model, |parent| out[parent]);
        out.push((above * local.rotation).normalize());
    }
    out
}

impl Ragdoll {
    /// Where the bodies are (figure's frame) when the rig's nodes have these local transforms: rotations from the driven nodes,
    /// the pelvis's position from its node, the others hung from their joints.
    #[must_use]
    pub fn bodies_of(&self, rig: &Rig, locals: &[Transform]) -> [Rigid; BONES] {
        let nodes = rotations(rig, locals, self.figure_rotation);
        self.bodies_under(self.hips_at(rig, locals), |node| nodes[node])
    }

    /// The same where the nodes are known in the figure's frame.
    #[must_use]
    pub fn bodies_at(&self, nodes: &[Rigid]) -> [Rigid; BONES] {
        self.bodies_under(nodes[self.nodes[0]].translation, |node| nodes[node].rotation)
    }

    fn bodies_under(&self, hips: Vec3, rotation: impl Fn(usize) -> Quat) -> [Rigid; BONES] {
        let turned = Bone::ALL.map(|bone| {
            let index = bone.index();
            (rotation(self.nodes[index]) * self.node_rest[index].conjugate()).normalize()
        });
        self.hang(hips + turned[0] * self.pelvis_from_node(), &turned)
    }

    /// Hangs bodies with these rotations (figure's frame) from a pelvis at a place.
    #[must_use]
    pub fn hang(&self, pelvis: Vec3, rotations: &[Quat; BONES]) -> [Rigid; BONES] {
        let mut out = self.rest;
        out[0] = Rigid::new(rotations[0], pelvis);
        for joint in &self.topology.joints {
            let parent = out[joint.parent];
            let at = parent.point(joint.parent_from_joint.translation);
            let rotation = rotations[joint.child];
            out[joint.child] = Rigid::new(rotation, at - rotation * joint.child_from_joint.translation);
        }
        out
    }

    /// Writes bodies (figure's frame) into a rig's local transforms: the driven nodes get the bodies' rotations, the pelvis's
    /// node its position too; every other node keeps its local transform. Where there is a neck, it turns so that the head gets
    /// its body's rotation and keeps its own turn on the neck.
    pub fn pose_nodes(&self, rig: &Rig, bodies: &[Rigid; BONES], locals: &mut [Transform]) {
        let pelvis = self.nodes[Bone::Pelvis.index()];
        let node_at = bodies[0].translation - bodies[0].rotation * self.pelvis_from_node();
        let place = self.figure_from_hips_parent(rig, locals).inverse().transform_point3(node_at);
        // An ancestor that a clip scales to nothing leaves no place to write: the hips stay where they were in it.
        if place.is_finite() {
            locals[pelvis].translation = place;
        }
        let mut world: Vec<Quat> = Vec::with_capacity(rig.nodes.len());
        for index in 0..rig.nodes.len() {
            let above = rig.nodes[index].parent.map_or(self.figure_rotation, |parent| world[parent]);
            if let Some(bone) = self.turners.iter().position(|turner| *turner == index) {
                let mut wanted = bodies[bone].rotation * self.node_rest[bone];
                let mut node = self.nodes[bone];
                while node != index {
                    wanted *= locals[node].rotation.conjugate();
                    let Some(parent) = rig.nodes[node].parent else { break };
                    node = parent;
                }
                locals[index].rotation = (above.conjugate() * wanted).normalize();
            }
            world.push((above * locals[index].rotation).normalize());
        }
    }

    /// Another ragdoll's pose on this one: each body turned from neutral as the other's is, the pelvis moved from rest in
    /// proportion to the heights at which the two rest.
    #[must_use]
    pub fn retarget(&self, from: &Self, bodies: &[Rigid; BONES]) -> [Rigid; BONES] {
        let turned = Bone::ALL.map(|bone| {
            let index = bone.index();
            (bodies[index].rotation * from.neutral[index].conjugate() * self.neutral[index]).normalize()
        });
        let way = (bodies[0].translation - from.rest[0].translation) * (self.rest[0].translation.y / from.rest[0].translation.y);
        self.hang(self.rest[0].translation + way, &turned)
    }

    /// Where the hips' node is, in the figure's frame (m).
    pub(crate) fn hips_at(&self, rig: &Rig, locals: &[Transform]) -> Vec3 {
        self.figure_from_hips_parent(rig, locals).transform_point3(locals[self.nodes[0]].translation)
    }

    /// Figure from the parent of the hips' node.
    pub(crate) fn figure_from_hips_parent(&self, rig: &Rig, locals: &[Transform]) -> Mat4 {
        let mut out = Mat4::IDENTITY;
        let mut at = rig.nodes[self.nodes[0]].parent;
        while let Some(above) = at {
            out = locals[above].matrix() * out;
            at = rig.nodes[above].parent;
        }
        self.figure_from_model * out
    }

    /// The pelvis body's centre seen from its node, in the body's frame.
    fn pelvis_from_node(&self) -> Vec3 {
        self.rest[0].translation - self.joint_at[0]
    }
}
