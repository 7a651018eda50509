//! A pool that is full, and several strikes in one step: no figure is taken from the member that another strike of the step gave it to.

use super::{FELLS, STANDS, drawn_figure, drawn_member, idlers, jump, stages, strike, whereabouts};
use crate::support::run;
use simrun_sim::crowd::Whereabouts;
use simrun_sim::handover::Stage;
use simrun_sim::{Decide, FigureHandle, PoolSpec, World};

#[test]
fn strikes_between_two_steps_do_not_take_each_others_figures() {
    for speed in [STANDS, FELLS] {
        let mut world = idlers(4, PoolSpec::new(2));
        let taken = [0, 1].map(|member| strike(&mut world, member, speed, false));
        assert!(taken[0].is_some() && taken[1].is_some() && taken[0] != taken[1]);
        assert_eq!(strike(&mut world, 2, speed, false), None, "both figures were given out in this step");
        assert_eq!([0, 1].map(|member| whereabouts(&world, member)), [Whereabouts::Out; 2]);
    }
}

#[test]
fn who_has_just_been_struck_is_not_given_up_though_it_still_stands() {
    let mut world = idlers(4, PoolSpec::new(1));
    for speed in [2.0, FELLS] {
        strike(&mut world, 0, speed, false).unwrap();
        for _ in 0..60 {
            run(&mut world, 1.0 / 60.0);
            assert_eq!(strike(&mut world, 3, FELLS, false), None, "at {speed} m/s, after {:.2} s", world.time());
        }
        run(&mut world, 14.0);
        assert_eq!(stages(&world), [Stage::Parked]);
    }
}

/// Strikes members in DECIDE: whom, and who took each.
struct Strikes(Vec<u32>, Vec<Option<FigureHandle>>);

impl Decide for Strikes {
    fn decide(&mut self, world: &mut World) {
        for member in std::mem::take(&mut self.0) {
            self.1.push(strike(world, member, FELLS, false));
        }
    }
}

#[test]
fn strikes_of_one_decision_do_not_take_each_others_figures() {
    for figures in [1, 2] {
        let mut world = idlers(4, PoolSpec::new(figures));
        let own = strike(&mut world, 0, STANDS, false).unwrap();
        run(&mut world, 0.5);
        let mut strikes = Strikes(vec![1, 2, 0], Vec::new());
        world.step(&mut strikes);
        world.step(&mut strikes);
        let [first, second, back] = strikes.1[..] else { panic!("three strikes") };
        if figures == 1 {
            // Its one figure goes to the first, and the one that had it is struck for nothing.
            assert_eq!((first, second, back), (Some(own), None, None));
            assert_eq!([0, 1, 2].map(|member| whereabouts(&world, member)), [Whereabouts::In, Whereabouts::Out, Whereabouts::In]);
        } else {
            // The parked one goes first, then the one that stands over its blow.
            assert!(first.is_some() && first != Some(own) && second == Some(own) && back.is_none());
            assert_eq!(
                [0, 1, 2].map(|member| whereabouts(&world, member)),
                [Whereabouts::In, Whereabouts::Out, Whereabouts::Out]
            );
        }
    }
}

#[test]
fn who_gives_its_figure_up_stands_where_and_about_as_that_was_drawn() {
    for (speed, seconds) in [(STANDS, 0.25), (0.6, 0.3), (0.8, 0.5), (0.8, 1.5)] {
        let mut world = idlers(8, PoolSpec::new(4));
        (0..4).for_each(|member| assert!(strike(&mut world, member, speed, false).is_some()));
        run(&mut world, seconds);
        let own = world.horde("crowd").unwrap().figure_of(0).unwrap();
        let before = drawn_figure(&world, own);
        assert_eq!(strike(&mut world, 7, FELLS, false), Some(own));
        let (turned, away) = jump(&before, &drawn_member(&world, 0));
        let turned = turned.to_degrees();
        assert!(away <= 0.04 && turned <= 6.0, "{speed} m/s, after {seconds} s: {away:.3} m, {turned:.1}°");
    }
}
