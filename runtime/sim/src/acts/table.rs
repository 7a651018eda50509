//! Where things are held by one who sits: where they lie, over the lap, before the mouth, at the lips; and how much each palm is on its grip
//! meanwhile.

use crate::figure::{BONES, Ragdoll};
use crate::keyed::{Grip, mouth, thigh_top};
use crate::motion::{Doing, Holding};
use crate::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_from_yaw, smoothstep, yaw_of};

/// How far along the thighs an item rests, as a share of them, and how far over them (m).
const ALONG: f32 = 0.55;
const OVER: f32 = 0.02;
/// How far ahead of the mouth and under it an item's opening is at a bite (m); as an engine before this one.
const AHEAD: f32 = 0.10;
const UNDER: f32 = 0.05;
/// The same of a rim at a sip, and how far it is tipped there (rad): 60°.
const LIPS_AHEAD: f32 = 0.005;
const LIPS_UNDER: f32 = 0.005;
const TIPPED: f32 = 1.047;
/// Share of a sip in which it is tipped, and of it again in which it is set upright.
const TIPS: f32 = 0.4;
/// How high over the straight way an item is taken between where it lies and the lap, and how far ahead of it (m): straight, a bowl goes through
/// the hips by 3.6 cm; `scenes/camp.json` holds it (`sunk`).
const ARC: f32 = 0.06;
const AROUND: f32 = 0.10;
/// How far over the opening a free hand takes a bite (m).
const DIPS: f32 = 0.03;

/// One who sits, and the bounds of what it holds.
pub(super) struct Table<'a> {
    pub(super) ragdoll: &'a Ragdoll,
    /// World from body.
    pub(super) bodies: &'a [Rigid; BONES],
    /// The least and the most that the item reaches along its axes (m).
    pub(super) bounds: [Vec3; 2],
}

impl Table<'_> {
    /// Where the item is and how the palms are on it, at a part of what is done; `lies` is where the item is by itself.
    pub(super) fn posed(&self, holding: &Holding, done: f32, lies: Rigid) -> (Rigid, [Grip; 2]) {
        let part = done.fract();
        let eased = smoothstep(done);
        let began = holding.began;
        let on_all = [1.0, 1.0];
        let (pose, shares) = match holding.doing {
            Doing::Carry => (lies, began),
            Doing::Reach { near } => (lies, each(|side| if near[side] { toward(began[side], 1.0, eased) } else { 0.0 })),
            Doing::Lift => {
                let meets = smoothstep((2.0 * done - 1.0).max(0.0));
                (self.taken(holding.from, self.lap(holding), eased), began.map(|share| toward(share, 1.0, meets)))
            }
            Doing::Rest => (self.lap(holding), on_all),
            Doing::Eat | Doing::Drink => {
                let (raised, stays) = match done {
                    ..1.0 => (eased, 0.0),
                    1.0..2.0 => (1.0, part),
                    _ => (1.0 - smoothstep(done - 2.0), 0.0),
                };
                let up = if holding.doing == Doing::Eat { self.before_mouth(holding) } else { self.at_lips(holding, tip(stays)) };
                (self.lap(holding).between(&up, raised), on_all)
            }
            Doing::PutDown { to, near } => {
                let leaves = 1.0 - smoothstep((2.0 * done).min(1.0));
                let share = |side: usize| if near[side] { toward(began[side], 1.0, 1.0 - leaves) } else { began[side] * leaves };
                (self.taken(holding.from, to, eased), each(share))
            }
            Doing::Leave => (lies, began.map(|share| share * (1.0 - eased))),
        };
        let gripped = |side: usize| holding.grips[side].map(|grip| Grip { at: pose.point(grip), share: shares[side] });
        let free = || if holding.doing == Doing::Eat { self.bites(&pose, done) } else { Grip::default() };
        (pose, each(|side| gripped(side).unwrap_or_else(free)))
    }

    /// How the hand that holds nothing takes a bite: to the opening while that comes up, to the mouth, and back.
    fn bites(&self, pose: &Rigid, done: f32) -> Grip {
        let opening = pose.point(self.opening() + Vec3::Y * (DIPS * self.size()));
        let to_mouth = |share: f32| opening.lerp(mouth(self.ragdoll, self.bodies), share);
        match done {
            ..1.0 => Grip { at: opening, share: smoothstep(done) },
            1.0..2.0 => Grip { at: to_mouth(smoothstep(2.0 * (done - 1.0).min(2.0 - done))), share: 1.0 },
            _ => Grip { at: opening, share: 1.0 - smoothstep(done - 2.0) },
        }
    }

    fn size(&self) -> f32 {
        self.ragdoll.tall()
    }

    /// World from the figure's front.
    pub(super) fn front(&self) -> Quat {
        rotation_from_yaw(yaw_of(self.bodies[0].rotation))
    }

    /// The item upright, its grips to their hands' sides.
    pub(super) fn upright(&self, holding: &Holding) -> Quat {
        self.front() * rotation_from_yaw(holding.turn())
    }

    /// The middle of its top (the item's frame).
    fn opening(&self) -> Vec3 {
        let [least, most] = self.bounds;
        ((least + most) * 0.5).with_y(most.y)
    }

    /// Over the lap: between the thighs in both hands, else over its hand's thigh.
    fn lap(&self, holding: &Holding) -> Rigid {
        let tops = each(|side| thigh_top(self.ragdoll, self.bodies, side, ALONG));
        let [left, right] = holding.grips.map(|grip| grip.is_some());
        let top = if left && right { (tops[0] + tops[1]) * 0.5 } else { tops[usize::from(right)] };
        Rigid::new(self.upright(holding), top + Vec3::Y * (OVER * self.size() - self.bounds[0].y))
    }

    /// With its opening before the mouth.
    fn before_mouth(&self, holding: &Holding) -> Rigid {
        let rotation = self.upright(holding);
        let off = self.front() * Vec3::new(0.0, -UNDER, AHEAD) * self.size();
        Rigid::new(rotation, mouth(self.ragdoll, self.bodies) + off - rotation * self.opening())
    }

    /// With the near edge of its rim at the lips, tipped toward the face (rad).
    fn at_lips(&self, holding: &Holding, tipped: f32) -> Rigid {
        let upright = self.upright(holding);
        let tip = rotation_from_vector(self.front() * Vec3::NEG_X * tipped);
        let [least, most] = self.bounds;
        let half = (most - least) * 0.5;
        // Of a round one the edge is there from any side.
        let rim = self.opening() + upright.conjugate() * (self.front() * Vec3::NEG_Z) * half.x.min(half.z);
        let rotation = (tip * upright).normalize();
        let off = self.front() * Vec3::new(0.0, -LIPS_UNDER, LIPS_AHEAD) * self.size();
        Rigid::new(rotation, mouth(self.ragdoll, self.bodies) + off - rotation * rim)
    }

    /// On the way from one place to another, over and around what is between.
    fn taken(&self, from: Rigid, to: Rigid, share: f32) -> Rigid {
        let between = from.between(&to, share);
        // Off at first and there at last: beside a thigh it goes up before it goes in.
        let half = (2.0 * share - 1.0) * (2.0 * share - 1.0);
        let off = self.front() * Vec3::new(0.0, ARC, AROUND) * ((1.0 - half * half) * self.size());
        Rigid { translation: between.translation + off, ..between }
    }
}

/// How far it is tipped (rad) at a share of the stay at the lips.
fn tip(stays: f32) -> f32 {
    TIPPED * smoothstep((stays.min(1.0 - stays) / TIPS).min(1.0))
}

fn toward(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

/// Of the left and of the right.
fn each<T>(of: impl Fn(usize) -> T) -> [T; 2] {
    [of(0), of(1)]
}
