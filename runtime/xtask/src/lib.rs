//! The task runner: `cargo xtask ci` and `cargo xtask figures`.

pub mod ci;
pub mod figures;
pub mod verdicts;
