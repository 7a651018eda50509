//! Sitting down on a seat, and standing up from it.

use super::{Begun, Spot, rig, stands_ready};
use crate::error::Error;
use crate::figure::{BONES, Bone, Ragdoll};
use crate::id::{FigureHandle, ObjectHandle};
use crate::keyed::{Key, Leg, Plant, Way};
use crate::motion::{Act, ActKind};
use crate::solve::boundary::Shape;
use crate::space::{Rigid, Vec3, level, rotation_from_yaw};
use crate::world::{Figure, World};

/// Seconds of sitting down (onto the seat, upright) and of standing up (over the feet, up): people take 1.5 to 2.5 s of either.
const DOWN: [f32; 2] = [1.1, 0.8];
const UP: [f32; 2] = [0.7, 1.35];
/// How high over the ground a seat may be, as shares of the figure's height.
const HEIGHTS: [f32; 2] = [0.14, 0.45];
/// How far (m) a seat's surface may be from where it is said to be.
const SURFACE_OFF: f32 = 0.12;
/// Rounds in which hips come to where they rest on a seat; the gap (m) that is none; the least that it may change with their height, and
/// the most that a round goes (m).
const ROUNDS: usize = 16;
const TOUCHES: f32 = 1.0e-4;
const LEAST_SLOPE: f32 = 0.1;
const MOST_STEP: f32 = 0.05;
/// How far hips can be over a seat at most, as a share of the figure's height: on thighs that slope steeply nobody sits.
const MOST_OVER: f32 = 0.12;
/// What bears on a seat.
const BEARS: [Bone; 3] = [Bone::Pelvis, Bone::ThighL, Bone::ThighR];

/// Where to stand to sit on a seat (world, m: where the hips' middle comes to rest, on its top), facing a way (rad), so that the shins come
/// out upright.
///
/// # Errors
/// A figure without a ragdoll, a seat that it cannot sit on.
pub fn sit_spot(world: &World, figure: FigureHandle, seat: Vec3, facing: f32) -> Result<Spot, Error> {
    Ok(settled(world, world.figure(figure)?, seat, facing)?.spot)
}

/// Plans sitting down on a seat.
pub(crate) fn sit(world: &World, handle: FigureHandle, seat: Vec3, facing: f32) -> Result<Begun, Error> {
    let settled = settled(world, world.figure(handle)?, seat, facing)?;
    let figure = stands_ready(world, handle, "sit there", &settled.spot)?;
    let (ragdoll, animation) = rig(figure)?;
    let from = figure.drawn.bodies;
    // From where it stands the thighs come to lie a little otherwise than from its spot.
    let ground = settled.spot.position.y;
    let hips = |height: f32| seat.with_y(height);
    let (height, on) = rest(figure, seat.y, settled.hips.y, |height| over(world, figure, from, hips(height), ground, facing))?;
    let way = Way::plan(ragdoll, from, animation, &down(hips(height), ground), facing);
    let on = world.object(on).ok().map(|object| (object.handle, object.pose));
    Ok((way, Act { kind: ActKind::Sit, leaving: false, on, ground }))
}

/// Plans standing up from a seat that it sits on.
pub(crate) fn stand_up(world: &World, handle: FigureHandle) -> Result<Begun, Error> {
    let figure = world.figure(handle)?;
    let (ragdoll, animation) = rig(figure)?;
    let refused = || Error::Act { figure: figure.name.clone(), what: "stand up".to_owned(), why: "it does not sit".to_owned() };
    let motion = figure.motion()?;
    let (Some(act), Some(way)) = (motion.acts(ActKind::Sit).filter(|act| !act.leaving), &motion.way) else {
        return Err(refused());
    };
    let mut way = way.clone();
    let ground = act.ground;
    let hips = way.hips(ragdoll);
    way.go_on(
        ragdoll,
        animation,
        &[
            Leg { to: Key::LeanUp, plant: Plant::Soles { hips: Some(hips), ground }, seconds: UP[0] },
            Leg { to: Key::Animation, plant: Plant::Soles { hips: None, ground }, seconds: UP[1] },
        ],
    );
    Ok((way, Act { leaving: true, on: None, ..act.clone() }))
}

fn down(hips: Vec3, ground: f32) -> [Leg; 2] {
    let plant = Plant::Soles { hips: Some(hips), ground };
    [Leg { to: Key::LeanDown, plant, seconds: DOWN[0] }, Leg { to: Key::Seated, plant, seconds: DOWN[1] }]
}

/// Where the hips come to rest, and where to stand for it.
struct Settled {
    hips: Vec3,
    spot: Spot,
}

/// Where one sits who stands before the seat with upright shins.
fn settled(world: &World, figure: &Figure, seat: Vec3, facing: f32) -> Result<Settled, Error> {
    let (ragdoll, animation) = rig(figure)?;
    let turn = rotation_from_yaw(facing);
    let thigh = (ragdoll.tip_at[Bone::ThighL.index()] - ragdoll.joint_at[Bone::ThighL.index()]).length();
    let [knees, balls] = Way::footing(ragdoll, animation);
    let before = level(seat) + turn * (Vec3::Z * thigh + level(balls - knees));
    let ground = world.ground_under(before.with_y(seat.y + SURFACE_OFF));
    let ground = ground.ok_or_else(|| no_seat(figure, "there is no ground before it"))?;
    let [least, most] = HEIGHTS.map(|share| share * ragdoll.height);
    if !(least..=most).contains(&(seat.y - ground)) {
        let found = seat.y - ground;
        return Err(no_seat(
            figure,
            &format!("it is {found:.2} m over the ground before it; accepted: {least:.2} to {most:.2} m"),
        ));
    }
    let mut place = Rigid::new(turn, seat);
    let (height, _) = rest(figure, seat.y, first_height(ragdoll, seat), |height| {
        let rise = height - ground - knees.y;
        let ahead = (thigh * thigh - rise * rise).max(0.0).sqrt();
        let at = level(seat) + turn * (Vec3::Z * ahead - level(knees));
        place = Rigid::new(turn, at.with_y(ground));
        over(world, figure, animation.map(|body| place * body), seat.with_y(height), ground, facing)
    })?;
    Ok(Settled { hips: seat.with_y(height), spot: Spot { position: place.translation, yaw: facing } })
}

/// About where hips rest on a seat (m).
fn first_height(ragdoll: &Ragdoll, seat: Vec3) -> f32 {
    seat.y + 0.045 * ragdoll.height
}

/// The height (m) at which hips come to rest, from about there, and on what: `over` says how far they are over that at a height. By
/// secants: over a round log a thigh that is raised slopes the more, and hardly comes off it.
fn rest(
    figure: &Figure,
    seat_top: f32,
    first: f32,
    mut over: impl FnMut(f32) -> Result<(f32, ObjectHandle), Error>,
) -> Result<(f32, ObjectHandle), Error> {
    let tall = rig(figure)?.0.height;
    let (mut height, mut slope) = (first, 1.0);
    let mut before: Option<(f32, f32)> = None;
    for _ in 0..ROUNDS {
        let (gap, on) = over(height)?;
        if gap.abs() < TOUCHES && height - seat_top < MOST_OVER * tall {
            return Ok((height, on));
        }
        if let Some((was, had)) = before.filter(|(was, _)| *was != height) {
            slope = ((gap - had) / (height - was)).clamp(LEAST_SLOPE, 1.0);
        }
        before = Some((height, gap));
        height -= (gap / slope).clamp(-MOST_STEP, MOST_STEP);
    }
    Err(no_seat(
        figure,
        "its thighs find no rest on it with the feet on the ground; accepted: nearer to its front edge, or lower",
    ))
}

/// How far (m) pelvis and thighs are over the seat with the hips' middle there, and what that is of.
fn over(
    world: &World,
    figure: &Figure,
    from: [Rigid; BONES],
    hips: Vec3,
    ground: f32,
    facing: f32,
) -> Result<(f32, ObjectHandle), Error> {
    let (ragdoll, animation) = rig(figure)?;
    let bodies = Way::sketch(ragdoll, from, animation, &down(hips, ground), facing).arrival(ragdoll, animation);
    let raised = Rigid { translation: Vec3::Y * SURFACE_OFF, ..Rigid::IDENTITY };
    let forms: Vec<(&Shape, Rigid)> = bearing(ragdoll, &bodies).map(|(shape, pose)| (shape, raised * pose)).collect();
    let found = world.cast_down(figure, &forms, 2.0 * SURFACE_OFF).map(|(fall, on)| (fall - SURFACE_OFF, on));
    found.ok_or_else(|| no_seat(figure, "there is nothing to sit on within 12 cm of it"))
}

/// The forms that bear on a seat, in the world.
fn bearing<'a>(ragdoll: &'a Ragdoll, bodies: &'a [Rigid; BONES]) -> impl Iterator<Item = (&'a Shape, Rigid)> {
    BEARS.into_iter().flat_map(move |bone| {
        let forms = &ragdoll.topology.bodies[bone.index()].shapes;
        forms.iter().map(move |placed| (&placed.shape, bodies[bone.index()] * placed.body_from_shape))
    })
}

fn no_seat(figure: &Figure, why: &str) -> Error {
    Error::Act { figure: figure.name.clone(), what: "sit there".to_owned(), why: why.to_owned() }
}
