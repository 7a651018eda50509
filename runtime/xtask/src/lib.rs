//! The task runner: `cargo xtask ci` and `cargo xtask figures`.

pub mod figures;
