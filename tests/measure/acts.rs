//! Sitting and lying down on figures and seeds, and that the measures tell a way that is not kept to.

use super::{row, table};
use simrun_measure::Options;

#[test]
fn whoever_sits_down_rests_on_the_seat_with_its_feet_where_they_are() {
    for seed in [1, 21] {
        let table = table(&Options { seed, runs: Some(4), ..Options::new("sit") });
        let failed: Vec<_> = table.rows.iter().filter(|row| !row.ok).collect();
        assert!(failed.is_empty(), "seed {seed}: {failed:?}");
        let turned = row(&table, "turn_deg", "round 0.4 m").measured;
        assert!(turned > 1.0, "it moves");
        assert!(turned < 3.4, "an elbow snaps straight as its hand leaves the thigh: {turned:.1}° a step");
    }
}

#[test]
fn whoever_lies_down_lies_on_its_bed_and_gets_up() {
    let table = table(&Options { seed: 3, runs: Some(2), ..Options::new("lie") });
    let failed: Vec<_> = table.rows.iter().filter(|row| !row.ok).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn whoever_eats_or_drinks_has_its_palms_on_the_grips() {
    // Three cases, each on muscles and as a clip has it.
    for seed in [2, 7] {
        let table = table(&Options { seed, runs: Some(6), ..Options::new("eat") });
        let failed: Vec<_> = table.rows.iter().filter(|row| !row.ok).collect();
        assert!(failed.is_empty(), "seed {seed}: {failed:?}");
        assert!(row(&table, "turn_deg", "a cup").measured > 1.0, "it moves");
    }
}
