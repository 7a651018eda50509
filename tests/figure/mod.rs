//! What a figure is: model files, roles, ragdolls.

mod files;
mod ragdoll;
