//! What happens hard enough in a step to be taken in smaller ones.

use super::figure::Figure;
use crate::solve::boundary::{FigureInput, Touched};
use crate::solve::detected::Detected;
use crate::space::Vec3;
use std::collections::BTreeMap;

/// Speed (m/s) from which a meeting or a blow is hard: what a body falls from 20 cm with.
const HARD: f32 = 2.0;

/// Turn rate (rad/s) from which a body is taken in smaller sub-steps: at 8 a step it turns by 0.03 rad in one.
const FAST: f32 = 15.0;

/// Whether a blow changes a body's speed so much, or a body turns so fast.
pub fn is_hard(figure: &Figure, input: &FigureInput) -> bool {
    let hard = |body: usize, impulse: Vec3| impulse.length() * figure.parts.bodies[body].inverse_mass > HARD;
    input.impulses.iter().any(|blow| hard(blow.body, blow.impulse))
        || figure.state.bodies.iter().any(|body| body.angular.length_squared() > FAST * FAST)
}

/// The keys of figures that meet something so fast within the step of `dt` seconds; some of them more than once.
pub fn meeting(dt: f32, figures: &BTreeMap<u64, Figure>, detected: &Detected) -> Vec<u64> {
    let velocity = |side: Touched, at: Vec3| match side {
        Touched::Figure(key, body) => figures
            .get(&key)
            .map_or(Vec3::ZERO, |figure| velocity_at(&figure.bodies[body], at, figure.bodies[body].pose.translation)),
        Touched::Object(key) => {
            let guest = detected.guests.binary_search_by_key(&key, |guest| guest.key).ok().map(|at| &detected.guests[at]);
            guest.map_or(Vec3::ZERO, |guest| velocity_at(&guest.state, at, guest.state.pose.point(guest.centre)))
        }
    };
    let mut keys = Vec::new();
    for point in &detected.points {
        let apart = velocity(point.one, point.on_one) - velocity(point.two, point.on_two) - point.scenery_velocity;
        let closing = -apart.dot(point.normal);
        if closing > HARD && point.distance < closing * dt {
            keys.extend([point.one, point.two].into_iter().filter_map(|side| match side {
                Touched::Figure(key, _) => Some(key),
                Touched::Object(_) => None,
            }));
        }
    }
    keys
}

fn velocity_at(state: &crate::solve::boundary::BodyState, at: Vec3, centre: Vec3) -> Vec3 {
    state.linear + state.angular.cross(at - centre)
}
