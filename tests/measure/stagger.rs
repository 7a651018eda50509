//! Runs of steps, and falls past them.

use super::{row, table};
use simrun_measure::Options;
use std::fs;

const CAUGHT: &str = "2.0 to 2.4 m/s";
const PAST: &str = "2.8 to 3.6 m/s, felled";

#[test]
fn the_lesser_shoves_are_stepped_out_of_and_the_greater_end_in_a_protected_fall() {
    let table = table(&Options { seed: 65, runs: Some(4), ..Options::new("stagger") });
    let number = |name: &str, way: &str| row(&table, name, way).measured;
    assert!(number("stand", CAUGHT) >= 75.0 && number("steps_least", CAUGHT) >= 2.0, "{table}");
    assert_eq!((number("same_bits", CAUGHT), number("same_bits", PAST)), (100.0, 100.0), "{table}");
    assert!(number("fall", PAST) >= 75.0 && number("protected_slower", PAST) >= 75.0, "{table}");
    assert!(number("twin_head_mps", PAST) > 2.0 && number("head_mps", PAST) < 2.0, "{table}");
}

#[test]
fn who_does_not_step_stands_after_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.luau");
    fs::write(&file, "return { step = function() end }").expect("a file");
    let table = table(&Options { seed: 66, runs: Some(2), script: Some(file), ..Options::new("stagger") });
    assert_eq!(row(&table, "stand", CAUGHT).measured, 0.0, "{table}");
    assert!(!row(&table, "steps_least", CAUGHT).ok && !table.ok, "{table}");
    assert_eq!(row(&table, "steps_most", PAST).measured, 0.0, "{table}");
}
