//! What is drawn while bodies are taken up and let go.

use super::{assert_holds, measure, row};

#[test]
fn what_is_drawn_does_not_part_from_the_bodies() {
    let table = measure("handover_gap", 64);
    assert_holds(&table);
    // Knees that were not bent would show nothing.
    assert!(row(&table, "bent_deg", "bent under a straight pose").measured > 15.0, "{table}");
    assert!(row(&table, "knee_past_straight_deg", "bent under a straight pose").measured > -20.0, "{table}");
    assert!(row(&table, "knee_past_both_deg", "bent under a straight pose").measured > -1.0, "{table}");
}
