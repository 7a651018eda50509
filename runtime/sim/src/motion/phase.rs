//! How a figure's phase follows from what it senses.

use crate::motion::{Mode, Motion, Phase};
use crate::sense::Senses;
use serde::{Deserialize, Serialize};

/// Where one phase becomes another. Numbers without another source were found over ensembles of thirty falls a way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// Lean from the pose (rad) past which a figure falls: 20°. Swept from 0.25 to 0.45 over protected falls.
    pub falling_lean: f32,
    /// The same while it staggers; at 46° the arms came too late, at 29° one fall in thirty less was slowed.
    pub staggering_lean: f32,
    /// Share of the pelvis's standing height under which a figure has crumpled, whatever its lean.
    pub crumpled: f32,
    /// Lean (rad) past which a figure with its pelvis down has landed; at 1.2 twelve of thirty side falls were still late.
    pub landed_lean: f32,
    /// Height of the pelvis over the figure's lowest point (m) that counts as down.
    pub landed_height: f32,
    /// Steps for which it must be so.
    pub landed_steps: u32,
    /// Trunk speed (m/s) under which a figure caught on hands and knees is still.
    pub caught_speed: f32,
    /// Steps for which it must be so: a third of a second.
    pub caught_steps: u32,
    /// Trunk speed (m/s) under which a landed figure lies, and over which a caught one goes over.
    pub lying_speed: f32,
    /// Trunk speed (m/s) over which a lying figure has been moved: twice the one at which it lay down, or writhing would stir it.
    pub moved_speed: f32,
    /// Steps for which it must be so.
    pub lying_steps: u32,
    /// Height of the pelvis (m) under which the time to a forced landing runs.
    pub forced_height: f32,
    /// Seconds under that height after which it has landed, whatever its lean.
    pub forced_seconds: f32,
    /// Seconds for which nothing has borne a figure that stands or steps before it may be falling: longer than its hops.
    pub dropped_seconds: f32,
    /// Speed down of its centre of mass (m/s) from which it then is; held by `tests/sense`, as the one above.
    pub dropped_speed: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            falling_lean: 0.35,
            staggering_lean: 0.6,
            crumpled: 0.65,
            landed_lean: 1.0,
            landed_height: 0.30,
            landed_steps: 10,
            caught_speed: 0.1,
            caught_steps: 20,
            lying_speed: 0.3,
            moved_speed: 0.6,
            lying_steps: 10,
            forced_height: 0.6,
            forced_seconds: 2.0,
            dropped_seconds: 0.3,
            dropped_speed: 1.0,
        }
    }
}

/// Counters behind the phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Steps since a foot, shin or hand last bore load.
    pub unloaded_steps: u32,
    /// Steps for which the next phase's condition has held.
    pub(crate) held: u32,
    /// Steps for which the trunk has been still.
    pub(crate) still: u32,
    /// Steps spent with the pelvis under the height of a forced landing.
    pub(crate) low: u32,
    /// Times caught in this fall: a second catch would let a propping arm push the figure over and over.
    pub(crate) catches: u32,
    /// Angular impulse that anchor and heading motor gave (N·m·s), for `assist`.
    pub assist_impulse: f64,
    /// Seconds over which it was gathered.
    pub driven_seconds: f64,
}

impl Motion {
    /// Enters a phase; returns the one before if it is another.
    pub(crate) fn enter(&mut self, phase: Phase, step: u64) -> Option<Phase> {
        let before = self.phase;
        if before == phase {
            return None;
        }
        self.phase = phase;
        self.phase_since = step;
        self.balance.held = 0;
        self.balance.still = 0;
        if phase == Phase::Standing {
            self.balance.catches = 0;
            self.balance.low = 0;
            self.steps_taken = 0;
        }
        Some(before)
    }

    /// The phase that follows from this step's senses; `standing_height` is the pelvis's over the soles (m).
    pub(crate) fn next_phase(&mut self, senses: &Senses, limits: &Thresholds, standing_height: f32, step_hz: f32) -> Phase {
        if !matches!(self.mode, Mode::Powered | Mode::Limp) {
            return self.phase;
        }
        let crumpled = senses.pelvis_height < limits.crumpled * standing_height;
        let aloft = self.balance.unloaded_steps as f32 > limits.dropped_seconds * step_hz;
        let lost = crumpled || (aloft && senses.com_velocity.y < -limits.dropped_speed);
        match self.phase {
            Phase::Standing if senses.lean > limits.falling_lean || lost => Phase::Falling,
            Phase::Stepping | Phase::Staggering if senses.lean > limits.staggering_lean || lost => Phase::Falling,
            Phase::Falling => self.leave_falling(senses, limits, standing_height, step_hz),
            Phase::Landed => {
                if self.held_for(senses.trunk_speed < limits.lying_speed, limits.lying_steps) {
                    Phase::Lying
                } else {
                    Phase::Landed
                }
            }
            Phase::Caught => {
                if self.held_for(senses.trunk_speed > limits.lying_speed, 3) {
                    Phase::Falling
                } else {
                    Phase::Caught
                }
            }
            Phase::Lying => {
                if self.held_for(senses.trunk_speed > limits.moved_speed, 3) {
                    Phase::Landed
                } else {
                    Phase::Lying
                }
            }
            other => other,
        }
    }

    fn leave_falling(&mut self, senses: &Senses, limits: &Thresholds, standing_height: f32, step_hz: f32) -> Phase {
        let upright = senses.lean < limits.falling_lean * 0.5 && senses.pelvis_height > 0.8 * standing_height;
        if upright && senses.trunk_speed < 0.3 {
            return Phase::Standing;
        }
        self.balance.low = if senses.pelvis_height < limits.forced_height { self.balance.low.saturating_add(1) } else { 0 };
        self.balance.still = if senses.trunk_speed < limits.caught_speed { self.balance.still.saturating_add(1) } else { 0 };
        let down = senses.lean > limits.landed_lean && senses.pelvis_height < limits.landed_height;
        if self.held_for(down, limits.landed_steps) || self.balance.low as f32 > limits.forced_seconds * step_hz {
            return Phase::Landed;
        }
        if self.balance.still >= limits.caught_steps {
            self.balance.catches = self.balance.catches.saturating_add(1);
            // Whoever has no muscles catches himself on nothing.
            return if self.balance.catches > 1 || self.mode == Mode::Limp { Phase::Landed } else { Phase::Caught };
        }
        Phase::Falling
    }

    fn held_for(&mut self, holds: bool, steps: u32) -> bool {
        self.balance.held = if holds { self.balance.held.saturating_add(1) } else { 0 };
        self.balance.held >= steps
    }
}
