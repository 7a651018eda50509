//! What an engine does here, and a crowd of the one figure in it.

use crate::figure::FIGURE;
use glam::{Quat, Vec3};
use std::time::Duration;

/// Parts of a step that does more than other engines' steps do: what turns motors and contacts into motion, and what finds contacts.
pub const PARTS: [&str; 2] = ["its solver alone", "its detection"];

/// Something that is timed.
pub trait Subject {
    /// Sets what the next step works towards; not timed.
    fn aim(&mut self, time: f32);
    /// A step of 1/60 s; timed.
    fn step(&mut self);
    /// Parts of the last step, where it tells them.
    fn parts(&self) -> [Duration; PARTS.len()] {
        [Duration::ZERO; PARTS.len()]
    }
    /// The lowest pelvis (m) and the mean gap of all joints (rad) at a time.
    fn quality(&self, time: f32) -> (f32, f32);
}

/// A world of an engine with the one figure in it, several times.
pub trait Engine {
    /// Turns of a figure's bodies in the world.
    fn turns(&self, figure: usize) -> Vec<Quat>;
    /// Height of a figure's pelvis (m).
    fn pelvis(&self, figure: usize) -> f32;
    /// Gives a motor the speed that it shall reach (rad/s, in its parent's frame).
    fn drive(&mut self, figure: usize, joint: usize, speed: Vec3);
    /// Gives the keeper of a figure's pelvis the speed that it shall reach (rad/s, in the world). Nothing, where the engine has a spring.
    fn keep_upright(&mut self, _figure: usize, _speed: Vec3) {}
    /// A step of 1/60 s.
    fn step(&mut self);
}

/// An engine whose motors are given a speed before each step.
struct Driven<E> {
    engine: E,
    count: usize,
}

/// A crowd of the one figure in an engine.
pub fn driven(engine: impl Engine + 'static, count: usize) -> Box<dyn Subject> {
    Box::new(Driven { engine, count })
}

impl<E: Engine> Subject for Driven<E> {
    fn aim(&mut self, time: f32) {
        for figure in 0..self.count {
            let turns = self.engine.turns(figure);
            for joint in 0..FIGURE.joints.len() {
                self.engine.drive(figure, joint, FIGURE.motor(joint, &turns, time));
            }
            self.engine.keep_upright(figure, FIGURE.keeper(turns[0]));
        }
    }

    fn step(&mut self) {
        self.engine.step();
    }

    fn quality(&self, time: f32) -> (f32, f32) {
        let figures = 0..self.count;
        let lowest = figures.clone().map(|figure| self.engine.pelvis(figure)).fold(f32::MAX, f32::min);
        (lowest, figures.map(|figure| FIGURE.gap(&self.engine.turns(figure), time)).sum::<f32>() / self.count as f32)
    }
}
