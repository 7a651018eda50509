//! simrun itself, with all that it does: the figures of `simrun-bench rooms`, their clip, senses, balance and muscles.

#[path = "../../src/stage.rs"]
mod stage;

use crate::engine::{PARTS, Subject};
use cpu_time::ProcessTime;
use simrun_scene::model;
use simrun_sim::solve::Width;
use simrun_sim::{Bone, Figure, Model, Nobody, World};
use stage::{Crowd, Solving};
use std::sync::Arc;
use std::time::Duration;

const BOXMAN: &[u8] = include_bytes!("../../../../scenes/assets/boxman.glb");

/// Every width of registers that the processor has, with the sub-steps that are usual and with fewer.
pub fn settings() -> Vec<(Width, usize)> {
    let widths = Width::available().into_iter().filter(|width| *width != Width::Scalar).rev();
    widths.flat_map(|width| [8, 4].map(|substeps| (width, substeps))).collect()
}

/// A world of figures that bow.
pub struct Simrun {
    world: World,
}

impl Simrun {
    /// So many figures, solved so many side by side in so many sub-steps.
    pub fn new(count: usize, width: Width, substeps: usize) -> Self {
        let rig =
            model::decode("boxman.glb", BOXMAN, &|_| Err(std::io::ErrorKind::NotFound.into())).expect("the box man is a model");
        let model = Arc::new(Model::new(rig));
        let crowd = Crowd { solving: Solving::Batch(width), substeps, ..Crowd::bowing(count) };
        Self { world: crowd.world(&model).expect("figures stand on the ground") }
    }

    /// It tells the parts of its steps.
    pub fn timed(mut self) -> Self {
        self.world.set_clock(|| ProcessTime::now().as_duration());
        self
    }
}

impl Subject for Simrun {
    fn aim(&mut self, _time: f32) {}

    fn step(&mut self) {
        self.world.step(&mut Nobody);
    }

    fn parts(&self) -> [Duration; PARTS.len()] {
        let parts = self.world.solve_profile();
        [parts.figures, parts.detection]
    }

    fn quality(&self, _time: f32) -> (f32, f32) {
        assert!(self.world.figures().all(|figure| !figure.solved.asleep), "every figure is awake");
        let lowest = self.world.figures().map(|figure| figure.bone(Bone::Pelvis).translation.y).fold(f32::MAX, f32::min);
        let figures = self.world.figures();
        (lowest, figures.map(gap).sum::<f32>() / self.world.figures().count() as f32)
    }
}

/// Mean angle between where a figure's joints are and where the animation has them (rad).
fn gap(figure: &Figure) -> f32 {
    let pairs = figure.joint_rotations().into_iter().zip(figure.target.joints).skip(1);
    let gaps: Vec<f32> = pairs.map(|(found, wanted)| found.angle_between(wanted)).collect();
    gaps.iter().sum::<f32>() / gaps.len() as f32
}
