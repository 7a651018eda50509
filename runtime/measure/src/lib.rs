//! simrun
