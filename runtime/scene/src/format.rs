//! The scene format, as it stands in the file. Angles are degrees here and only here, and say so in their names.

pub use crate::horde::Horde;
use crate::param::Param;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use simrun_sim::motion::{ActClips, PartRecord};
use simrun_sim::solve::boundary::BodyKind;
use simrun_sim::{Mode, MotionRecord};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A scene: a world, what stands in it, who stands in it, and the script that directs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the scene's name, objects and figures")]
#[schemars(title = "simrun scene")]
pub struct Scene {
    /// Where an editor finds the schema of this format.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// For messages and reports.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Seed of every random stream.
    #[serde(default = "one")]
    pub seed: u64,
    /// Simulated seconds that a run without a person lasts; 10 if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 86400))]
    pub seconds: Option<f32>,
    /// Gravity and steps.
    #[serde(default)]
    pub world: World,
    /// What stands in it.
    #[serde(default)]
    pub objects: Vec<Object>,
    /// Who stands in it.
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// Members without bodies, in thousands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hordes: Vec<Horde>,
    /// The scene's script: its name in `scripts/`, without ending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
}

/// Gravity and steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with gravity, step_hz and substeps")]
pub struct World {
    /// m/s².
    #[schemars(inner(range(min = -1000, max = 1000)))]
    pub gravity: [f32; 3],
    /// Steps a second, 30..=480.
    #[schemars(range(min = 30, max = 480))]
    pub step_hz: f32,
    /// Sub-steps a step, 1..=64.
    #[schemars(range(min = 1, max = 64))]
    pub substeps: usize,
}

impl Default for World {
    fn default() -> Self {
        Self { gravity: [0.0, -9.81, 0.0], step_hz: 60.0, substeps: 8 }
    }
}

/// Something that is not a figure: a road, a car, a crate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with name and shape")]
pub struct Object {
    /// Unique among objects and figures.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Its form.
    pub shape: Shape,
    /// World, m: the middle of its shape; a plane's any point.
    #[serde(default)]
    #[schemars(inner(range(min = -10000, max = 10000)))]
    pub position: [f32; 3],
    /// Turn about +Y (degrees).
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f32,
    /// Its whole turn as a quaternion x, y, z, w, in place of `yaw_deg`, for what does not stand upright.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    /// Whether it stays, moves as told, or moves as pushed.
    #[serde(default)]
    pub body: Body,
    /// Kilograms, above 0; a dynamic one must say it, the others have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 1.0e6))]
    pub mass: Option<f32>,
    /// Coulomb coefficient, 0..=2.
    #[serde(default = "friction")]
    #[schemars(range(min = 0, max = 2))]
    pub friction: f32,
    /// Share of the speed that comes back from a hit, 0..=1; of two that meet the higher counts. Of 1 m/s and slower nothing does.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0, max = 1))]
    pub restitution: f32,
    /// Where hands hold it, by name: points of its own frame (m). A dynamic box, sphere, capsule or cylinder can be held.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grips: BTreeMap<String, [f32; 3]>,
    /// What scripts read and `--set` sets.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Param>,
}

/// A form. Sizes are metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields, expecting = "a shape such as {\"box\": [1, 1, 1]} or \"plane\"")]
pub enum Shape {
    /// Full sizes along X, Y, Z.
    Box(#[schemars(inner(range(min = 0.001, max = 10000)))] [f32; 3]),
    /// Its radius.
    Sphere(#[schemars(range(min = 0.001, max = 10000))] f32),
    /// A line with a radius.
    Capsule {
        /// One end of the line.
        a: [f32; 3],
        /// The other.
        b: [f32; 3],
        /// Its radius.
        #[schemars(range(min = 0.001, max = 10000))]
        radius: f32,
    },
    /// Along Y.
    Cylinder {
        /// Full height.
        #[schemars(range(min = 0.001, max = 10000))]
        height: f32,
        /// Its radius.
        #[schemars(range(min = 0.001, max = 10000))]
        radius: f32,
    },
    /// Everything below Y = 0 of its frame.
    Plane,
    /// Heights over a grid in X and Z.
    Heightfield {
        /// Number of rows along Z, at least 2.
        #[schemars(range(min = 2))]
        rows: usize,
        /// Row by row; the columns follow from their count.
        heights: Vec<f32>,
        /// Full extents along X and Z, and between them the factor on heights.
        #[schemars(inner(range(min = 0.001, max = 10000)))]
        size: [f32; 3],
    },
}

/// How an object moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "\"fixed\", \"kinematic\" or \"dynamic\"")]
pub enum Body {
    /// Never.
    #[default]
    Fixed,
    /// As it is told; nothing pushes it.
    Kinematic,
    /// As it is pushed.
    Dynamic,
}

impl From<Body> for BodyKind {
    fn from(body: Body) -> Self {
        match body {
            Body::Fixed => Self::Fixed,
            Body::Kinematic => Self::Kinematic,
            Body::Dynamic => Self::Dynamic,
        }
    }
}

impl From<BodyKind> for Body {
    fn from(kind: BodyKind) -> Self {
        match kind {
            BodyKind::Fixed => Self::Fixed,
            BodyKind::Kinematic => Self::Kinematic,
            BodyKind::Dynamic => Self::Dynamic,
        }
    }
}

/// A figure: a model, where it stands, what it plays and how it moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with name and model")]
pub struct Figure {
    /// Unique among objects and figures.
    #[schemars(length(min = 1))]
    pub name: String,
    /// A .glb or .gltf file, relative to the scene's folder and inside it.
    pub model: String,
    /// World, m: where its feet stand.
    #[serde(default)]
    #[schemars(inner(range(min = -10000, max = 10000)))]
    pub position: [f32; 3],
    /// Which way it faces: turn about +Y from +Z (degrees).
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f32,
    /// The clip it starts with, looping; without one it stands still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Seconds into the clip at the start.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0, max = 86400))]
    pub clip_time: f32,
    /// Whether the clip's travel moves the figure.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub root_motion: bool,
    /// Clips of its model that it has for what it does, in place of the built-in postures.
    #[serde(default, skip_serializing_if = "is_default")]
    pub acts: Acts,
    /// Gives it an active ragdoll; `{}` is one with every default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// What it looks at, with the behaviour `look`: the name of a figure or an object, or a place (world, m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_at: Option<LookAt>,
    /// What it has in its hands, wherever the object's position is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<Holds>,
    /// Scripts that it carries, in the order in which they run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behaviours: Vec<Behaviour>,
}

/// Names of clips by what they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an object with get_up_face_up, get_up_face_down, sit, stand_up and lie_down, all optional"
)]
pub struct Acts {
    /// Gets up from its back: a clip that begins lying so, and ends on its feet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub get_up_face_up: Option<String>,
    /// The same face down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub get_up_face_down: Option<String>,
    /// Sits down: a clip that begins on its feet, and ends on a seat of any height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sit: Option<String>,
    /// Stands up from a seat: the other way round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stand_up: Option<String>,
    /// Lies down: a clip that begins on its feet, and ends lying face up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lie_down: Option<String>,
}

impl From<&Acts> for ActClips {
    fn from(acts: &Acts) -> Self {
        let Acts { get_up_face_up, get_up_face_down, sit, stand_up, lie_down } = acts.clone();
        Self { get_up_face_up, get_up_face_down, sit, stand_up, lie_down }
    }
}

impl From<&ActClips> for Acts {
    fn from(acts: &ActClips) -> Self {
        let ActClips { get_up_face_up, get_up_face_down, sit, stand_up, lie_down } = acts.clone();
        Self { get_up_face_up, get_up_face_down, sit, stand_up, lie_down }
    }
}

/// What a figure looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a name or a place [x, y, z]")]
pub enum LookAt {
    /// A figure's head or an object's middle, by its name.
    Name(String),
    /// A place (world, m).
    Point(#[schemars(inner(range(min = -10000, max = 10000)))] [f32; 3]),
}

/// An object in a figure's hands: by a grip in the left, in the right, or in both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with item, and left or right")]
pub struct Holds {
    /// Name of an object that has grips.
    pub item: String,
    /// The grip in its left hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
    /// The grip in its right hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
}

impl From<&Holds> for simrun_sim::Holds {
    fn from(holds: &Holds) -> Self {
        Self { item: holds.item.clone(), grips: [holds.left.clone(), holds.right.clone()] }
    }
}

/// What drives a figure at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "\"animated\", \"powered\" or \"limp\"")]
pub enum StartMode {
    /// The animation, position and all.
    #[default]
    Animated,
    /// Muscles, driving toward the animation's pose.
    Powered,
    /// Nothing: a ragdoll.
    Limp,
}

/// How a figure's motion stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with mode, strength and so on, all optional")]
pub struct Motion {
    /// What drives it.
    pub mode: StartMode,
    /// Share of every muscle budget, 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub strength: f32,
    /// Whether it protects itself as it falls.
    pub protective: bool,
    /// Whether it steps to catch itself.
    pub stepping: bool,
    /// Whether a hand goes to a wound.
    pub hit_reaction: bool,
    /// Whether its muscles are springs that give, in place of servos.
    pub muscles: bool,
    /// Whether its feet hang from ankles of their own; else its soles are rigid on its shins.
    #[serde(skip_serializing_if = "is_default")]
    pub ankles: bool,
    /// Seconds it writhes after it lands; 0 never.
    #[schemars(range(min = 0, max = 600))]
    pub writhing: f32,
    /// Seconds it lies still before it gets up; 0 never.
    #[schemars(range(min = 0, max = 600))]
    pub get_up: f32,
    /// Seconds in which muscle that a blow took comes back, above 0.
    #[schemars(range(min = 0.01, max = 600))]
    pub recovery: f32,
    /// Cap of the balance anchor as a multiple of mass × g × 1 m, 0..=10.
    #[schemars(range(min = 0, max = 10))]
    pub anchor: f32,
    /// Parts that are hurt, or go otherwise than the rest.
    #[serde(skip_serializing_if = "is_default")]
    pub parts: Parts,
}

/// Parts of a figure that have a mode or a strength of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with head, spine, arm_l, arm_r, leg_l and leg_r, all optional")]
pub struct Parts {
    /// Neck and head.
    #[serde(skip_serializing_if = "is_default")]
    pub head: Part,
    /// Lower back and chest.
    #[serde(skip_serializing_if = "is_default")]
    pub spine: Part,
    /// Left arm.
    #[serde(skip_serializing_if = "is_default")]
    pub arm_l: Part,
    /// Right arm.
    #[serde(skip_serializing_if = "is_default")]
    pub arm_r: Part,
    /// Left leg.
    #[serde(skip_serializing_if = "is_default")]
    pub leg_l: Part,
    /// Right leg.
    #[serde(skip_serializing_if = "is_default")]
    pub leg_r: Part,
}

/// How a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with mode and strength, both optional")]
pub struct Part {
    /// "animated": as the rest of the figure; "limp": without muscle; "powered": on its muscles while the rest follows its clip.
    pub mode: StartMode,
    /// Lasting share of its muscle, 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub strength: f32,
}

impl Default for Part {
    fn default() -> Self {
        Self::from(&PartRecord::default())
    }
}

impl From<&Part> for PartRecord {
    fn from(part: &Part) -> Self {
        Self { mode: part.mode.into(), strength: part.strength }
    }
}

impl From<&PartRecord> for Part {
    fn from(record: &PartRecord) -> Self {
        Self { mode: record.mode.into(), strength: record.strength }
    }
}

impl From<StartMode> for Mode {
    fn from(mode: StartMode) -> Self {
        match mode {
            StartMode::Animated => Self::Animated,
            StartMode::Powered => Self::Powered,
            StartMode::Limp => Self::Limp,
        }
    }
}

impl From<Mode> for StartMode {
    /// A figure that is getting up or acting is written as what it gets to: powered.
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Animated => Self::Animated,
            Mode::Limp => Self::Limp,
            Mode::Powered | Mode::GettingUp | Mode::Acting => Self::Powered,
        }
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::from(&MotionRecord::default())
    }
}

impl From<&Motion> for MotionRecord {
    fn from(motion: &Motion) -> Self {
        Self {
            mode: motion.mode.into(),
            strength: motion.strength,
            protective: motion.protective,
            stepping: motion.stepping,
            hit_reaction: motion.hit_reaction,
            muscles: motion.muscles,
            writhing: motion.writhing,
            get_up: motion.get_up,
            recovery: motion.recovery,
            anchor: motion.anchor,
            parts: {
                let Parts { head, spine, arm_l, arm_r, leg_l, leg_r } = &motion.parts;
                [head, spine, arm_l, arm_r, leg_l, leg_r].map(PartRecord::from)
            },
        }
    }
}

impl From<&MotionRecord> for Motion {
    fn from(record: &MotionRecord) -> Self {
        let [head, spine, arm_l, arm_r, leg_l, leg_r] = record.parts.each_ref().map(Part::from);
        Self {
            mode: record.mode.into(),
            strength: record.strength,
            protective: record.protective,
            stepping: record.stepping,
            hit_reaction: record.hit_reaction,
            muscles: record.muscles,
            // Its model has them, not its record.
            ankles: false,
            writhing: record.writhing,
            get_up: record.get_up,
            recovery: record.recovery,
            anchor: record.anchor,
            parts: Parts { head, spine, arm_l, arm_r, leg_l, leg_r },
        }
    }
}

/// A script that a figure carries: `"protective_fall"`, or `{"script": "protective_fall", "params": {"tuck": 0.8}}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// Its name in `scripts/`, without ending.
    pub script: String,
    /// Only the parameters that differ from the script's defaults.
    pub params: BTreeMap<String, Param>,
}

/// The longer way to write a [`Behaviour`].
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BehaviourObject<'a> {
    /// Its name in `scripts/`, without ending.
    script: Cow<'a, str>,
    /// Only the parameters that differ from the script's defaults.
    #[serde(default)]
    params: Cow<'a, BTreeMap<String, Param>>,
}

impl Serialize for Behaviour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.params.is_empty() {
            return serializer.serialize_str(&self.script);
        }
        BehaviourObject { script: Cow::Borrowed(&self.script), params: Cow::Borrowed(&self.params) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Behaviour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // By hand: serde's untagged enums lose the line, the column and the field at fault.
        deserializer.deserialize_any(BehaviourVisitor)
    }
}

struct BehaviourVisitor;

impl<'de> Visitor<'de> for BehaviourVisitor {
    type Value = Behaviour;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a script's name, or an object with script and params")
    }

    fn visit_str<E: serde::de::Error>(self, script: &str) -> Result<Behaviour, E> {
        Ok(Behaviour { script: script.to_owned(), params: BTreeMap::new() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Behaviour, A::Error> {
        let object = BehaviourObject::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Behaviour { script: object.script.into_owned(), params: object.params.into_owned() })
    }
}

impl JsonSchema for Behaviour {
    fn schema_name() -> Cow<'static, str> {
        "Behaviour".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = BehaviourObject::json_schema(generator);
        json_schema!({
            "description": "A script that a figure carries: its name, or its name with parameters.",
            "anyOf": [{ "type": "string" }, object],
        })
    }
}

const fn one() -> u64 {
    1
}

const fn yes() -> bool {
    true
}

/// Dry rubber or leather on asphalt: 0.6 to 0.9.
const fn friction() -> f32 {
    0.8
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(crate) fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_yes(flag: &bool) -> bool {
    *flag
}
