//! The task runner: `cargo xtask ci`, `cargo xtask docs`, `cargo xtask figures` and `cargo xtask pictures`.

pub mod ci;
pub mod docs;
pub mod figures;
pub mod pictures;
pub mod verdicts;
