//! What is solved together: figures side by side, and the rows between them.

use super::anchor::Anchor;
use super::body::Body;
use super::contact::{BOUNCE_SWEEPS, Contact};
use super::coupled::Coupled;
use super::joint::Joint;
use super::lanes::{Lane, Work};
use super::soft::Softness;
use super::structure::Structure;

/// How a group is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Seconds a step.
    pub dt: f32,
    /// Sub-steps a step, 1 or more.
    pub substeps: usize,
    /// Additional sweeps a sub-step.
    pub sweeps: usize,
}

impl Pace {
    /// Seconds a sub-step.
    pub fn substep(&self) -> f32 {
        self.dt / self.substeps as f32
    }
}

/// Figures of one structure, one a lane.
#[derive(Debug)]
pub struct Batch<V> {
    /// Whose lanes these are, by the caller's index; the rest are idle.
    pub members: Vec<usize>,
    /// Which structure's rows these are.
    pub structure: usize,
    /// Whose masses, frames and limits each lane holds, by serial.
    pub serials: Vec<u64>,
    pub bodies: Vec<Body<V>>,
    /// In the order of a sweep.
    pub joints: Vec<Joint<V>>,
    /// By body.
    pub anchors: Vec<Anchor<V>>,
    /// By bodies.
    pub contacts: Vec<Contact<V>>,
}

impl<V: Lane> Batch<V> {
    /// Lanes without figures.
    pub fn idle(index: usize, structure: &Structure) -> Self {
        let joints = structure.order.iter().map(|joint| {
            let (parent, child, kind) = structure.joints[*joint];
            Joint::idle(kind, parent, child)
        });
        Self {
            members: Vec::new(),
            structure: index,
            serials: Vec::new(),
            bodies: vec![Body::idle(); structure.bodies()],
            joints: joints.collect(),
            anchors: Vec::new(),
            contacts: Vec::new(),
        }
    }

    #[inline(always)]
    fn begin_substep(&mut self, joint: &Softness, h: V, passed: V, first: bool) {
        for body in &mut self.bodies {
            body.accelerate(h);
        }
        for row in &mut self.joints {
            row.prepare(&mut self.bodies, joint, passed);
        }
        for row in &mut self.anchors {
            row.prepare(&mut self.bodies, passed);
        }
        for row in &mut self.contacts {
            row.prepare(&mut self.bodies, h, passed, first);
        }
    }

    #[inline(always)]
    fn sweep(&mut self, [joint, contact]: &[Softness; 2], h: V, biased: bool) {
        for row in &mut self.anchors {
            row.sweep(&mut self.bodies);
        }
        for row in &mut self.joints {
            row.sweep(&mut self.bodies, joint, h, biased);
        }
        let per_h = V::splat(1.0) / h;
        for row in &mut self.contacts {
            row.sweep(&mut self.bodies, contact, biased, per_h);
        }
    }

    #[inline(always)]
    fn advance(&mut self, h: V) {
        for body in &mut self.bodies {
            body.advance(h);
        }
        for row in &mut self.joints {
            row.recentre(&self.bodies);
        }
    }

    #[inline(always)]
    fn reckon(&mut self) {
        for row in &mut self.joints {
            row.reckon(&self.bodies);
        }
        for row in &mut self.anchors {
            row.reckon();
        }
        for row in &mut self.contacts {
            row.reckon();
        }
    }
}

/// Batches that step in time with each other, and the rows between them.
#[derive(Debug)]
pub struct Group<V> {
    pub pace: Pace,
    pub batches: Vec<Batch<V>>,
    pub coupled: Coupled,
}

impl<V: Lane> Group<V> {
    /// Room to work in.
    pub fn empty() -> Self {
        Self { pace: Pace { dt: 0.0, substeps: 1, sweeps: 0 }, batches: Vec::new(), coupled: Coupled::default() }
    }
}

impl<V: Lane> Work<V> for Group<V> {
    /// One step. A sub-step moves velocities by forces, sweeps over all rows with their gaps, moves the poses, and sweeps once more
    /// without the gaps: what pressed an overlap out leaves no speed behind.
    #[inline(always)]
    fn work(&mut self) {
        let Pace { dt, substeps, sweeps } = self.pace;
        let step = self.pace.substep();
        let h = V::splat(step);
        let soft = [Softness::joint(step), Softness::contact(step)];
        for batch in &mut self.batches {
            for body in &mut batch.bodies {
                body.begin_step();
            }
            for row in &mut batch.joints {
                row.begin_step(&batch.bodies, V::splat(dt));
            }
            for row in &mut batch.contacts {
                row.begin_step(&batch.bodies);
            }
        }
        for substep in 0..substeps {
            let passed = step * substep as f32;
            for batch in &mut self.batches {
                batch.begin_substep(&soft[0], h, V::splat(passed), substep == 0);
            }
            self.coupled.begin_substep(&mut self.batches, step, passed, substep == 0);
            // One loop with the poses moved in its midst: the rows' code then stands once, which halves what there is to compile.
            for sweep in 0..=sweeps + 1 {
                let biased = sweep <= sweeps;
                if !biased {
                    for batch in &mut self.batches {
                        batch.advance(h);
                    }
                    self.coupled.advance(step);
                }
                for batch in &mut self.batches {
                    batch.sweep(&soft, h, biased);
                }
                self.coupled.sweep(&mut self.batches, &soft[1], step, biased);
            }
            for batch in &mut self.batches {
                batch.reckon();
            }
            self.coupled.reckon();
        }
        for batch in &mut self.batches {
            for body in &mut batch.bodies {
                body.tumble();
            }
            for row in &mut batch.joints {
                row.end_step(&batch.bodies, h);
            }
        }
        self.coupled.tumble();
        let mut bounces = self.coupled.bounces();
        for batch in &self.batches {
            for row in &batch.contacts {
                bounces |= row.bounces;
            }
        }
        if bounces {
            for _ in 0..BOUNCE_SWEEPS {
                self.bounce();
            }
        }
    }
}

impl<V: Lane> Group<V> {
    #[inline(always)]
    fn bounce(&mut self) {
        for batch in &mut self.batches {
            for row in &mut batch.contacts {
                if row.bounces {
                    row.bounce(&mut batch.bodies);
                }
            }
        }
        self.coupled.bounce(&mut self.batches);
    }
}
