//! Room 2, SENSE: the last bodies and this step's target become what controllers and behaviours read.

use crate::figure::BONES;
use crate::solve::boundary::Contact;
use crate::space::Vec3;

/// What a figure feels. World frame, SI units, fresh each step.
#[derive(Clone, Debug, Default)]
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
    /// Where the centre of mass would come to rest over a foot: com + v·√(h/g), on the ground.
    pub capture_point: Vec3,
    /// How far the capture point lies outside the soles (m, 0 inside).
    pub capture_outside: f32,
    /// Outline of the soles on the ground.
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
    /// Contacts of the last step, ordered by bone.
    pub contacts: Vec<Contact>,
}
