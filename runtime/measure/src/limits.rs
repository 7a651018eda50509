//! `limits`: joints driven past their limits stay at them, muscles give no more energy than they say, and a figure without muscle
//! keeps its momentum and gains no energy. No ground, no gravity, no world: the subject's bodies and joints on the solver alone.

use crate::arena::{Arena, thrown};
use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::limit::{Past, past};
use crate::options::{MeasureError, Options};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::solve::boundary::{JointDef, JointKind, JointTarget, Pull};
use simrun_sim::space::{Quat, Vec3, rotation_from_vector};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "limits",
    about: "joints keep their limits, and a figure in the air its momentum; no ground, no gravity",
    rows: &[
        ("hinge_past_rad", "how far a hinge gets past its range"),
        ("swing_past_rad", "how far a ball gets past its cone"),
        ("twist_past_rad", "how far a ball gets past its twist"),
        ("reached_pct", "how much of the way to the limit joints go that are driven past it"),
        ("energy_gain_pct", "energy that appears beyond what muscles did, of what they did"),
        ("energy_rise_pct", "the most energy that a step adds to a limp figure"),
        ("momentum_pct", "momentum that appears or goes"),
        ("spin_pct", "angular momentum that appears or goes"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// The directions of a cube's faces, edges and corners.
const DIRECTIONS: usize = 26;
/// Runs that follow each other are far apart: it shares no factor with their number.
const STRIDE: usize = 7;
/// Seconds that the joints are driven, and that a free figure is watched.
const DRIVEN: f32 = 2.0;
/// How far (rad) past its limit a joint's target is.
const BEYOND: f32 = 1.0;
/// Turn (rad) of the targets that shoulders are driven to beside those: well past 2 rad of swing.
const FAR: f32 = 2.6;
/// Seconds in which the muscles shall close the gap, as DRIVE asks them to.
const TAU: f32 = 0.05;
/// A joint that comes within so much of its limit (rad) has got there.
const NEAR: f64 = 0.05;
/// The most that a free figure's bodies are given (m/s, rad/s).
const SPEED: f32 = 3.0;
const TURN: f32 = 10.0;

struct Found {
    driven: Driven,
    far: Driven,
    free: Free,
}

/// What became of joints that were driven.
struct Driven {
    hinge: f64,
    swing: f64,
    twist: f64,
    /// Of the limits that were driven at, those that were reached.
    reached: f64,
    gain_pct: f64,
}

/// What became of a figure without muscle.
struct Free {
    rise_pct: f64,
    momentum_pct: f64,
    spin_pct: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, DIRECTIONS, |subject, variation| {
        let direction = direction(variation);
        Ok(Found {
            driven: driven(subject, options, |joint| beyond(joint, direction), |_| true),
            far: driven(subject, options, |joint| far(joint, direction), is_shoulder),
            free: free(subject, options, variation),
        })
    })?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let (every, shoulders, slack) = ("driven 1 rad past", "shoulders to 2.6 rad", "no muscle, 3 m/s, 10 rad/s");
    let within = Bound::AtMost(0.02);
    let reached = runs.iter().map(|run| run.driven.reached).sum::<f64>() / runs.len() as f64;
    let row = Row::new;
    let rows = vec![
        row("hinge_past_rad", every, "rad", worst(|run| run.driven.hinge), within),
        row("swing_past_rad", every, "rad", worst(|run| run.driven.swing), within),
        row("twist_past_rad", every, "rad", worst(|run| run.driven.twist), within),
        row("reached_pct", every, "%", 100.0 * reached, Bound::AtLeast(90.0)),
        row("energy_gain_pct", every, "%", worst(|run| run.driven.gain_pct), Bound::AtMost(1.0)),
        row("swing_past_rad", shoulders, "rad", worst(|run| run.far.swing), within),
        row("twist_past_rad", shoulders, "rad", worst(|run| run.far.twist), within),
        row("energy_gain_pct", shoulders, "%", worst(|run| run.far.gain_pct), Bound::AtMost(1.0)),
        row("energy_rise_pct", slack, "% a step", worst(|run| run.free.rise_pct), Bound::AtMost(0.1)),
        row("momentum_pct", slack, "%", worst(|run| run.free.momentum_pct), Bound::AtMost(1.0)),
        row("spin_pct", slack, "%", worst(|run| run.free.spin_pct), Bound::AtMost(1.0)),
    ];
    Ok((runs.len(), rows))
}

/// One of the 26, at most 10° off.
fn direction(variation: &mut Variation) -> Vec3 {
    // Of the 27 directions of a cube the one in the middle is none.
    let index = (variation.index * STRIDE) % DIRECTIONS;
    let index = if index < DIRECTIONS / 2 { index } else { index + 1 };
    let along = |place: usize| (place % 3) as f32 - 1.0;
    let exact = Vec3::new(along(index), along(index / 3), along(index / 9)).normalize();
    rotation_from_vector(variation.inside_ball(10.0_f32.to_radians())) * exact
}

/// The rotation, in the joint's frame, that is 1 rad past the limits in a direction: X is the twist, Y and Z the swing.
fn beyond(joint: &JointDef, direction: Vec3) -> Quat {
    // Less than this of a direction is the 10° that it is off.
    let asked = |part: f32| part.abs() > 0.3;
    let end = |range: [f32; 2]| {
        let end = if direction.x < 0.0 { range[0] - BEYOND } else { range[1] + BEYOND };
        if asked(direction.x) { end } else { 0.5 * (range[0] + range[1]) }
    };
    match joint.kind {
        JointKind::Ball { swing, twist } => {
            let across = Vec3::new(0.0, direction.y, direction.z);
            let way = across.normalize_or_zero();
            let cone = 1.0 / (way.y / swing[0]).hypot(way.z / swing[1]);
            let swing = if asked(across.length()) { way * (cone + BEYOND) } else { Vec3::ZERO };
            rotation_from_vector(swing) * rotation_from_vector(Vec3::X * end(twist))
        }
        JointKind::Hinge { range } => rotation_from_vector(Vec3::X * end(range)),
        JointKind::Weld => Quat::IDENTITY,
    }
}

/// A turn of the shoulders about the direction itself; the other joints keep to the middle of their range.
fn far(joint: &JointDef, direction: Vec3) -> Quat {
    if is_shoulder(joint) { rotation_from_vector(direction * FAR) } else { Quat::IDENTITY }
}

fn is_shoulder(joint: &JointDef) -> bool {
    matches!(Bone::from_index(joint.child), Some(Bone::UpperArmL | Bone::UpperArmR))
}

/// Drives every joint with all of its budget from the rest pose, and watches some.
fn driven(
    subject: &Subject,
    options: &Options,
    wanted: impl Fn(&JointDef) -> Quat,
    watched: impl Fn(&JointDef) -> bool,
) -> Driven {
    let ragdoll = subject.ragdoll();
    let mut arena = Arena::new(subject, options, at_rest(ragdoll), None);
    // Its own limbs in the way would keep joints from their limits.
    arena.through_itself();
    let joints = &ragdoll.topology.joints;
    let target = |joint: &JointDef| JointTarget {
        rotation: joint.parent_from_joint.rotation * wanted(joint) * joint.child_from_joint.rotation.conjugate(),
        velocity: Vec3::ZERO,
        pull: Pull::Servo(TAU),
        budget: ragdoll.budgets[joint.child],
    };
    arena.drive(joints.iter().map(target).collect());
    let unseen = Past { swing: None, twist: None };
    let mut worst = vec![unseen; joints.len()];
    let (mut work, mut effort) = (0.0, 0.0);
    let (mut gain, mut peak) = (0.0_f64, 0.0_f64);
    for _ in 0..arena.steps(DRIVEN) {
        arena.step();
        let (done, either_way) = arena.work();
        work += done;
        effort += either_way;
        let energy = arena.momentum().energy;
        gain = gain.max(energy - work);
        peak = peak.max(energy);
        let bodies = arena.bodies();
        for (joint, worst) in joints.iter().zip(&mut worst).filter(|(joint, _)| watched(joint)) {
            let now = past(joint, bodies[joint.parent].pose.rotation, bodies[joint.child].pose.rotation);
            *worst = Past { swing: larger(worst.swing, now.swing), twist: larger(worst.twist, now.twist) };
        }
    }
    let of = |value: &dyn Fn(&Past) -> Option<f64>| most(worst.iter().filter_map(value));
    let hinged = |past: &Past| past.swing.is_none();
    let limits = joints.iter().zip(&worst).filter(|(joint, _)| watched(joint));
    let reached = limits.flat_map(|(joint, worst)| {
        let asked = at_limit(joint, wanted(joint));
        let of = |asked: Option<f64>, got: Option<f64>| asked.filter(|asked| *asked > 0.5).and(got).map(|got| got > -NEAR);
        [of(asked.swing, worst.swing), of(asked.twist, worst.twist)]
    });
    Driven {
        hinge: of(&|past| past.twist.filter(|_| hinged(past))),
        swing: of(&|past| past.swing),
        twist: of(&|past| past.twist.filter(|_| !hinged(past))),
        reached: share(reached.flatten()),
        gain_pct: 100.0 * gain / peak.max(effort),
    }
}

/// Where a joint is asked to be.
fn at_limit(joint: &JointDef, in_joint: Quat) -> Past {
    past(joint, joint.parent_from_joint.rotation.conjugate(), in_joint * joint.child_from_joint.rotation.conjugate())
}

fn larger(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    match (one, two) {
        (Some(one), Some(two)) => Some(if one.is_nan() || two.is_nan() { f64::NAN } else { one.max(two) }),
        (one, two) => one.or(two),
    }
}

fn at_rest(ragdoll: &Ragdoll) -> Vec<simrun_sim::solve::boundary::BodyState> {
    thrown(ragdoll, Quat::IDENTITY, Vec3::Y, Vec3::ZERO, Vec3::ZERO)
}

/// A figure without muscle whose bodies are thrown apart, each its own way: the joints catch them, and what is left is kept.
fn free(subject: &Subject, options: &Options, variation: &mut Variation) -> Free {
    let mut bodies = at_rest(subject.ragdoll());
    for body in &mut bodies {
        body.linear = variation.inside_ball(SPEED);
        body.angular = variation.inside_ball(TURN);
    }
    let mut arena = Arena::new(subject, options, bodies, None);
    let start = arena.momentum();
    let (mut rise, mut lost, mut spun) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut before = start.energy;
    for _ in 0..arena.steps(DRIVEN) {
        arena.step();
        let now = arena.momentum();
        rise = rise.max(now.energy - before);
        before = now.energy;
        lost = lost.max((now.linear - start.linear).length());
        spun = spun.max((now.angular - start.angular).length());
    }
    // What was thrown apart cancels in the sum, which may be nearly nothing: held to the momenta themselves.
    let pct = |part: f64, whole: f64| if before.is_finite() { 100.0 * part / whole } else { f64::NAN };
    Free { rise_pct: pct(rise, start.energy), momentum_pct: pct(lost, start.moving), spin_pct: pct(spun, start.turning) }
}
