//! The one test binary, in rooms.

mod scene;
mod simrun;
