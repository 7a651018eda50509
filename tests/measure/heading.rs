//! What shoves from behind do to the way a figure faces.

use super::{row, table};
use crate::support;
use simrun_measure::Options;

fn heading(seed: u64, runs: usize) -> Options {
    Options { seed, runs: Some(runs), ..Options::new("heading") }
}

#[test]
fn six_shoves_from_behind_leave_it_facing_where_it_did() {
    let table = table(&heading(61, 3));
    for (name, way) in [
        ("heading_deg", "standing, six of 0.43 m/s"),
        ("swing_deg", "standing, six of 0.43 m/s"),
        ("stood", "standing, six of 0.43 m/s"),
        ("facing_deg", "2 s, boxman.glb"),
        ("lean_deg", "2 s, boxman.glb"),
    ] {
        assert!(row(&table, name, way).ok, "{name}, {way} in\n{table}");
    }
    // A leg that swings turns the pelvis: were nothing measured, it would be 0.
    assert!(row(&table, "swing_deg", "stepping, six of 1.4 to 2.0 m/s").measured > 1.0, "{table}");
    assert!(row(&table, "heading_deg", "stepping, six of 1.4 to 2.0 m/s").measured < 15.0, "{table}");
}

#[test]
fn a_figure_without_balance_stands_through_none() {
    let table = simrun_measure::run(&Options { anchor: 0.0, ..heading(62, 1) });
    assert!(table.is_err_and(|error| error.to_string().contains("stands through none")));
}

#[test]
fn two_rigs_face_where_they_are_put() {
    for (name, path) in support::present(&["derived/naming/human-mixamorig.glb"]) {
        let table = table(&Options { figure: Some(path), ..heading(63, 1) });
        for way in ["2 s, human-mixamorig.glb", "2 s, boxman.glb"] {
            assert!(row(&table, "facing_deg", way).ok && row(&table, "lean_deg", way).ok, "{name}, {way} in\n{table}");
        }
    }
}
