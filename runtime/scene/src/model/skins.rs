//! Meshes bound to nodes: skinned ones, and rigid ones as skins of one joint.

use super::Fault;
use super::accessor::Accessors;
use super::document::{Document, Primitive};
use super::nodes::Order;
use simrun_sim::figure::rig::Skin;
use simrun_sim::space::{Mat4, Vec3};

/// Most vertices of all meshes together, counted once for each node that shows them: a film's character has a tenth of it.
const MOST_VERTICES: u64 = 1 << 22;
/// glTF's code for a list of triangles; other forms are drawn by no figure and passed over.
const TRIANGLES: u32 = 4;

pub(super) fn decode(document: &Document, accessors: &Accessors<'_>, order: &Order) -> Result<Vec<Skin>, Fault> {
    let mut out = Vec::new();
    let mut vertices = 0;
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let place = format!("nodes[{index}]");
        let Some(mesh_file) = document.meshes.get(mesh) else {
            return Err(Fault::new(format!("{place}.mesh"), mesh, format!("one of {}", document.meshes.len())));
        };
        let mut skin = match node.skin {
            Some(skin) => bind(document, accessors, order, skin, &place)?,
            None => empty(vec![order.of(index, &place)?], vec![Mat4::IDENTITY]),
        };
        for (at, primitive) in mesh_file.primitives.iter().enumerate() {
            let place = format!("meshes[{mesh}].primitives[{at}]");
            if let Some(position) = primitive.attributes.get("POSITION") {
                vertices = accessors.count(*position, &place)?.saturating_add(vertices);
            }
            if vertices > MOST_VERTICES {
                return Err(Fault::too_much(place, format!("vertex {vertices}"), format!("{MOST_VERTICES} in all")));
            }
            if primitive.mode.unwrap_or(TRIANGLES) == TRIANGLES {
                add(accessors, primitive, &place, node.skin.is_some(), &mut skin)?;
            }
        }
        if !skin.positions.is_empty() {
            out.push(skin);
        }
    }
    Ok(out)
}

fn empty(joints: Vec<usize>, inverse_binds: Vec<Mat4>) -> Skin {
    Skin {
        joints,
        inverse_binds,
        positions: Vec::new(),
        vertex_joints: Vec::new(),
        vertex_weights: Vec::new(),
        indices: Vec::new(),
    }
}

/// A skin's joints and inverse binds, without vertices.
fn bind(document: &Document, accessors: &Accessors<'_>, order: &Order, skin: usize, user: &str) -> Result<Skin, Fault> {
    let Some(file) = document.skins.get(skin) else {
        return Err(Fault::new(format!("{user}.skin"), skin, format!("one of {}", document.skins.len())));
    };
    let place = format!("skins[{skin}]");
    if file.joints.is_empty() {
        return Err(Fault::new(format!("{place}.joints"), "empty", "one at least"));
    }
    accessors.spend(file.joints.len() as u64 * 16, &place)?;
    let joints = file
        .joints
        .iter()
        .enumerate()
        .map(|(at, node)| order.of(*node, &format!("{place}.joints[{at}]")))
        .collect::<Result<Vec<_>, _>>()?;
    let inverse_binds = match file.inverse_bind_matrices {
        None => vec![Mat4::IDENTITY; joints.len()],
        Some(accessor) => {
            let place = format!("{place}.inverseBindMatrices");
            let values = accessors.floats(accessor, "MAT4", &place)?;
            let matrices: Vec<Mat4> = values.chunks_exact(16).map(Mat4::from_cols_slice).collect();
            if matrices.len() < joints.len() {
                return Err(Fault::new(place, format!("{} long", matrices.len()), format!("one a joint, {}", joints.len())));
            }
            matrices
        }
    };
    Ok(empty(joints, inverse_binds))
}

/// Adds a primitive's vertices and triangles.
fn add(accessors: &Accessors<'_>, primitive: &Primitive, place: &str, skinned: bool, skin: &mut Skin) -> Result<(), Fault> {
    let attribute = |name: &str| primitive.attributes.get(name).copied();
    let Some(positions) = attribute("POSITION") else { return Ok(()) };
    let influences = if skinned {
        let sets = [("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1")];
        let sets: Vec<_> = sets.iter().filter_map(|(joints, weights)| Some((attribute(joints)?, attribute(weights)?))).collect();
        // A mesh without joints under a skin follows none of them: it is drawn nowhere sensible.
        if sets.is_empty() {
            return Ok(());
        }
        Some(sets)
    } else {
        None
    };
    let positions = accessors.floats(positions, "VEC3", &format!("{place}.attributes.POSITION"))?;
    let count = positions.len() / 3;
    let first = skin.positions.len();
    skin.positions.extend(positions.chunks_exact(3).map(Vec3::from_slice));
    match influences {
        Some(sets) => {
            for (joints, weights) in influences_of(accessors, &sets, place, count, skin.joints.len())? {
                skin.vertex_joints.push(joints);
                skin.vertex_weights.push(weights);
            }
        }
        None => {
            skin.vertex_joints.resize(first + count, [0; 4]);
            skin.vertex_weights.resize(first + count, [1.0, 0.0, 0.0, 0.0]);
        }
    }
    let indices = match primitive.indices {
        Some(indices) => accessors.integers(indices, "SCALAR", &format!("{place}.indices"))?,
        None => (0..count as u32).collect(),
    };
    if let Some(at) = indices.iter().position(|index| *index as usize >= count) {
        let found = indices[at];
        return Err(Fault::new(format!("{place}.indices, number {at}"), found, format!("one of {count} vertices")));
    }
    let whole = indices.len() / 3 * 3;
    skin.indices.extend(indices[..whole].iter().map(|index| index + first as u32));
    Ok(())
}

/// Four joints of a vertex and their weights.
type Influences = ([u16; 4], [f32; 4]);

/// The four strongest joints of each vertex, with weights that sum to 1.
fn influences_of(
    accessors: &Accessors<'_>,
    sets: &[(usize, usize)],
    place: &str,
    count: usize,
    joint_count: usize,
) -> Result<Vec<Influences>, Fault> {
    let mut vertices: Vec<Vec<(u16, f32)>> = vec![Vec::with_capacity(4); count];
    for (set, (joints, weights)) in sets.iter().enumerate() {
        let place = format!("{place}.attributes.JOINTS_{set}");
        let joints = accessors.integers(*joints, "VEC4", &place)?;
        let weights = accessors.floats(*weights, "VEC4", &place)?;
        if joints.len() != count * 4 || weights.len() != count * 4 {
            let found = format!("{} joints and {} weights", joints.len() / 4, weights.len() / 4);
            return Err(Fault::new(place, found, format!("one a vertex, {count}")));
        }
        for (at, (joint, weight)) in joints.iter().zip(&weights).enumerate() {
            // A joint without weight may be anything.
            if *weight <= 0.0 {
                continue;
            }
            let known = u16::try_from(*joint).ok().filter(|joint| usize::from(*joint) < joint_count);
            let Some(joint) = known else {
                return Err(Fault::new(format!("{place}, vertex {}", at / 4), joint, format!("one of {joint_count} joints")));
            };
            vertices[at / 4].push((joint, *weight));
        }
    }
    Ok(vertices.into_iter().map(strongest).collect())
}

fn strongest(mut influences: Vec<(u16, f32)>) -> Influences {
    influences.sort_by(|a, b| b.1.total_cmp(&a.1));
    influences.truncate(4);
    let sum: f32 = influences.iter().map(|(_, weight)| weight).sum();
    let mut out = ([0; 4], [0.0; 4]);
    if influences.is_empty() || !sum.is_normal() {
        // Bound to nothing: with the first joint, as viewers do.
        out.1[0] = 1.0;
        return out;
    }
    for (at, (joint, weight)) in influences.into_iter().enumerate() {
        out.0[at] = joint;
        out.1[at] = weight / sum;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::strongest;

    #[test]
    fn weights_are_brought_to_one_and_the_strongest_kept() {
        let (joints, weights) = strongest(vec![(5, 0.1), (6, 0.3), (7, 0.2), (8, 0.2), (9, 0.1)]);
        assert_eq!(joints[0], 6);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1.0e-6);
        assert_eq!(strongest(Vec::new()), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }
}
