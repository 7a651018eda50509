//! Sitting down on a seat, and standing up from it.

use super::{Begun, Spot, rig, stands_ready};
use crate::error::Error;
use crate::figure::{BONES, Bone, Ragdoll};
use crate::id::{FigureHandle, ObjectHandle};
use crate::keyed::{Course, Key, Leg, Plant, Way};
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
/// About how far over a seat hips rest, as a share of the figure's height.
const FIRST_HEIGHT: f32 = 0.045;
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
    Ok(Seat::of(world, figure, seat, facing)?.settled()?.spot)
}

/// Plans sitting down on a seat.
pub(crate) fn sit(world: &World, handle: FigureHandle, seat: Vec3, facing: f32) -> Result<Begun, Error> {
    let seat = Seat::of(world, handle, seat, facing)?;
    let settled = seat.settled()?;
    let figure = stands_ready(world, handle, "sit there", &settled.spot)?;
    let from = figure.drawn.bodies;
    // From where it stands the thighs come to lie a little otherwise than from its spot.
    let ground = settled.spot.position.y;
    let (height, on) = seat.rest(settled.hips.y, |height| seat.over(from, height, ground))?;
    let way = Way::plan(seat.ragdoll, from, seat.animation, &seat.down(height, ground), facing);
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
    let hips = Some(way.hips(ragdoll));
    let clip = figure.acts.stand_up.as_ref();
    let legs = clip.and_then(|clip| Course::through(&figure.model, clip)).map_or_else(
        || {
            let leg = |to, hips, seconds| Leg { to, plant: Plant::Soles { hips, ground, share: 1.0 }, seconds };
            vec![leg(Key::LeanUp, hips, UP[0]), leg(Key::Animation, None, UP[1])]
        },
        |course| course.seated(ragdoll, None, ground, Key::Animation),
    );
    way.go_on(ragdoll, animation, &legs);
    Ok((way, Act { leaving: true, on: None, ..act.clone() }))
}

/// A seat for someone.
struct Seat<'a> {
    world: &'a World,
    figure: &'a Figure,
    ragdoll: &'a Ragdoll,
    animation: &'a [Rigid; BONES],
    /// The clip that it sits down by, if any.
    course: Option<Course>,
    at: Vec3,
    facing: f32,
}

/// Where the hips come to rest, and where to stand for it.
struct Settled {
    hips: Vec3,
    spot: Spot,
}

impl<'a> Seat<'a> {
    fn of(world: &'a World, figure: FigureHandle, at: Vec3, facing: f32) -> Result<Self, Error> {
        let figure = world.figure(figure)?;
        let (ragdoll, animation) = rig(figure)?;
        let course = figure.acts.sit.as_ref().and_then(|clip| Course::through(&figure.model, clip));
        Ok(Self { world, figure, ragdoll, animation, course, at, facing })
    }

    /// The way down onto it with the hips' middle at a height (m), from ground of a height (m).
    fn down(&self, height: f32, ground: f32) -> Vec<Leg> {
        let hips = Some(self.at.with_y(height));
        self.course.as_ref().map_or_else(
            || {
                let leg = |to, seconds| Leg { to, plant: Plant::Soles { hips, ground, share: 1.0 }, seconds };
                vec![leg(Key::LeanDown, DOWN[0]), leg(Key::Seated, DOWN[1])]
            },
            |course| course.seated(self.ragdoll, hips, ground, Key::Seated),
        )
    }

    /// Where one sits who stands before it with upright shins.
    fn settled(&self) -> Result<Settled, Error> {
        let Self { ragdoll, animation, at: seat, .. } = *self;
        let turn = rotation_from_yaw(self.facing);
        let thigh = (ragdoll.tip_at[Bone::ThighL.index()] - ragdoll.joint_at[Bone::ThighL.index()]).length();
        let [knees, balls] = Way::footing(ragdoll, animation);
        let before = level(seat) + turn * (Vec3::Z * thigh + level(balls - knees));
        let ground = self.world.ground_under(before.with_y(seat.y + SURFACE_OFF));
        let ground = ground.ok_or_else(|| self.refused("there is no ground before it"))?;
        let [least, most] = HEIGHTS.map(|share| share * ragdoll.height);
        if !(least..=most).contains(&(seat.y - ground)) {
            let found = seat.y - ground;
            let why = format!("it is {found:.2} m over the ground before it; accepted: {least:.2} to {most:.2} m");
            return Err(self.refused(&why));
        }
        let mut place = Rigid::new(turn, seat);
        let (height, _) = self.rest(seat.y + FIRST_HEIGHT * ragdoll.height, |height| {
            let rise = height - ground - knees.y;
            let ahead = (thigh * thigh - rise * rise).max(0.0).sqrt();
            let at = level(seat) + turn * (Vec3::Z * ahead - level(knees));
            place = Rigid::new(turn, at.with_y(ground));
            self.over(animation.map(|body| place * body), height, ground)
        })?;
        Ok(Settled { hips: seat.with_y(height), spot: Spot { position: place.translation, yaw: self.facing } })
    }

    /// The height (m) at which hips come to rest, from about there, and on what: `over` says how far they are over that at a height. By
    /// secants: over a round log a thigh that is raised slopes the more, and hardly comes off it.
    fn rest(
        &self,
        first: f32,
        mut over: impl FnMut(f32) -> Result<(f32, ObjectHandle), Error>,
    ) -> Result<(f32, ObjectHandle), Error> {
        let (mut height, mut slope) = (first, 1.0);
        let mut before: Option<(f32, f32)> = None;
        for _ in 0..ROUNDS {
            let (gap, on) = over(height)?;
            if gap.abs() < TOUCHES && height - self.at.y < MOST_OVER * self.ragdoll.height {
                return Ok((height, on));
            }
            if let Some((was, had)) = before.filter(|(was, _)| *was != height) {
                slope = ((gap - had) / (height - was)).clamp(LEAST_SLOPE, 1.0);
            }
            before = Some((height, gap));
            height -= (gap / slope).clamp(-MOST_STEP, MOST_STEP);
        }
        Err(self
            .refused("its thighs find no rest on it with the feet on the ground; accepted: nearer to its front edge, or lower"))
    }

    /// How far (m) pelvis and thighs are over it with the hips' middle at a height (m), and what that is of.
    fn over(&self, from: [Rigid; BONES], height: f32, ground: f32) -> Result<(f32, ObjectHandle), Error> {
        let Self { ragdoll, animation, .. } = *self;
        let bodies = Way::sketch(ragdoll, from, animation, &self.down(height, ground), self.facing).arrival(ragdoll, animation);
        let raised = Rigid { translation: Vec3::Y * SURFACE_OFF, ..Rigid::IDENTITY };
        let forms: Vec<(&Shape, Rigid)> = bearing(ragdoll, &bodies).map(|(shape, pose)| (shape, raised * pose)).collect();
        let found = self.world.cast_down(self.figure, &forms, 2.0 * SURFACE_OFF).map(|(fall, on)| (fall - SURFACE_OFF, on));
        found.ok_or_else(|| self.refused("there is nothing to sit on within 12 cm of it"))
    }

    fn refused(&self, why: &str) -> Error {
        Error::Act { figure: self.figure.name.clone(), what: "sit there".to_owned(), why: why.to_owned() }
    }
}

/// The forms that bear on a seat, in the world.
fn bearing<'a>(ragdoll: &'a Ragdoll, bodies: &'a [Rigid; BONES]) -> impl Iterator<Item = (&'a Shape, Rigid)> {
    BEARS.into_iter().flat_map(move |bone| {
        let forms = &ragdoll.topology.bodies[bone.index()].shapes;
        forms.iter().map(move |placed| (&placed.shape, bodies[bone.index()] * placed.body_from_shape))
    })
}
