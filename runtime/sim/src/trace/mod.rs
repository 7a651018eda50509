//! Why a figure does what it does: what came about, kept where it is decided.
//!
//! A trace says nothing of what comes next: it is part of a world's state, so that going back in time goes back in it too, and of no hash.

mod cause;
mod words;

pub use cause::{Because, Cause, Deed, Limit, What};
pub use words::words;

use crate::decide::Claim;
use crate::figure::{BONES, Bone};
use crate::motion::Phase;
use crate::sense::Senses;
use crate::solve::boundary::{BodySet, FigureInput, FigureOutput};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Causes that are kept of a figure: a minute of one who is shoved every few seconds and falls each time, in 16 KB.
pub const KEPT: usize = 128;
/// Bytes of a behaviour's words that are kept.
const LONGEST_TEXT: usize = 160;
/// Steps within which the same again is the same going on.
const SAME_WITHIN: u64 = 30;
/// How far (m) off the soles a capture point is worth telling of: in a figure at rest it stays within.
const SWAYS_FROM: f32 = 0.03;
/// Share of a budget from which on all of it is given.
const ALL_OF_IT: f32 = 0.98;
/// Steps for which it must be so: in a blow's own step everything is at its limit.
const AT_LIMIT_STEPS: u8 = 6;
/// Share of a healthy muscle under which a budget is that of a limp joint, which is always at its limit.
const LIMP: f32 = 0.01;

/// What came about with one figure, the oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// Nothing is kept.
    off: bool,
    causes: VecDeque<Cause>,
    /// The step up to which causes have been dropped.
    dropped: Option<u64>,
    /// Who held each bone when it was last looked at.
    holders: [Option<Arc<str>>; BONES],
    /// Steps for which each bone's muscle, and behind them the balance, has given all.
    at_limit: [u8; BONES + 1],
}

impl Trace {
    /// One that keeps causes, or none.
    pub(crate) fn new(on: bool) -> Self {
        Self { off: !on, ..Self::default() }
    }

    /// Every cause that is kept, in the order in which they were found.
    pub fn causes(&self) -> impl DoubleEndedIterator<Item = &Cause> {
        self.causes.iter()
    }

    /// The last step of which nothing is known any more.
    #[must_use]
    pub const fn dropped(&self) -> Option<u64> {
        self.dropped
    }

    /// Whether it is one that a world keeps.
    pub(crate) fn is_sound(&self, step: u64) -> bool {
        let bounded = |cause: &Cause| {
            let said = match &cause.what {
                What::Noted { text, .. } => text.len(),
                What::Phase { because: Because::Declared { reason: Some(reason), .. }, .. } => reason.len(),
                _ => 0,
            };
            cause.step <= cause.until && cause.until <= step && said <= LONGEST_TEXT
        };
        self.causes.len() <= KEPT && self.causes.iter().all(bounded)
    }

    pub(crate) fn put(&mut self, step: u64, what: What) {
        self.put_since(step, step, what);
    }

    /// A blow. What has come of it already in this step stands after it.
    pub(crate) fn strike(&mut self, step: u64, blow: What) {
        self.put(step, blow);
        if self.off {
            return;
        }
        let before = self.causes.iter().rev().skip(1);
        let came_of_it = before.take_while(|cause| cause.step == step && cause.what.came_of_a_blow()).count();
        let end = self.causes.len();
        self.causes.make_contiguous()[end - 1 - came_of_it..].rotate_right(1);
    }

    fn put_since(&mut self, step: u64, until: u64, what: What) {
        if self.off {
            return;
        }
        if self.causes.len() == KEPT {
            self.dropped = self.causes.pop_front().map(|cause| cause.step);
        }
        self.causes.push_back(Cause { step, until, what });
    }

    /// The cause that goes on in this step, if there is one: since the last blow, and of late.
    fn going_on(&mut self, step: u64, is: impl Fn(&What) -> bool) -> Option<&mut Cause> {
        let recent = self.causes.iter_mut().rev().take_while(|cause| !matches!(cause.what, What::Struck { .. }));
        recent.into_iter().find(|cause| cause.until + SAME_WITHIN >= step && is(&cause.what))
    }

    /// A behaviour's words. Said again within half a second, they go on.
    pub(crate) fn note(&mut self, step: u64, owner: &Arc<str>, text: Arc<str>) {
        let same = |what: &What| matches!(what, What::Noted { owner: known, text: said } if known == owner && *said == text);
        match self.going_on(step, same) {
            Some(cause) => cause.until = step,
            None => self.put(step, What::Noted { owner: Arc::clone(owner), text }),
        }
    }

    /// The balance of one who is on its feet.
    pub(crate) fn sway(&mut self, step: u64, phase: Phase, senses: &Senses) {
        if self.off
            || senses.capture_outside < SWAYS_FROM
            || !matches!(phase, Phase::Standing | Phase::Stepping | Phase::Staggering)
        {
            return;
        }
        match self.going_on(step, |what| matches!(what, What::Swayed { .. })) {
            Some(Cause { until, what: What::Swayed { outside, lean }, .. }) => {
                *until = step;
                (*outside, *lean) = (outside.max(senses.capture_outside), lean.max(senses.lean));
            }
            _ => self.put(step, What::Swayed { outside: senses.capture_outside, lean: senses.lean }),
        }
    }

    /// Who holds each bone in this step.
    pub(crate) fn hold(&mut self, step: u64, holders: &[Option<&Claim>; BONES]) {
        if self.off {
            return;
        }
        let same = |before: &Option<Arc<str>>, now: &Option<&Claim>| match (before, now) {
            (None, None) => true,
            // Almost always the very same name.
            (Some(before), Some(now)) => Arc::ptr_eq(before, &now.owner) || *before == now.owner,
            _ => false,
        };
        for bone in Bone::ALL {
            let (before, now) = (&self.holders[bone.index()], &holders[bone.index()]);
            if same(before, now) {
                continue;
            }
            let now = now.map(|claim| Arc::clone(&claim.owner));
            if let Some(owner) = std::mem::replace(&mut self.holders[bone.index()], now.clone())
                && now.is_none()
            {
                self.take(step, owner, bone, false);
            }
            if let Some(owner) = now {
                self.take(step, owner, bone, true);
            }
        }
    }

    /// A bone that an owner took or let go: those of a moment are told of together.
    fn take(&mut self, step: u64, owner: Arc<str>, bone: Bone, takes: bool) {
        let same = |what: &What| match what {
            What::Took { owner: known, .. } => takes && *known == owner,
            What::LetGo { owner: known, .. } => !takes && *known == owner,
            _ => false,
        };
        match self.going_on(step, same) {
            Some(Cause { until, what: What::Took { bones, .. } | What::LetGo { bones, .. }, .. }) => {
                (*until, *bones) = (step, bones.with(bone.index()));
            }
            _ => {
                let bones = BodySet::NONE.with(bone.index());
                self.put(step, if takes { What::Took { owner, bones } } else { What::LetGo { owner, bones } });
            }
        }
    }

    /// What gave all that it can in this step: muscles against their budgets (N·m), the balance against its cap.
    pub(crate) fn limits(&mut self, step: u64, dt: f32, budgets: &[f32; BONES], input: &FigureInput, solved: &FigureOutput) {
        if self.off {
            return;
        }
        for ((joint, asked), bone) in solved.joints.iter().zip(&input.joints).zip(&Bone::ALL[1..]) {
            let gives = asked.budget > LIMP * budgets[bone.index()] && joint.torque >= ALL_OF_IT * asked.budget;
            self.limit(step, bone.index(), gives.then_some(Limit::Muscle { bone: *bone, torque: joint.torque }));
        }
        let anchor = input.anchors.first().filter(|anchor| anchor.body == 0 && anchor.max_force == 0.0);
        let torque = solved.anchors.first().map_or(0.0, |(_, angular)| angular / dt);
        let gives = anchor.is_some_and(|anchor| torque >= ALL_OF_IT * anchor.max_torque);
        self.limit(step, BONES, gives.then_some(Limit::Balance { torque }));
    }

    fn limit(&mut self, step: u64, index: usize, gives: Option<Limit>) {
        let held = &mut self.at_limit[index];
        let Some(limit) = gives else {
            *held = 0;
            return;
        };
        *held = held.saturating_add(1);
        if *held < AT_LIMIT_STEPS {
            return;
        }
        let since = step.saturating_sub(u64::from(AT_LIMIT_STEPS) - 1);
        let kind = |limit: &Limit| if let Limit::Muscle { bone, .. } = limit { Some(*bone) } else { None };
        match self.going_on(step, |what| matches!(what, What::AtLimit(known) if kind(known) == kind(&limit))) {
            Some(Cause { until, what: What::AtLimit(Limit::Muscle { torque, .. } | Limit::Balance { torque }), .. }) => {
                let (Limit::Muscle { torque: now, .. } | Limit::Balance { torque: now }) = limit;
                (*until, *torque) = (step, torque.max(now));
            }
            _ => self.put_since(since, step, What::AtLimit(limit)),
        }
    }
}

/// A behaviour's words as they are kept: one line, not endless.
#[must_use]
pub(crate) fn kept_text(text: &str) -> Arc<str> {
    let mut kept: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let end = (0..=LONGEST_TEXT.min(kept.len())).rev().find(|at| kept.is_char_boundary(*at)).unwrap_or(0);
    kept.truncate(end);
    kept.into()
}
