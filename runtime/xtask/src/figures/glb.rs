//! The box man as a GLB.

use super::body::Mesh;
use super::clip::Clip;
use super::skeleton::{HIPS, JOINTS, SKELETON, offset};
use glam::{DQuat, DVec3};
use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::{Checked::Valid, USize64};
use gltf_json::{Accessor, Animation, Asset, Buffer, Extras, Index, Material, Node, Root, Scene, Skin, buffer};
use serde_json::json;

/// Writes a skin and its clips.
#[must_use]
pub fn write(mesh: &Mesh, clips: &[Clip]) -> Vec<u8> {
    let mut out = Writer::default();
    out.root.asset = Asset {
        generator: Some("simrun: cargo xtask figures".into()),
        copyright: Some("MIT OR Apache-2.0".into()),
        ..Asset::default()
    };
    out.skeleton();
    out.skin(mesh);
    for clip in clips {
        out.clip(clip);
    }
    out.finish()
}

/// A file as far as it is written: the JSON, and the bytes that its accessors see.
#[derive(Default)]
struct Writer {
    root: Root,
    bytes: Vec<u8>,
}

/// Numbers on their way into the buffer.
enum Numbers<'a> {
    Floats(&'a [f32]),
    Shorts(&'a [u16]),
    /// Whether 255 stands for 1.
    Bytes(&'a [u8], bool),
}

impl Writer {
    /// Puts numbers into the buffer, `type_.multiplicity()` of them an element. `target` is what a GPU would hold them as.
    fn put(&mut self, numbers: &Numbers, type_: Type, target: Option<buffer::Target>) -> Index<Accessor> {
        let start = self.bytes.len();
        let (component, normalized, count) = match numbers {
            Numbers::Floats(values) => {
                self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                (ComponentType::F32, false, values.len())
            }
            Numbers::Shorts(values) => {
                self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                (ComponentType::U16, false, values.len())
            }
            Numbers::Bytes(values, normalized) => {
                self.bytes.extend(*values);
                (ComponentType::U8, *normalized, values.len())
            }
        };
        let view = self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(self.bytes.len() - start),
            byte_offset: Some(USize64::from(start)),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: Extras::default(),
        });
        // Every accessor begins at a multiple of four bytes, as the widest component asks.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: Some(USize64(0)),
            count: USize64::from(count / type_.multiplicity()),
            component_type: Valid(GenericComponentType(component)),
            type_: Valid(type_),
            min: None,
            max: None,
            name: None,
            normalized,
            sparse: None,
            extensions: None,
            extras: Extras::default(),
        })
    }

    fn floats(&mut self, values: &[f32], type_: Type, target: Option<buffer::Target>) -> Index<Accessor> {
        self.put(&Numbers::Floats(values), type_, target)
    }

    fn skeleton(&mut self) {
        for (joint, row) in SKELETON.iter().enumerate() {
            let children: Vec<_> = (0..JOINTS).filter(|child| SKELETON[*child].parent == Some(joint)).map(index).collect();
            self.root.push(Node {
                name: Some(row.name.into()),
                translation: Some(offset(joint).as_vec3().to_array()),
                children: (!children.is_empty()).then_some(children),
                ..Node::default()
            });
        }
    }

    fn skin(&mut self, mesh: &Mesh) {
        let vertices = Some(buffer::Target::ArrayBuffer);
        let positions = flat(&mesh.positions);
        let position = self.floats(&positions, Type::Vec3, vertices);
        let bound = |pick: fn(f32, f32) -> f32| {
            let axis = |axis: usize| positions.iter().skip(axis).step_by(3).copied().reduce(pick);
            Some(json!([axis(0), axis(1), axis(2)]))
        };
        let row = &mut self.root.accessors[position.value()];
        (row.min, row.max) = (bound(f32::min), bound(f32::max));

        let colours: Vec<u8> = mesh.colours.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
        let joints: Vec<u8> = mesh.joints.iter().flat_map(|joint| [*joint as u8, 0, 0, 0]).collect();
        let attributes = [
            (Semantic::Positions, position),
            (Semantic::Normals, self.floats(&flat(&mesh.normals), Type::Vec3, vertices)),
            (Semantic::Colors(0), self.put(&Numbers::Bytes(&colours, true), Type::Vec4, vertices)),
            (Semantic::Joints(0), self.put(&Numbers::Bytes(&joints, false), Type::Vec4, vertices)),
            (Semantic::Weights(0), self.floats(&[1.0, 0.0, 0.0, 0.0].repeat(mesh.joints.len()), Type::Vec4, vertices)),
        ];
        let triangles: Vec<u16> = mesh.triangles.iter().flatten().map(|vertex| *vertex as u16).collect();
        let indices = self.put(&Numbers::Shorts(&triangles), Type::Scalar, Some(buffer::Target::ElementArrayBuffer));
        let material = self.root.push(Material {
            name: Some("Cloth and skin".into()),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([1.0; 4]),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(0.9),
                ..PbrMetallicRoughness::default()
            },
            ..Material::default()
        });
        let mesh = self.root.push(gltf_json::Mesh {
            name: Some("BoxMan".into()),
            primitives: vec![Primitive {
                attributes: attributes.into_iter().map(|(semantic, accessor)| (Valid(semantic), accessor)).collect(),
                indices: Some(indices),
                material: Some(material),
                mode: Valid(Mode::Triangles),
                targets: None,
                extensions: None,
                extras: Extras::default(),
            }],
            weights: None,
            extensions: None,
            extras: Extras::default(),
        });

        // No joint is turned at rest: the inverse bind only takes the joint's place away.
        let binds: Vec<f32> = SKELETON
            .iter()
            .flat_map(|joint| {
                let at = -joint.at.as_vec3();
                [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, at.x, at.y, at.z, 1.0]
            })
            .collect();
        let inverse_bind_matrices = Some(self.floats(&binds, Type::Mat4, None));
        let skin = self.root.push(Skin {
            name: Some("BoxMan".into()),
            joints: (0..JOINTS).map(index).collect(),
            inverse_bind_matrices,
            skeleton: Some(index(HIPS)),
            extensions: None,
            extras: Extras::default(),
        });
        let worn = self.root.push(Node { name: Some("BoxMan".into()), mesh: Some(mesh), skin: Some(skin), ..Node::default() });
        let scene =
            Scene { name: Some("BoxMan".into()), nodes: vec![index(HIPS), worn], extensions: None, extras: Extras::default() };
        self.root.scene = Some(self.root.push(scene));
    }

    /// Seconds of keys.
    fn times(&mut self, times: &[f32]) -> Index<Accessor> {
        let input = self.floats(times, Type::Scalar, None);
        let row = &mut self.root.accessors[input.value()];
        (row.min, row.max) = (Some(json!([times.first()])), Some(json!([times.last()])));
        input
    }

    /// A clip has keys for what moves in it, and a single one for what it holds.
    fn clip(&mut self, clip: &Clip) {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        let times: Vec<f32> = clip.times.iter().map(|time| *time as f32).collect();
        let moving = self.times(&times);
        let held = clip.whole.then(|| self.times(&times[..1]));
        let mut channel = |input: Index<Accessor>, output: Index<Accessor>, joint: usize, path: Property| {
            let sampler = Sampler {
                input,
                output,
                interpolation: Valid(Interpolation::Linear),
                extensions: None,
                extras: Extras::default(),
            };
            samplers.push(sampler);
            channels.push(Channel {
                sampler: Index::new(samplers.len() as u32 - 1),
                target: Target { node: index(joint), path: Valid(path), extensions: None, extras: Extras::default() },
                extensions: None,
                extras: Extras::default(),
            });
        };
        let travels = clip.poses.iter().any(|pose| pose.hips != SKELETON[HIPS].at);
        if let Some(input) = if travels { Some(moving) } else { held } {
            let keys = if travels { clip.poses.len() } else { 1 };
            let places: Vec<DVec3> = clip.poses[..keys].iter().map(|pose| pose.hips).collect();
            channel(input, self.floats(&flat(&places), Type::Vec3, None), HIPS, Property::Translation);
        }
        for joint in 0..JOINTS {
            if clip.poses.iter().all(|pose| pose.turns[joint] == DQuat::IDENTITY) {
                if let Some(input) = held {
                    let values = DQuat::IDENTITY.to_array().map(|number| number as f32);
                    channel(input, self.floats(&values, Type::Vec4, None), joint, Property::Rotation);
                }
                continue;
            }
            let mut values = Vec::with_capacity(4 * clip.poses.len());
            let mut last = DQuat::IDENTITY;
            for pose in &clip.poses {
                // q and -q are the same turn; next to each other they must not stand on opposite sides.
                let turn = pose.turns[joint].normalize();
                last = if turn.dot(last) < 0.0 { -turn } else { turn };
                values.extend(last.to_array().map(|number| number as f32));
            }
            channel(moving, self.floats(&values, Type::Vec4, None), joint, Property::Rotation);
        }
        self.root.push(Animation {
            name: Some(clip.name.into()),
            channels,
            samplers,
            extensions: None,
            extras: Extras::default(),
        });
    }

    /// Header, JSON padded with spaces, bytes (glTF 2.0, "GLB File Format Specification").
    fn finish(mut self) -> Vec<u8> {
        self.root.push(Buffer {
            byte_length: USize64::from(self.bytes.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Extras::default(),
        });
        let mut json = self.root.to_vec().expect("a document of plain numbers and names can be written");
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + json.len() + 8 + self.bytes.len();
        let mut out = Vec::with_capacity(length);
        out.extend(b"glTF");
        out.extend(2_u32.to_le_bytes());
        out.extend((length as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &self.bytes)] {
            out.extend((chunk.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(chunk);
        }
        out
    }
}

fn index<T>(joint: usize) -> Index<T> {
    Index::new(joint as u32)
}

fn flat(points: &[DVec3]) -> Vec<f32> {
    points.iter().flat_map(|point| point.as_vec3().to_array()).collect()
}
