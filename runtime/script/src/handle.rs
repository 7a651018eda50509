//! Handles in Lua: light userdata, so that a call with one costs no allocation.
//!
//! The 64 bits are slotmap's: generation above, index below. A generation never reaches 2³¹, so the top bit says the kind. The
//! pointer is never followed.

use mlua::LightUserData;
use simrun_sim::id::{handle_of, key_of};
use simrun_sim::{FigureHandle, ObjectHandle};

const OBJECT: u64 = 1 << 63;

/// What a handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    Figure(FigureHandle),
    Object(ObjectHandle),
}

impl Thing {
    /// As Lua holds it.
    pub(crate) fn pack(self) -> LightUserData {
        let bits = match self {
            Self::Figure(handle) => key_of(handle),
            Self::Object(handle) => key_of(handle) | OBJECT,
        };
        LightUserData(std::ptr::without_provenance_mut(bits as usize))
    }

    /// What Lua holds.
    pub(crate) fn unpack(handle: LightUserData) -> Self {
        let bits = handle.0.addr() as u64;
        let key = bits & !OBJECT;
        if bits & OBJECT == 0 { Self::Figure(handle_of(key)) } else { Self::Object(handle_of(key)) }
    }
}

impl From<FigureHandle> for Thing {
    fn from(handle: FigureHandle) -> Self {
        Self::Figure(handle)
    }
}

impl From<ObjectHandle> for Thing {
    fn from(handle: ObjectHandle) -> Self {
        Self::Object(handle)
    }
}
