//! Names' stable ids, and handles.
//!
//! A stable id is a 64-bit value made from a name: it orders figures, goes into hashes and into files. A handle is a live
//! reference, index and generation: it goes stale when what it names is destroyed.

use serde::{Deserialize, Serialize};

/// 64-bit FNV-1a of a name: the same in every run and on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StableId(pub u64);

impl StableId {
    /// The id of a name.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(hash)
    }
}

slotmap::new_key_type! {
    /// A live figure.
    pub struct FigureHandle;
    /// A live object of the scene: a road, a car, a crate.
    pub struct ObjectHandle;
}

/// A handle as the 64-bit key that crosses the solver's boundary.
#[must_use]
pub fn key_of(handle: impl slotmap::Key) -> u64 {
    handle.data().as_ffi()
}

/// The handle behind a key.
#[must_use]
pub fn handle_of<K: From<slotmap::KeyData>>(key: u64) -> K {
    K::from(slotmap::KeyData::from_ffi(key))
}
