//! Runs measured: ensembles that put a number to standing, to being struck and to what is drawn of it, to what a solver makes of
//! limits, heaps, things and walls, and strips to see what a number says.
//!
//! Every measure is an ensemble: a figure is put into the same situation several times, each time a little otherwise, as a seed
//! decides. A run keeps poses ([`kept`]), and a table's rows are computed from those by code that does not know the controller.

mod arena;
mod balance;
mod bound;
mod brace;
mod carried;
mod catalogue;
pub mod compare;
mod conditions;
mod controls;
mod crawl;
pub mod depth;
mod eat;
mod ensemble;
mod falls;
mod feet;
mod get_up;
mod handover;
mod handover_gap;
mod heading;
mod impact_shows;
pub mod kept;
mod lie;
pub mod limit;
mod limits;
pub mod momentum;
mod options;
pub mod outcome;
mod part_powered;
mod parts;
mod pile;
pub mod plot;
mod posed;
mod props;
pub mod report;
mod rest;
mod scene;
mod shove;
mod sit;
pub mod sources;
mod stage;
mod stagger;
pub mod strip;
mod subject;
pub mod sweep;
mod table;
mod user;
mod walls;
mod ways;
mod wounds;
mod writhe;

pub use bound::Bound;
pub use carried::Project;
pub use catalogue::{MEASURES, Measure};
pub use conditions::{Conditions, Headings, Span};
pub use options::{MeasureError, Options, Progress};
pub use subject::{Subject, boxman};
pub use table::{Row, Table};

use simrun_sim::WorldSettings;
use simrun_sim::drive::SWEEPS;

/// What a measure is about and what its rows say; `name` is one of [`MEASURES`], or the path of a measure of one's own (`.luau`).
///
/// # Errors
/// A measure that is not known, or a file that is none.
pub fn explain(name: &str) -> Result<String, MeasureError> {
    match user::file(name) {
        Some(file) => user::explanation(file),
        None => Measure::named(name).map(Measure::explanation),
    }
}

/// Runs a measure.
///
/// # Errors
/// A measure that is not known, a file that is none, or that cannot be asked this; a figure that cannot be measured, a number out of its range.
pub fn run(options: &Options) -> Result<Table, MeasureError> {
    let subject = options.subject()?;
    let (carried, (runs, rows)) = match user::file(&options.measure) {
        Some(file) => (user::carried(file, options)?.0, user::take(file, &subject, options)?),
        None => {
            let measure = Measure::named(&options.measure)?;
            options.check(measure)?;
            (measure.carried(options)?, (measure.take)(&subject, options)?)
        }
    };
    Ok(Table {
        measure: options.measure.clone(),
        seed: options.seed,
        runs,
        figure: subject.name,
        behaviours: carried.origins(),
        anchor: options.anchor,
        conditions: options.conditions.clone(),
        solver: options.solver.name(),
        substeps: WorldSettings::default().substeps,
        sweeps: SWEEPS,
        ok: rows.iter().all(|row| row.ok),
        rows,
    })
}
