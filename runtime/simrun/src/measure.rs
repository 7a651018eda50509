//! The door to measures and strips.

use crate::Failure;
use crate::args::{Measure, Strip};

/// Runs a measure and prints its table. Whether everything in it held.
///
/// # Errors
/// An unknown measure, a figure that is no model.
pub fn measure(args: &Measure) -> Result<bool, Failure> {
    Err(Failure(vec![format!("the measure '{}' is not built yet", args.name)]))
}

/// Draws a strip.
///
/// # Errors
/// A scene that cannot be run, an unknown figure, a file that cannot be written.
pub fn strip(args: &Strip) -> Result<(), Failure> {
    Err(Failure(vec![format!("a strip of '{}' is not built yet", args.figure)]))
}
