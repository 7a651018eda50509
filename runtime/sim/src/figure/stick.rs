//! A person made of nodes alone: for tests, examples and a first try, where no model file is at hand.

use super::rig::{Node, Rig, Transform};
use crate::space::Vec3;

/// Name, parent and place at rest (m) of each node.
const NODES: &[(&str, &str, [f32; 3])] = &[
    ("Hips", "", [0.0, 0.97, 0.0]),
    ("Spine", "Hips", [0.0, 1.06, 0.0]),
    ("Chest", "Spine", [0.0, 1.22, 0.0]),
    ("Neck", "Chest", [0.0, 1.47, 0.0]),
    ("Head", "Neck", [0.0, 1.56, 0.0]),
    ("ArmL", "Chest", [0.21, 1.41, 0.0]),
    ("ForearmL", "ArmL", [0.27, 1.13, 0.0]),
    ("HandL", "ForearmL", [0.32, 0.87, 0.0]),
    ("ArmR", "Chest", [-0.21, 1.41, 0.0]),
    ("ForearmR", "ArmR", [-0.27, 1.13, 0.0]),
    ("HandR", "ForearmR", [-0.32, 0.87, 0.0]),
    ("ThighL", "Hips", [0.1, 0.92, 0.0]),
    ("ShinL", "ThighL", [0.1, 0.49, 0.0]),
    ("FootL", "ShinL", [0.1, 0.08, 0.0]),
    ("ThighR", "Hips", [-0.1, 0.92, 0.0]),
    ("ShinR", "ThighR", [-0.1, 0.49, 0.0]),
    ("FootR", "ShinR", [-0.1, 0.08, 0.0]),
];

/// The rig of a person of about 1.75 m, standing at rest with its arms hanging, facing +Z: seventeen nodes in the home naming, no
/// skin and no clips.
///
/// ```
/// let model = simrun_sim::Model::new(simrun_sim::figure::stick_person());
/// assert!(model.ragdoll.is_ok());
/// ```
#[must_use]
pub fn stick_person() -> Rig {
    let index = |name: &str| NODES.iter().position(|(known, ..)| *known == name);
    let nodes = NODES.iter().map(|(name, above, at)| {
        let parent = index(above);
        let base = parent.map_or(Vec3::ZERO, |parent| Vec3::from(NODES[parent].2));
        let rest = Transform { translation: Vec3::from(*at) - base, ..Transform::IDENTITY };
        Node { name: (*name).to_owned(), parent, rest }
    });
    Rig { name: "stick person".to_owned(), nodes: nodes.collect(), ..Rig::default() }
}
