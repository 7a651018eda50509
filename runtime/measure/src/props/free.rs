//! A figure without muscle and a crate meet where nothing else is: what they have together, they keep.

use super::CRATE;
use crate::arena::{Arena, thrown};
use crate::ensemble::Variation;
use crate::momentum::solid_box;
use crate::options::Options;
use crate::subject::Subject;
use simrun_sim::solve::boundary::{BodyKind, BodyState, ObjectDef, Shape};
use simrun_sim::space::{Rigid, Vec3};

/// How fast the figure is thrown (m/s), from how far (m), and how fast it tumbles at most (rad/s).
const THROWN: f32 = 3.0;
const FROM: f32 = 1.6;
const TUMBLING: f32 = 4.0;
const MASS: f32 = 20.0;
/// Seconds after which they have met and parted.
const OVER: f32 = 1.5;

/// What became of it.
pub struct Free {
    /// They touched.
    pub met: bool,
    /// What changed of the linear momentum, % of it.
    pub momentum_pct: f64,
    /// What changed of the angular momentum about the common centre, % of what the two had of it each.
    pub spin_pct: f64,
}

/// A figure is thrown at a crate at rest.
pub fn collide(subject: &Subject, options: &Options, variation: &mut Variation) -> Free {
    let size = Vec3::splat(CRATE);
    let thing = ObjectDef {
        shape: Shape::Box(size),
        kind: BodyKind::Dynamic,
        pose: Rigid::new(variation.rotation(), Vec3::ZERO),
        mass: MASS,
        friction: 0.9,
        restitution: 0.0,
    };
    let heading = variation.any_heading();
    let way = Vec3::new(heading.sin(), 0.0, heading.cos());
    let centre = variation.inside_ball(0.15) - way * FROM;
    let bodies = thrown(subject.ragdoll(), variation.rotation(), centre, way * THROWN, variation.inside_ball(TUMBLING));
    let mut arena = Arena::new(subject, options, bodies, Some(&thing));
    let def = solid_box(size, MASS);
    let at_rest = BodyState { pose: thing.pose, ..BodyState::default() };
    let start = arena.momentum_with(&def, &at_rest);
    let mut met = false;
    for _ in 0..arena.steps(OVER) {
        arena.step();
        met |= !arena.contacts().is_empty();
    }
    let Some(thing) = arena.thing() else { return Free { met: false, momentum_pct: f64::NAN, spin_pct: f64::NAN } };
    let end = arena.momentum_with(&def, &thing);
    let met = met && thing.linear.length() > 0.1;
    Free {
        met,
        momentum_pct: 100.0 * (end.linear - start.linear).length() / start.linear.length(),
        spin_pct: 100.0 * (end.angular - start.angular).length() / start.turning,
    }
}
