//! simrun itself, with all that it does: the figures of `simrun-bench rooms`, their clip, senses, balance and muscles.

#[path = "../../src/stage.rs"]
mod stage;

use crate::engine::Subject;
use cpu_time::ProcessTime;
use simrun_scene::model;
use simrun_sim::{Bone, Figure, Mode, Model, Nobody, Room, World};
use std::sync::Arc;
use std::time::Duration;

const BOXMAN: &[u8] = include_bytes!("../../../../scenes/assets/boxman.glb");

/// A world of figures that bow.
pub struct Simrun {
    world: World,
}

impl Simrun {
    /// So many figures.
    pub fn new(count: usize) -> Self {
        let rig =
            model::decode("boxman.glb", BOXMAN, &|_| Err(std::io::ErrorKind::NotFound.into())).expect("the box man is a model");
        let model = Arc::new(Model::new(rig));
        let mut world = stage::crowd(&model, count, Mode::Powered, Some("Bow"), &[]).expect("figures stand on the ground");
        world.set_clock(|| ProcessTime::now().as_duration());
        Self { world }
    }
}

impl Subject for Simrun {
    fn aim(&mut self, _time: f32) {}

    fn step(&mut self) {
        self.world.step(&mut Nobody);
    }

    fn solve(&self) -> Option<Duration> {
        Some(self.world.profile().rooms[Room::Solve as usize])
    }

    fn quality(&self, _time: f32) -> (f32, f32) {
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
