//! Dynamic objects near a figure, and those near them: they are solved along with the figures.

use super::broad::{Work, scenery_velocity, side_of};
use super::objects::Objects;
use crate::solve::boundary::{BodyKind, Touched};
use crate::solve::detected::Detected;

/// Looks around every guest that figures have, and around those found thereby, breadth first; every pair with a guest is told.
pub(super) fn close(objects: &Objects, work: &mut Work, out: &mut Detected) {
    let Work { near, guests, is_guest, finder, .. } = work;
    let told = out.points.len();
    // The keys of those that have been looked around, in order.
    let mut done: Vec<u64> = Vec::new();
    let mut next = 0;
    while let Some(guest) = guests.get(next).and_then(|slot| objects.thing(*slot)) {
        next += 1;
        let Err(place) = done.binary_search(&guest.key) else { continue };
        done.insert(place, guest.key);
        objects.near(&guest.reached, near);
        for slot in near.iter() {
            let Some(other) = objects.thing(*slot) else { continue };
            // A pair is looked at once.
            if done.binary_search(&other.key).is_ok() {
                continue;
            }
            let dynamic = other.kind == BodyKind::Dynamic;
            let (one, two) = if dynamic && other.key < guest.key { (other, guest) } else { (guest, other) };
            finder.find(side_of(one), side_of(two), one.loose + two.loose);
            let what = (Touched::Object(one.key), Touched::Object(two.key));
            let (friction, restitution) = (one.friction.min(two.friction), one.restitution.max(two.restitution));
            finder.tell(what, friction, restitution, |point| scenery_velocity(two, point), out);
            if dynamic && finder.found() && !std::mem::replace(&mut is_guest[*slot as usize], true) {
                guests.push(*slot);
            }
        }
    }
    out.points[told..].sort_unstable_by_key(|point| (key_of(point.one), key_of(point.two), point.id));
    out.guests.extend(guests.iter().filter_map(|slot| objects.thing(*slot)).map(super::objects::Thing::as_guest));
    out.guests.sort_unstable_by_key(|guest| guest.key);
}

fn key_of(what: Touched) -> u64 {
    match what {
        Touched::Object(key) | Touched::Figure(key, _) => key,
    }
}
