//! Figures out of lanes: row by row, as they went in.

use super::figure::show;
use super::gather::Member;
use super::group::{Batch, Pace};
use super::lanes::Lane;
use super::rest;
use super::structure::{Held, Moving, Pulled, Structure};
use crate::solve::boundary::JointState;

/// Takes the figures of a batch out of its lanes.
pub fn read_figures<V: Lane>(batch: &Batch<V>, members: &mut [Member<'_>], structure: &Structure, pace: &Pace) {
    for member in &batch.members {
        let member = &mut members[*member];
        // Until a body says otherwise.
        member.state.still = if member.input.may_sleep { member.state.still.saturating_add(1) } else { 0 };
        member.state.substep = pace.substep();
        member.output.joints.resize(structure.joints.len(), JointState::default());
    }
    read_bodies(batch, members, pace.dt);
    read_joints(batch, members, structure);
    read_anchors(batch, members);
    for member in &batch.members {
        let Member { parts, state, bodies, output, .. } = &mut members[*member];
        show(parts, state, bodies);
        output.bodies.clone_from(bodies);
        output.asleep = false;
    }
}

fn read_bodies<V: Lane>(batch: &Batch<V>, members: &mut [Member<'_>], dt: f32) {
    for (index, body) in batch.bodies.iter().enumerate() {
        for (lane, member) in batch.members.iter().enumerate() {
            let state = &mut *members[*member].state;
            let now = Moving {
                position: body.position.get(lane),
                rotation: body.rotation.get(lane),
                linear: body.linear.get(lane),
                angular: body.angular.get(lane),
            };
            if state.still > 0 && !rest::is_still(&state.bodies[index], &now, dt) {
                state.still = 0;
            }
            state.bodies[index] = now;
        }
    }
}

fn read_joints<V: Lane>(batch: &Batch<V>, members: &mut [Member<'_>], structure: &Structure) {
    for (row, joint) in batch.joints.iter().zip(&structure.order) {
        for (lane, member) in batch.members.iter().enumerate() {
            let member = &mut members[*member];
            member.state.joints[*joint] = Held {
                point: row.point.get(lane),
                turn: row.turn.get(lane),
                stops: [row.stop.low_push.get(lane), row.stop.high_push.get(lane)],
                cone: row.cone.pushed.get(lane),
            };
            member.output.joints[*joint] =
                JointState { torque: row.torque.get(lane), separation: row.separation.get(lane), work: row.work.get(lane) };
        }
    }
}

fn read_anchors<V: Lane>(batch: &Batch<V>, members: &mut [Member<'_>]) {
    for (lane, member) in batch.members.iter().enumerate() {
        let member = &mut members[*member];
        let input = member.input;
        member.state.anchors.clear();
        member.output.anchors.clear();
        for (index, anchor) in input.anchors.iter().enumerate() {
            let nth = input.anchors[..index].iter().filter(|other| other.body == anchor.body).count();
            let mut rows = batch.anchors.iter().filter(|row| row.body == anchor.body);
            let Some(row) = rows.nth(nth) else { continue };
            member.state.anchors.push(Pulled { body: anchor.body, linear: row.push.get(lane), angular: row.twist.get(lane) });
            member.output.anchors.push((row.pushed.get(lane), row.twisted.get(lane)));
        }
    }
}
