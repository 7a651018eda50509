//! A strip shows a run, or says why it does not.

use crate::support::{add_figure, road, run, shove};
use simrun_measure::strip::{Moment, StripOptions, png};
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Mode, Nobody, WorldSettings};

fn fall() -> Vec<Moment> {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::Chest, Vec3::Z * 2.9);
    let moments = (0..60).map(|_| {
        world.step(&mut Nobody);
        Moment::of(&world, ann).expect("ann is there")
    });
    moments.collect()
}

#[test]
fn a_strip_is_a_png_of_the_width_asked_for() {
    let options = StripOptions { from: 0.5, to: 1.5, title: "a fall".to_owned(), ..StripOptions::default() };
    let png = png(&fall(), &options).expect("a strip");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
    assert_eq!(number(16), 1800);
    assert!((200..=700).contains(&number(20)), "{} pixels high", number(20));
}

#[test]
fn a_time_that_was_not_run_is_named() {
    let options = StripOptions { from: 7.0, to: 8.0, ..StripOptions::default() };
    let error = png(&fall(), &options).expect_err("nothing there").to_string();
    assert_eq!(error, "no moment lies between 7 and 8 s; the run has 0.52 to 1.50 s");
}

#[test]
fn one_moment_is_a_strip_too() {
    let moments = fall();
    assert!(png(&moments[..1], &StripOptions { from: 0.0, to: 9.0, ..StripOptions::default() }).is_ok());
    let small = StripOptions { size: (10, 10), ..StripOptions::default() };
    assert!(png(&moments, &StripOptions { from: 0.5, to: 1.5, ..small }).is_err());
}
