//! What one figure went through.

use super::round;
use super::scorecard::{Depths, Fault, Watch};
use super::spell::{Seen, Spell, spells};
use serde::Serialize;
use simrun_sim::solve::boundary::{Contact, Touched};
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Figure, FigureHandle, Happening, Mode, Phase, World};

/// What a figure went through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureReport {
    /// Its name.
    pub name: String,
    /// Its mode at the end; `None` without an active ragdoll.
    pub mode: Option<&'static str>,
    /// Every phase, with the time (s) at which it began.
    pub phases: Vec<(f64, &'static str)>,
    /// Whether it was ever falling, or down.
    pub fell: bool,
    /// Whether it lies at the end.
    pub lying: bool,
    /// Every blow.
    pub struck: Vec<Blow>,
    /// The greatest closing speed (m/s) at which its head met an object.
    pub head_impact_mps: Option<f64>,
    /// Once it fell: whether a forearm met an object before the head did. `None` if it did not fall, or neither met anything.
    pub hands_before_head: Option<bool>,
    /// How far the pelvis is from where it was first (m).
    pub drift_m: f64,
    /// Impulse of balance anchor and heading motor over weight × time while its muscles drove it (%); turning counts as if at 1 m.
    pub assist: f64,
    /// When it did what the scorecard counts.
    pub faults: Vec<Spell>,
}

/// A blow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blow {
    /// When (s).
    pub t: f64,
    /// Where.
    pub bone: &'static str,
    /// How fast what struck and what was struck closed (m/s), where that is known.
    pub speed_mps: Option<f64>,
    /// Its size (N·s).
    pub impulse_ns: f64,
}

/// A figure under observation.
#[derive(Debug)]
pub struct Watched {
    pub handle: FigureHandle,
    report: FigureReport,
    watch: Watch,
    /// Every fault that it has shown, step by step, as far as that has been.
    seen: Vec<Seen>,
    /// When it went down (s).
    down: Vec<f64>,
    /// When its head or a hand met an object (s), and how fast a head did (m/s).
    met: Vec<(f64, Option<f64>)>,
    start: Vec3,
    /// N·s of anchors and N·s of weight.
    assist: f64,
    weight: f64,
}

impl Watched {
    pub fn new(figure: &Figure, time: f64) -> Self {
        let phase = figure.motion.as_ref().map(|motion| motion.phase);
        let report = FigureReport {
            name: figure.name.clone(),
            mode: None,
            phases: phase.map(|phase| (round(time, 4), phase.name())).into_iter().collect(),
            fell: false,
            lying: false,
            struck: Vec::new(),
            head_impact_mps: None,
            hands_before_head: None,
            drift_m: 0.0,
            assist: 0.0,
            faults: Vec::new(),
        };
        let mut watched = Self {
            handle: figure.handle,
            report,
            watch: Watch::default(),
            seen: Vec::new(),
            down: phase.filter(|phase| phase.is_down()).map(|_| time).into_iter().collect(),
            met: Vec::new(),
            start: place(figure),
            assist: 0.0,
            weight: 0.0,
        };
        watched.stand(figure);
        watched
    }

    /// It is a time (s) at which it was not in the last step.
    pub fn jumped(&mut self, time: f64) {
        self.watch = Watch::default();
        // The first phase is the one that it came in.
        let first = self.report.phases.first().copied();
        self.report.phases.retain(|(began, _)| *began < time || Some(*began) == first.map(|(began, _)| began));
        self.report.struck.retain(|blow| blow.t < time);
        // Those are told of with the time at which their step begins, these with that at which it ends.
        let came_down = first.and_then(|(_, phase)| Phase::from_name(phase)).is_some_and(Phase::is_down);
        let first = self.down.first().copied().filter(|_| came_down);
        self.down.retain(|down| *down < time || Some(*down) == first);
        self.seen.retain(|seen| seen.time <= time);
        self.met.retain(|(met, _)| *met <= time);
    }

    pub fn name(&self) -> &str {
        &self.report.name
    }

    pub fn report(&self) -> FigureReport {
        let percent = if self.weight > 0.0 { self.assist / self.weight * 100.0 } else { 0.0 };
        let faults = spells(&self.seen).iter().map(Spell::rounded).collect();
        let head = self.met.iter().filter_map(|(_, speed)| *speed).reduce(f64::max);
        let first_met = self.down.first().and_then(|down| self.met.iter().find(|(met, _)| met > down));
        FigureReport {
            fell: !self.down.is_empty(),
            head_impact_mps: head,
            hands_before_head: first_met.map(|(_, speed)| speed.is_none()),
            assist: round(percent, 2),
            faults,
            ..self.report.clone()
        }
    }

    pub fn event(&mut self, what: &Happening, time: f64) {
        let report = &mut self.report;
        match what {
            Happening::PhaseChanged { to, .. } => {
                report.phases.push((round(time, 4), to.name()));
                if to.is_down() {
                    self.down.push(time);
                }
            }
            Happening::Struck { bone, impulse, closing_speed, .. } => report.struck.push(Blow {
                t: round(time, 4),
                bone: bone.name(),
                speed_mps: closing_speed.map(|speed| round(f64::from(speed), 3)),
                impulse_ns: round(f64::from(impulse.length()), 3),
            }),
            _ => {}
        }
    }

    /// After a step.
    pub fn look(&mut self, figure: &Figure, world: &World) {
        self.stand(figure);
        for contact in figure.solved.contacts.iter().filter(|contact| contact.fresh) {
            self.touch(contact, world.time());
        }
        let powered = figure.motion.as_ref().is_some_and(|motion| motion.mode == Mode::Powered);
        if let (true, Ok(ragdoll)) = (powered, &figure.model.ragdoll) {
            let given: f32 = figure.solved.anchors.iter().map(|(linear, angular)| linear + angular).sum();
            self.assist += f64::from(given);
            self.weight += f64::from(ragdoll.mass * world.settings().gravity.length() * world.dt());
        }
    }

    /// Takes note of what is wrong with the figure after a step; `index` is its place among the world's.
    pub fn look_for_faults<'w>(&mut self, world: &'w World, figure: &'w Figure, index: usize, depths: &Depths<'w>) {
        let found = self.watch.look(world, figure, index, depths);
        self.seen.extend(found.iter().map(|(fault, found)| Seen::now(*fault, found, world)));
    }

    /// What that counts for, by fault.
    pub fn counted(&self) -> impl Iterator<Item = (Fault, f64)> + '_ {
        self.seen.iter().map(|seen| (seen.fault, seen.count))
    }

    fn stand(&mut self, figure: &Figure) {
        self.report.mode = figure.motion.as_ref().map(|motion| motion.mode.name());
        self.report.lying = figure.motion.as_ref().is_some_and(|motion| motion.phase == Phase::Lying);
        self.report.drift_m = round(f64::from(place(figure).distance(self.start)), 4);
    }

    fn touch(&mut self, contact: &Contact, time: f64) {
        let Touched::Object(_) = contact.other else { return };
        match Bone::from_index(contact.body) {
            Some(Bone::Head) => self.met.push((time, Some(round(f64::from(contact.closing), 3)))),
            Some(Bone::ForearmL | Bone::ForearmR) => self.met.push((time, None)),
            _ => {}
        }
    }
}

/// The pelvis, or where it stands without one.
fn place(figure: &Figure) -> Vec3 {
    figure.body.as_ref().map_or(figure.place.translation, |body| body.bodies[Bone::Pelvis.index()].pose.translation)
}
