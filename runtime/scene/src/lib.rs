//! simrun

pub mod model;
