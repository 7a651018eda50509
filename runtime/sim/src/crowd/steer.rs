//! Where members turn: toward their goals, and around each other.
//!
//! Neighbours are found in a grid that is made anew each step by a counting sort. It wraps around, so that it has as many cells as there
//! are members however far they are spread; what is found across the edge is told by its distance.

use super::members::{Members, Whereabouts};
use crate::space::Vec3;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::RngCore;
use rayon::prelude::*;

/// Steps between two looks of a member about itself: at walking speed it goes 20 cm in them. Each step an eighth of the members looks.
pub(super) const LOOKS_EVERY: usize = 8;
/// The most that a member turns (rad/s): a drawn bone that turns by more than 6° a step is a pop, and this is 3° at 60 Hz.
const MOST_TURN: f32 = 3.0;
/// Turn rate (rad/s) at a right angle to where it wants to go.
const TURN_GAIN: f32 = 3.0;
/// Where a goal is reached (m).
const ARRIVED: f32 = 0.5;
/// How far ahead (s) a member looks for whom it will meet, and how far off (m) those stand that it looks at: two walkers who come towards
/// each other close 3 m in a second.
const FORESEES: f32 = 1.2;
const SEES: f32 = 3.0;
/// What somebody whom it will run into counts for against the way to the goal.
const AWAY: f32 = 2.5;
/// Share of the clearance within which somebody ahead stops a member, and the cosine of how far aside is ahead. Of 300 who roam through
/// 24 × 24 m at a clearance of 0.9 m, 0.3 % are nearer than 0.4 m to somebody at a time (35 % without a clearance) and half stand; at 0.6
/// and 0.8, 4 % are and 15 % stand. In 40 × 40 m they walk at 1.3 of 1.4 m/s either way.
const STOPS: f32 = 0.7;
const AHEAD: f32 = 0.5;
/// How fast a member comes to its speed, and to a halt (m/s²).
const ACCELERATION: f32 = 3.0;
const BRAKING: f32 = 12.0;

/// What a horde's members want.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wants {
    /// m/s.
    pub speed: f32,
    /// Distance (m) that they keep from each other; 0 for none.
    pub clearance: f32,
    /// The rectangle in which those who have arrived find a new goal: its middle (X, Z) and half its extents (m); none stay where they
    /// arrive.
    pub roams: Option<([f32; 2], [f32; 2])>,
    /// Seconds between two looks.
    pub period: f32,
    /// The step.
    pub step: u64,
    /// Of the horde's random numbers.
    pub seed: u64,
}

/// Members by cell.
#[derive(Debug, Default)]
struct Grid {
    /// Cells a metre.
    per_metre: f32,
    /// Cells along a side less 1: a power of two less 1.
    mask: i32,
    /// Where each cell's members begin in `order`, and where the last one's end.
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Grid {
    /// Sorts who stands anywhere into cells of a size (m).
    fn of(members: &Members, size: f32) -> Self {
        // At least four cells a side, so that the nine around a place are nine.
        let side = ((members.len() as f32).sqrt() as usize).next_power_of_two().max(4);
        let mut grid = Self { per_metre: 1.0 / size, mask: side as i32 - 1, starts: vec![0; side * side + 1], order: Vec::new() };
        let cells: Vec<u32> =
            members.positions.iter().map(|at| grid.cell(grid.coordinate(at[0]), grid.coordinate(at[2]))).collect();
        let stands = |member: usize| members.whereabouts[member] != Whereabouts::Dead;
        for (member, cell) in cells.iter().enumerate() {
            grid.starts[*cell as usize] += u32::from(stands(member));
        }
        let mut ends = 0;
        for start in &mut grid.starts {
            ends += *start;
            *start = ends;
        }
        grid.order = vec![0; ends as usize];
        // From the last to the first, so that each cell's members come in order.
        for (member, cell) in cells.iter().enumerate().rev().filter(|(member, _)| stands(*member)) {
            let start = &mut grid.starts[*cell as usize];
            *start -= 1;
            grid.order[*start as usize] = member as u32;
        }
        grid
    }

    fn coordinate(&self, metres: f32) -> i32 {
        let scaled = metres * self.per_metre;
        // Toward −∞, without a call.
        scaled as i32 - i32::from(scaled < 0.0)
    }

    fn cell(&self, x: i32, z: i32) -> u32 {
        ((z & self.mask) * (self.mask + 1) + (x & self.mask)) as u32
    }

    /// Whoever stands in the nine cells around a place.
    fn around(&self, at: &[f32; 3]) -> impl Iterator<Item = usize> {
        let (x, z) = (self.coordinate(at[0]), self.coordinate(at[2]));
        let cells = (-1..=1).flat_map(move |dz| (-1..=1).map(move |dx| (x + dx, z + dz)));
        cells.flat_map(|(x, z)| {
            let cell = self.cell(x, z) as usize;
            self.order[self.starts[cell] as usize..self.starts[cell + 1] as usize].iter().map(|member| *member as usize)
        })
    }
}

/// What a member comes to when it looks about itself.
#[derive(Clone, Copy, Debug)]
struct Look {
    speed: f32,
    turn: f32,
    goal: [f32; 2],
}

/// An eighth of the members look about themselves.
pub(super) fn steer(members: &mut Members, wants: &Wants, parallel: bool) {
    let grid = (wants.clearance > 0.0).then(|| Grid::of(members, SEES));
    let first = (wants.step % LOOKS_EVERY as u64) as usize;
    let anyone = grid.is_some() || wants.roams.is_some();
    // Who walks on as it faces, and has nobody to keep off, has nothing to look for.
    let looks = |member: &usize| {
        let Members { whereabouts, goals, speeds, turns, .. } = &*members;
        let goes_on = goals[*member][0].is_nan() && speeds[*member] == wants.speed && turns[*member] == 0.0;
        whereabouts[*member] == Whereabouts::In && (anyone || !goes_on)
    };
    let looking: Vec<usize> = (first..members.len()).step_by(LOOKS_EVERY).filter(looks).collect();
    let look = |member: &usize| look(members, *member, wants, grid.as_ref());
    let looks: Vec<Look> =
        if parallel { looking.par_iter().with_min_len(256).map(look).collect() } else { looking.iter().map(look).collect() };
    for (member, look) in looking.into_iter().zip(looks) {
        (members.speeds[member], members.turns[member], members.goals[member]) = (look.speed, look.turn, look.goal);
    }
}

fn look(members: &Members, member: usize, wants: &Wants, grid: Option<&Grid>) -> Look {
    let (at, facing) = (members.positions[member], members.facings[member]);
    let mut goal = members.goals[member];
    let way_to = |goal: [f32; 2]| Vec3::new(goal[0] - at[0], 0.0, goal[1] - at[2]);
    let mut arrived = way_to(goal).length() < ARRIVED;
    if let Some(area) = wants.roams.filter(|_| arrived || goal[0].is_nan()) {
        goal = anywhere(&area, wants, member);
        arrived = false;
    }
    let ahead = Vec3::new(facing[0], 0.0, facing[1]);
    // Without a goal it goes on as it faces.
    let mut way = way_to(goal).try_normalize().unwrap_or(ahead);
    let mut speed = if arrived { 0.0 } else { wants.speed };
    let velocity = |member: usize| {
        let [x, z] = members.facings[member];
        Vec3::new(x, 0.0, z) * members.speeds[member]
    };
    let own = velocity(member);
    for other in grid.iter().flat_map(|grid| grid.around(&at)).filter(|other| *other != member) {
        let place = members.positions[other];
        let off = Vec3::new(at[0] - place[0], 0.0, at[2] - place[2]);
        let distance = off.length();
        if distance >= SEES {
            continue;
        }
        // Where the two will be nearest to each other, as they walk now.
        let relative = own - velocity(other);
        let meets = (-off.dot(relative) / relative.length_squared().max(1.0e-6)).clamp(0.0, FORESEES);
        let nearest = off + relative * meets;
        let apart = nearest.length();
        if apart < wants.clearance {
            let weight = AWAY * (1.0 - apart / wants.clearance) * (1.0 - meets / FORESEES);
            // Straight at each other both keep to the same hand; two in one place part by their numbers.
            let hand = Vec3::new(ahead.z, 0.0, -ahead.x) * if meets > 0.0 || member < other { 1.0 } else { -1.0 };
            way += (nearest + hand * (0.2 * wants.clearance)).normalize_or_zero() * weight;
        }
        if distance < STOPS * wants.clearance && -off.dot(ahead) > AHEAD * distance {
            speed = 0.0;
        }
    }
    let way = way.try_normalize().unwrap_or(ahead);
    // Positive yaw turns +Z toward +X.
    let (across, along) = (way.x * facing[1] - way.z * facing[0], way.dot(ahead));
    let turn = if along < 0.0 { MOST_TURN.copysign(across) } else { (across * TURN_GAIN).clamp(-MOST_TURN, MOST_TURN) };
    // Where it wants to go back it turns on the spot.
    let wanted = if along < 0.0 { 0.0 } else { speed };
    let now = members.speeds[member];
    let change = (wanted - now).clamp(-BRAKING * wants.period, ACCELERATION * wants.period);
    Look { speed: now + change, turn: if arrived { 0.0 } else { turn }, goal }
}

/// Somewhere in the area.
fn anywhere((middle, half): &([f32; 2], [f32; 2]), wants: &Wants, member: usize) -> [f32; 2] {
    let mut random = Pcg32::new(wants.seed ^ wants.step.rotate_left(32), member as u64);
    std::array::from_fn(|axis| middle[axis] + half[axis] * (2.0 * unit(&mut random) - 1.0))
}

/// A number from 0 to 1.
pub(super) fn unit(random: &mut Pcg32) -> f32 {
    (random.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
}
