//! `walls`: nothing goes through a wall, however fast it is thrown at it. No ground and no gravity: a thin wall and a figure without
//! muscle on the solver alone.

use crate::arena::{Arena, thrown};
use crate::catalogue::Measure;
use crate::depth::Solid;
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use glam::DVec3;
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::solve::boundary::{BodyKind, BodyState, ObjectDef, Shape};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_vector};
use std::f32::consts::TAU;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "walls",
    about: "a figure thrown at a wall 5 cm thick at 20 m/s, and a hand at 30 m/s, do not go through it",
    rows: &[
        ("bodies_through", "bodies behind the wall at the end, of all runs"),
        ("met", "share of the runs in which it met the wall"),
        ("fastest_mps", "the fastest body at the end"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Directions that a figure is thrown from.
const DIRECTIONS: usize = 16;
/// Runs that follow each other are thrown at different slants.
const STRIDE: usize = 5;
/// The wall: 4 × 4 m across Z, 5 cm thick, its near face at Z = 0, the figure before it at less than 0.
const WALL: Vec3 = Vec3::new(4.0, 4.0, 0.05);
/// How fast a figure is thrown (m/s), how fast it tumbles at most (rad/s), from how far (m), and how far off the wall's normal at most.
const THROWN: f32 = 20.0;
const TUMBLING: f32 = 8.0;
const FROM: f32 = 2.0;
const SLANT_DEG: f32 = 45.0;
/// How fast a hand is thrown (m/s), and the gap between the figure that stands there and the wall (m).
const HAND: f32 = 30.0;
const GAP: f32 = 0.1;
/// Seconds that it is watched.
const WATCHED: f32 = 1.0;

/// What became of one throw.
struct Thrown {
    /// Bodies and palms that are behind the wall at the end, having gone through it.
    through: usize,
    /// It met the wall, or went through it.
    met: bool,
    /// The fastest body at the end (m/s).
    fastest: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, DIRECTIONS, |subject, variation| {
        let ragdoll = subject.ragdoll();
        let figure = throw(subject, options, figure_at_wall(ragdoll, variation), Some(&wall()));
        Ok((figure, throw(subject, options, hand_at_wall(ragdoll, variation), Some(&wall()))))
    })?;
    let figures = || runs.iter().map(|(figure, _)| figure);
    let hands = || runs.iter().map(|(_, hand)| hand);
    let (figure, hand) = ("a figure at 20 m/s", "a hand at 30 m/s");
    let row = Row::new;
    let rows = vec![
        row("bodies_through", figure, "", figures().map(|run| run.through as f64).sum(), Bound::Exactly(0.0)),
        row("met", figure, "", share(figures().map(|run| run.met)), Bound::Exactly(1.0)),
        row("fastest_mps", figure, "m/s", most(figures().map(|run| run.fastest)), Bound::Reported),
        row("bodies_through", hand, "", hands().map(|run| run.through as f64).sum(), Bound::Exactly(0.0)),
        row("met", hand, "", share(hands().map(|run| run.met)), Bound::Exactly(1.0)),
        row("fastest_mps", hand, "m/s", most(hands().map(|run| run.fastest)), Bound::Reported),
    ];
    Ok((runs.len(), rows))
}

/// Tumbling toward the wall's middle.
fn figure_at_wall(ragdoll: &Ragdoll, variation: &mut Variation) -> Vec<BodyState> {
    let around = variation.index as f32 * TAU / DIRECTIONS as f32;
    let slant = SLANT_DEG.to_radians() * ((variation.index * STRIDE) % DIRECTIONS) as f32 / (DIRECTIONS - 1) as f32;
    let way = rotation_from_vector(Vec3::new(around.cos(), around.sin(), 0.0) * slant) * Vec3::Z;
    let aim = variation.inside_ball(0.3);
    let aim = Vec3::new(aim.x, aim.y, 0.0);
    thrown(ragdoll, variation.rotation(), aim - way * FROM, way * THROWN, variation.inside_ball(TUMBLING))
}

/// At rest close to the wall, one arm swung at it from the shoulder: the sides alternate over the runs.
fn hand_at_wall(ragdoll: &Ragdoll, variation: &mut Variation) -> Vec<BodyState> {
    let left = variation.index.is_multiple_of(2);
    let (upper, forearm) = if left { (Bone::UpperArmL, Bone::ForearmL) } else { (Bone::UpperArmR, Bone::ForearmR) };
    let turned = rotation_from_vector(Vec3::Y * variation.near(0.0));
    let mut bodies = thrown(ragdoll, turned, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let front = front(ragdoll, &bodies);
    for body in &mut bodies {
        body.pose.translation.z -= front + GAP;
    }
    let from_rest = bodies[0].pose * ragdoll.rest[0].inverse();
    let shoulder = from_rest.point(ragdoll.joint_at[upper.index()]);
    let lever = palm(ragdoll, &bodies, usize::from(!left)) - shoulder;
    let swing = lever.cross(Vec3::Z).normalize_or_zero() * (HAND * variation.speed() / lever.length());
    for bone in [upper, forearm] {
        let body = &mut bodies[bone.index()];
        body.angular = swing;
        body.linear = swing.cross(body.pose.translation - shoulder);
    }
    bodies
}

/// How far (m) a figure reaches along +Z.
fn front(ragdoll: &Ragdoll, bodies: &[BodyState]) -> f32 {
    let placed = ragdoll.topology.bodies.iter().zip(bodies);
    let solids = placed.flat_map(|(def, body)| def.shapes.iter().filter_map(|shape| Solid::of(body.pose, shape)));
    solids.map(|solid| solid.reach(DVec3::Z) as f32).fold(f32::NEG_INFINITY, f32::max)
}

/// The middle of a palm: not as the controller's code has it, which this measure of the solver alone does not know.
fn palm(ragdoll: &Ragdoll, bodies: &[BodyState], side: usize) -> Vec3 {
    let forearm = [Bone::ForearmL, Bone::ForearmR][side];
    bodies[forearm.index()].pose.point(ragdoll.palms[side])
}

/// The points that may not come through: the bodies' centres, and the palms.
fn points(ragdoll: &Ragdoll, bodies: &[BodyState]) -> Vec<Vec3> {
    let centres = bodies.iter().map(|body| body.pose.translation);
    centres.chain((0..2).map(|side| palm(ragdoll, bodies, side))).collect()
}

fn wall() -> ObjectDef {
    ObjectDef {
        shape: Shape::Box(WALL),
        kind: BodyKind::Fixed,
        pose: Rigid::new(Quat::IDENTITY, Vec3::Z * (0.5 * WALL.z)),
        mass: 0.0,
        friction: 0.9,
        restitution: 0.0,
    }
}

fn throw(subject: &Subject, options: &Options, bodies: Vec<BodyState>, wall: Option<&ObjectDef>) -> Thrown {
    let ragdoll = subject.ragdoll();
    let mut before = points(ragdoll, &bodies);
    let mut crossed = vec![false; before.len()];
    let mut arena = Arena::new(subject, options, bodies, wall);
    let mut met = false;
    for _ in 0..arena.steps(WATCHED) {
        arena.step();
        met |= !arena.contacts().is_empty();
        let now = points(ragdoll, arena.bodies());
        for ((crossed, from), to) in crossed.iter_mut().zip(&before).zip(&now) {
            *crossed |= goes_through(*from, *to);
        }
        before = now;
    }
    // Around the wall's edge is no way through it; nor is a point that came back out.
    let through = crossed.iter().zip(&before).filter(|(crossed, at)| (**crossed && at.z > 0.0) || !at.is_finite()).count();
    let fastest = most(arena.bodies().iter().map(|body| f64::from(body.linear.length())));
    Thrown { through, met: met || through > 0, fastest }
}

/// Whether a point on its way crosses the wall's near face, forwards and within its extents.
fn goes_through(from: Vec3, to: Vec3) -> bool {
    if from.z > 0.0 || to.z <= 0.0 {
        return false;
    }
    let at = from.lerp(to, from.z / (from.z - to.z));
    at.x.abs() <= 0.5 * WALL.x && at.y.abs() <= 0.5 * WALL.y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_goes_through_the_wall_and_not_around_it() {
        let ahead = |x: f32| goes_through(Vec3::new(x, 0.5, -0.2), Vec3::new(x, 0.5, 0.1));
        assert!(ahead(0.0) && ahead(-1.9) && !ahead(2.1));
        assert!(!goes_through(Vec3::Z, Vec3::NEG_Z), "back out of it");
    }

    #[test]
    fn where_there_is_no_wall_every_body_comes_through() {
        let subject = Subject::boxman().expect("the box man");
        let options = Options { runs: Some(1), ..Options::new("walls") };
        let through = |with: Option<ObjectDef>| {
            let found = ensemble::take(&subject, &options, 1, |subject, variation| {
                Ok(throw(subject, &options, figure_at_wall(subject.ragdoll(), variation), with.as_ref()).through)
            });
            found.expect("it is thrown")[0]
        };
        assert_eq!(through(None), subject.ragdoll().topology.bodies.len() + 2);
        assert_eq!(through(Some(wall())), 0);
    }

    #[test]
    fn a_figure_is_thrown_at_the_wall_as_fast_as_it_says() {
        let subject = Subject::boxman().expect("the box man");
        let ragdoll = subject.ragdoll();
        let options = Options::new("walls");
        let found = ensemble::take(&subject, &options, DIRECTIONS, |_, variation| {
            let figure = figure_at_wall(ragdoll, variation);
            Ok((figure, hand_at_wall(ragdoll, variation)))
        });
        for (figure, hand) in found.expect("they are made") {
            let masses = ragdoll.topology.bodies.iter().map(|body| body.mass);
            let speed = figure.iter().zip(masses).map(|(body, mass)| body.linear * mass).sum::<Vec3>() / ragdoll.mass;
            assert!((speed.length() - THROWN).abs() < 0.01 && speed.z > 14.0, "{speed}");
            assert!(front(ragdoll, &figure) < 0.0);
            assert!((front(ragdoll, &hand) + GAP).abs() < 1.0e-3);
        }
    }
}
