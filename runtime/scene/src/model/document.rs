//! The part of a glTF document that a rig is made of.

use super::Fault;
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

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub buffer_views: Vec<View>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
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
    pub children: Vec<usize>,
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub primitives: Vec<Primitive>,
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
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    #[serde(default)]
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
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
