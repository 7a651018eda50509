//! Figures into lanes. Row by row and not figure by figure: all lanes of a row lie side by side in memory.

use super::anchor::Anchor;
use super::contact::Contact;
use super::coupled::GuestBody;
use super::gather::Member;
use super::group::{Batch, Pace};
use super::lanes::Lane;
use super::soft::Softness;
use super::structure::{Parts, State, Structure};
use crate::solve::boundary::JointKind;
use crate::solve::detected::{Guest, NearPoint};
use crate::space::Vec3;

/// Puts the figures of a batch into its lanes.
pub fn put_figures<V: Lane>(batch: &mut Batch<V>, members: &[Member<'_>], structure: &Structure, gravity: Vec3, pace: &Pace) {
    for lane in 0..batch.members.len() {
        let member = &members[batch.members[lane]];
        if batch.serials.get(lane) != Some(&member.serial) {
            put_parts(batch, lane, member.parts, structure);
            batch.serials.resize(batch.serials.len().max(lane + 1), 0);
            batch.serials[lane] = member.serial;
        }
    }
    put_bodies(batch, members, gravity);
    put_joints(batch, members, structure, pace);
    put_anchors(batch, members, pace);
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
        row.frames[0].set(lane, part.frames[0]);
        row.frames[1].set(lane, part.frames[1]);
        match part.kind {
            JointKind::Ball { swing, twist } => {
                row.cone.over_y.set(lane, 1.0 / swing[0]);
                row.cone.over_z.set(lane, 1.0 / swing[1]);
                row.stop.put(lane, twist);
            }
            JointKind::Hinge { range } => {
                row.stop.put(lane, range);
            }
            JointKind::Weld => {}
        }
    }
}

/// How figures move, and what pulls them.
fn put_bodies<V: Lane>(batch: &mut Batch<V>, members: &[Member<'_>], gravity: Vec3) {
    for (index, body) in batch.bodies.iter_mut().enumerate() {
        for (lane, member) in batch.members.iter().enumerate() {
            let moving = &members[*member].state.bodies[index];
            body.position.set(lane, moving.position);
            body.rotation.set(lane, moving.rotation);
            body.linear.set(lane, moving.linear);
            body.angular.set(lane, moving.angular);
            body.pull.set(lane, gravity);
            body.torque.set(lane, Vec3::ZERO);
        }
    }
    for (lane, member) in batch.members.iter().enumerate() {
        let member = &members[*member];
        for force in &member.input.forces {
            let body = &mut batch.bodies[force.body];
            let (pull, torque) = (body.pull.get(lane), body.torque.get(lane));
            body.pull.set(lane, pull + force.force * member.parts.bodies[force.body].inverse_mass);
            body.torque.set(lane, torque + force.torque);
        }
    }
}

/// What muscles shall do, and what joints gave last.
fn put_joints<V: Lane>(batch: &mut Batch<V>, members: &[Member<'_>], structure: &Structure, pace: &Pace) {
    let h = pace.substep();
    // Most muscles of most figures pull alike.
    let mut usual = (None, Softness::HARD);
    for (row, joint) in batch.joints.iter_mut().zip(&structure.order) {
        for (lane, member) in batch.members.iter().enumerate() {
            let member = &members[*member];
            let held = &member.state.joints[*joint];
            let scale = scale_of(member.state, pace);
            row.point.set(lane, held.point * scale);
            row.turn.set(lane, held.turn * scale);
            row.stop.low_push.set(lane, held.stops[0].map(|given| given * scale));
            row.stop.high_push.set(lane, held.stops[1].map(|given| given * scale));
            row.cone.pushed.set(lane, held.cone.map(|given| given * scale));
            let Some(target) = member.input.joints.get(*joint) else {
                row.cap.set(lane, 0.0);
                continue;
            };
            row.asked.set(lane, target.rotation);
            row.asked_rate.set(lane, target.velocity);
            if usual.0 != Some(target.pull) {
                usual = (Some(target.pull), Softness::pull(target.pull, h));
            }
            row.rate.set(lane, usual.1.rate);
            row.mass_share.set(lane, usual.1.mass);
            row.impulse_share.set(lane, usual.1.impulse);
            row.cap.set(lane, target.budget * h);
        }
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
        let soft = Softness::servo(anchor.tau, h);
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

/// A point into one lane of a contact; `given`: N·s on the first, in the last sub-step.
pub fn put_contact<V: Lane>(row: &mut Contact<V>, lane: usize, point: &NearPoint, given: Vec3) {
    row.active.set_mask(lane, true);
    row.met.on_one.set(lane, point.on_one);
    row.met.on_two.set(lane, point.on_two);
    row.met.normal.set(lane, point.normal);
    row.met.distance.set(lane, point.distance);
    row.met.velocity.set(lane, point.scenery_velocity);
    row.met.given.set(lane, given);
    row.friction.set(lane, point.friction);
    row.restitution.set(lane, point.restitution);
    row.bounces |= point.restitution > 0.0;
}

/// A guest as it is at the step's start.
pub fn guest_body(guest: &Guest, gravity: Vec3) -> GuestBody {
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
