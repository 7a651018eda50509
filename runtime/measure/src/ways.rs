//! What measures of keyed ways share: how fast what is drawn goes, and what it is in.

use crate::depth::{Solid, depth};
use crate::kept::{Frame, turn};
use crate::stage;
use crate::table::most;
use simrun_sim::ObjectSpec;
use simrun_sim::figure::{BONES, Bone, Ragdoll};
use simrun_sim::solve::boundary::Shape;
use simrun_sim::space::{Rigid, Vec3};

/// The most that a drawn bone turns from one frame to the next (degrees).
pub fn worst_turn(frames: &[Frame]) -> f64 {
    let pairs = frames.windows(2).flat_map(|pair| (0..BONES).map(|bone| (pair[0].drawn[bone], pair[1].drawn[bone])));
    most(pairs.map(|(a, b)| turn(a.rotation, b.rotation))).to_degrees()
}

/// The most that the drawn hips go from one frame to the next (mm).
pub fn hips(frames: &[Frame]) -> f64 {
    1.0e3 * most(frames.windows(2).map(|pair| f64::from(pair[0].drawn[0].translation.distance(pair[1].drawn[0].translation))))
}

/// How far bodies are turned (degrees) and away (mm) from what is drawn.
pub fn handover(frame: &Frame) -> (f64, f64) {
    let gaps = || (0..BONES).map(|bone| (frame.bodies[bone], frame.drawn[bone]));
    let turned = most(gaps().map(|(body, drawn)| turn(body.rotation, drawn.rotation)));
    let away = most(gaps().map(|(body, drawn)| f64::from(body.translation.distance(drawn.translation))));
    (turned.to_degrees(), 1.0e3 * away)
}

/// Forms of some bones of a pose, in the world, whose feet are bent so far (rad).
pub fn solids(ragdoll: &Ragdoll, bodies: &[Rigid; BONES], bent: [f32; 2], bones: &[Bone]) -> Vec<Solid> {
    let of = |bone: &Bone| ragdoll.forms(*bone, bodies[bone.index()], bent);
    bones.iter().flat_map(of).filter_map(|(placed, at)| Solid::of_shape(at, &placed.shape)).collect()
}

/// How deep any of some forms is in any of others (m); less than 0 where they are apart.
pub fn deepest(some: &[Solid], others: &[Solid]) -> f64 {
    most(some.iter().flat_map(|solid| others.iter().map(|other| depth(solid, other))))
}

/// How far (mm) the ball of a foot is from where it was, along the ground; the farther one of both feet.
pub fn toes(ragdoll: &Ragdoll, was: &[Rigid; BONES], is: &[Rigid; BONES]) -> f64 {
    let ball = |bodies: &[Rigid; BONES], side: usize, shin: Bone| {
        let [_, _, left, right] = ragdoll.soles[side];
        bodies[shin.index()].point((left + right) * 0.5)
    };
    let slid = |(side, shin)| f64::from((ball(is, side, shin) - ball(was, side, shin)).with_y(0.0).length());
    1.0e3 * most([(0, Bone::ShinL), (1, Bone::ShinR)].map(slid))
}

/// Something of any form that never moves.
pub fn fixed(name: &str, shape: Shape, pose: Rigid) -> ObjectSpec {
    ObjectSpec { shape, ..stage::fixed(name, Vec3::ONE, pose) }
}
