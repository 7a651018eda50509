//! Runs measured: reports, ensembles, tables.

pub mod report;
