//! The task runner: `cargo xtask ci`, `cargo xtask docs` and `cargo xtask figures`.

pub mod ci;
pub mod docs;
pub mod figures;
pub mod verdicts;
