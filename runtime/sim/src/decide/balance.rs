//! The native controller of balance: how much the anchor on the pelvis and the heading motor may do.

use crate::figure::Bone;
use crate::motion::{Mode, Motion, Phase};
use crate::sense::Senses;
use serde::{Deserialize, Serialize};

/// What balance asks of DRIVE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Cap of the anchor that holds the pelvis upright, as a multiple of mass × g × 1 m.
    pub upright: f32,
    /// Share of the heading motor's torque, 0..=1.
    pub heading: f32,
}

/// Cap of the anchor while falling. At 0.4 the heads of blows of 4 to 5 m/s came down twice as fast, and half of the pelvises faster than
/// people's; from 0.55 on who falls backwards at 2.7 m/s was hauled back onto the feet.
const FALLING_CAP: f32 = 0.5;
/// Lean (rad) past which the heading motor lets go: held further, figures falling forwards came down on their hips in 7 of 30.
const HEADING_LEAN: f32 = 0.35;
/// Friction for which the heading motor's torque is given.
const HEADING_FRICTION: f32 = 0.9;

/// The bones whose muscles keep the balance: hips, knees and ankles.
const WORKED_BY: [Bone; 5] = [Bone::Pelvis, Bone::ThighL, Bone::ThighR, Bone::ShinL, Bone::ShinR];

/// Share of the balance that its muscles can work, 0..=1: what blows and wounds have left of them, mean. Of the shoves of `balance` that are
/// stood at the chest, 83 % were stood at the pelvis when that alone counted, 92 % with half of the legs' at least, all with the mean.
fn legs_left(motion: &Motion) -> f32 {
    WORKED_BY.iter().map(|bone| motion.muscles.share(*bone)).sum::<f32>() / WORKED_BY.len() as f32
}

/// What was tried to leave more of standing to the feet, over 105 shoves of `balance` at 0.65, of which 98 to 99 are stood at an assist of 8.8 to
/// 9.1 %: a cap of 0.1 while the capture point is over the soles, whole again 0.05, 0.2 or 0.5 m outside: 98, 98 and 94 stand at 9.3, 9.1 and
/// 8.9 %; knees and hips bent against the capture point's offset by 0.5 or 1.5 rad a metre: 97 stand at 8.1 and 8.0 %, in more steps. A
/// foot is rigid on its shin: there is no ankle to work.
///
/// No skyhook: nothing holds a figure up unless a foot, shin or hand bears load, or did within the last 0.1 s.
pub(super) fn intend(motion: &Motion, senses: &Senses) -> Intent {
    if motion.mode != Mode::Powered || !senses.bearing {
        return Intent::default();
    }
    // Balance is work against the ground: friction μ at the feet, a metre under the mass, turns a figure by no more than
    // μ × mass × g × 1 m. On ice that holds nobody.
    let cap = (motion.record.anchor * legs_left(motion)).min(senses.grip);
    // Going down the balance brakes the fall, pinned or not.
    let pin = if motion.record.muscles && !motion.phase.is_down() { motion.pin.share() } else { 1.0 };
    match motion.phase {
        Phase::Landed | Phase::Lying => Intent::default(),
        Phase::Falling => Intent { upright: cap.min(FALLING_CAP), heading: 0.0 },
        Phase::Caught => Intent { upright: cap, heading: 0.0 },
        _ => {
            let on_soles = senses.feet_down[0] || senses.feet_down[1];
            let held = on_soles && senses.lean < HEADING_LEAN;
            Intent { upright: cap * pin, heading: if held { (senses.grip / HEADING_FRICTION).min(1.0) } else { 0.0 } }
        }
    }
}
