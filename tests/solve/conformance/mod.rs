//! What every solver behind the boundary has to do, straight on [`Solver`](simrun_sim::solve::boundary::Solver), without a world.
//!
//! Each property is one function that runs on every [`Backend`]. What the reference is known to do wrong stands in [`KNOWN`], by
//! property: one that is not listed there and fails, or is listed and holds, fails the test.

mod anchors;
mod contacts;
mod extra;
mod feet;
mod free;
mod keeping;
mod limits;
mod muscles;
mod poison;
mod props;
mod random;
pub(crate) mod stage;
mod torques;

use simrun_sim::solve::Backend;
use std::fmt::Display;

/// Properties that a backend does not hold, and why.
const KNOWN: &[(Backend, &str, &str)] = &[
    (Backend::Rapier, "anchor caps", "a cap an axis: the norm comes to √3 times it"),
    (Backend::Rapier, "bounce height", "a box that lands flat bounces with one corner after the other"),
    (Backend::Rapier, "budget moves what it can", "a budget an axis, where a ball turns askew"),
    (Backend::Rapier, "budgets are kept", "a budget an axis: the norm comes to √3 times it"),
    (Backend::Rapier, "free momentum", "a limp figure that tumbles gains energy"),
    (Backend::Rapier, "friction cone", "what slides is held back too little"),
    (Backend::Rapier, "hinge limit", "what comes fast goes past a limit"),
    (Backend::Rapier, "parked", "it knows no figure that is not stepped"),
    (Backend::Rapier, "restitution", "a box that lands flat bounces with one corner after the other"),
    (Backend::Rapier, "static load", "velocity rows do not close a gap under a load"),
    (Backend::Rapier, "struck limit", "what comes fast goes past a limit"),
    (Backend::Rapier, "twist limit", "what comes fast goes past a limit"),
];

/// What a property found wrong.
#[derive(Debug, Default)]
pub(crate) struct Verdict(Vec<String>);

impl Verdict {
    /// Within a share of what is wanted.
    pub(crate) fn near(&mut self, what: impl Display, found: f32, wanted: f32, share: f32) {
        let off = (found - wanted).abs();
        self.hold(off <= share * wanted.abs(), format_args!("{what}: {found:.5}, wanted {wanted:.5} ± {:.1} %", share * 100.0));
    }

    /// No more than a bound.
    pub(crate) fn most(&mut self, what: impl Display, found: f32, bound: f32) {
        self.hold(found <= bound, format_args!("{what}: {found:.5}, at most {bound:.5}"));
    }

    /// No less than a bound.
    pub(crate) fn least(&mut self, what: impl Display, found: f32, bound: f32) {
        self.hold(found >= bound, format_args!("{what}: {found:.5}, at least {bound:.5}"));
    }

    /// True: what is not a number holds nothing.
    pub(crate) fn hold(&mut self, holds: bool, what: impl Display) {
        if !holds {
            self.0.push(what.to_string());
        }
    }
}

/// Runs a property on every backend.
fn on_all(property: &str, run: impl Fn(Backend, &mut Verdict)) {
    let mut wrong = Vec::new();
    for backend in Backend::ALL.iter().copied() {
        let mut verdict = Verdict::default();
        run(backend, &mut verdict);
        let known = KNOWN.iter().find(|(of, name, _)| (*of, *name) == (backend, property));
        let found = verdict.0.join("\n  ");
        match (known, verdict.0.is_empty()) {
            (None, false) => wrong.push(format!("{} does not hold `{property}`:\n  {found}", backend.name())),
            (Some((.., why)), true) => {
                wrong.push(format!("{} holds `{property}`, which it is known not to: {why}", backend.name()));
            }
            (Some(_), false) => println!("{}, as is known:\n  {found}", backend.name()),
            (None, true) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
