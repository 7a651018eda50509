//! Ensembles of other people, slopes and headings, and what cannot be asked.

use super::{row, table};
use simrun_measure::{Conditions, Headings, Measure, Options, Span, Table, run};

fn span(text: &str) -> Option<Span> {
    Some(text.parse().expect("a range"))
}

fn under(measure: &str, runs: usize, conditions: Conditions) -> Options {
    Options { runs: Some(runs), seed: 41, conditions, ..Options::new(measure) }
}

fn numbers(table: &Table) -> Vec<f64> {
    table.rows.iter().map(|row| row.measured).collect()
}

#[test]
fn anybody_falls_any_way() {
    let anybody =
        Conditions { mass: span("50..110"), height: span("1.55..1.95"), headings: Headings::All, ..Conditions::default() };
    let table = table(&under("falls", 24, anybody));
    assert!(row(&table, "protected_slower", "all").measured >= 90.0, "{table}");
    assert_eq!(row(&table, "protected_slower", "all").held_to.to_string(), "≥ 95");
    assert_eq!(row(&table, "second_impacts", "all").held_to.to_string(), "≤ 0");
    assert_eq!(row(&table, "still_within_3s", "all").held_to.to_string(), "≥ 98");
    assert!(table.rows.iter().all(|row| row.way == "all" || row.name.starts_with("control_")), "{table}");
    assert!(table.to_string().contains(" · 50..110 kg · 1.55..1.95 m · any heading · "), "{table}");
}

#[test]
fn whoever_has_ankles_stands_as_still_and_steps_over_its_feet() {
    let footed = || Conditions { ankles: true, ..Conditions::default() };
    let rest = table(&under("rest", 4, footed()));
    assert!(rest.rows.iter().all(|row| row.ok), "{rest}");
    assert!(rest.to_string().contains(" · ankles · "), "{rest}");
    // Fewer steps than without, though as many stand.
    let [with, without] = [footed(), Conditions::default()].map(|conditions| table(&under("balance", 20, conditions)));
    let steps = |table: &Table| row(table, "steps_mean", "side").measured;
    assert!(steps(&with) < steps(&without), "{} steps, {} without", steps(&with), steps(&without));
}

#[test]
fn mass_height_and_slope_change_the_numbers_and_the_jobs_do_not() {
    let plain = numbers(&table(&under("shove", 2, Conditions::default())));
    for conditions in [
        Conditions { mass: span("110"), ..Conditions::default() },
        Conditions { height: span("1.5..1.6"), ..Conditions::default() },
        Conditions { slope_deg: 4.0, ..Conditions::default() },
        Conditions { ankles: true, ..Conditions::default() },
    ] {
        let asked = |jobs| numbers(&table(&Options { jobs, ..under("shove", 2, conditions.clone()) }));
        assert_eq!(asked(1), asked(2), "{conditions:?}");
        assert_ne!(asked(1), plain, "{conditions:?}");
    }
}

#[test]
fn small_and_heavy_people_stand_as_the_box_man_does() {
    for (mass, height) in [("50", "1.95"), ("110", "1.55")] {
        let table = table(&under("rest", 1, Conditions { mass: span(mass), height: span(height), ..Conditions::default() }));
        assert!(table.ok, "{table}");
    }
}

#[test]
fn on_a_slope_steps_catch_who_does_not_step_falls() {
    let table = table(&under("balance", 25, Conditions { slope_deg: 5.0, ..Conditions::default() }));
    let (stepping, not) = (row(&table, "stand", "all").measured, row(&table, "stand_without", "all, nobody steps").measured);
    assert!(stepping >= 18.0 && stepping >= not + 2.0, "{table}");
}

#[test]
fn what_cannot_be_asked_is_refused_before_a_run() {
    let refused = |measure: &str, conditions| run(&under(measure, 1, conditions)).expect_err("refused").to_string();
    let slope = |slope_deg| Conditions { slope_deg, ..Conditions::default() };
    assert!(refused("pile", slope(3.0)).starts_with("'pile' takes no --slope; those of which it can be asked: shove, "));
    assert_eq!(refused("falls", slope(31.0)), "slope is 31; accepted: 0 to 30 degrees");
    assert_eq!(refused("falls", slope(f32::NAN)), "slope is NaN; accepted: 0 to 30 degrees");
    let all = Conditions { headings: Headings::All, ..Conditions::default() };
    assert!(refused("rest", all).starts_with("'rest' takes no --headings; "));
    let mass = |text| refused("rest", Conditions { mass: span(text), ..Conditions::default() });
    assert_eq!(mass("110..50"), "mass is 110..50; accepted: 20 to 300 kg, the lesser first");
    assert_eq!(mass("5"), "mass is 5; accepted: 20 to 300 kg, the lesser first");
    let height = refused("rest", Conditions { height: span("1.5..3"), ..Conditions::default() });
    assert_eq!(height, "height is 1.5..3; accepted: 1 to 2.5 m, the lesser first");
    assert_eq!("5..x".parse::<Span>(), Err("'5..x'; accepted: a number or a range, such as 75 or 50..110".to_owned()));
}

#[test]
fn a_measure_says_what_it_is_and_what_can_be_asked_of_it() {
    let falls = Measure::named("falls").expect("there is one").explanation();
    for said in ["protective_fall.luau", "--slope", "--headings all", "second_impacts", "heads that come off the ground"] {
        assert!(falls.contains(said), "{said} is missing from\n{falls}");
    }
    assert!(!Measure::named("pile").expect("there is one").explanation().contains("--slope"));
}
