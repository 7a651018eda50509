//! Taking things into the hands, eating and drinking from them, and letting go: what is asked for, and what is refused.

use super::rig;
use super::table::Table;
use crate::command::FigureSpec;
use crate::error::Error;
use crate::figure::BONES;
use crate::id::{FigureHandle, ObjectHandle};
use crate::keyed::{reach, shoulder};
use crate::motion::{ActKind, Doing, Holding, Mode};
use crate::solve::boundary::BodyKind;
use crate::space::{Rigid, Vec3, rotation_from_yaw, yaw_of};
use crate::world::{Figure, Object, World};

/// How far (m) what one on its feet takes into its hand may be from its pelvis.
const NEARBY: f32 = 1.5;
/// Share of an arm's length that it reaches to: straighter it has no bend to keep.
const REACHES: f32 = 0.98;
/// Places where a thing is put down, from the hips' middle (m to its near side, and ahead, on a person of 1.75 m), the nearest first: hips are
/// 0.2 m wide to either side.
const ASIDE: [f32; 4] = [0.23, 0.28, 0.33, 0.38];
const AHEAD: [f32; 4] = [0.05, 0.15, -0.08, 0.25];
/// How far across the body's middle a hand takes and puts down things (m, on that person): farther, its arm goes through the other one.
const ACROSS: f32 = 0.12;
/// From how high over the hips a place for it is looked for, and how far down (m).
const LOOKS_UP: f32 = 0.4;
const LOOKS_DOWN: f32 = 1.2;
/// How much (m) the ground may differ under the edges of what is put down.
const FLAT: f32 = 0.012;

fn refused<T>(figure: &str, what: String, why: impl Into<String>) -> Result<T, Error> {
    Err(Error::Act { figure: figure.to_owned(), what, why: why.into() })
}

/// Plans taking an item by its grips, by name, left and right: by one who sits to the lap, by one on its feet into the hand.
pub(crate) fn hold(
    world: &World,
    handle: FigureHandle,
    item: ObjectHandle,
    grips: &[Option<String>; 2],
) -> Result<Holding, Error> {
    let (figure, item) = (world.figure(handle)?, world.object(item)?);
    let (ragdoll, _) = rig(figure)?;
    let motion = figure.motion()?;
    let cannot = |why: String| refused(&figure.name, format!("hold '{}'", item.name), why);
    if figure.is_frozen() {
        return cannot("its numbers went bad, and it is frozen until its mode is set".to_owned());
    }
    if let Some(holding) = &motion.holding {
        let leaves = holding.doing == Doing::Leave;
        let why =
            if leaves { "its hands are on their way back" } else { "it has something in its hands; accepted: let_go first" };
        return cannot(why.to_owned());
    }
    let mut holding = gripping(world, &figure.name, item, grips)?;
    if motion.stays(ActKind::Sit) {
        let near = near(figure, &figure.drawn.bodies, &holding, &item.pose)?;
        if near == [false, false] {
            let (off, arm) = nearest(figure, &figure.drawn.bodies, &holding, &item.pose)?;
            let most = REACHES * arm;
            return cannot(if off <= most {
                "its grip is across its body; accepted: one on its hand's side".to_owned()
            } else {
                format!("its grip is {off:.2} m from the shoulder; accepted: {most:.2} m at most")
            });
        }
        return Ok(holding.begins(Doing::Reach { near }, [0.0; 2]));
    }
    if !is_on_its_feet(figure) {
        return cannot(format!("it {}; accepted: one that sits, or is on its feet", motion.in_words()));
    }
    let off = item.pose.translation.distance(figure.bone(crate::Bone::Pelvis).translation);
    if off > NEARBY {
        return cannot(format!("it is {off:.2} m off; accepted: {NEARBY} m at most"));
    }
    holding.pose = holding.carried(ragdoll, &figure.drawn.bodies, yaw_of(figure.place.rotation));
    Ok(holding)
}

/// An item in the hands of one who is made, from wherever it lies.
pub(crate) fn held_at_first(world: &World, spec: &FigureSpec) -> Result<Option<Holding>, Error> {
    let Some(holds) = &spec.holds else { return Ok(None) };
    if spec.motion.is_none() {
        return Err(Error::NoMotion(spec.name.clone()));
    }
    let known = || world.objects().map(|object| object.name.as_str()).collect::<Vec<_>>().join(", ");
    let item = world.find_object(&holds.item);
    let item = item.ok_or_else(|| Error::UnknownObject { name: holds.item.clone(), known: known() })?;
    gripping(world, &spec.name, world.object(item)?, &holds.grips).map(Some)
}

/// An item that can be held and that nobody holds, by grips that it has.
fn gripping(world: &World, figure: &str, item: &Object, grips: &[Option<String>; 2]) -> Result<Holding, Error> {
    let cannot = |why: String| refused(figure, format!("hold '{}'", item.name), why);
    if let Some(other) = world.holder(item.handle) {
        return cannot(format!("'{}' has it", other.name));
    }
    if item.kind != BodyKind::Dynamic || item.shape.bounds().is_none() {
        return cannot("it is part of the scene; accepted: a dynamic box, sphere, capsule or cylinder".to_owned());
    }
    let grips = [gripped(item, grips[0].as_deref())?, gripped(item, grips[1].as_deref())?];
    if grips == [None, None] {
        return cannot("no grip is said; accepted: one for the left hand, the right one, or both".to_owned());
    }
    Ok(Holding::new(item.handle, grips, item.mass, item.pose))
}

/// A grip of an item by its name.
fn gripped(item: &Object, name: Option<&str>) -> Result<Option<Vec3>, Error> {
    let Some(name) = name else { return Ok(None) };
    item.grips.get(name).copied().map(Some).ok_or_else(|| Error::UnknownGrip {
        item: item.name.clone(),
        grip: name.to_owned(),
        known: if item.grips.is_empty() {
            "none".to_owned()
        } else {
            item.grips.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
        },
    })
}

/// Whether it keeps in its hands what it carries.
pub(super) fn is_on_its_feet(figure: &Figure) -> bool {
    matches!(figure.mode(), Mode::Powered | Mode::Animated) && !figure.phase().is_down()
}

/// Plans a bite or a sip from what is held over the lap.
pub(crate) fn bring(world: &World, handle: FigureHandle, doing: Doing) -> Result<Holding, Error> {
    let figure = world.figure(handle)?;
    let what = if doing == Doing::Eat { "eat" } else { "drink" };
    let cannot = |why: &str| refused(&figure.name, what.to_owned(), why);
    let Some(holding) = &figure.motion()?.holding else { return cannot("it holds nothing") };
    match holding.doing {
        Doing::Rest => Ok(holding.begins(doing, [1.0; 2])),
        Doing::Carry => cannot("it does not sit"),
        Doing::Eat => cannot("it is at a bite"),
        Doing::Drink => cannot("it is at a sip"),
        Doing::Reach { .. } | Doing::Lift => cannot("it has not got hold of it yet"),
        Doing::PutDown { .. } | Doing::Leave => cannot("it puts it down"),
    }
}

/// What is left in the hands of one who lets go: palms on their way back to the thighs, where it sits.
pub(crate) fn let_go(world: &World, handle: FigureHandle) -> Result<Option<Holding>, Error> {
    let figure = world.figure(handle)?;
    let motion = figure.motion()?;
    let Some(holding) = &motion.holding else { return refused(&figure.name, "let go".to_owned(), "it holds nothing") };
    Ok(leaves(figure, holding))
}

/// The palms of one who sits on their way back to the thighs.
pub(super) fn leaves(figure: &Figure, holding: &Holding) -> Option<Holding> {
    let way = figure.motion.as_ref().filter(|motion| motion.acts(ActKind::Sit).is_some())?.way.as_ref()?;
    match holding.doing {
        Doing::Carry => None,
        Doing::Leave => Some(holding.clone()),
        _ => Some(holding.begins(Doing::Leave, way.grips().map(|grip| grip.share))),
    }
}

/// Plans putting down what one who sits has on its lap, before it stands up: beside it where there is room, else as low as it reaches.
pub(super) fn put_down(world: &World, figure: &Figure, holding: &Holding) -> Result<Holding, Error> {
    let item = world.object(holding.item)?;
    let (to, near) = place_for(world, figure, holding, item)?;
    let began = figure.motion()?.way.as_ref().map_or([0.0; 2], |way| way.grips().map(|grip| grip.share));
    Ok(holding.begins(Doing::PutDown { to, near }, began))
}

fn place_for(world: &World, figure: &Figure, holding: &Holding, item: &Object) -> Result<(Rigid, [bool; 2]), Error> {
    let (ragdoll, _) = rig(figure)?;
    let bodies = &figure.drawn.bodies;
    let bounds = item.shape.bounds().unwrap_or_default();
    let table = Table { ragdoll, bodies, bounds };
    let (front, rotation) = (table.front(), table.upright(holding));
    let size = ragdoll.tall();
    let hips = bodies[0].translation;
    let half = 0.5 * (bounds[1] - bounds[0]).with_y(0.0).max_element();
    let sides = || [1.0, -1.0].into_iter().zip(holding.grips).filter(|(_, grip)| grip.is_some()).map(|(side, _)| side);
    for (aside, ahead) in ASIDE.into_iter().flat_map(|aside| AHEAD.map(|ahead| (aside, ahead))) {
        for side in sides() {
            let over = hips + front * Vec3::new(side * (aside * size + half), 0.0, ahead * size) + Vec3::Y * LOOKS_UP;
            let Some((fall, _)) = world.cast_down(figure, &[(&item.shape, Rigid::new(rotation, over))], LOOKS_DOWN) else {
                continue;
            };
            let to = Rigid::new(rotation, over - Vec3::Y * fall);
            let near = near(figure, bodies, holding, &to)?;
            if near != [false, false] && is_flat(world, figure, &to, &bounds) {
                return Ok((to, near));
            }
        }
    }
    // Nowhere: it is let go of beside the leg, as low as the arm reaches.
    let side = holding.carrier();
    let aside = if side == 0 { 1.0 } else { -1.0 };
    let beside = hips + front * Vec3::new(aside * ASIDE[2], 0.0, AHEAD[1]) * size;
    let shoulder = shoulder(ragdoll, bodies, side);
    let (off, arm) = ((beside - shoulder).with_y(0.0).length(), 0.9 * reach(ragdoll, side));
    let hand = beside.with_y(shoulder.y - (arm * arm - off * off).max(0.0).sqrt());
    let grip = rotation * holding.grips[side].unwrap_or_default();
    let lowest = world.ground_under(hand).unwrap_or(figure.senses.lowest) - bounds[0].y;
    let at = hand - grip;
    Ok((Rigid::new(rotation, at.with_y(at.y.max(lowest))), [side == 0, side == 1]))
}

/// Whether what is under the edges of an item is as high as under its middle, and none of it is another figure. Its own arms are over it.
fn is_flat(world: &World, figure: &Figure, at: &Rigid, bounds: &[Vec3; 2]) -> bool {
    let [least, most] = *bounds;
    let bottom = at.translation.y + least.y;
    let edges = [Vec3::new(least.x, most.y, 0.0), Vec3::new(most.x, most.y, 0.0)];
    let ends = [Vec3::new(0.0, most.y, least.z), Vec3::new(0.0, most.y, most.z)];
    let under = |edge: Vec3| {
        let from = at.point(edge) + Vec3::Y * LOOKS_UP;
        let hit = world.raycast(from, Vec3::NEG_Y, LOOKS_DOWN)?;
        match hit.figure {
            None => Some(hit.point.y),
            Some((own, _)) if own == figure.handle => world.ground_under(from),
            Some(_) => None,
        }
    };
    edges.into_iter().chain(ends).all(|edge| under(edge).is_some_and(|height| (height - bottom).abs() < FLAT))
}

/// Which gripping hands reach their grips with the item there, without crossing the body.
pub(super) fn near(figure: &Figure, bodies: &[Rigid; BONES], holding: &Holding, item: &Rigid) -> Result<[bool; 2], Error> {
    let (ragdoll, _) = rig(figure)?;
    let left = rotation_from_yaw(yaw_of(bodies[0].rotation)) * Vec3::X;
    Ok([0, 1].map(|side| {
        holding.grips[side].is_some_and(|grip| {
            let grip = item.point(grip);
            let out = if side == 0 { left } else { -left };
            (grip - bodies[0].translation).dot(out) >= -ACROSS * ragdoll.tall()
                && grip.distance(shoulder(ragdoll, bodies, side)) <= REACHES * reach(ragdoll, side)
        })
    }))
}

/// How far (m) the nearest grip of an item is from its shoulder, and how long that arm is.
fn nearest(figure: &Figure, bodies: &[Rigid; BONES], holding: &Holding, item: &Rigid) -> Result<(f32, f32), Error> {
    let (ragdoll, _) = rig(figure)?;
    let off = |side: usize| holding.grips[side].map(|grip| item.point(grip).distance(shoulder(ragdoll, bodies, side)));
    let grips = (0..2).filter_map(|side| Some((off(side)?, reach(ragdoll, side))));
    Ok(grips.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or_default())
}
