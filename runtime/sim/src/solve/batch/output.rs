//! What is told of figures after a step.

use super::figure::Figure;
use super::gather::Given;
use super::number_of;
use crate::solve::boundary::{Contact, FigureInput, FigureOutput, JointState, Touched};
use crate::solve::detected::Detected;
use crate::space::Vec3;
use std::collections::BTreeMap;

type Told<'a, 'b> = (u64, &'a FigureInput, &'b mut FigureOutput);

/// Those that were not solved; `solved` are the keys of the others, in order. Who sleeps keeps what was told of it; who is parked does
/// nothing.
pub fn unsolved(own: &mut BTreeMap<u64, Figure>, figures: &mut [Told<'_, '_>], solved: &[u64]) {
    for (key, input, output) in figures {
        if solved.binary_search(key).is_ok() {
            continue;
        }
        let Some(figure) = own.get_mut(key) else { continue };
        output.asleep = figure.live;
        if output.asleep {
            for moving in &mut figure.state.bodies {
                (moving.linear, moving.angular) = (Vec3::ZERO, Vec3::ZERO);
            }
        } else {
            output.joints.clear();
            output.joints.resize(figure.topology.joints.len(), JointState::default());
            output.anchors.clear();
            output.anchors.resize(input.anchors.len(), (0.0, 0.0));
        }
        figure.show();
        output.bodies.clone_from(&figure.bodies);
    }
}

/// One point of a figure's: whose, on which body, with what, and how deep.
type Sided = (usize, usize, u128, f32, Contact);

/// Contacts, one a body and what it touches. `given` is ordered by point, `figures` by key.
pub fn contacts(own: &mut BTreeMap<u64, Figure>, figures: &mut [Told<'_, '_>], detected: &Detected, given: &[Given]) {
    let mut sided: Vec<Sided> = Vec::with_capacity(given.len());
    for given in given {
        let point = &detected.points[given.point];
        if given.impulse <= 0.0 && point.distance > 0.0 {
            continue;
        }
        for (side, other, turned) in [(point.one, point.two, 1.0), (point.two, point.one, -1.0)] {
            let Touched::Figure(key, body) = side else { continue };
            let Ok(index) = figures.binary_search_by_key(&key, |(key, ..)| *key) else { continue };
            let contact = Contact {
                body,
                other,
                point: (point.on_one + point.on_two) * 0.5,
                normal: point.normal * turned,
                impulse: given.impulse,
                friction: point.friction,
                closing: given.closing.max(0.0),
                fresh: true,
            };
            sided.push((index, body, number_of(other), point.distance, contact));
        }
    }
    sided.sort_by_key(|(index, body, other, ..)| (*index, *body, *other));
    let mut sided = sided.into_iter().peekable();
    for (index, (key, _, output)) in figures.iter_mut().enumerate() {
        if output.asleep {
            output.contacts.iter_mut().for_each(|contact| contact.fresh = false);
            continue;
        }
        output.contacts.clear();
        let Some(figure) = own.get_mut(key) else { continue };
        let mut now: Vec<(usize, u128)> = Vec::new();
        while let Some((_, body, other, mut depth, mut contact)) = sided.next_if(|(of, ..)| *of == index) {
            while let Some((.., next_depth, next)) = sided.next_if(|next| (next.0, next.1, next.2) == (index, body, other)) {
                let impulse = contact.impulse + next.impulse;
                // The deepest stands for the pair.
                if next_depth < depth {
                    (depth, contact) = (next_depth, next);
                }
                contact.impulse = impulse;
            }
            contact.fresh = figure.state.touching.binary_search(&(body, other)).is_err();
            output.contacts.push(contact);
            now.push((body, other));
        }
        figure.state.touching = now;
    }
}
