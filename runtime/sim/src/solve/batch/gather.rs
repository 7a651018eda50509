//! Figures into lanes, and out of them.

use super::anchor::Anchor;
use super::contact::Contact;
use super::coupled::{GuestBody, Row, Side, across};
use super::group::{Batch, Group, Pace};
use super::lanes::Lane;
use super::rest;
use super::soft::Softness;
use super::structure::{Held, Moving, Parts, PointKey, Pressed, Pulled, State, Structure};
use crate::solve::boundary::{FigureInput, FigureOutput, JointKind, JointState, Touched};
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
    pub input: &'a FigureInput,
    /// Its joints and anchors are told here.
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
        self.read(group, &places, &sources);
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
        for (member, (batch, lane)) in self.members.iter().zip(places) {
            let (batch, structure) = (&mut group.batches[*batch], &self.structures[member.structure]);
            if batch.serials.get(*lane) != Some(&member.serial) {
                put_parts(batch, *lane, member.parts, structure);
                batch.serials.resize(batch.serials.len().max(lane + 1), 0);
                batch.serials[*lane] = member.serial;
            }
            put_bodies(batch, *lane, member, self.gravity);
            put_joints(batch, *lane, member, structure, &self.pace);
        }
        for batch in &mut group.batches {
            put_anchors(batch, &self.members, &self.pace);
        }
        let sources = self.put_contacts(group, places);
        self.put_coupled(group, places);
        sources
    }

    /// Contacts with scenery and of a figure with itself. A slot is the nth contact of a body, or of a pair of bodies; slots go by
    /// bodies, so that a lane's own contacts come in the same order whoever stands beside it.
    fn put_contacts<V: Lane>(&self, group: &mut Group<V>, places: &[(usize, usize)]) -> Vec<Source> {
        let mut slots: Vec<(usize, usize, Option<usize>, usize, usize, usize)> = Vec::with_capacity(self.own.len());
        for (member, point) in &self.own {
            let (batch, lane) = places[*member];
            let near = &self.points[*point];
            let (one, two) = bodies_of(near, self.members[*member].key);
            // Points come in the order of their sides, so those of a body with scenery, or of a pair, come one after another.
            let before = slots.last().filter(|slot| (slot.0, slot.1, slot.2, slot.4) == (batch, one, two, lane));
            let nth = before.map_or(0, |slot| slot.3 + 1);
            slots.push((batch, one, two, nth, lane, *point));
        }
        slots.sort_unstable();
        let mut sources = Vec::with_capacity(slots.len());
        let mut last = None;
        for (batch, one, two, nth, lane, point) in slots {
            let rows = &mut group.batches[batch].contacts;
            if last != Some((batch, one, two, nth)) {
                last = Some((batch, one, two, nth));
                rows.push(Contact::idle(one, two));
            }
            let slot = rows.len() - 1;
            sources.push((batch, slot, lane, point));
            let member = &self.members[group.batches[batch].members[lane]];
            let given = self.last[point] * self.pace.substep();
            put_contact(&mut group.batches[batch].contacts[slot], lane, &self.points[point], member.state, given);
        }
        sources
    }

    fn put_coupled<V: Lane>(&self, group: &mut Group<V>, places: &[(usize, usize)]) {
        let Group { coupled, .. } = group;
        coupled.guests.extend(self.guests.iter().map(|guest| guest_body(guest, self.gravity)));
        for index in &self.between {
            let point = self.points[*index];
            let side = |touched| self.side(touched, places);
            let sides = [side(point.one), side(point.two)];
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

    fn side(&self, touched: Touched, places: &[(usize, usize)]) -> Side {
        match touched {
            Touched::Figure(key, body) => {
                let member = self.members.iter().position(|member| member.key == key);
                member.map_or(Side::Scenery, |member| Side::Lane(places[member].0, places[member].1, body))
            }
            Touched::Object(key) => self.guests.iter().position(|guest| guest.key == key).map_or(Side::Scenery, Side::Guest),
        }
    }

    fn read<V: Lane>(&mut self, group: &Group<V>, places: &[(usize, usize)], sources: &[Source]) {
        let h = self.pace.substep();
        for (member, (batch, lane)) in self.members.iter_mut().zip(places) {
            let batch = &group.batches[*batch];
            let structure = &self.structures[member.structure];
            read_figure(batch, *lane, member, structure, &self.pace);
        }
        for (batch, slot, lane, point) in sources {
            let row = &group.batches[*batch].contacts[*slot];
            let normal = row.normal.get(*lane) * row.press.get(*lane);
            let rub = row.across[0].get(*lane) * row.rub[0].get(*lane) + row.across[1].get(*lane) * row.rub[1].get(*lane);
            self.given.push(Given { point: *point, impulse: row.total.get(*lane), closing: row.closing.get(*lane) });
            self.pressed.push(Pressed { key: self.keys[*point], force: (normal + rub) / h });
        }
        for (row, index) in group.coupled.rows.iter().zip(&self.between) {
            self.given.push(Given { point: *index, impulse: row.total, closing: row.closing });
            self.pressed.push(Pressed { key: row.key, force: row.impulse() / h });
        }
        self.guests_after.extend(&group.coupled.guests);
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

/// What impulses of the last step's sub-steps are worth in this one's.
fn scale_of(state: &State, pace: &Pace) -> f32 {
    if state.substep > 0.0 { pace.substep() / state.substep } else { 0.0 }
}

/// What a figure is: masses, frames, limits.
fn put_parts<V: Lane>(batch: &mut Batch<V>, lane: usize, parts: &Parts, structure: &Structure) {
    for (body, part) in batch.bodies.iter_mut().zip(&parts.bodies) {
        body.inverse_mass.set(lane, part.inverse_mass);
        body.inertia.set(lane, part.inertia);
        body.inverse_inertia.set(lane, part.inertia.recip());
    }
    for (row, joint) in batch.joints.iter_mut().zip(&structure.order) {
        let part = &parts.joints[*joint];
        row.parent_arm.set(lane, part.parent_arm);
        row.child_arm.set(lane, part.child_arm);
        row.parent_frame.set(lane, part.parent_frame);
        row.child_frame.set(lane, part.child_frame);
        match part.kind {
            JointKind::Ball { swing, twist } => {
                row.cone.over_y.set(lane, 1.0 / swing[0]);
                row.cone.over_z.set(lane, 1.0 / swing[1]);
                row.stop.low.set(lane, twist[0]);
                row.stop.high.set(lane, twist[1]);
            }
            JointKind::Hinge { range } => {
                row.stop.low.set(lane, range[0]);
                row.stop.high.set(lane, range[1]);
            }
            JointKind::Weld => {}
        }
    }
}

/// How a figure moves, and what pulls it.
fn put_bodies<V: Lane>(batch: &mut Batch<V>, lane: usize, member: &Member<'_>, gravity: Vec3) {
    for (body, moving) in batch.bodies.iter_mut().zip(&member.state.bodies) {
        body.position.set(lane, moving.position);
        body.rotation.set(lane, moving.rotation);
        body.linear.set(lane, moving.linear);
        body.angular.set(lane, moving.angular);
        body.pull.set(lane, gravity);
        body.torque.set(lane, Vec3::ZERO);
    }
    for force in &member.input.forces {
        let body = &mut batch.bodies[force.body];
        let (pull, torque) = (body.pull.get(lane), body.torque.get(lane));
        body.pull.set(lane, pull + force.force * member.parts.bodies[force.body].inverse_mass);
        body.torque.set(lane, torque + force.torque);
    }
}

/// What its muscles shall do, and what joints gave last.
fn put_joints<V: Lane>(batch: &mut Batch<V>, lane: usize, member: &Member<'_>, structure: &Structure, pace: &Pace) {
    let (h, scale) = (pace.substep(), scale_of(member.state, pace));
    for (row, joint) in batch.joints.iter_mut().zip(&structure.order) {
        let (part, held) = (&member.parts.joints[*joint], &member.state.joints[*joint]);
        row.point.set(lane, held.point * scale);
        row.turn.set(lane, held.turn * scale);
        row.stop.low_push.set(lane, held.stops[0] * scale);
        row.stop.high_push.set(lane, held.stops[1] * scale);
        row.cone.pushed.set(lane, held.cone * scale);
        let Some(target) = member.input.joints.get(*joint) else {
            row.cap.set(lane, 0.0);
            continue;
        };
        row.wanted.set(lane, part.wanted(target.rotation));
        row.wanted_rate.set(lane, part.frames[0].conjugate() * target.velocity);
        let soft = Softness::muscle(target.tau, h);
        row.rate.set(lane, soft.rate);
        row.mass_share.set(lane, soft.mass);
        row.impulse_share.set(lane, soft.impulse);
        row.cap.set(lane, target.budget * h);
    }
}

fn put_anchors<V: Lane>(batch: &mut Batch<V>, members: &[Member<'_>], pace: &Pace) {
    let h = pace.substep();
    // The nth anchor of a body.
    let mut slots: Vec<(usize, usize, usize, usize)> = Vec::new();
    for (lane, member) in batch.members.iter().enumerate() {
        for (index, anchor) in members[*member].input.anchors.iter().enumerate() {
            let nth = slots.iter().filter(|slot| (slot.0, slot.2) == (anchor.body, lane)).count();
            slots.push((anchor.body, nth, lane, index));
        }
    }
    slots.sort_unstable();
    let mut last = None;
    for (body, nth, lane, index) in slots {
        if last != Some((body, nth)) {
            last = Some((body, nth));
            batch.anchors.push(Anchor::idle(body));
        }
        let at = batch.anchors.len() - 1;
        let row = &mut batch.anchors[at];
        let member = &members[batch.members[lane]];
        let anchor = &member.input.anchors[index];
        for (mask, axes) in [(&mut row.along, anchor.linear), (&mut row.about, anchor.angular)] {
            mask.x.set_mask(lane, axes.x);
            mask.y.set_mask(lane, axes.y);
            mask.z.set_mask(lane, axes.z);
        }
        row.place.set(lane, anchor.target.translation);
        row.rotation.set(lane, anchor.target.rotation * member.parts.bodies[body].frame);
        row.linear.set(lane, anchor.linear_velocity);
        row.angular.set(lane, anchor.angular_velocity);
        // Its square has to be a number.
        row.rate_cap.set(lane, anchor.rate_cap.min(1.0e6));
        let soft = Softness::muscle(anchor.tau, h);
        row.rate.set(lane, soft.rate);
        row.mass_share.set(lane, soft.mass);
        row.impulse_share.set(lane, soft.impulse);
        row.force_cap.set(lane, anchor.max_force * h);
        row.torque_cap.set(lane, anchor.max_torque * h);
        // The same anchor as in the last step, as far as its place among them tells.
        let given = member.state.anchors.get(index).filter(|given| given.body == body);
        if let Some(given) = given {
            let scale = scale_of(member.state, pace);
            row.push.set(lane, given.linear * scale);
            row.twist.set(lane, given.angular * scale);
        }
    }
}

fn put_contact<V: Lane>(row: &mut Contact<V>, lane: usize, point: &NearPoint, state: &State, given: Vec3) {
    let local = |body: usize, at: Vec3| state.bodies[body].rotation.conjugate() * (at - state.bodies[body].position);
    row.active.set_mask(lane, true);
    row.arm_one.set(lane, local(row.one, point.on_one));
    // Impulses between two bodies act midway, or they would turn the figure from nothing.
    let at = if row.two.is_some() { (point.on_one + point.on_two) * 0.5 } else { point.on_one };
    row.at_one.set(lane, at - state.bodies[row.one].position);
    let mut apart = point.on_one;
    if let Some(two) = row.two {
        row.arm_two.set(lane, local(two, point.on_two));
        row.at_two.set(lane, at - state.bodies[two].position);
        apart -= point.on_two;
    }
    row.offset.set(lane, point.distance - point.normal.dot(apart));
    row.normal.set(lane, point.normal);
    let across = across(point.normal);
    row.drift.set(lane, point.scenery_velocity.dot(point.normal));
    row.press.set(lane, given.dot(point.normal).max(0.0));
    for (way, direction) in across.into_iter().enumerate() {
        row.across[way].set(lane, direction);
        row.slide[way].set(lane, point.scenery_velocity.dot(direction));
        row.rub[way].set(lane, given.dot(direction));
    }
    row.friction.set(lane, point.friction);
    row.restitution.set(lane, point.restitution);
    row.bounces |= point.restitution > 0.0;
}

fn guest_body(guest: &Guest, gravity: Vec3) -> GuestBody {
    let rotation = guest.state.pose.rotation * guest.inertia_frame;
    GuestBody {
        position: guest.state.pose.point(guest.centre),
        rotation,
        linear: guest.state.linear,
        angular: guest.state.angular,
        inverse_mass: 1.0 / guest.mass,
        inertia: guest.principal_inertia,
        pull: gravity,
        axes: glam::Mat3::from_quat(rotation),
        inverse: glam::Mat3::ZERO,
    }
}

fn read_figure<V: Lane>(batch: &Batch<V>, lane: usize, member: &mut Member<'_>, structure: &Structure, pace: &Pace) {
    let h = pace.substep();
    let state = &mut *member.state;
    let mut still = member.input.may_sleep;
    for (moving, body) in state.bodies.iter_mut().zip(&batch.bodies) {
        let now = Moving {
            position: body.position.get(lane),
            rotation: body.rotation.get(lane),
            linear: body.linear.get(lane),
            angular: body.angular.get(lane),
        };
        still = still && rest::is_still(moving, &now, pace.dt);
        *moving = now;
    }
    state.still = if still { state.still.saturating_add(1) } else { 0 };
    member.output.joints.resize(structure.joints.len(), JointState::default());
    for (row, joint) in batch.joints.iter().zip(&structure.order) {
        state.joints[*joint] = Held {
            point: row.point.get(lane),
            turn: row.turn.get(lane),
            stops: [row.stop.low_push.get(lane), row.stop.high_push.get(lane)],
            cone: row.cone.pushed.get(lane),
        };
        let torque = row.muscle_impulse().get(lane).length() / h;
        let separation = row.separation(&batch.bodies, lane);
        member.output.joints[*joint] = JointState { torque, separation, work: row.work.get(lane) };
    }
    let input = member.input;
    state.anchors.clear();
    member.output.anchors.clear();
    for (index, anchor) in input.anchors.iter().enumerate() {
        let nth = input.anchors[..index].iter().filter(|other| other.body == anchor.body).count();
        let mut rows = batch.anchors.iter().filter(|row| row.body == anchor.body);
        let Some(row) = rows.nth(nth) else { continue };
        state.anchors.push(Pulled { body: anchor.body, linear: row.push.get(lane), angular: row.twist.get(lane) });
        member.output.anchors.push((row.pushed.get(lane), row.twisted.get(lane)));
    }
    state.substep = h;
}
