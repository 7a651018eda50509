//! How a figure's phase follows from what it senses.

use crate::motion::{AssistLog, Mode, Motion, Phase};
use crate::sense::Senses;
use crate::trace::Because;
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
    /// The same of the last minute.
    pub recent: AssistLog,
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

    /// The phase that follows from this step's senses, and why, where it is another; `standing_height` is the pelvis's over the soles (m).
    pub(crate) fn next_phase(
        &mut self,
        senses: &Senses,
        limits: &Thresholds,
        standing_height: f32,
        step_hz: f32,
    ) -> Option<(Phase, Because)> {
        if !matches!(self.mode, Mode::Powered | Mode::Limp) {
            return None;
        }
        match self.phase {
            Phase::Standing => self.falls(senses, limits, limits.falling_lean, standing_height, step_hz),
            Phase::Stepping | Phase::Staggering => self.falls(senses, limits, limits.staggering_lean, standing_height, step_hz),
            Phase::Falling => self.leave_falling(senses, limits, standing_height, step_hz),
            Phase::Landed => self
                .held_for(senses.trunk_speed < limits.lying_speed, limits.lying_steps)
                .then_some((Phase::Lying, Because::Still)),
            Phase::Caught => self.moved(senses, limits.lying_speed, Phase::Falling),
            Phase::Lying => self.moved(senses, limits.moved_speed, Phase::Landed),
            Phase::GettingUp | Phase::Acting => None,
        }
    }

    fn falls(
        &self,
        senses: &Senses,
        limits: &Thresholds,
        most: f32,
        standing_height: f32,
        step_hz: f32,
    ) -> Option<(Phase, Because)> {
        let least = limits.crumpled * standing_height;
        let aloft = self.balance.unloaded_steps as f32 > limits.dropped_seconds * step_hz;
        let because = if senses.lean > most {
            Because::Leans { lean: senses.lean, most }
        } else if senses.pelvis_height < least {
            Because::Crumpled { height: senses.pelvis_height, least }
        } else if aloft && senses.com_velocity.y < -limits.dropped_speed {
            Because::Dropped { speed: -senses.com_velocity.y }
        } else {
            return None;
        };
        Some((Phase::Falling, because))
    }

    fn moved(&mut self, senses: &Senses, most: f32, to: Phase) -> Option<(Phase, Because)> {
        self.held_for(senses.trunk_speed > most, 3).then_some((to, Because::Moves { speed: senses.trunk_speed }))
    }

    fn leave_falling(
        &mut self,
        senses: &Senses,
        limits: &Thresholds,
        standing_height: f32,
        step_hz: f32,
    ) -> Option<(Phase, Because)> {
        let upright = senses.lean < limits.falling_lean * 0.5 && senses.pelvis_height > 0.8 * standing_height;
        if upright && senses.trunk_speed < 0.3 {
            return Some((Phase::Standing, Because::Upright));
        }
        self.balance.low = if senses.pelvis_height < limits.forced_height { self.balance.low.saturating_add(1) } else { 0 };
        self.balance.still = if senses.trunk_speed < limits.caught_speed { self.balance.still.saturating_add(1) } else { 0 };
        let down = senses.lean > limits.landed_lean && senses.pelvis_height < limits.landed_height;
        if self.held_for(down, limits.landed_steps) {
            return Some((Phase::Landed, Because::Down { lean: senses.lean }));
        }
        if self.balance.low as f32 > limits.forced_seconds * step_hz {
            return Some((Phase::Landed, Because::Low { seconds: self.balance.low as f32 / step_hz }));
        }
        if self.balance.still >= limits.caught_steps {
            self.balance.catches = self.balance.catches.saturating_add(1);
            // Whoever has no muscles catches himself on nothing.
            let over = self.balance.catches > 1 || self.mode == Mode::Limp;
            return Some((if over { Phase::Landed } else { Phase::Caught }, Because::Still));
        }
        None
    }

    fn held_for(&mut self, holds: bool, steps: u32) -> bool {
        self.balance.held = if holds { self.balance.held.saturating_add(1) } else { 0 };
        self.balance.held >= steps
    }
}
