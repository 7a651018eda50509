//! A skinned skeleton with its clips, as a model file gives it.

use crate::figure::clip::Clip;
use crate::space::{Mat4, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A node's place in its parent: scale, then rotation, then translation (in the parent's units).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// In the parent's units (metres where no ancestor scales).
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factor an axis.
    pub scale: Vec3,
}

impl Transform {
    /// Nothing moved, turned or scaled.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// As a matrix.
    #[must_use]
    pub fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A node of the model's tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Node {
    /// As the file has it; may be empty or stand twice.
    pub name: String,
    /// Index of the parent, always smaller than the node's own.
    pub parent: Option<usize>,
    /// At rest, in the parent.
    pub rest: Transform,
}

/// A mesh bound to nodes.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Node of each joint.
    pub joints: Vec<usize>,
    /// `joint_from_mesh` at bind time, one a joint.
    pub inverse_binds: Vec<Mat4>,
    /// Vertex positions in the mesh's frame.
    pub positions: Vec<Vec3>,
    /// Four joints (indices into `joints`) a vertex.
    pub vertex_joints: Vec<[u16; 4]>,
    /// Their weights, summing to 1.
    pub vertex_weights: Vec<[f32; 4]>,
    /// Triangles.
    pub indices: Vec<u32>,
}

/// What a model file holds: a tree of nodes, skins and clips. Immutable, shared by every figure that wears it.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// For messages: the file's name.
    pub name: String,
    /// Parents before children.
    pub nodes: Vec<Node>,
    /// Meshes bound to the nodes.
    pub skins: Vec<Skin>,
    /// In the file's order.
    pub clips: Vec<Clip>,
}

impl Rig {
    /// `model_from_node` of every node for the given local transforms (one a node).
    #[must_use]
    pub fn model_from_nodes(&self, locals: &[Transform]) -> Vec<Mat4> {
        let mut out: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for (node, local) in self.nodes.iter().zip(locals) {
            let matrix = local.matrix();
            out.push(node.parent.map_or(matrix, |parent| out[parent] * matrix));
        }
        out
    }

    /// The local transforms at rest.
    #[must_use]
    pub fn rest(&self) -> Vec<Transform> {
        self.nodes.iter().map(|node| node.rest).collect()
    }

    /// Whether a node is another's child, grandchild and so on.
    #[must_use]
    pub fn hangs_under(&self, node: usize, ancestor: usize) -> bool {
        let parent = |node: &usize| self.nodes[*node].parent;
        std::iter::successors(parent(&node), parent).any(|above| above == ancestor)
    }

    /// The clip of a name.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<usize> {
        self.clips.iter().position(|clip| clip.name == name)
    }
}
