//! The node tree, parents first.

use super::Fault;
use super::document::{self, Document};
use simrun_sim::figure::rig::{Node, Transform};
use simrun_sim::space::{Mat4, Quat, Vec3};

/// Where each of the file's nodes stands in the rig.
pub(super) struct Order(Vec<usize>);

impl Order {
    /// The rig's index of one of the file's nodes, which `user` names.
    pub fn of(&self, node: usize, user: &str) -> Result<usize, Fault> {
        self.0.get(node).copied().ok_or_else(|| Fault::new(user, format!("node {node}"), format!("one of {}", self.0.len())))
    }
}

/// The nodes, in the order of a walk that meets each parent before its children and children in the file's order.
pub(super) fn decode(document: &Document) -> Result<(Vec<Node>, Order), Fault> {
    let files = &document.nodes;
    let parents = parents(files)?;
    let mut nodes = Vec::with_capacity(files.len());
    let mut order = vec![usize::MAX; files.len()];
    let mut open: Vec<usize> = (0..files.len()).filter(|node| parents[*node].is_none()).rev().collect();
    while let Some(file) = open.pop() {
        order[file] = nodes.len();
        let node = &files[file];
        nodes.push(Node { name: node.name.clone(), parent: parents[file].map(|parent| order[parent]), rest: rest(file, node)? });
        open.extend(node.children.iter().rev());
    }
    // Each node has one parent at most: what no root leads to goes round in a ring.
    match order.iter().position(|place| *place == usize::MAX) {
        Some(node) => Err(Fault::new(format!("nodes[{node}]"), "its own ancestor", "a tree")),
        None => Ok((nodes, Order(order))),
    }
}

fn parents(files: &[document::Node]) -> Result<Vec<Option<usize>>, Fault> {
    let mut parents = vec![None; files.len()];
    for (parent, node) in files.iter().enumerate() {
        for (at, child) in node.children.iter().enumerate() {
            let place = format!("nodes[{parent}].children[{at}]");
            match parents.get_mut(*child) {
                Some(slot @ None) => *slot = Some(parent),
                Some(Some(other)) => {
                    return Err(Fault::new(place, format!("node {child}, already a child of {other}"), "a child of one node"));
                }
                None => return Err(Fault::new(place, child, format!("one of {} nodes", files.len()))),
            }
        }
    }
    Ok(parents)
}

fn rest(index: usize, node: &document::Node) -> Result<Transform, Fault> {
    let place = |what: &str| format!("nodes[{index}].{what}");
    let transform = if let Some(matrix) = node.matrix {
        let (scale, rotation, translation) = Mat4::from_cols_array(&matrix).to_scale_rotation_translation();
        Transform { translation, rotation, scale }
    } else {
        let rotation = Quat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
        Transform {
            translation: Vec3::from_array(node.translation.unwrap_or([0.0; 3])),
            rotation,
            scale: Vec3::from_array(node.scale.unwrap_or([1.0; 3])),
        }
    };
    if !(transform.translation.is_finite() && transform.scale.is_finite() && transform.rotation.is_finite()) {
        return Err(Fault::new(place("matrix"), "not finite, or scaled to nothing", "a finite transform that can be undone"));
    }
    // A quaternion near zero names no rotation; others are only off by rounding.
    let length = transform.rotation.length();
    if !(1.0e-3..1.0e3).contains(&length) {
        return Err(Fault::new(place("rotation"), format!("of length {length}"), "a unit quaternion"));
    }
    Ok(Transform { rotation: transform.rotation.normalize(), ..transform })
}
