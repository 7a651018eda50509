//! Hashes of a world's state, one a group of rooms, so that a difference says where it began.

use crate::decide::Want;
use crate::figure::Bone;
use crate::space::{Quat, Rigid, Vec3};
use crate::world::{Figure, Object, World};
use serde::{Deserialize, Serialize};

/// Digests state bit by bit: −0 and 0 differ, and so do two NaNs.
#[derive(Debug, Default)]
pub struct Digest(Vec<u8>);

impl Digest {
    /// A number's bits.
    pub fn number(&mut self, number: f32) {
        self.0.extend(number.to_bits().to_le_bytes());
    }

    /// A whole number.
    pub fn whole(&mut self, whole: u64) {
        self.0.extend(whole.to_le_bytes());
    }

    /// Three numbers.
    pub fn vector(&mut self, vector: Vec3) {
        self.numbers(vector.to_array());
    }

    /// Four numbers.
    pub fn rotation(&mut self, rotation: Quat) {
        self.numbers(rotation.to_array());
    }

    fn numbers<const COUNT: usize>(&mut self, numbers: [f32; COUNT]) {
        self.0.extend_from_slice(numbers.map(|number| number.to_bits().to_le_bytes()).as_flattened());
    }

    /// A pose.
    pub fn pose(&mut self, pose: &Rigid) {
        self.rotation(pose.rotation);
        self.vector(pose.translation);
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    /// Any bytes, without their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// The first 64 bits.
    #[must_use]
    pub fn finish(&self) -> u64 {
        let hash = blake3::hash(&self.0);
        u64::from_le_bytes(std::array::from_fn(|index| hash.as_bytes()[index]))
    }
}

/// What the rooms of one step came to. The rooms in between leave no state of their own: SENSE is computed anew each step, and so is DRIVE
/// but for how bones pass from one claim to another, which follows from the claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomHashes {
    /// Places and clip clocks; hordes and their pools.
    pub sample: u64,
    /// Modes, phases, muscles and claims.
    pub decide: u64,
    /// Bodies and objects.
    pub solve: u64,
    /// What is shown.
    pub draw: u64,
}

impl RoomHashes {
    /// Of a world as it stands, figures and objects in the order of their ids.
    #[must_use]
    pub(crate) fn of(world: &World) -> Self {
        let of_figures = |room: fn(&mut Digest, &Figure)| {
            let mut digest = Digest(Vec::with_capacity(1024 * world.order().len()));
            digest.whole(world.step_index());
            for figure in world.figures() {
                digest.whole(figure.id.0);
                room(&mut digest, figure);
            }
            digest
        };
        let mut sample = of_figures(sampled);
        world.hordes().for_each(|horde| horde.digest(&mut sample));
        let mut solve = of_figures(solved);
        world.objects().for_each(|object| object_into(&mut solve, object));
        Self {
            sample: sample.finish(),
            decide: of_figures(decided).finish(),
            solve: solve.finish(),
            draw: of_figures(drawn).finish(),
        }
    }

    /// One hash of them all.
    #[must_use]
    pub fn all(&self) -> u64 {
        let mut digest = Digest::default();
        [self.sample, self.decide, self.solve, self.draw].into_iter().for_each(|hash| digest.whole(hash));
        digest.finish()
    }

    /// Sixteen bits of each in eight bytes, as a recording keeps them: a difference goes unnoticed once in 2⁶⁴ steps, its room is
    /// named wrongly once in 2¹⁶.
    #[must_use]
    pub fn packed(&self) -> u64 {
        let rooms = [self.sample, self.decide, self.solve, self.draw];
        rooms.iter().rev().fold(0, |packed, hash| (packed << 16) | (hash & 0xffff))
    }

    /// The first room whose part of two packed hashes differs.
    #[must_use]
    pub fn first_difference(one: u64, other: u64) -> Option<&'static str> {
        let names = ["SAMPLE", "DECIDE", "SOLVE", "DRAW"];
        names.into_iter().enumerate().find(|(room, _)| (one ^ other) >> (16 * room) & 0xffff != 0).map(|(_, name)| name)
    }
}

fn sampled(digest: &mut Digest, figure: &Figure) {
    digest.pose(&figure.place);
    for playing in &figure.animator.playing {
        digest.number(playing.time);
        digest.number(playing.weight);
    }
}

fn decided(digest: &mut Digest, figure: &Figure) {
    if let Some(motion) = &figure.motion {
        digest.whole(motion.mode as u64);
        digest.whole(motion.phase as u64);
        digest.whole(motion.phase_since);
        digest.number(motion.pin.share());
        if let Some(holding) = &motion.holding {
            holding.numbers().into_iter().for_each(|number| digest.number(number));
        }
        for bone in Bone::ALL {
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

fn solved(digest: &mut Digest, figure: &Figure) {
    for state in figure.body.iter().flat_map(|body| &body.bodies) {
        digest.pose(&state.pose);
        digest.vector(state.linear);
        digest.vector(state.angular);
    }
    figure.feet.iter().flat_map(|feet| feet.bent).for_each(|angle| digest.number(angle));
}

fn drawn(digest: &mut Digest, figure: &Figure) {
    figure.drawn.bodies.iter().for_each(|pose| digest.pose(pose));
    figure.feet.iter().flat_map(|feet| feet.drawn).for_each(|angle| digest.number(angle));
}

fn want_into(digest: &mut Digest, want: &Want) {
    let (kind, numbers) = want.numbers();
    digest.whole(u64::from(kind));
    numbers.into_iter().for_each(|number| digest.number(number));
}

fn object_into(digest: &mut Digest, object: &Object) {
    digest.text(&object.name);
    digest.pose(&object.pose);
    digest.vector(object.linear);
    digest.vector(object.angular);
}
