//! Members on ground that is not level: an eighth of them looks for it in each step, where it will be when it looks again, and goes up or down
//! to there meanwhile.

use super::Horde;
use super::members::{Members, Whereabouts};
use super::steer::LOOKS_EVERY;
use crate::space::Vec3;

/// How high (m) over its feet a member looks down from: higher ground than that it does not step onto.
const STEPS_UP: f32 = 0.6;
/// How far (m) over and under where they are put those look for it who have not stood on any yet.
const PUT_WITHIN: f32 = 50.0;
/// The most that a member rises and sinks (m/s): a kerb of 15 cm within its eighth of a second, and no leap from a roof.
const MOST_RISE: f32 = 2.0;

/// Finds the height (m) of the fixed ground under a point (world, m), within a reach (m).
pub(crate) type Ground<'a> = &'a dyn Fn(Vec3, f32) -> Option<f32>;

impl Horde {
    /// Whoever's turn it is looks for the ground ahead.
    pub(crate) fn find_ground(&mut self, dt: f32, step: u64, ground: Ground<'_>) {
        if !self.grounded {
            return;
        }
        let Members { positions, facings, speeds, rises, whereabouts, .. } = &mut self.members;
        let period = dt * LOOKS_EVERY as f32;
        let first = (step % LOOKS_EVERY as u64) as usize;
        for member in (first..positions.len()).step_by(LOOKS_EVERY) {
            if whereabouts[member] != Whereabouts::In {
                continue;
            }
            let [sine, cosine] = facings[member];
            let at = Vec3::from_array(positions[member]);
            let ahead = at + Vec3::new(sine, 0.0, cosine) * (speeds[member] * period);
            let found = ground(ahead + Vec3::Y * STEPS_UP, PUT_WITHIN);
            // Where there is none it goes on at its height.
            rises[member] = found.map_or(0.0, |height| ((height - at.y) / period).clamp(-MOST_RISE, MOST_RISE));
        }
    }

    /// Puts everyone on the ground where they stand.
    pub(crate) fn stand_on(&mut self, ground: Ground<'_>) {
        if !self.grounded {
            return;
        }
        for position in &mut self.members.positions {
            let over = Vec3::from_array(*position) + Vec3::Y * PUT_WITHIN;
            if let Some(height) = ground(over, 2.0 * PUT_WITHIN) {
                position[1] = height;
            }
        }
    }
}
