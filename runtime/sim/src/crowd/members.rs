//! A horde's members: columns, one number of every member behind the other, and what moves them each step.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::array::{from_mut, from_ref};

/// Members that one thread takes at a time.
const CHUNK: usize = 4096;
/// Members that are taken at once: 16 take 2.2 ns each where one after the other takes 4.0, 8 take 3.8, and 32 take 2.7.
const BLOCK: usize = 16;

/// Where a member is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Whereabouts {
    /// In the horde.
    #[default]
    In,
    /// Handed over to a figure of the pool.
    Out,
    /// Killed: its figure lies, or has been taken away.
    Dead,
}

/// The columns. A member is its place in them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Members {
    /// World, m: where its feet stand.
    pub(super) positions: Vec<[f32; 3]>,
    /// Sine and cosine of its heading: a turn by a small angle then takes no trigonometry.
    pub(super) facings: Vec<[f32; 2]>,
    /// m/s along its heading.
    pub(super) speeds: Vec<f32>,
    /// rad/s at which its heading turns until it next looks about.
    pub(super) turns: Vec<f32>,
    /// m/s at which the ground under it rises until then.
    pub(super) rises: Vec<f32>,
    /// Share of the clip, 0..1.
    pub(super) phases: Vec<f32>,
    /// X and Z of where it goes (world, m); NaN where it goes nowhere in particular.
    pub(super) goals: Vec<[f32; 2]>,
    /// Red, green, blue, alpha, from the lowest byte.
    pub(super) tints: Vec<u32>,
    pub(super) whereabouts: Vec<Whereabouts>,
}

/// How far a step takes members along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Seconds.
    pub dt: f32,
    /// Share of the clip a second, of a clip that stays in place.
    pub phase_rate: f32,
    /// Share of the clip a metre, of one that walks.
    pub phase_by_way: f32,
}

/// A chunk of the columns that move.
struct Moving<'a> {
    positions: &'a mut [[f32; 3]],
    facings: &'a mut [[f32; 2]],
    phases: &'a mut [f32],
    speeds: &'a [f32],
    turns: &'a [f32],
    rises: &'a [f32],
    whereabouts: &'a [Whereabouts],
}

impl Members {
    /// Bytes of a member in these columns.
    pub const BYTES: usize = 12 + 8 + 4 + 4 + 4 + 4 + 8 + 4 + 1;

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Where each stands (world, m).
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Where each is.
    #[must_use]
    pub fn whereabouts(&self) -> &[Whereabouts] {
        &self.whereabouts
    }

    /// The share of the clip at which each is, 0..1.
    #[must_use]
    pub fn phases(&self) -> &[f32] {
        &self.phases
    }

    /// Sine and cosine of each one's heading.
    #[must_use]
    pub fn facings(&self) -> &[[f32; 2]] {
        &self.facings
    }

    /// Each one's tint: red, green, blue, alpha, from the lowest byte.
    #[must_use]
    pub fn tints(&self) -> &[u32] {
        &self.tints
    }

    /// Each one's speed along its heading (m/s).
    #[must_use]
    pub fn speeds(&self) -> &[f32] {
        &self.speeds
    }

    /// How fast the ground rises under each one (m/s).
    #[must_use]
    pub fn rises(&self) -> &[f32] {
        &self.rises
    }

    /// The way a member faces: yaw about +Y (rad, 0 along +Z).
    #[must_use]
    pub fn heading(&self, member: usize) -> f32 {
        let [sine, cosine] = self.facings[member];
        libm::atan2f(sine, cosine)
    }

    pub(super) fn push(&mut self, position: [f32; 3], heading: f32, phase: f32, tint: u32) {
        let (sine, cosine) = libm::sincosf(heading);
        self.positions.push(position);
        self.facings.push([sine, cosine]);
        self.speeds.push(0.0);
        self.turns.push(0.0);
        self.rises.push(0.0);
        self.phases.push(phase);
        self.goals.push([f32::NAN; 2]);
        self.tints.push(tint);
        self.whereabouts.push(Whereabouts::In);
    }

    /// Puts a member where it was not: position (world, m), heading (rad) and phase (0..=1; 1 is the beginning again) where they are given.
    pub(crate) fn put(&mut self, member: usize, position: Option<[f32; 3]>, heading: Option<f32>, phase: Option<f32>) {
        if let Some(position) = position {
            self.positions[member] = position;
            self.rises[member] = 0.0;
        }
        if let Some(heading) = heading {
            let (sine, cosine) = libm::sincosf(heading);
            self.facings[member] = [sine, cosine];
        }
        if let Some(phase) = phase {
            self.phases[member] = if phase < 1.0 { phase } else { 0.0 };
        }
    }

    /// Says where a member is; one that is not in the horde stands still in its columns.
    pub(crate) fn set_whereabouts(&mut self, member: usize, whereabouts: Whereabouts) {
        self.whereabouts[member] = whereabouts;
        if whereabouts != Whereabouts::In {
            (self.speeds[member], self.turns[member], self.rises[member]) = (0.0, 0.0, 0.0);
        }
    }

    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.positions.swap(one, other);
        self.facings.swap(one, other);
        self.speeds.swap(one, other);
        self.turns.swap(one, other);
        self.rises.swap(one, other);
        self.phases.swap(one, other);
        self.goals.swap(one, other);
        self.tints.swap(one, other);
        self.whereabouts.swap(one, other);
    }

    pub(super) fn pop(&mut self) {
        self.positions.pop();
        self.facings.pop();
        self.speeds.pop();
        self.turns.pop();
        self.rises.pop();
        self.phases.pop();
        self.goals.pop();
        self.tints.pop();
        self.whereabouts.pop();
    }

    /// Whether each column has the same length and holds numbers that can be: what comes out of a file may be anything.
    pub(super) fn is_sound(&self) -> bool {
        let count = self.len();
        let same = [
            self.facings.len(),
            self.speeds.len(),
            self.turns.len(),
            self.rises.len(),
            self.phases.len(),
            self.goals.len(),
            self.tints.len(),
            self.whereabouts.len(),
        ];
        let within = |numbers: &[f32], most: f32| numbers.iter().all(|number| number.abs() <= most);
        same.into_iter().all(|length| length == count)
            && within(self.positions.as_flattened(), super::FARTHEST * 2.0)
            && within(self.facings.as_flattened(), 1.1)
            && within(&self.speeds, super::FASTEST)
            && within(&self.turns, 100.0)
            && within(&self.rises, 100.0)
            && self.phases.iter().all(|phase| (0.0..=1.0).contains(phase))
    }

    /// Everyone in the horde goes on along its heading, and its clip with it. Whoever is not in the horde has no speed, and its phase
    /// stays.
    pub(super) fn glide(&mut self, pace: Pace, parallel: bool) {
        let Self { positions, facings, speeds, turns, rises, phases, whereabouts, .. } = self;
        if !parallel {
            return glide(Moving { positions, facings, phases, speeds, turns, rises, whereabouts }, pace);
        }
        let moved = (positions.par_chunks_mut(CHUNK), facings.par_chunks_mut(CHUNK), phases.par_chunks_mut(CHUNK));
        let read = (speeds.par_chunks(CHUNK), turns.par_chunks(CHUNK), rises.par_chunks(CHUNK), whereabouts.par_chunks(CHUNK));
        (moved.0, moved.1, moved.2, read.0, read.1, read.2, read.3).into_par_iter().for_each(
            |(positions, facings, phases, speeds, turns, rises, whereabouts)| {
                glide(Moving { positions, facings, phases, speeds, turns, rises, whereabouts }, pace);
            },
        );
    }
}

fn glide(moving: Moving<'_>, pace: Pace) {
    let Moving { positions, facings, phases, speeds, turns, rises, whereabouts } = moving;
    let (positions, last_positions) = positions.as_chunks_mut::<BLOCK>();
    let (facings, last_facings) = facings.as_chunks_mut::<BLOCK>();
    let (phases, last_phases) = phases.as_chunks_mut::<BLOCK>();
    let (speeds, last_speeds) = speeds.as_chunks::<BLOCK>();
    let (turns, last_turns) = turns.as_chunks::<BLOCK>();
    let (rises, last_rises) = rises.as_chunks::<BLOCK>();
    let (whereabouts, last_whereabouts) = whereabouts.as_chunks::<BLOCK>();
    let moved = positions.iter_mut().zip(facings).zip(phases);
    let by = speeds.iter().zip(turns).zip(rises).zip(whereabouts);
    for (((positions, facings), phases), (((speeds, turns), rises), whereabouts)) in moved.zip(by) {
        glide_block(positions, facings, phases, speeds, turns, rises, whereabouts, pace);
    }
    let moved = last_positions.iter_mut().zip(last_facings).zip(last_phases);
    let by = last_speeds.iter().zip(last_turns).zip(last_rises).zip(last_whereabouts);
    for (((position, facing), phase), (((speed, turn), rise), whereabouts)) in moved.zip(by) {
        let (position, facing, phase) = (from_mut(position), from_mut(facing), from_mut(phase));
        glide_block(position, facing, phase, from_ref(speed), from_ref(turn), from_ref(rise), from_ref(whereabouts), pace);
    }
}

/// As many members as registers take at once, in loops that each do one thing to all of them: the compiler takes those side by side. It does
/// so only where each column is an argument of its own, known to overlap with none.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "columns in one struct are taken one member after the other")]
fn glide_block<const N: usize>(
    positions: &mut [[f32; 3]; N],
    facings: &mut [[f32; 2]; N],
    phases: &mut [f32; N],
    speeds: &[f32; N],
    turns: &[f32; N],
    rises: &[f32; N],
    whereabouts: &[Whereabouts; N],
    pace: Pace,
) {
    let (mut sines, mut cosines, mut ways) = ([0.0; N], [0.0; N], [0.0; N]);
    for member in 0..N {
        [sines[member], cosines[member]] = facings[member];
    }
    for member in 0..N {
        // The angle of a step is small: a parabola and a cubic are its cosine and sine to 10⁻⁶ at 3 rad/s and 30 Hz.
        let angle = turns[member] * pace.dt;
        let square = angle * angle;
        let (sine, cosine) = (angle * (1.0 - square * (1.0 / 6.0)), 1.0 - square * 0.5);
        let turned = [sines[member] * cosine + cosines[member] * sine, cosines[member] * cosine - sines[member] * sine];
        let unit = 1.5 - 0.5 * (turned[0] * turned[0] + turned[1] * turned[1]);
        (sines[member], cosines[member]) = (turned[0] * unit, turned[1] * unit);
        ways[member] = speeds[member] * pace.dt;
    }
    for member in 0..N {
        facings[member] = [sines[member], cosines[member]];
    }
    for member in 0..N {
        (sines[member], cosines[member]) = (sines[member] * ways[member], cosines[member] * ways[member]);
    }
    for member in 0..N {
        let [x, y, z] = positions[member];
        positions[member] = [x + sines[member], y + rises[member] * pace.dt, z + cosines[member]];
    }
    if pace.phase_rate > 0.0 {
        for member in 0..N {
            let within = f32::from(u8::from(whereabouts[member] == Whereabouts::In));
            phases[member] += pace.phase_rate * pace.dt * within;
        }
    }
    for member in 0..N {
        let next = phases[member] + ways[member] * pace.phase_by_way;
        phases[member] = next - if next >= 1.0 { 1.0 } else { 0.0 };
    }
}
