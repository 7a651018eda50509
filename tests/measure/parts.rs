//! Parts that go otherwise than their figure.

use super::{assert_holds, measure, row, table};
use crate::support;
use simrun_measure::Options;

#[test]
fn an_arm_let_go_of_hangs_and_is_taken_back() {
    let table = measure("parts", 31);
    assert_holds(&table);
    assert!(row(&table, "drawn_off_rad", "walking").measured < 0.03 && row(&table, "swings_rad", "walking").measured > 0.2);
}

#[test]
fn a_jab_at_a_powered_head_is_seen_and_forgotten() {
    assert_holds(&measure("part_powered", 32));
}

#[test]
fn another_rigs_parts_hold_the_same_rows() {
    for (name, path) in support::present(&["derived/naming/human-mixamorig.glb"]) {
        for measure in ["parts", "part_powered"] {
            println!("{name}, {measure}");
            assert_holds(&table(&Options { figure: Some(path.clone()), runs: Some(2), seed: 33, ..Options::new(measure) }));
        }
    }
}
