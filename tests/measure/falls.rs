//! Protected falls, and that the measure tells a fall that is not.

use super::{assert_controls, row, table};
use crate::support;
use simrun_measure::sources::Folder;
use simrun_measure::{MeasureError, Options, run};
use std::path::PathBuf;

const NAMES: [&str; 12] = [
    "protected_slower",
    "ties",
    "head_mps",
    "twin_head_mps",
    "second_impacts",
    "still_within_3s",
    "slowest_still_s",
    "hands_before_head",
    "in_bands",
    "max_torque_share",
    "peak_radps",
    "peak_opening_mm",
];

fn falls(seed: u64, runs: usize) -> Options {
    Options { seed, runs: Some(runs), ..Options::new("falls") }
}

/// A script in a file of its own, gone when the test is.
fn script(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.luau");
    std::fs::write(&file, text).expect("a file");
    (folder, file)
}

#[test]
fn a_protected_head_meets_the_ground_slower_or_never() {
    let table = table(&falls(21, 6));
    for way in ["back", "forward", "side", "back 4-5", "forward 4-5"] {
        NAMES.iter().for_each(|name| {
            row(&table, name, way);
        });
    }
    assert_controls(&table);
    for (way, head) in [("back", 0.1), ("forward", 0.1), ("side", 0.3), ("back 4-5", 1.0), ("forward 4-5", 1.0)] {
        assert_eq!(row(&table, "protected_slower", way).measured, 100.0, "{way} in\n{table}");
        assert_eq!(row(&table, "hands_before_head", way).measured, 100.0, "{way} in\n{table}");
        assert!(row(&table, "head_mps", way).measured <= head, "{way} in\n{table}");
        assert!(row(&table, "twin_head_mps", way).measured > 4.0, "{way} in\n{table}");
        assert!(row(&table, "slowest_still_s", way).measured < 3.0, "{way} in\n{table}");
        assert!(row(&table, "max_torque_share", way).ok, "{way} in\n{table}");
    }
    for way in ["back", "forward"] {
        assert!(row(&table, "in_bands", way).ok, "{way} in\n{table}");
    }
}

#[test]
fn heads_are_drawn_over_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heads.svg");
    table(&Options { plot: Some(file.clone()), ..falls(21, 1) });
    let svg = std::fs::read_to_string(&file).expect("a picture");
    for told in ["back 4-5", "side", "protected", "twin", "height of the head, m"] {
        assert!(svg.contains(told), "{told}");
    }
    let refused = |options: Options| run(&options).expect_err("refused").to_string();
    let undrawn = Options { plot: Some(file.clone()), ..Options::new("rest") };
    assert_eq!(refused(undrawn), "'rest' takes no --plot; those of which it can be asked: falls");
    let nowhere = Options { plot: Some(folder.path().join("no/heads.svg")), ..falls(21, 1) };
    assert!(refused(nowhere).contains("heads.svg: "));
}

#[test]
fn another_rig_falls_protected_too() {
    for (name, path) in support::present(&["derived/naming/human-mixamorig.glb"]) {
        let table = table(&Options { figure: Some(path), ..falls(22, 4) });
        for way in ["back", "forward", "side"] {
            assert_eq!(row(&table, "protected_slower", way).measured, 100.0, "{name}, {way} in\n{table}");
            assert!(row(&table, "head_mps", way).measured < 0.6, "{name}, {way} in\n{table}");
        }
    }
}

#[test]
fn a_script_that_does_nothing_protects_nobody() {
    let nothing = "return { step = function() end }";
    let (folder, file) = script(nothing);
    std::fs::write(folder.path().join("startle.luau"), nothing).expect("a file");
    let table = table(&Options { script: Some(file), scripts: Some(Folder::at(folder.path())), ..falls(23, 3) });
    assert!(!table.ok);
    for way in ["back", "forward", "side"] {
        assert_eq!(row(&table, "ties", way).measured, 3.0, "{way} in\n{table}");
        assert!(!row(&table, "head_mps", way).ok, "{way} in\n{table}");
    }
}

#[test]
fn falls_do_not_depend_on_the_number_of_jobs() {
    let of = |jobs| table(&Options { jobs, ..falls(24, 3) }).rows;
    assert_eq!(of(1), of(2));
}

#[test]
fn a_parameter_changes_the_falls() {
    let set = vec![("tuck".to_owned(), 0.0)];
    assert_ne!(table(&Options { set, ..falls(25, 2) }).rows, table(&falls(25, 2)).rows);
}

#[test]
fn what_cannot_be_measured_is_told_before_a_run() {
    let refused = |options: &Options| match run(options) {
        Err(error @ (MeasureError::Script(_) | MeasureError::Refused { .. })) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let set = |name: &str, value| Options { set: vec![(name.to_owned(), value)], ..falls(1, 1) };
    assert!(refused(&set("tuc", 0.5)).contains("no parameter 'tuc'; it has: blend, down"), "{}", refused(&set("tuc", 0.5)));
    assert!(refused(&set("tuck", 7.0)).contains("tuck is 7; accepted: 0 to 1.2"), "{}", refused(&set("tuck", 7.0)));
    let missing = Options { script: Some("nowhere.luau".into()), ..falls(1, 1) };
    assert!(refused(&missing).starts_with("nowhere.luau: "), "{}", refused(&missing));
    let (_folder, file) = script("return {");
    assert!(refused(&Options { script: Some(file), ..falls(1, 1) }).contains("mine.luau"));
    let rest = Options { set: vec![("tuck".to_owned(), 0.5)], ..Options::new("rest") };
    assert!(refused(&rest).contains("carry no behaviour"), "{}", refused(&rest));
    let (_folder, raises) = script("return { step = function() error(\"oh\") end }");
    assert!(refused(&Options { script: Some(raises), ..falls(1, 1) }).contains("oh"));
}
