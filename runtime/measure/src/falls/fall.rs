//! What the poses of a fall say of it.

use crate::kept::{Frame, Kept, turn};
use crate::table::most;
use simrun_sim::figure::Bone;

/// A head that has been off the ground for so long (s), and comes down again this fast (m/s), hits a second time.
const OFF: f64 = 0.1;
const AGAIN: f64 = 0.3;
/// Lean (rad) and height of the pelvis (m) of one that has landed, and how long (s) it has to be so.
const LANDED_LEAN: f64 = 1.0;
const LANDED_HEIGHT: f64 = 0.3;
const LANDED: f64 = 1.0 / 6.0;
/// What moves faster (m/s, rad/s) is not still.
const MOVES: f64 = 0.1;
const TURNS: f64 = 0.5;
/// Lean (rad) at which it is told how far the pelvis has come down.
const HALFWAY: f64 = std::f64::consts::FRAC_PI_4;

/// A fall, told from the blow on (s).
#[derive(Clone, Debug)]
pub(crate) struct Fall {
    /// It was down at the end.
    pub(crate) fell: bool,
    /// When the head first met the ground, and how fast it came (m/s; 0 if it never did).
    pub(crate) head_at: Option<f64>,
    pub(crate) head_mps: f64,
    pub(crate) second: bool,
    pub(crate) hand_at: Option<f64>,
    pub(crate) pelvis_at: Option<f64>,
    /// How fast the pelvis came down: what is known of people is the vertical speed.
    pub(crate) pelvis_mps: f64,
    /// From landing on, until nothing moves any more.
    pub(crate) still_after: f64,
    /// How far the pelvis is down at 45° of lean (m).
    pub(crate) down_halfway: f64,
    pub(crate) peak_radps: f64,
    pub(crate) opening: f64,
    pub(crate) strain: f64,
    /// Time and height of the head's middle (s, m).
    pub(crate) heads: Vec<(f64, f64)>,
}

impl Fall {
    /// Of a run in which the blow came at a time (s).
    pub(crate) fn of(kept: &Kept, blow: f64) -> Self {
        let end = (kept.frames.len() - 1) as f64 / kept.step_hz;
        let frames = kept.span(blow, end);
        let after = |frame: usize| frame as f64 / kept.step_hz;
        let first = |bones: &[Bone]| frames.iter().position(|frame| bones.iter().any(|bone| frame.touching.contains(bone)));
        let (head, pelvis) = (first(&[Bone::Head]), first(&[Bone::Pelvis]));
        let before =
            |frame: usize, bone| if frame < 2 { (0.0, 0.0) } else { motion(&frames[frame - 2..frame], bone, kept.step_hz) };
        let landed = landed(frames, kept.step_hz);
        let moved = frames.windows(2).rposition(|pair| moves(pair, kept.step_hz)).map_or(0, |pair| pair + 1);
        let standing = frames[0].pelvis_height();
        let halfway = frames.iter().find(|frame| frame.lean() > HALFWAY);
        let peak = most(frames.windows(2).flat_map(|pair| {
            let turns = pair[0].bodies.iter().zip(&pair[1].bodies).map(|(a, b)| turn(a.rotation, b.rotation));
            turns.map(|turn| turn * kept.step_hz)
        }));
        Self {
            fell: kept.is_down(&frames[frames.len() - 1]),
            head_at: head.map(after),
            head_mps: head.map_or(0.0, |head| before(head, Bone::Head).0),
            second: head.is_some_and(|head| hits_again(&frames[head..], kept.step_hz)),
            hand_at: first(&[Bone::ForearmL, Bone::ForearmR]).map(after),
            pelvis_at: pelvis.map(after),
            pelvis_mps: pelvis.map_or(0.0, |pelvis| before(pelvis, Bone::Pelvis).1),
            still_after: after(moved) - after(landed).min(after(moved)),
            down_halfway: halfway.map_or(f64::NAN, |frame| standing - frame.pelvis_height()),
            peak_radps: peak,
            opening: most(frames.iter().map(|frame| frame.opening)),
            strain: most(frames.iter().map(|frame| frame.strain)),
            heads: frames.iter().enumerate().map(|(index, frame)| (after(index), height(frame))).collect(),
        }
    }

    /// A hand touched the ground, and the head never did or did later.
    pub(crate) fn hands_first(&self) -> bool {
        self.hand_at.is_some_and(|hand| self.head_at.is_none_or(|head| hand < head))
    }

    /// Whether it goes as people's falls go: hands no later than 100 ms after the pelvis, the pelvis at 1.5 to 3.2 m/s, down within 0.4 to
    /// 1.9 s. A pelvis that never meets the ground says nothing.
    pub(crate) fn in_bands(&self) -> bool {
        let Some(pelvis) = self.pelvis_at else { return self.hand_at.is_some() };
        let hands = self.hand_at.is_some_and(|hand| hand <= pelvis + 0.1);
        hands && (1.5..=3.2).contains(&self.pelvis_mps) && (0.4..=1.9).contains(&pelvis)
    }
}

fn height(frame: &Frame) -> f64 {
    f64::from(frame.bodies[Bone::Head.index()].translation.y)
}

/// How a bone moves between two moments (m/s), and how it comes down.
fn motion(pair: &[Frame], bone: Bone, step_hz: f64) -> (f64, f64) {
    let at = |frame: &Frame| frame.bodies[bone.index()].translation.as_dvec3();
    let way = (at(&pair[1]) - at(&pair[0])) * step_hz;
    (way.length(), -way.y)
}

/// Whether a head that touches the ground in the first of these frames comes off it and down again.
fn hits_again(frames: &[Frame], step_hz: f64) -> bool {
    let mut off = 0_u32;
    for index in 2..frames.len() {
        if frames[index].touching.contains(&Bone::Head) {
            let long = f64::from(off) >= OFF * step_hz;
            if long && motion(&frames[index - 2..index], Bone::Head, step_hz).1 > AGAIN {
                return true;
            }
            off = 0;
        } else {
            off += 1;
        }
    }
    false
}

/// The frame in which it has landed: lying low, or, on hands and knees, once its trunk no longer moves.
fn landed(frames: &[Frame], step_hz: f64) -> usize {
    let steps = (LANDED * step_hz).round() as usize;
    let low = |frame: &Frame| frame.lean() > LANDED_LEAN && frame.pelvis_height() < LANDED_HEIGHT;
    let lying = frames.windows(steps).position(|frames| frames.iter().all(low)).map(|frame| frame + steps);
    lying.unwrap_or_else(|| {
        let trunk = |pair: &[Frame]| motion(pair, Bone::Pelvis, step_hz).0.max(motion(pair, Bone::Chest, step_hz).0);
        let down = |frame: &Frame| frame.lean() > 0.6 || frame.pelvis_height() < 0.6;
        frames.windows(2).position(|pair| down(&pair[1]) && trunk(pair) < 3.0 * MOVES).unwrap_or(frames.len() - 1)
    })
}

fn moves(pair: &[Frame], step_hz: f64) -> bool {
    let turned = pair[0].bodies.iter().zip(&pair[1].bodies).any(|(a, b)| turn(a.rotation, b.rotation) * step_hz > TURNS);
    turned || Bone::ALL.into_iter().any(|bone| motion(pair, bone, step_hz).0 > MOVES)
}
