//! The scene of four shoves shows what its figures are named after.

use super::simrun;
use serde_json::Value;

fn figures(args: &[&str]) -> Vec<Value> {
    let ran = simrun(&[&["scenes/shoves.json", "--headless", "--report=json"], args].concat(), "");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stderr));
    assert_eq!((ran.code, &report["errors"]), (Some(0), &serde_json::json!([])), "{}", ran.stderr);
    report["figures"].as_array().expect("figures").clone()
}

#[test]
fn three_who_are_shoved_go_down_and_get_up_and_one_keeps_its_feet() {
    for figure in figures(&[]) {
        let falls = figure["name"] != "stagger";
        let phases = figure["phases"].to_string();
        assert!(phases.contains(if falls { "getting_up" } else { "stepping" }), "{figure:#}");
        assert_eq!(figure["fell"], falls, "{figure:#}");
    }
}

#[test]
fn how_hard_they_are_shoved_is_the_floors_affair() {
    let soft = figures(&["--set", "floor.back=0.4"]);
    assert!(soft.iter().all(|figure| figure["fell"] == (figure["name"] == "forward" || figure["name"] == "side")), "{soft:#?}");
}
