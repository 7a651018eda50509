//! Getting up, and that the measure tells one who cannot.

use super::{row, table};
use simrun_measure::Options;

#[test]
fn whoever_lies_gets_up_without_a_jump() {
    for seed in [1, 21] {
        let table = table(&Options { seed, runs: Some(18), ..Options::new("get_up") });
        let failed: Vec<_> = table.rows.iter().filter(|row| !row.ok).collect();
        assert!(failed.is_empty(), "seed {seed}: {failed:?}");
        for way in ["back", "forward", "side", "limp", "slope", "kerb"] {
            assert_eq!(row(&table, "of", way).measured, 3.0);
            assert!(row(&table, "turn_deg", way).measured > 1.0, "it moves");
        }
    }
}
