//! Heads that meet something fast.

use super::Found;
use simrun_sim::figure::Bone;
use simrun_sim::solve::boundary::Contact;

/// Slower (m/s) a head comes down softly: half of the 2.9 m/s at which people's meet the ground in falls (Choi and others, 2015).
const FAST: f64 = 1.5;

/// The fastest that a head meets something for the first time, among contacts with what is not of the figure.
pub fn hit<'c>(contacts: impl Iterator<Item = &'c Contact>) -> Option<Found<'static>> {
    let head = contacts.filter(|contact| contact.fresh && contact.body == Bone::Head.index());
    Found::worst(head.map(|contact| (Bone::Head, f64::from(contact.closing))), FAST, "m/s")
}
