//! Reads the box man's file with the plain `gltf` reader and poses it: none of the project's own loading or sampling is trusted here.

use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::animation::util::ReadOutputs;
use std::path::Path;

/// What a channel of a clip does with its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moved {
    Turned,
    Shifted,
}

struct Track {
    node: usize,
    moved: Moved,
    times: Vec<f32>,
    /// A place or a unit quaternion a key.
    values: Vec<Vec4>,
}

struct Node {
    name: String,
    parent: Option<usize>,
    place: Vec3,
    turn: Quat,
}

struct Vertex {
    at: Vec3,
    joint: usize,
}

/// The model.
pub struct Man {
    nodes: Vec<Node>,
    /// Node and inverse bind matrix of each joint.
    joints: Vec<(usize, Mat4)>,
    skin: Vec<Vertex>,
    clips: Vec<(String, Vec<Track>)>,
}

/// Where every node is.
pub struct World<'a> {
    man: &'a Man,
    nodes: Vec<Mat4>,
}

impl World<'_> {
    pub fn matrix(&self, name: &str) -> Mat4 {
        self.nodes[self.man.node(name)]
    }

    pub fn at(&self, name: &str) -> Vec3 {
        self.matrix(name).w_axis.truncate()
    }
}

impl Man {
    pub fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/assets/boxman.glb");
        let file = gltf::Gltf::open(path).expect("the box man is committed");
        let blob = file.blob.as_deref().expect("a GLB has its bytes inside");
        let mut nodes: Vec<Node> = file
            .nodes()
            .map(|node| {
                let (place, turn, _) = node.transform().decomposed();
                let name = node.name().expect("every node has a name").to_owned();
                Node { name, parent: None, place: Vec3::from_array(place), turn: Quat::from_array(turn) }
            })
            .collect();
        for node in file.nodes() {
            for child in node.children() {
                assert!(child.index() > node.index(), "parents come first");
                nodes[child.index()].parent = Some(node.index());
            }
        }

        let skin = file.skins().next().expect("one skin");
        let binds = skin.reader(|_| Some(blob)).read_inverse_bind_matrices().expect("inverse binds");
        let binds = binds.map(|columns| Mat4::from_cols_array_2d(&columns));
        let joints = skin.joints().map(|node| node.index()).zip(binds).collect();
        let primitive = file.meshes().next().and_then(|mesh| mesh.primitives().next()).expect("one primitive");
        let reader = primitive.reader(|_| Some(blob));
        let places = reader.read_positions().expect("positions");
        let bound = reader.read_joints(0).expect("joints").into_u16();
        let weights = reader.read_weights(0).expect("weights").into_f32();
        let skin = places
            .zip(bound)
            .zip(weights)
            .map(|((at, joints), weights)| {
                assert_eq!(weights, [1.0, 0.0, 0.0, 0.0], "a vertex is bound to one joint");
                Vertex { at: Vec3::from_array(at), joint: joints[0].into() }
            })
            .collect();

        let clips = file.animations().map(|clip| {
            let tracks = clip.channels().map(|channel| {
                let reader = channel.reader(|_| Some(blob));
                let (moved, values): (_, Vec<Vec4>) = match reader.read_outputs().expect("values") {
                    ReadOutputs::Rotations(turns) => (Moved::Turned, turns.into_f32().map(Vec4::from_array).collect()),
                    ReadOutputs::Translations(places) => {
                        (Moved::Shifted, places.map(|at| Vec3::from_array(at).extend(0.0)).collect())
                    }
                    _ => panic!("only places and turns have keys"),
                };
                let times: Vec<f32> = reader.read_inputs().expect("times").collect();
                assert_eq!(times.len(), values.len());
                Track { node: channel.target().node().index(), moved, times, values }
            });
            (clip.name().expect("every clip has a name").to_owned(), tracks.collect())
        });
        let clips = clips.collect();
        Self { nodes, joints, skin, clips }
    }

    fn node(&self, name: &str) -> usize {
        self.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    fn tracks(&self, clip: &str) -> &[Track] {
        &self.clips.iter().find(|(name, _)| name == clip).unwrap_or_else(|| panic!("no clip {clip}")).1
    }

    pub fn parent(&self, name: &str) -> Option<&str> {
        self.nodes[self.node(name)].parent.map(|parent| self.nodes[parent].name.as_str())
    }

    pub fn joints(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(|(node, _)| self.nodes[*node].name.as_str())
    }

    pub fn clips(&self) -> Vec<&str> {
        self.clips.iter().map(|(name, _)| name.as_str()).collect()
    }

    pub fn seconds(&self, clip: &str) -> f32 {
        self.tracks(clip).iter().filter_map(|track| track.times.last().copied()).fold(0.0, f32::max)
    }

    /// The joints that a clip has keys for.
    pub fn moved(&self, clip: &str) -> Vec<(String, Moved)> {
        self.tracks(clip).iter().map(|track| (self.nodes[track.node].name.clone(), track.moved)).collect()
    }

    /// The largest turn from a key to the next, a turned joint (rad).
    pub fn largest_turns(&self, clip: &str) -> impl Iterator<Item = (&str, f32)> {
        self.tracks(clip).iter().filter(|track| track.moved == Moved::Turned).map(|track| {
            let turn = |pair: &[Vec4]| Quat::from_vec4(pair[0]).angle_between(Quat::from_vec4(pair[1]));
            (self.nodes[track.node].name.as_str(), track.values.windows(2).map(turn).fold(0.0, f32::max))
        })
    }

    pub fn rest(&self) -> World<'_> {
        self.world(self.nodes.iter().map(|node| (node.place, node.turn)).collect())
    }

    /// The pose at a moment (s) of a clip; what has no keys stays at rest.
    pub fn pose(&self, clip: &str, moment: f32) -> World<'_> {
        let mut locals: Vec<_> = self.nodes.iter().map(|node| (node.place, node.turn)).collect();
        for Track { node, moved, times, values } in self.tracks(clip) {
            // A single key holds its value.
            let next = times.partition_point(|time| *time <= moment).clamp(1, (times.len() - 1).max(1));
            let (from, to) = (values[next - 1], *values.get(next).unwrap_or(&values[next - 1]));
            let share = times.get(next).map_or(0.0, |time| (moment - times[next - 1]) / (time - times[next - 1]));
            match moved {
                Moved::Turned => locals[*node].1 = Quat::from_vec4(from).slerp(Quat::from_vec4(to), share),
                Moved::Shifted => locals[*node].0 = from.lerp(to, share).truncate(),
            }
        }
        self.world(locals)
    }

    fn world(&self, locals: Vec<(Vec3, Quat)>) -> World<'_> {
        let mut nodes: Vec<Mat4> = Vec::with_capacity(locals.len());
        for (node, (place, turn)) in self.nodes.iter().zip(locals) {
            let local = Mat4::from_rotation_translation(turn, place);
            nodes.push(node.parent.map_or(local, |parent| nodes[parent] * local));
        }
        World { man: self, nodes }
    }

    /// The skin's vertices in a pose: those of one joint, or all of them for an empty name.
    pub fn skin(&self, world: &World, joint: &str) -> Vec<Vec3> {
        let only = self.joints.iter().position(|(node, _)| self.nodes[*node].name == joint);
        let vertices = self.skin.iter().filter(|vertex| only.is_none_or(|only| vertex.joint == only));
        vertices
            .map(|vertex| {
                let (node, bind) = self.joints[vertex.joint];
                (world.nodes[node] * bind).transform_point3(vertex.at)
            })
            .collect()
    }
}
