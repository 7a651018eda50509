//! Being hurt: writhing, wounds, bracing, crawling.

use super::{assert_holds, row, table};
use crate::support;
use simrun_measure::{Options, Table, run};

fn few(name: &str, seed: u64, runs: usize) -> Table {
    table(&Options { seed, runs: Some(runs), ..Options::new(name) })
}

#[test]
fn who_is_down_and_hurt_writhes_where_it_lies() {
    let table = few("writhe", 51, 8);
    assert_holds(&table);
    assert!(row(&table, "swing_rad", "on the back").measured > 0.6 && row(&table, "swing_rad", "face down").measured > 0.3);
}

#[test]
fn a_hand_comes_to_the_wound() {
    let table = few("wounds", 52, 4);
    assert_holds(&table);
    assert!(row(&table, "palm_cm", "belly, 0.18 m/s").measured > 0.0);
}

#[test]
fn hands_meet_a_wall_before_the_head() {
    assert_holds(&few("brace", 53, 9));
}

#[test]
fn who_cannot_rise_crawls() {
    assert_holds(&few("crawl", 54, 8));
}

#[test]
fn arms_that_are_told_nothing_fold_over_nothing() {
    let options =
        Options { runs: Some(4), set: vec![("arms".to_owned(), 0.0), ("hips".to_owned(), 0.0)], ..Options::new("writhe") };
    let table = run(&options).expect("it is measured");
    assert!(!table.ok, "{table}");
}

#[test]
fn another_rig_is_hurt_alike() {
    for (name, path) in support::present(&["derived/naming/human-mixamorig.glb"]) {
        for (measure, runs) in [("writhe", 4), ("wounds", 2), ("brace", 9), ("crawl", 8)] {
            println!("{name}, {measure}");
            assert_holds(&table(&Options { figure: Some(path.clone()), runs: Some(runs), seed: 55, ..Options::new(measure) }));
        }
    }
}
