//! A clip: poses at even times, and the curves that plans are drawn with.

use super::skeleton::Pose;
use glam::DVec3;

/// Keys a second. Between two keys a player goes along a line, which takes a planted foot off its spot by the square of the
/// distance between keys: under 0.1 mm at 60, 0.4 mm at 30.
const KEYS_A_SECOND: f64 = 60.0;

/// A clip that ends in the pose it began with, as far on as it travels.
pub struct Clip {
    pub name: &'static str,
    /// Seconds of each key.
    pub times: Vec<f64>,
    /// A pose a key.
    pub poses: Vec<Pose>,
    /// It holds what it does not move: played after any other it comes to the same pose. Otherwise it can be laid over another.
    pub whole: bool,
}

impl Clip {
    /// Takes the poses of one cycle of `frames` / 60 seconds: `pose` is asked at phases from 0 to under 1. Over the cycle the
    /// hips travel by `travel` (m), which is added here.
    pub fn cycle(name: &'static str, frames: u32, travel: DVec3, pose: impl Fn(f64) -> Pose) -> Self {
        let share = |frame: u32| f64::from(frame) / f64::from(frames);
        let poses = (0..=frames).map(|frame| {
            // The last key is the first one again, to the bit.
            let mut pose = pose(share(frame % frames));
            pose.hips += travel * share(frame);
            pose
        });
        let times = (0..=frames).map(|frame| f64::from(frame) / KEYS_A_SECOND).collect();
        Self { name, poses: poses.collect(), times, whole: false }
    }
}

/// A smooth curve of period 1 through keys (phase, value) with ascending phases from 0 to under 1. It never leaves the range of
/// the two keys around it (Fritsch and Butland 1984: the slope at a key is the harmonic mean of its neighbours', 0 at a turn),
/// so equal keys make a flat stretch.
pub fn periodic(keys: &[(f64, f64)], phase: f64) -> f64 {
    let count = keys.len();
    let key = |index: isize| {
        let turns = index.div_euclid(count as isize);
        let (at, value) = keys[index.rem_euclid(count as isize) as usize];
        (at + turns as f64, value)
    };
    let chord = |index: isize| {
        let ((at, value), (next_at, next_value)) = (key(index), key(index + 1));
        (next_value - value) / (next_at - at)
    };
    let slope = |index: isize| {
        let (before, after) = (chord(index - 1), chord(index));
        if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
    };
    let after = keys.iter().position(|(at, _)| *at > phase).unwrap_or(count) as isize;
    let ((from, a), (to, b)) = (key(after - 1), key(after));
    let span = to - from;
    hermite(a, slope(after - 1) * span, b, slope(after) * span, (phase - from) / span)
}

/// The cubic from `a` to `b` over `t` in 0..=1 with the slopes `da` and `db` at its ends.
pub fn hermite(a: f64, da: f64, b: f64, db: f64, t: f64) -> f64 {
    let s = 1.0 - t;
    (1.0 + 2.0 * t) * s * s * a + t * s * s * da + t * t * (3.0 - 2.0 * t) * b - t * t * s * db
}

/// The cosine of a phase: 1 at `peak`, `times` waves a cycle.
pub fn wave(phase: f64, peak: f64, times: f64) -> f64 {
    libm::cos(core::f64::consts::TAU * times * (phase - peak))
}
