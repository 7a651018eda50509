//! The measures that judge a solver: each can be taken in a few runs, its rows say what the solver does, and names a solver is asked
//! for by are those that there are.

use super::{assert_holds, measure, row, table};
use simrun_measure::Options;
use simrun_sim::WorldSettings;
use simrun_sim::solve::Backend;

fn few(name: &str, runs: usize) -> simrun_measure::Table {
    table(&Options { seed: 21, runs: Some(runs), ..Options::new(name) })
}

#[test]
fn joints_are_driven_at_their_limits() {
    let table = few("limits", 13);
    assert_holds(&table);
    // They are driven hard: not one limit in ten is left alone.
    assert!(row(&table, "reached_pct", "driven 1 rad past").measured >= 90.0, "{table}");
}

#[test]
fn sixteen_figures_lie_in_a_heap() {
    let table = few("pile", 1);
    assert_holds(&table);
    assert!(row(&table, "cpu_us", "solving, a figure and step").measured > 0.1, "{table}");
}

#[test]
fn things_and_figures_rest_on_each_other() {
    assert_holds(&few("props", 1));
}

#[test]
fn nothing_goes_through_a_wall() {
    assert_holds(&few("walls", 8));
}

#[test]
fn a_table_says_what_solved_the_bodies() {
    let table = measure("impact_shows", 1);
    assert_eq!(table.solver, Backend::default().name());
    assert!(table.to_string().contains(&format!("· {}, 8 sub-steps", table.solver)), "{table}");
}

#[test]
fn a_solver_is_asked_for_by_its_name() {
    for solver in Backend::ALL {
        assert_eq!(Backend::from_name(solver.name()), Some(*solver));
        assert!(solver.make(WorldSettings::default().gravity).object(1).is_none());
    }
    assert_eq!(Backend::from_name("rapeir"), None);
}
