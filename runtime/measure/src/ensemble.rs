//! The runs of a measure: each a little otherwise, in parallel, the same whatever the number of threads.

use crate::options::{MeasureError, Options, Progress};
use crate::subject::Subject;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rand::Rng;
use rand_pcg::Pcg32;
use rayon::prelude::*;
use simrun_sim::space::{Quat, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::io::Write;

/// How one run differs from the others: everything that a row must not depend on.
#[derive(Debug)]
pub struct Variation {
    /// Index of the run and the number of runs.
    pub index: usize,
    count: usize,
    random: Pcg32,
}

impl Variation {
    fn new(seed: u64, index: usize, count: usize) -> Self {
        Self { index, count, random: Pcg32::new(seed, index as u64) }
    }

    /// A seed for the run's world.
    pub fn seed(&mut self) -> u64 {
        self.random.random()
    }

    /// The way the figure faces (yaw, rad): any.
    pub fn yaw(&mut self) -> f32 {
        self.random.random_range(-PI..PI)
    }

    /// Where in its clip the figure begins, as a share of it.
    pub fn phase(&mut self) -> f32 {
        self.random.random_range(0.0..1.0)
    }

    /// The way a blow goes as a yaw (rad) off the figure's front: the runs go around it evenly.
    pub fn any_heading(&mut self) -> f32 {
        let place = self.index as f32 * TAU / self.count as f32;
        self.near(place)
    }

    /// The same for blows from behind and from the front, run by run.
    pub fn fore_and_aft(&mut self) -> f32 {
        let place = if self.index.is_multiple_of(2) { 0.0 } else { PI };
        self.near(place)
    }

    /// The same for blows from either side, run by run.
    pub fn sideways(&mut self) -> f32 {
        let place = if self.index.is_multiple_of(2) { FRAC_PI_2 } else { -FRAC_PI_2 };
        self.near(place)
    }

    /// Up to 10° off.
    pub fn near(&mut self, heading: f32) -> f32 {
        heading + self.random.random_range(-1.0..1.0) * 10.0_f32.to_radians()
    }

    /// How far (m, world) a blow lands from the middle of what it is aimed at: up to 2 cm along each axis.
    pub fn aside(&mut self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.random.random_range(-0.02..0.02)))
    }

    /// A factor on a small speed: 3 % either way.
    pub fn speed(&mut self) -> f32 {
        self.random.random_range(0.97..1.03)
    }

    /// Any vector no longer than `most`.
    pub fn inside_ball(&mut self, most: f32) -> Vec3 {
        loop {
            let vector = Vec3::from_array(std::array::from_fn(|_| self.random.random_range(-1.0..1.0)));
            if vector.length_squared() <= 1.0 {
                return vector * most;
            }
        }
    }

    /// Any rotation.
    pub fn rotation(&mut self) -> Quat {
        // A point of the unit ball in four dimensions, pushed to its surface: every rotation is as likely.
        loop {
            let [x, y, z, w] = std::array::from_fn(|_| self.random.random_range(-1.0..1.0_f32));
            let length = Quat::from_xyzw(x, y, z, w).length();
            if (0.1..=1.0).contains(&length) {
                return Quat::from_xyzw(x, y, z, w).normalize();
            }
        }
    }

    /// Which of so many cases the run is: each once where there are as many runs as cases, and a few from all over where there are fewer.
    pub fn case(&self, cases: usize) -> usize {
        // A prime that divides no number of cases here: steps of it meet all of them.
        const STRIDE: usize = 241;
        self.index * STRIDE % cases
    }

    /// Any number in a range.
    pub fn between(&mut self, from: f32, to: f32) -> f32 {
        self.random.random_range(from..to)
    }

    /// Any time (s) in a range.
    pub fn seconds(&mut self, from: f64, to: f64) -> f64 {
        self.random.random_range(from..to)
    }
}

/// Takes the runs of a measure, each with a figure of the mass and height that it draws; results come in the order of the runs.
pub fn take<T: Send>(
    subject: &Subject,
    options: &Options,
    usual_runs: usize,
    one: impl Fn(&Subject, &mut Variation) -> Result<T, MeasureError> + Sync,
) -> Result<Vec<T>, MeasureError> {
    let count = options.runs.unwrap_or(usual_runs);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build();
    let threads = threads.map_err(|error| MeasureError::Threads(error.to_string()))?;
    // It draws on standard error, and only where that is a terminal.
    let progress = match options.progress {
        Progress::Bar => ProgressBar::new(count as u64),
        Progress::Lines | Progress::Hidden => ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::hidden()),
    };
    let progress = progress.with_message(options.measure.clone());
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:32} {pos} of {len}, {eta} left") {
        progress.set_style(style);
    }
    let results = threads.install(|| {
        let runs = (0..count).into_par_iter().map(|index| {
            let mut variation = Variation::new(options.seed, index, count);
            let result = match options.conditions.build(|| variation.between(0.0, 1.0)) {
                None => one(subject, &mut variation),
                Some(build) => subject.built(build).and_then(|subject| one(&subject, &mut variation)),
            };
            progress.inc(1);
            if options.progress == Progress::Lines {
                // Whoever asked for it may have gone.
                let _ = writeln!(std::io::stderr(), "{} of {count}", progress.position());
            }
            result
        });
        runs.collect()
    });
    progress.finish_and_clear();
    results
}
