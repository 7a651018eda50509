//! Lying down on the ground, on the back; up again it gets as one who has fallen.

use super::{Begun, Spot as Place, rig, stands_ready};
use crate::error::Error;
use crate::figure::{BONES, Ragdoll};
use crate::id::FigureHandle;
use crate::keyed::{Course, Key, Leg, Plant, Spot, Way};
use crate::motion::{Act, ActKind};
use crate::space::{Rigid, Vec3, level, rotation_from_yaw, yaw_of};
use crate::world::{Figure, World};

/// The way up from the back, the other way round, for who has no clip for it: over the feet, back onto the seat and the hands, flat.
const DOWN: [Leg; 3] = [
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
    let down = Down::of(figure, ragdoll, animation);
    let position = middle - rotation_from_yaw(yaw) * down.hips;
    let ground = world.ground_under(position + Vec3::Y * (0.5 * ragdoll.height)).unwrap_or(middle.y);
    Ok(Place { position: position.with_y(ground), yaw: yaw + down.turned })
}

/// Plans lying down with the head toward a point (world, m).
pub(crate) fn lie_down(world: &World, handle: FigureHandle, head: Vec3) -> Result<Begun, Error> {
    let figure = world.figure(handle)?;
    let (ragdoll, animation) = rig(figure)?;
    let place = figure.place.translation;
    let down = Down::of(figure, ragdoll, animation);
    // Hips that come to lie aside of where it stands have the head there too.
    let aside = (down.hips.x / level(place - head).length().max(NEAREST_HEAD)).clamp(-1.0, 1.0);
    let yaw = way_from(&figure.name, place, head)? + libm::asinf(aside);
    stands_ready(world, handle, "lie down there", &Place { position: place, yaw: yaw + down.turned })?;
    let way = Way::plan(ragdoll, figure.drawn.bodies, animation, &down.legs, yaw);
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

/// A way down.
struct Down {
    legs: Vec<Leg>,
    /// The way that one faces who stands before it, its feet coming to lie ahead (rad).
    turned: f32,
    /// Where the hips come to lie from where its animation stands at the origin (m, level).
    hips: Vec3,
}

impl Down {
    /// By its clip, where it has one.
    fn of(figure: &Figure, ragdoll: &Ragdoll, animation: &[Rigid; BONES]) -> Self {
        let course = figure.acts.lie_down.as_ref().and_then(|clip| Course::through(&figure.model, clip));
        let turned = course.as_ref().map_or(0.0, |course| yaw_of(course.begins()[0].rotation));
        let legs = course.map_or_else(|| DOWN.to_vec(), |course| course.lies_down(ragdoll));
        let place = Rigid::new(rotation_from_yaw(turned), Vec3::ZERO);
        let lain = Way::sketch(ragdoll, animation.map(|body| place * body), animation, &legs, 0.0).arrival(ragdoll, animation);
        Self { legs, turned, hips: level(lain[0].translation) }
    }
}
