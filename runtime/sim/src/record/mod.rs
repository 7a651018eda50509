//! Room 7, RECORD: hashes of what happened, and recordings of how it came about.
//!
//! A recording is where a run began, and everything that it depended on after that: a snapshot, the commands, the claims. Replaying it
//! is running the corridor again with a [`Decide`](crate::Decide) that reads the claims; the hashes of each step say whether it came
//! to the same bits.

mod build;
mod claims;
mod format;
mod hash;
mod journal;
mod model;
mod poses;
mod recorder;
mod recording;
mod replay;

pub use build::build_id;
pub use hash::{Digest, RoomHashes};
pub(crate) use journal::Journal;
pub use journal::{Asked, Entry};
pub use poses::FigurePose;
pub use recorder::{Recorder, Spent};
pub use recording::{Header, Note, Recording, RecordingError, ScriptSource};
pub use replay::{Difference, Replay};

use crate::world::World;

/// Keeps the hashes of this step.
pub fn run(world: &mut World) {
    let hashes = RoomHashes::of(world);
    world.keep_hashes(hashes);
}
