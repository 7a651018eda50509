//! Lying down on the ground, on the back; up again it gets as one who has fallen.

use super::{Begun, Spot as Place, rig, stands_ready};
use crate::error::Error;
use crate::figure::{BONES, Ragdoll};
use crate::id::FigureHandle;
use crate::keyed::{Key, Leg, Plant, Spot, Way};
use crate::motion::{Act, ActKind};
use crate::space::{Rigid, Vec3, level, rotation_from_yaw};
use crate::world::World;

/// The way up from the back, the other way round: over the feet, back onto the seat and the hands, flat.
const DOWN: &[Leg] = &[
    Leg { to: Key::Crouch, plant: Plant::Spots([Spot::Toes, Spot::Toes]), seconds: 1.0 },
    Leg { to: Key::Sit, plant: Plant::Spots([Spot::Toes, Spot::Toes]), seconds: 1.0 },
    Leg { to: Key::Lie, plant: Plant::Spots([Spot::Seat, Spot::Seat]), seconds: 1.2 },
];
/// Nearer to its feet than this (m) a head says no way.
const NEAREST_HEAD: f32 = 0.1;

/// Where to stand to lie with the hips at a bed's middle (world, m) and the head toward a point.
///
/// # Errors
/// A figure without a ragdoll, a head over the middle.
pub fn lie_spot(world: &World, figure: FigureHandle, middle: Vec3, head: Vec3) -> Result<Place, Error> {
    let figure = world.figure(figure)?;
    let (ragdoll, animation) = rig(figure)?;
    let yaw = way_from(&figure.name, middle, head)?;
    let turn = rotation_from_yaw(yaw);
    let position = middle - turn * level(lain(ragdoll, animation)[0].translation);
    let ground = world.ground_under(position + Vec3::Y * (0.5 * ragdoll.height)).unwrap_or(middle.y);
    Ok(Place { position: position.with_y(ground), yaw })
}

/// Plans lying down with the head toward a point (world, m).
pub(crate) fn lie_down(world: &World, handle: FigureHandle, head: Vec3) -> Result<Begun, Error> {
    let figure = world.figure(handle)?;
    let (ragdoll, animation) = rig(figure)?;
    let place = figure.place.translation;
    let yaw = way_from(&figure.name, place, head)?;
    stands_ready(world, handle, "lie down there", &Place { position: place, yaw })?;
    let way = Way::plan(ragdoll, figure.drawn.bodies, animation, DOWN, yaw);
    let ground = world.ground_under(figure.drawn.bodies[0].translation).unwrap_or(figure.senses.lowest);
    Ok((way, Act { kind: ActKind::Lie, leaving: false, on: None, ground }))
}

/// The way (rad) that one faces whose head comes to lie there.
fn way_from(name: &str, place: Vec3, head: Vec3) -> Result<f32, Error> {
    let way = level(place - head);
    if way.length() < NEAREST_HEAD {
        let why = format!("the head is to lie {:.2} m from where it stands; accepted: {NEAREST_HEAD} m and more", way.length());
        return Err(Error::Act { figure: name.to_owned(), what: "lie down there".to_owned(), why });
    }
    Ok(libm::atan2f(way.x, way.z))
}

/// Bodies of one who has lain down from where its animation stands at the origin.
fn lain(ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> [Rigid; BONES] {
    Way::sketch(ragdoll, *animation, animation, DOWN, 0.0).arrival(ragdoll, animation)
}
