//! Poses kept every few steps, so that another build can play a recording that it cannot compute again.

use crate::figure::{BONES, Bone};
use crate::space::{Quat, Rigid, Vec3};
use crate::world::{Figure, World};
use serde::{Deserialize, Serialize};

/// Steps between two kept poses: a tenth of a second at 60 Hz.
pub(super) const EVERY: u64 = 6;

/// What a figure was shown as: the pelvis's place, and every bone's rotation in the world to 3·10⁻⁵.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FigurePose {
    /// World, m.
    pub pelvis: Vec3,
    /// World from bone: x, y, z of the unit quaternion with w ≥ 0, in 32767ths.
    turns: [[i16; 3]; BONES],
}

impl FigurePose {
    fn of(figure: &Figure) -> Self {
        let drawn = &figure.drawn.bodies;
        Self { pelvis: drawn[0].translation, turns: std::array::from_fn(|bone| packed(drawn[bone].rotation)) }
    }

    /// World from bone.
    #[must_use]
    pub fn rotation(&self, bone: Bone) -> Quat {
        unpacked(self.turns[bone.index()])
    }
}

/// Everything that is shown at one step, in the order of the ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Poses {
    /// The figures' names, where they are not those kept last.
    pub(super) names: Option<Vec<String>>,
    pub(super) figures: Vec<FigurePose>,
    /// Of what can move.
    pub(super) objects: Vec<(Vec3, [i16; 3])>,
}

impl Poses {
    pub(super) fn of(world: &World) -> Self {
        let moving = world.objects().filter(|object| object.kind != crate::solve::boundary::BodyKind::Fixed);
        Self {
            names: None,
            figures: world.figures().map(FigurePose::of).collect(),
            objects: moving.map(|object| (object.pose.translation, packed(object.pose.rotation))).collect(),
        }
    }

    /// World from object.
    pub(super) fn object(&self, index: usize) -> Option<Rigid> {
        self.objects.get(index).map(|(place, turn)| Rigid::new(unpacked(*turn), *place))
    }
}

fn packed(rotation: Quat) -> [i16; 3] {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    [rotation.x, rotation.y, rotation.z].map(|number| (number.clamp(-1.0, 1.0) * 32767.0).round() as i16)
}

fn unpacked(turn: [i16; 3]) -> Quat {
    let [x, y, z] = turn.map(|number| f32::from(number) / 32767.0);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    Quat::from_xyzw(x, y, z, w).normalize()
}
