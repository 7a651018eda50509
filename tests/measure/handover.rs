//! Handing members over and back, on the box man and on other rigs.

use super::{assert_holds, row, table};
use crate::support::present;
use simrun_measure::Options;

/// Rigs of other namings and other ways to be written.
const OTHERS: &[&str] = &["derived/naming/human-home-guess.glb", "derived/transform/mixamorig-armature-0.01-rotx90.glb"];

#[test]
fn members_become_figures_and_go_back_as_they_are_drawn() {
    for seed in [1, 7] {
        let table = table(&Options { seed, runs: Some(2), ..Options::new("handover") });
        assert_holds(&table);
        assert!(row(&table, "back_s", "felled").measured > 2.0, "they were down: {table}");
    }
}

#[test]
fn other_rigs_are_handed_over_as_they_are_drawn() {
    for (_, path) in present(OTHERS) {
        let table = table(&Options { runs: Some(1), figure: Some(path), ..Options::new("handover") });
        for (name, way) in
            [("hand_over_mm", "idling"), ("hand_over_mm", "walking"), ("give_back_mm", "felled"), ("miscounted", "felled")]
        {
            assert!(row(&table, name, way).ok, "{table}");
        }
    }
}
