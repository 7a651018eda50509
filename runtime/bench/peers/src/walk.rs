//! Timing: a subject walks, and what its steps cost is counted.

use crate::engine::{PARTS, Subject};
use crate::figure::FIGURE;
use cpu_time::ProcessTime;
use std::time::Duration;

/// Steps of a whole bow: warming up, repeats and the look at quality take a whole number of them.
const BOW_STEPS: usize = 120;
/// A repeat has at least so many bows of figures: a single figure's would be too short to time.
const BOWS: usize = 8;

/// What a number of figures costs and how well they stand.
#[derive(Debug)]
pub struct Cost {
    /// µs of CPU a figure a step, one a repeat, least first.
    pub whole: Vec<f64>,
    /// Its parts, likewise.
    pub parts: [Vec<f64>; PARTS.len()],
    /// The lowest pelvis during a bow (m).
    pub pelvis: f32,
    /// How far the joints are off their targets, mean over a bow (rad).
    pub gap: f32,
}

struct Walk {
    subject: Box<dyn Subject>,
    step: usize,
}

impl Walk {
    /// CPU time of so many steps, and of their parts.
    fn walk(&mut self, steps: usize) -> [Duration; 1 + PARTS.len()] {
        let mut spent = [Duration::ZERO; 1 + PARTS.len()];
        for _ in 0..steps {
            self.subject.aim(self.step as f32 / FIGURE.step_hz);
            let start = ProcessTime::now();
            self.subject.step();
            spent[0] += start.elapsed();
            spent[1..].iter_mut().zip(self.subject.parts()).for_each(|(sum, part)| *sum += part);
            self.step += 1;
        }
        spent
    }

    /// The lowest pelvis (m) and the mean gap (rad) of a bow.
    fn look(&mut self) -> (f32, f32) {
        let (mut lowest, mut sum) = (f32::MAX, 0.0);
        for _ in 0..BOW_STEPS {
            let aimed_at = self.step as f32 / FIGURE.step_hz;
            self.walk(1);
            let (pelvis, gap) = self.subject.quality(aimed_at);
            lowest = lowest.min(pelvis);
            sum += gap;
        }
        (lowest, sum / BOW_STEPS as f32)
    }
}

/// Times a subject of so many figures, so many times over.
pub fn time(subject: Box<dyn Subject>, count: usize, repeats: u32) -> Cost {
    let mut walk = Walk { subject, step: 0 };
    walk.walk(BOW_STEPS);
    let steps = BOW_STEPS * (BOWS / count).max(1);
    let spent: Vec<_> = (0..repeats).map(|_| walk.walk(steps)).collect();
    let each = |part: usize| {
        let mut each: Vec<f64> = spent.iter().map(|spent| spent[part].as_secs_f64() * 1.0e6 / (steps * count) as f64).collect();
        each.sort_by(f64::total_cmp);
        each
    };
    let (pelvis, gap) = walk.look();
    Cost { whole: each(0), parts: std::array::from_fn(|part| each(1 + part)), pelvis, gap }
}
