//! Room 2, SENSE: the last bodies and this step's target become what controllers and behaviours read.

pub(crate) mod placed;
mod support;

use crate::figure::{BONES, Bone, Ragdoll};
use crate::id::key_of;
use crate::motion::{Mode, Thresholds};
use crate::pose::TargetPose;
use crate::solve::boundary::{BodyState, Contact, FigureOutput, Shape, Touched};
use crate::space::{Rigid, Vec3, angle_between, level};
use crate::world::Figure;
use serde::{Deserialize, Serialize};

/// Steps after which a limb that bore load no longer counts as bearing it: 0.1 s at 60 Hz.
const BEARING_STEPS: u32 = 6;
/// Speed of the centre of mass (m/s) under which a fall's direction is read from the lean.
const MOVING: f32 = 0.3;

/// What a figure feels. World frame, SI units, fresh each step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Senses {
    /// Angle between the pelvis's up and its target's (rad).
    pub lean: f32,
    /// Where it leans to: level part of the pelvis's up against the target's (unit, or zero).
    pub lean_direction: Vec3,
    /// Where the body falls: level velocity of the centre of mass while it moves, else the lean (unit, or zero).
    pub fall_direction: Vec3,
    /// Centre of mass (m).
    pub com: Vec3,
    /// Its velocity (m/s).
    pub com_velocity: Vec3,
    /// Where the centre of mass would come to rest over a foot: com + v·√(h/g), on the ground (Hof 2008).
    pub capture_point: Vec3,
    /// How far the capture point lies outside the soles (m, 0 inside).
    pub capture_outside: f32,
    /// Outline of the soles on the ground, counter-clockwise from above.
    pub support: Vec<Vec3>,
    /// Ankles, left and right.
    pub ankles: [Vec3; 2],
    /// Whether each foot bears load.
    pub feet_down: [bool; 2],
    /// Height of the pelvis over the figure's lowest point (m).
    pub pelvis_height: f32,
    /// The figure's lowest point (m).
    pub lowest: f32,
    /// Greater of the pelvis's and the chest's speed (m/s).
    pub trunk_speed: f32,
    /// Contact impulse that bore each bone up in the last step (N·s).
    pub load: [f32; BONES],
    /// A foot, shin or hand bears load, or did within the last 0.1 s.
    pub bearing: bool,
    /// Coulomb coefficient of the best hold that such a limb has, or had last; 0 before any.
    pub grip: f32,
    /// Contacts of the last step, ordered by bone.
    pub contacts: Vec<Contact>,
}

/// Senses and phase of one figure.
pub fn run(figure: &mut Figure, thresholds: &Thresholds, gravity: f32, step: u64, step_hz: f32) {
    let (Ok(ragdoll), Some(body), Some(motion)) = (&figure.model.ragdoll, &figure.body, &mut figure.motion) else { return };
    let own = key_of(figure.handle);
    let bent = figure.feet.as_ref().map_or([0.0; 2], |feet| feet.bent);
    let bodies = Felt { bodies: &body.bodies, bent };
    feel(&mut figure.senses, own, ragdoll, bodies, &figure.target, &figure.solved, gravity);
    let holds = figure.senses.contacts.iter().filter(|contact| {
        let limb = matches!(Bone::ALL[contact.body], Bone::ShinL | Bone::ShinR | Bone::ForearmL | Bone::ForearmR);
        limb && bears(contact, own)
    });
    let grip = holds.map(|contact| contact.friction).reduce(f32::max);
    let loaded = grip.is_some();
    figure.senses.grip = grip.unwrap_or(figure.senses.grip);
    motion.balance.unloaded_steps = if loaded { 0 } else { motion.balance.unloaded_steps.saturating_add(1) };
    figure.senses.bearing = motion.balance.unloaded_steps <= BEARING_STEPS;
    let standing_height = ragdoll.rest[0].translation.y;
    let next = motion.next_phase(&figure.senses, thresholds, standing_height, step_hz);
    if motion.mode == Mode::Powered {
        figure.trace.sway(step, motion.phase, &figure.senses);
    }
    if let Some((phase, because)) = next {
        figure.enter_phase(phase, because, step);
    }
}

/// Whether a contact bears its body up, from outside: an arm on its own thigh carries nothing.
fn bears(contact: &Contact, own: u64) -> bool {
    contact.impulse * contact.normal.y > 0.0 && !matches!(contact.other, Touched::Figure(key, _) if key == own)
}

/// Where the bodies are that a figure feels, and how far its feet are bent.
#[derive(Clone, Copy)]
struct Felt<'a> {
    bodies: &'a [BodyState; BONES],
    bent: [f32; 2],
}

fn feel(
    senses: &mut Senses,
    own: u64,
    ragdoll: &Ragdoll,
    Felt { bodies, bent }: Felt<'_>,
    target: &TargetPose,
    solved: &FigureOutput,
    gravity: f32,
) {
    let pelvis = &bodies[Bone::Pelvis.index()];
    let chest = &bodies[Bone::Chest.index()];
    let up = pelvis.pose.rotation * Vec3::Y;
    let wanted_up = target.from_bodies[0].rotation * Vec3::Y;
    senses.lean = angle_between(up, wanted_up);
    senses.lean_direction = level(up - wanted_up).normalize_or_zero();

    let (mut com, mut velocity, mut mass) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (body, def) in bodies.iter().zip(&ragdoll.topology.bodies) {
        com += body.pose.translation * def.mass;
        velocity += body.linear * def.mass;
        mass += def.mass;
    }
    senses.com = com / mass;
    senses.com_velocity = velocity / mass;
    let moving = level(senses.com_velocity);
    senses.fall_direction = if moving.length() > MOVING { moving.normalize() } else { senses.lean_direction };

    senses.lowest = lowest(ragdoll, bodies, bent);
    senses.pelvis_height = pelvis.pose.translation.y - senses.lowest;
    senses.trunk_speed = pelvis.linear.length().max(chest.linear.length());
    senses.contacts.clone_from(&solved.contacts);
    senses.load = [0.0; BONES];
    for contact in solved.contacts.iter().filter(|contact| bears(contact, own)) {
        senses.load[contact.body] += contact.impulse * contact.normal.y;
    }
    senses.feet_down = [Bone::ShinL, Bone::ShinR].map(|bone| senses.load[bone.index()] > 0.0);
    senses.ankles = [Bone::ShinL, Bone::ShinR].map(|bone| bodies[bone.index()].pose.point(ragdoll.tip_of(bone)));

    let height = (senses.com.y - senses.lowest).max(0.1);
    let ahead = level(senses.com_velocity) * (height / gravity.max(0.1)).sqrt();
    senses.capture_point = level(senses.com + ahead) + Vec3::Y * senses.lowest;
    support::outline(&mut senses.support, ragdoll, bodies, senses.feet_down, bent);
    senses.capture_outside = support::distance_outside(&senses.support, senses.capture_point);
}

/// The lowest point of any of a figure's shapes (m).
fn lowest(ragdoll: &Ragdoll, bodies: &[BodyState; BONES], bent: [f32; 2]) -> f32 {
    let forms = Bone::ALL.into_iter().flat_map(|bone| ragdoll.forms(bone, bodies[bone.index()].pose, bent));
    forms.map(|(placed, pose)| lowest_of(&placed.shape, &pose)).fold(f32::MAX, f32::min)
}

fn lowest_of(shape: &Shape, pose: &Rigid) -> f32 {
    match shape {
        Shape::Capsule { a, b, radius } => pose.point(*a).y.min(pose.point(*b).y) - radius,
        Shape::Box(size) => {
            let reach = [Vec3::X * size.x, Vec3::Y * size.y, Vec3::Z * size.z].map(|axis| (pose.rotation * axis).y.abs() * 0.5);
            pose.translation.y - reach.iter().sum::<f32>()
        }
        Shape::Sphere(radius) => pose.translation.y - radius,
        _ => pose.translation.y,
    }
}
