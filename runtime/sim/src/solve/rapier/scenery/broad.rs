//! Which forms are to be looked at closely: boxes around figures, then around their forms.

use super::forms::{Form, Forms};
use super::narrow::{Finder, Side};
use super::objects::{Objects, Thing};
use super::own::Own;
use super::placed::{Moving, Placed, hulls_meet, within};
use super::{guests, to_pose};
use crate::solve::boundary::{BodyKind, Touched};
use crate::solve::detected::{Detected, FigureAt, NearPoint};
use crate::space::{Vec3, level};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;
use std::collections::BTreeMap;

/// A figure in the world.
struct Frame {
    /// Where it is in what was asked.
    asked: usize,
    /// Where its forms begin among all that are placed.
    start: usize,
    bounds: Aabb,
}

/// Room that is used again each step.
#[derive(Default)]
pub(super) struct Work {
    order: Vec<usize>,
    placed: Vec<Placed>,
    frames: Vec<Frame>,
    sweep: Vec<usize>,
    /// Frames whose boxes meet: the one of the lower key first; in order.
    meets: Vec<(usize, usize)>,
    own: Own,
    /// Slots of objects.
    pub(super) near: Vec<u32>,
    /// Slots of the guests, as they are found.
    pub(super) guests: Vec<u32>,
    /// By slot: whether it is a guest.
    pub(super) is_guest: Vec<bool>,
    pub(super) finder: Finder,
}

/// What one step's detection reads.
struct Here<'a> {
    figures: &'a [FigureAt<'a>],
    /// Of each frame.
    forms: Vec<&'a Forms>,
    objects: &'a Objects,
}

pub(super) fn detect(
    known: &BTreeMap<u64, Forms>,
    objects: &Objects,
    work: &mut Work,
    dt: f32,
    figures: &[FigureAt<'_>],
    out: &mut Detected,
) {
    out.points.clear();
    out.guests.clear();
    work.guests.clear();
    work.is_guest.clear();
    work.is_guest.resize(objects.slots(), false);
    let forms = work.place(known, figures, dt);
    work.sweep();
    let here = Here { figures, forms, objects };
    let mut meets = 0;
    for frame in 0..work.frames.len() {
        let first = meets;
        while work.meets.get(meets).is_some_and(|(one, _)| *one == frame) {
            meets += 1;
        }
        work.around(&here, frame, first..meets, out);
    }
    guests::close(objects, work, out);
}

impl Work {
    /// Puts all forms where they are, figures ordered by key.
    fn place<'a>(&mut self, known: &'a BTreeMap<u64, Forms>, figures: &[FigureAt<'_>], dt: f32) -> Vec<&'a Forms> {
        self.placed.clear();
        self.frames.clear();
        self.order.clear();
        self.order.extend(0..figures.len());
        self.order.sort_unstable_by_key(|asked| figures[*asked].key);
        let mut all = Vec::with_capacity(figures.len());
        for asked in &self.order {
            let at = &figures[*asked];
            let Some(forms) = known.get(&at.key).filter(|forms| forms.bodies == at.bodies.len()) else { continue };
            let start = self.placed.len();
            // Its own forms are apart by how they move about its first body, not by how the whole figure flies.
            let along = at.bodies.first().map_or(Vec3::ZERO, |root| root.linear);
            let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
            for part in &forms.parts {
                let forms = &forms.forms[part.clone()];
                let moving = Moving::of(&at.bodies[forms[0].body], along, dt);
                for form in forms {
                    let placed = moving.place(form);
                    let loose = Vec3::splat(placed.loose);
                    low = low.min(placed.bounds.mins - loose);
                    high = high.max(placed.bounds.maxs + loose);
                    self.placed.push(placed);
                }
            }
            self.frames.push(Frame { asked: *asked, start, bounds: Aabb::new(low, high) });
            all.push(forms);
        }
        all
    }

    /// Finds the figures whose boxes meet: along X first.
    fn sweep(&mut self) {
        let Self { frames, sweep, meets, .. } = self;
        meets.clear();
        sweep.clear();
        sweep.extend(0..frames.len());
        sweep.sort_unstable_by(|one, two| frames[*one].bounds.mins.x.total_cmp(&frames[*two].bounds.mins.x));
        for (place, one) in sweep.iter().enumerate() {
            let bounds = &frames[*one].bounds;
            for two in &sweep[place + 1..] {
                let other = &frames[*two].bounds;
                if other.mins.x > bounds.maxs.x {
                    break;
                }
                if other.intersects(bounds) {
                    meets.push((*one.min(two), *one.max(two)));
                }
            }
        }
        meets.sort_unstable();
    }

    /// All that is near one figure, but for figures of lower keys: ordered by its bodies, then by what they are near.
    fn around(&mut self, here: &Here<'_>, frame: usize, met: std::ops::Range<usize>, out: &mut Detected) {
        let Self { placed, frames, meets, own: own_pairs, near, guests, is_guest, finder, .. } = self;
        let at = &here.figures[frames[frame].asked];
        let forms = here.forms[frame];
        let own = &placed[frames[frame].start..][..forms.forms.len()];
        here.objects.near(&frames[frame].bounds, near);
        near.retain(|slot| here.objects.thing(*slot).is_some_and(|thing| collides(at, thing)));
        own_pairs.pairs.clear();
        if !at.self_contacts.is_empty() {
            own_pairs.find(forms, own);
        }
        let mut pairs = own_pairs.pairs.iter().peekable();
        let first = out.points.len();
        for body in forms.parts.iter().cloned() {
            let index = forms.forms[body.start].body;
            while let Some((first, second)) = pairs.next_if(|(first, _)| forms.forms[*first].body == index) {
                let (one, two) = (&own[*first], &own[*second]);
                let margin = one.own_loose + two.own_loose;
                let (f, g) = (&forms.forms[*first], &forms.forms[*second]);
                let collide = at.self_contacts.has(f.body) || at.self_contacts.has(g.body);
                if collide && hulls_meet((f, one), (g, two), margin) {
                    finder.find(side(f, &pose_of(f, at)), side(g, &pose_of(g, at)), margin);
                    let what = (Touched::Figure(at.key, f.body), Touched::Figure(at.key, g.body));
                    finder.tell(what, f.friction.min(g.friction), 0.0, |_| Vec3::ZERO, out);
                }
            }
            for (_, other) in &meets[met.clone()] {
                let bounds = &frames[*other].bounds;
                if own[body.clone()].iter().any(|placed| within(&placed.bounds, bounds, placed.loose)) {
                    let theirs = &placed[frames[*other].start..][..here.forms[*other].forms.len()];
                    let them = (&here.figures[frames[*other].asked], here.forms[*other], theirs);
                    figures_meet((at, forms, own), body.clone(), them, finder, out);
                }
            }
            for slot in near.iter() {
                let Some(thing) = here.objects.thing(*slot) else { continue };
                if thing.kind == BodyKind::Fixed && !at.fixed_contacts.has(index) {
                    continue;
                }
                let before = out.points.len();
                for form in body.clone() {
                    let placed = &own[form];
                    if within(&placed.bounds, &thing.reached, placed.loose) {
                        let form_of = &forms.forms[form];
                        finder.find(side(form_of, &pose_of(form_of, at)), side_of(thing), placed.loose + thing.loose);
                        let what = (Touched::Figure(at.key, index), Touched::Object(thing.key));
                        let friction = form_of.friction.min(thing.friction);
                        finder.tell(what, friction, thing.restitution, |point| scenery_velocity(thing, point), out);
                    }
                }
                let met = out.points.len() > before;
                if met && thing.kind == BodyKind::Dynamic && !std::mem::replace(&mut is_guest[*slot as usize], true) {
                    guests.push(*slot);
                }
            }
        }
        for (_, other) in &meets[met] {
            part(at, &here.figures[frames[*other].asked], &mut out.points[first..]);
        }
    }
}

/// How deep (m) a point between two figures is where they are in one another as wholes: put there, since nothing gets as deep by itself.
/// Limbs have no way out of each other then that is a way for the others too. Held by `tests/sense`.
const IN_ONE_ANOTHER: f32 = 0.05;

/// Has all points of two figures that are in one another part them one way: by where their roots are, along the ground where that will do.
fn part(one: &FigureAt<'_>, two: &FigureAt<'_>, points: &mut [NearPoint]) {
    let between = |point: &NearPoint| matches!(point.two, Touched::Figure(key, _) if key == two.key);
    if !points.iter().any(|point| point.distance < -IN_ONE_ANOTHER && between(point)) {
        return;
    }
    let root = |at: &FigureAt<'_>| at.bodies.first().map_or(Vec3::ZERO, |root| root.pose.translation);
    let gap = root(one) - root(two);
    let flat = level(gap);
    let beside = gap.length() < IN_ONE_ANOTHER || flat.length() > gap.y.abs();
    let way = if beside { flat.normalize_or(Vec3::X) } else { gap.normalize() };
    points.iter_mut().filter(|point| point.distance < 0.0 && between(point)).for_each(|point| point.normal = way);
}

/// Points between a body's forms of one figure and all of another, ordered by the other's bodies.
fn figures_meet(
    (at, forms, own): (&FigureAt<'_>, &Forms, &[Placed]),
    body: std::ops::Range<usize>,
    (their, them, theirs): (&FigureAt<'_>, &Forms, &[Placed]),
    finder: &mut Finder,
    out: &mut Detected,
) {
    for other in &them.parts {
        for first in body.clone() {
            for second in other.clone() {
                let (one, two) = (&own[first], &theirs[second]);
                let margin = one.loose + two.loose;
                let (f, g) = (&forms.forms[first], &them.forms[second]);
                if within(&one.bounds, &two.bounds, margin) && hulls_meet((f, one), (g, two), margin) {
                    finder.find(side(f, &pose_of(f, at)), side(g, &pose_of(g, their)), margin);
                    let what = (Touched::Figure(at.key, f.body), Touched::Figure(their.key, g.body));
                    finder.tell(what, f.friction.min(g.friction), 0.0, |_| Vec3::ZERO, out);
                }
            }
        }
    }
}

/// World from form.
fn pose_of(form: &Form, at: &FigureAt<'_>) -> Pose {
    to_pose(at.bodies[form.body].pose) * form.place
}

fn side<'a>(form: &'a Form, pose: &'a Pose) -> Side<'a> {
    Side { shape: &*form.shape, pose, index: form.index }
}

pub(super) fn side_of(thing: &Thing) -> Side<'_> {
    Side { shape: &*thing.shape, pose: &thing.pose, index: 0 }
}

/// How a thing's surface moves where it is scenery.
pub(super) fn scenery_velocity(thing: &Thing, point: Vec3) -> Vec3 {
    if thing.kind == BodyKind::Kinematic { thing.velocity_at(point) } else { Vec3::ZERO }
}

fn collides(at: &FigureAt<'_>, thing: &Thing) -> bool {
    (!at.fixed_contacts.is_empty() || thing.kind != BodyKind::Fixed) && !at.pass_through.contains(&thing.key)
}

impl Finder {
    /// Writes down the points that [`find`](Finder::find) found.
    pub(super) fn tell(
        &self,
        (one, two): (Touched, Touched),
        friction: f32,
        restitution: f32,
        velocity: impl Fn(Vec3) -> Vec3,
        out: &mut Detected,
    ) {
        out.points.extend(self.points.iter().map(|point| NearPoint {
            one,
            two,
            id: point.id,
            on_one: point.on_one,
            on_two: point.on_two,
            normal: point.normal,
            distance: point.distance,
            friction,
            restitution,
            scenery_velocity: velocity(point.on_two),
        }));
    }
}
