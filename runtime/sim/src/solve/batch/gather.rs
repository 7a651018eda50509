//! One group's work: who stands in which lane, which contact is whose, and what they gave.

use super::contact::Contact;
use super::coupled::{GuestBody, Row, Side};
use super::fill::{guest_body, put_contact, put_figures};
use super::group::{Batch, Group, Pace};
use super::lanes::Lane;
use super::read::read_figures;
use super::structure::{Parts, PointKey, Pressed, State, Structure};
use crate::solve::boundary::{BodyState, FigureInput, FigureOutput, Touched};
use crate::solve::detected::{Guest, NearPoint};
use crate::space::{Quat, Vec3};

/// A figure that is to be solved.
#[derive(Debug)]
pub struct Member<'a> {
    pub key: u64,
    /// No other figure's.
    pub serial: u64,
    pub structure: usize,
    pub parts: &'a Parts,
    pub state: &'a mut State,
    /// `state`'s bodies as the boundary has them.
    pub bodies: &'a mut Vec<BodyState>,
    pub input: &'a FigureInput,
    /// All but its contacts is told here.
    pub output: &'a mut FigureOutput,
}

/// What a point gave in a step.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Index in the step's detection.
    pub point: usize,
    /// N·s along the normal over the step.
    pub impulse: f32,
    /// m/s at which it closed.
    pub closing: f32,
}

/// One group's work, from figures and points to what they gave.
#[derive(Debug)]
pub struct Job<'a> {
    pub pace: Pace,
    pub gravity: Vec3,
    pub structures: &'a [Structure],
    pub members: Vec<Member<'a>>,
    pub guests: Vec<Guest>,
    /// Points on one member alone, as indices of the step's.
    pub own: Vec<(usize, usize)>,
    /// Points between these.
    pub between: Vec<usize>,
    pub points: &'a [NearPoint],
    pub keys: &'a [PointKey],
    /// How hard each point pressed in the last step (N, world).
    pub last: &'a [Vec3],

    pub given: Vec<Given>,
    pub pressed: Vec<Pressed>,
    pub guests_after: Vec<GuestBody>,
}

/// Which lane of which batch has which point.
type Source = (usize, usize, usize, usize);

impl Job<'_> {
    /// Solves it in a workspace of the same width.
    pub fn solve<V: Lane>(&mut self, group: &mut Group<V>) {
        let places = self.lay_out(group);
        let sources = self.fill(group, &places);
        V::enter(group);
        self.read(group, &sources);
    }

    /// Gives every member a batch and a lane.
    fn lay_out<V: Lane>(&self, group: &mut Group<V>) -> Vec<(usize, usize)> {
        group.pace = self.pace;
        group.coupled.clear();
        let mut places = Vec::with_capacity(self.members.len());
        let mut runs: Vec<(usize, Vec<usize>)> = Vec::new();
        for (index, member) in self.members.iter().enumerate() {
            match runs.last_mut() {
                Some((structure, lanes)) if *structure == member.structure && lanes.len() < V::COUNT => lanes.push(index),
                _ => runs.push((member.structure, vec![index])),
            }
            let (_, lanes) = &runs[runs.len() - 1];
            places.push((runs.len() - 1, lanes.len() - 1));
        }
        group.batches.truncate(runs.len());
        for (index, (structure, lanes)) in runs.into_iter().enumerate() {
            let fits = group
                .batches
                .get(index)
                .is_some_and(|batch: &Batch<V>| batch.structure == structure && batch.serials.len() <= lanes.len());
            if !fits {
                // Lanes that fall idle are made anew: nothing of who stood there may be left.
                let batch = Batch::idle(structure, &self.structures[structure]);
                if index < group.batches.len() { group.batches[index] = batch } else { group.batches.push(batch) }
            }
            let batch = &mut group.batches[index];
            batch.members = lanes;
            batch.anchors.clear();
            batch.contacts.clear();
        }
        places
    }

    fn fill<V: Lane>(&self, group: &mut Group<V>, places: &[(usize, usize)]) -> Vec<Source> {
        for batch in &mut group.batches {
            put_figures(batch, &self.members, &self.structures[batch.structure], self.gravity, &self.pace);
        }
        let sources = self.put_contacts(group, places);
        self.put_coupled(group, places);
        sources
    }

    /// Contacts with scenery and of a figure with itself. A slot is the nth contact of a body, or of a pair of bodies; slots go by
    /// bodies, so that a lane's own contacts come in the same order whoever stands beside it.
    fn put_contacts<V: Lane>(&self, group: &mut Group<V>, places: &[(usize, usize)]) -> Vec<Source> {
        let mut slots: Vec<(Slot, usize)> = Vec::with_capacity(self.own.len());
        for (member, point) in &self.own {
            let (batch, lane) = places[*member];
            let (one, two) = bodies_of(&self.points[*point], self.members[*member].key);
            let mut slot = Slot { batch, one, two, nth: 0, lane };
            // Points come in the order of their sides, so those of a body with scenery, or of a pair, come one after another.
            if let Some((before, _)) = slots.last().filter(|(before, _)| Slot { nth: 0, ..*before } == slot) {
                slot.nth = before.nth + 1;
            }
            slots.push((slot, *point));
        }
        slots.sort_unstable_by_key(|(slot, _)| slot.order());
        let mut sources = Vec::with_capacity(slots.len());
        let mut last = None;
        for (slot, point) in slots {
            let rows = &mut group.batches[slot.batch].contacts;
            let row = Slot { lane: 0, ..slot };
            if last != Some(row) {
                last = Some(row);
                rows.push(Contact::idle(slot.one, slot.two));
            }
            let at = rows.len() - 1;
            put_contact(&mut rows[at], slot.lane, &self.points[point], self.last[point] * self.pace.substep());
            sources.push((slot.batch, at, slot.lane, point));
        }
        sources
    }

    fn put_coupled<V: Lane>(&self, group: &mut Group<V>, places: &[(usize, usize)]) {
        if self.between.is_empty() && self.guests.is_empty() {
            return;
        }
        let mut by_key: Vec<(u64, usize)> = self.members.iter().enumerate().map(|(index, member)| (member.key, index)).collect();
        by_key.sort_unstable();
        let member_of = |key: u64| by_key.binary_search_by_key(&key, |(key, _)| *key).ok().map(|place| by_key[place].1);
        let side_of = |touched: Touched| match touched {
            Touched::Figure(key, body) => {
                member_of(key).map_or(Side::Scenery, |member| Side::Lane(places[member].0, places[member].1, body))
            }
            // Guests are in the order of their keys.
            Touched::Object(key) => self.guests.binary_search_by_key(&key, |guest| guest.key).map_or(Side::Scenery, Side::Guest),
        };
        let Group { coupled, .. } = group;
        coupled.guests.extend(self.guests.iter().map(|guest| guest_body(guest, self.gravity)));
        for index in &self.between {
            let point = self.points[*index];
            let sides = [side_of(point.one), side_of(point.two)];
            let centre = |side: Side| match side {
                Side::Scenery => (Vec3::ZERO, Quat::IDENTITY),
                Side::Guest(guest) => (coupled.guests[guest].position, coupled.guests[guest].rotation),
                Side::Lane(batch, lane, body) => {
                    let member = &self.members[group.batches[batch].members[lane]];
                    (member.state.bodies[body].position, member.state.bodies[body].rotation)
                }
            };
            let given = self.last[*index] * self.pace.substep();
            coupled.rows.push(Row::new(self.keys[*index], &point, sides, sides.map(centre), given));
        }
    }

    fn read<V: Lane>(&mut self, group: &Group<V>, sources: &[Source]) {
        let h = self.pace.substep();
        for batch in &group.batches {
            read_figures(batch, &mut self.members, &self.structures[batch.structure], &self.pace);
        }
        for (batch, slot, lane, point) in sources {
            let row = &group.batches[*batch].contacts[*slot];
            self.given.push(Given { point: *point, impulse: row.total.get(*lane), closing: row.closing.get(*lane) });
            self.pressed.push(Pressed { key: self.keys[*point], force: row.met.given.get(*lane) / h });
        }
        for (row, index) in group.coupled.rows.iter().zip(&self.between) {
            self.given.push(Given { point: *index, impulse: row.total, closing: row.closing });
            self.pressed.push(Pressed { key: row.key, force: row.impulse() / h });
        }
        self.guests_after.extend(&group.coupled.guests);
    }
}

/// Whose row a point is: the nth contact of a body, or of a pair of bodies, in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    batch: usize,
    one: usize,
    two: Option<usize>,
    nth: usize,
    lane: usize,
}

impl Slot {
    /// Batches one after another, rows by bodies: a lane's own contacts come in the same order whoever stands beside it.
    fn order(&self) -> (usize, u64) {
        let two = self.two.map_or(0, |two| two + 1);
        (self.batch, ((self.one << 40) | (two << 32) | (self.nth << 8) | self.lane) as u64)
    }
}

/// The bodies of a point on one figure alone.
fn bodies_of(point: &NearPoint, key: u64) -> (usize, Option<usize>) {
    let body = |side| match side {
        Touched::Figure(of, body) if of == key => Some(body),
        _ => None,
    };
    (body(point.one).unwrap_or(0), body(point.two))
}
