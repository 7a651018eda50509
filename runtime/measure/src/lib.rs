//! Runs measured: ensembles that put a number to standing, to being struck and to what is drawn of it, to what a solver makes of
//! limits, heaps, things and walls, and strips to see what a number says.
//!
//! Every measure is an ensemble: a figure is put into the same situation several times, each time a little otherwise, as a seed
//! decides. A run keeps poses ([`kept`]), and a table's rows are computed from those by code that does not know the controller.

mod arena;
mod balance;
mod carried;
pub mod depth;
mod ensemble;
mod falls;
mod get_up;
mod impact_shows;
pub mod kept;
pub mod limit;
mod limits;
pub mod momentum;
mod options;
mod pile;
mod props;
pub mod report;
mod rest;
mod scene;
mod shove;
mod stage;
pub mod strip;
mod subject;
mod table;
mod walls;

pub use options::{MEASURES, MeasureError, Options};
pub use subject::{Subject, boxman};
pub use table::{Row, Table};

use simrun_sim::WorldSettings;
use simrun_sim::drive::SWEEPS;

/// Runs a measure.
///
/// # Errors
/// A measure that is not known, a figure that cannot be measured, a number out of its range.
pub fn run(options: &Options) -> Result<Table, MeasureError> {
    options.check()?;
    let rows_of = match options.measure.as_str() {
        "rest" => rest::rows,
        "shove" => shove::rows,
        "impact_shows" => impact_shows::rows,
        "limits" => limits::rows,
        "pile" => pile::rows,
        "props" => props::rows,
        "walls" => walls::rows,
        "falls" => falls::rows,
        "balance" => balance::rows,
        "get_up" => get_up::rows,
        _ => return Err(MeasureError::UnknownMeasure(options.measure.clone())),
    };
    let subject = options.subject()?;
    let (runs, rows) = rows_of(&subject, options)?;
    Ok(Table {
        measure: options.measure.clone(),
        seed: options.seed,
        runs,
        figure: subject.name,
        anchor: options.anchor,
        solver: options.solver.name(),
        substeps: WorldSettings::default().substeps,
        sweeps: SWEEPS,
        ok: rows.iter().all(|row| row.ok),
        rows,
    })
}
