//! Which build this is.

/// Version, processor and a hash of the simulation's sources: two builds of one name come to the same bits, debug or release.
#[must_use]
pub const fn build_id() -> &'static str {
    env!("SIMRUN_BUILD")
}
