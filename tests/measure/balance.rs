//! Catch steps, and that the measure tells one who does not step.

use super::{assert_controls, row, table};
use simrun_measure::{Options, Table};

fn balance(seed: u64, runs: usize) -> Options {
    Options { seed, runs: Some(runs), ..Options::new("balance") }
}

fn number(table: &Table, name: &str, way: &str) -> f64 {
    row(table, name, way).measured
}

#[test]
fn who_steps_stands_where_who_does_not_falls() {
    let table = table(&balance(31, 35));
    let (stepping, not) = (number(&table, "stand", "all"), number(&table, "stand_without", "all, nobody steps"));
    assert_controls(&table);
    assert!(stepping >= 32.0 && stepping >= not + 5.0, "{table}");
    for way in ["behind", "diag_front", "side", "diag_back", "front"] {
        for name in ["stand", "of", "all_angles_to_mps", "steps_mean", "steps_most", "slip_cm", "air_s", "heading_deg", "assist"]
        {
            row(&table, name, way);
        }
        assert!(number(&table, "of", way) >= 3.0, "{table}");
        assert!(number(&table, "steps_mean", way) <= 5.0 && number(&table, "steps_most", way) <= 12.0, "{table}");
    }
    assert!(number(&table, "steps_mean", "behind") > 0.5, "{table}");
    let variants: Vec<_> = table.rows.iter().filter(|row| row.name == "variant_stand").collect();
    assert_eq!(variants.len(), 6, "{table}");
    assert!(variants.iter().all(|row| row.measured >= 85.0), "{table}");
}

#[test]
fn a_script_that_does_nothing_steps_for_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.luau");
    std::fs::write(&file, "return { step = function() end }").expect("a file");
    let table = table(&Options { script: Some(file), ..balance(32, 15) });
    let twins = number(&table, "stand_without", "all, nobody steps");
    assert_eq!(number(&table, "stand", "all"), twins, "{table}");
    assert!(!row(&table, "stand", "all").ok, "{table}");
}
