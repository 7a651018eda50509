//! What became of figures over a stretch of a run, in a few numbers: to compare two runs of the same moments.

use serde::{Deserialize, Serialize};
use simrun_sim::solve::boundary::Touched;
use simrun_sim::{Bone, Figure, FigureHandle, World};

/// A figure of which no body moves faster is still (m/s).
const STILL: f32 = 0.15;
/// So long (s) before the end it must have been still for that to count.
const STILL_FOR: f64 = 0.25;

/// What became of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// Whether it was falling, or down, at any time.
    pub fell: bool,
    /// The greatest closing speed (m/s) at which its head met an object.
    pub head_mps: Option<f64>,
    /// Steps that it took.
    pub steps: u32,
    /// Seconds from the beginning until it was still for good.
    pub still_s: Option<f64>,
    /// The most that any muscle gave, of what that muscle has when unhurt (%).
    pub torque_pct: f64,
}

impl Outcome {
    /// Its numbers by name and as people read them.
    fn told(&self) -> [(&'static str, String, &'static str); 5] {
        let or_none = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"));
        let fell = if self.fell { "yes" } else { "no" };
        [
            ("fell", fell.to_owned(), ""),
            ("head", or_none(self.head_mps), " m/s"),
            ("steps", self.steps.to_string(), ""),
            ("still", or_none(self.still_s), " s"),
            ("torque", format!("{:.0}", self.torque_pct), " %"),
        ]
    }
}

/// A line a figure that fell or stepped in either run, or that differs: each number of both, or the one that both have; `-` for none.
#[must_use]
pub fn compared(before: &[Outcome], after: &[Outcome]) -> Vec<String> {
    let width = after.iter().map(|outcome| outcome.name.chars().count()).max().unwrap_or(0);
    let line = |after: &Outcome| {
        let old = before.iter().find(|outcome| outcome.name == after.name).map(Outcome::told);
        let numbers = after.told().into_iter().enumerate().map(|(index, (what, now, unit))| {
            match old.as_ref().map(|old| &old[index].1).filter(|old| **old != now) {
                Some(old) => format!("{what} {old} → {now}{unit}"),
                None => format!("{what} {now}{unit}"),
            }
        });
        format!("{:width$}  {}", after.name, numbers.collect::<Vec<_>>().join(", "))
    };
    let told = |after: &&Outcome| {
        let before = before.iter().find(|outcome| outcome.name == after.name);
        after.fell || after.steps > 0 || before.is_none_or(|before| before.told() != after.told())
    };
    after.iter().filter(told).map(line).collect()
}

/// Looks at a world step by step.
#[derive(Debug)]
pub struct OutcomeWatch {
    from: f64,
    figures: Vec<Looked>,
}

#[derive(Debug)]
struct Looked {
    handle: FigureHandle,
    outcome: Outcome,
    steps_before: u32,
    /// When it last moved (s).
    moved: f64,
}

impl OutcomeWatch {
    /// Begins with the world as it stands.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let mut watch = Self { from: world.time(), figures: Vec::new() };
        watch.meet(world);
        watch
    }

    /// Looks at the world after a step.
    pub fn after_step(&mut self, world: &World) {
        self.meet(world);
        for looked in &mut self.figures {
            if let Ok(figure) = world.figure(looked.handle) {
                looked.look(figure, world.time());
            }
        }
    }

    /// What became of each figure up to now, in the order in which they were met.
    #[must_use]
    pub fn outcomes(&self, world: &World) -> Vec<Outcome> {
        let one = |looked: &Looked| {
            let is_still = world.time() - looked.moved >= STILL_FOR;
            Outcome { still_s: is_still.then(|| (looked.moved - self.from).max(0.0)), ..looked.outcome.clone() }
        };
        self.figures.iter().map(one).collect()
    }

    fn meet(&mut self, world: &World) {
        for figure in world.figures().filter(|figure| figure.motion.is_some()) {
            if !self.figures.iter().any(|looked| looked.handle == figure.handle) {
                self.figures.push(Looked::new(figure, world.time()));
            }
        }
    }
}

impl Looked {
    fn new(figure: &Figure, time: f64) -> Self {
        let outcome =
            Outcome { name: figure.name.clone(), fell: false, head_mps: None, steps: 0, still_s: None, torque_pct: 0.0 };
        let steps_before = figure.motion.as_ref().map_or(0, |motion| motion.steps_taken);
        Self { handle: figure.handle, outcome, steps_before, moved: time }
    }

    fn look(&mut self, figure: &Figure, time: f64) {
        let (Some(motion), Ok(ragdoll)) = (&figure.motion, &figure.model.ragdoll) else { return };
        let outcome = &mut self.outcome;
        outcome.fell |= motion.phase.is_down();
        outcome.steps = motion.steps_taken.saturating_sub(self.steps_before);
        let head =
            figure.solved.contacts.iter().filter(|contact| {
                contact.fresh && contact.body == Bone::Head.index() && matches!(contact.other, Touched::Object(_))
            });
        outcome.head_mps = head.map(|contact| f64::from(contact.closing)).chain(outcome.head_mps).max_by(f64::total_cmp);
        for (joint, budget) in figure.solved.joints.iter().zip(&ragdoll.budgets[1..]).filter(|(_, budget)| **budget > 0.0) {
            outcome.torque_pct = outcome.torque_pct.max(f64::from(100.0 * joint.torque / budget));
        }
        if figure.body.iter().flat_map(|body| &body.bodies).any(|body| body.linear.length() > STILL) {
            self.moved = time;
        }
    }
}
