//! How a bone passes from what had it, the animation or a claim, to what has it now: over the newer claim's blend-in, or over the
//! blend-out of one that was let go of.

use crate::decide::Claim;
use crate::figure::BONES;
use crate::space::{Quat, smoothstep};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a joint was asked at last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// Child in parent.
    pub(crate) rotation: Quat,
    /// Of the bone's budget.
    pub(crate) share: f32,
}

/// A claim, by its owner and the step in which it was made.
type Holder = (Arc<str>, u64);

/// One bone's.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Succession {
    /// Who had the bone in the last step; nobody: the animation.
    holder: Option<Holder>,
    /// What it was asked then, but for the animation's; and the time (s) over which its holder lets it go.
    last: Option<(Asked, f32)>,
    /// What it passes from; nothing: the animation, as it goes on.
    from: Option<Asked>,
    /// Since when, and over how long (s).
    since_step: u64,
    seconds: f32,
}

/// All bones'.
pub(crate) type Successions = [Succession; BONES];

impl Succession {
    /// Takes in who has the bone in this step, and says how much of it they have, 0..=1, and from what the rest comes.
    pub(crate) fn follow(&mut self, claim: Option<&Claim>, step: u64, dt: f32) -> (f32, Option<Asked>) {
        if !self.is_held_by(claim) {
            let left = self.last.take();
            let is_new = |claim: &&Claim| left.is_none() || claim.since_step == step;
            self.seconds = match claim.filter(is_new) {
                Some(claim) => claim.blend_in,
                None => left.map_or(0.0, |(_, blend_out)| blend_out),
            };
            self.since_step = claim.filter(is_new).map_or(step, |claim| claim.since_step);
            self.from = left.map(|(asked, _)| asked);
            self.holder = claim.map(|claim| (Arc::clone(&claim.owner), claim.since_step));
        }
        let age = step.saturating_sub(self.since_step) as f32 * dt;
        let share = if self.seconds > 0.0 { smoothstep(age / self.seconds) } else { 1.0 };
        if share >= 1.0 {
            (self.from, self.last) = (None, None);
        }
        (share, self.from)
    }

    /// Keeps what the joint is asked in this step, for who has the bone next.
    pub(crate) fn keep(&mut self, claim: Option<&Claim>, asked: Asked) {
        self.last = Some((asked, claim.map_or(0.0, |claim| claim.blend_out)));
    }

    /// Whether it can have come about before a step.
    pub(crate) fn is_sound(&self, step: u64) -> bool {
        let asked = self.from.iter().chain(self.last.iter().map(|(asked, _)| asked));
        let mut sound = asked.map(|asked| asked.rotation.is_normalized() && asked.share.is_finite());
        let seconds = self.last.map_or(0.0, |(_, seconds)| seconds);
        self.since_step <= step && self.seconds.is_finite() && seconds.is_finite() && sound.all(|sound| sound)
    }

    fn is_held_by(&self, claim: Option<&Claim>) -> bool {
        match (&self.holder, claim) {
            (None, None) => true,
            (Some((owner, since_step)), Some(claim)) => {
                *since_step == claim.since_step && (Arc::ptr_eq(owner, &claim.owner) || *owner == claim.owner)
            }
            _ => false,
        }
    }
}
