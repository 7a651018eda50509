//! The part of a glTF document that a rig is made of.

use super::Fault;
use super::list::List;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Required extensions that change nothing of nodes, skins and clips, by how their names begin; quantised meshes are read.
const HARMLESS: [&str; 11] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "KHR_animation_pointer",
    "KHR_node_visibility",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
    "VRM",
    "KHR_xmp",
];

/// Most nodes of a model, joints of a skin and children of a node: a full body rig with fingers, face and dress has a few hundred nodes.
const MOST_NODES: usize = 1 << 14;
/// Most clips of a model: a large library has a few hundred.
const MOST_CLIPS: usize = 1 << 12;
/// Most accessors, views, and channels of a clip: three accessors a bone and clip in the largest libraries.
const MANY: usize = 1 << 18;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub extensions_required: List<String, 1024>,
    #[serde(default)]
    pub buffers: List<Buffer, 1024>,
    #[serde(default)]
    pub buffer_views: List<View, MANY>,
    #[serde(default)]
    pub accessors: List<Accessor, MANY>,
    #[serde(default)]
    pub nodes: List<Node, MOST_NODES>,
    #[serde(default)]
    pub meshes: List<Mesh, MOST_NODES>,
    #[serde(default)]
    pub skins: List<Skin, 1024>,
    #[serde(default)]
    pub animations: List<Animation, MOST_CLIPS>,
}

impl Document {
    /// A required extension without which the file would be misread.
    pub fn unsupported(&self) -> Option<&str> {
        let harmless = |name: &str| HARMLESS.iter().any(|prefix| name.starts_with(prefix));
        self.extensions_required.iter().map(String::as_str).find(|name| !harmless(name))
    }

    pub fn check_version(&self) -> Result<(), Fault> {
        let version = &self.asset.version;
        let major = version.split('.').next();
        if major == Some("2") { Ok(()) } else { Err(Fault::new("asset.version", format!("\"{version}\""), "\"2.0\"")) }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub form: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub children: List<usize, MOST_NODES>,
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub primitives: List<Primitive, MANY>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub mode: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub joints: List<usize, MOST_NODES>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    #[serde(default)]
    pub name: String,
    pub channels: List<Channel, MANY>,
    pub samplers: List<Sampler, MANY>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}
