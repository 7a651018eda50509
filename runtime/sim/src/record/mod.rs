//! Room 7, RECORD: hashes of what happened.

use crate::decide::Want;
use crate::space::{Quat, Rigid, Vec3};
use crate::world::{Figure, Object, World};

/// Digests state bit by bit: −0 and 0 differ, and so do two NaNs.
#[derive(Debug, Default)]
pub struct Digest(blake3::Hasher);

impl Digest {
    /// A number's bits.
    pub fn number(&mut self, number: f32) {
        self.0.update(&number.to_bits().to_le_bytes());
    }

    /// A whole number.
    pub fn whole(&mut self, whole: u64) {
        self.0.update(&whole.to_le_bytes());
    }

    /// Three numbers.
    pub fn vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|number| self.number(number));
    }

    /// Four numbers.
    pub fn rotation(&mut self, rotation: Quat) {
        rotation.to_array().into_iter().for_each(|number| self.number(number));
    }

    /// A pose.
    pub fn pose(&mut self, pose: &Rigid) {
        self.rotation(pose.rotation);
        self.vector(pose.translation);
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    /// The first 64 bits.
    #[must_use]
    pub fn finish(&self) -> u64 {
        let hash = self.0.finalize();
        u64::from_le_bytes(std::array::from_fn(|index| hash.as_bytes()[index]))
    }
}

/// Keeps the hash of this step.
pub fn run(world: &mut World) {
    let hash = hash_of(world);
    world.keep_hash(hash);
}

/// Hash of physics, motion and claims, figures and objects in the order of their ids.
pub(crate) fn hash_of(world: &World) -> u64 {
    let mut digest = Digest::default();
    digest.whole(world.step_index());
    for figure in world.figures() {
        figure_into(&mut digest, figure);
    }
    for object in world.objects() {
        object_into(&mut digest, object);
    }
    digest.finish()
}

fn figure_into(digest: &mut Digest, figure: &Figure) {
    digest.whole(figure.id.0);
    digest.pose(&figure.place);
    for playing in &figure.animator.playing {
        digest.number(playing.time);
        digest.number(playing.weight);
    }
    if let Some(body) = &figure.body {
        for state in &body.bodies {
            digest.pose(&state.pose);
            digest.vector(state.linear);
            digest.vector(state.angular);
        }
    }
    if let Some(motion) = &figure.motion {
        digest.whole(motion.mode as u64);
        digest.whole(motion.phase as u64);
        digest.whole(motion.phase_since);
        for bone in crate::figure::Bone::ALL {
            digest.number(motion.muscles.share(bone));
        }
    }
    for claim in figure.claims.iter() {
        digest.text(&claim.owner);
        digest.whole(claim.bone as u64);
        digest.whole(claim.since_step);
        digest.number(claim.share);
        want_into(digest, &claim.want);
    }
}

fn want_into(digest: &mut Digest, want: &Want) {
    let (kind, numbers): (u64, [f32; 6]) = match *want {
        Want::Aim(rotation) => (0, padded(&rotation.to_array())),
        Want::Point(direction) => (1, padded(&direction.to_array())),
        Want::Bend(turn) => (2, padded(&turn.to_array())),
        Want::Reach { point, pole } => (3, [point.x, point.y, point.z, pole.x, pole.y, pole.z]),
        Want::Hold(rotation) => (4, padded(&rotation.to_array())),
        Want::Weaken => (5, [0.0; 6]),
        Want::Limp => (6, [0.0; 6]),
    };
    digest.whole(kind);
    numbers.into_iter().for_each(|number| digest.number(number));
}

fn padded(numbers: &[f32]) -> [f32; 6] {
    std::array::from_fn(|index| numbers.get(index).copied().unwrap_or(0.0))
}

fn object_into(digest: &mut Digest, object: &Object) {
    digest.text(&object.name);
    digest.pose(&object.pose);
    digest.vector(object.linear);
    digest.vector(object.angular);
}
