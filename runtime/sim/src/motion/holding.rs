//! What a figure knows of what it has in its hands.

use crate::figure::{Bone, Ragdoll};
use crate::id::ObjectHandle;
use crate::solve::boundary::{BodyState, Force};
use crate::space::{Rigid, Vec3, level, rotation_from_yaw, smoothstep};
use crate::trace::Deed;
use serde::{Deserialize, Serialize};
use std::f32::consts::{FRAC_PI_2, PI};
use std::mem::discriminant;

/// Level distance (m) of a grip from the middle of its item, or of two grips, under which they say no way to hold it.
const NO_WAY: f32 = 1.0e-3;
/// How far ahead of its hand's side a single grip is (rad): straight aside a cup at the lips has its hand nearer to the shoulder than an elbow
/// folds, and 4 cm off the grip; `eat`.
const AHEAD: f32 = 0.9;
/// The bones at whose ends the palms are, left and right.
const HANDS: [Bone; 2] = [Bone::ForearmL, Bone::ForearmR];

/// Something that is held, or reached for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holding {
    /// What.
    pub item: ObjectHandle,
    /// Where each palm grips it, left and right (the item's frame, m); `None`: that hand is free.
    pub grips: [Option<Vec3>; 2],
    /// Its mass (kg).
    pub mass: f32,
    /// What is being done with it.
    pub(crate) doing: Doing,
    /// How much of that is done: parts of it, each 0 to 1.
    pub(crate) done: f32,
    /// How much each palm was on its grip as that began, 0..=1.
    pub(crate) began: [f32; 2],
    /// Where the item was as that began (world from item).
    pub(crate) from: Rigid,
    /// Where its figure has it by now (world from item).
    pub(crate) pose: Rigid,
    /// Where it had it a step ago: what is decided in one step is drawn in the next.
    pub(crate) before: Rigid,
    /// Where it was put last (world from item): how it moves follows from that.
    pub(crate) placed: Option<Rigid>,
    /// Its figure is to stand up: it is put down once it is on the lap, and the figure rises once its hands are back.
    pub(crate) then_up: bool,
}

/// What is done with an item.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Doing {
    /// It hangs upright from the hand of one who is on its feet.
    Carry,
    /// The palms that reach it where it lies go to its grips.
    Reach { near: [bool; 2] },
    /// It is taken to the lap, where the other palm meets it.
    Lift,
    /// It is held over the lap.
    Rest,
    /// To the mouth, there, and back.
    Eat,
    /// The same, its rim to the lips and tipped.
    Drink,
    /// It is put down by the palms that reach there.
    PutDown { to: Rigid, near: [bool; 2] },
    /// It has been let go of, and the palms go back to the thighs.
    Leave,
}

impl Doing {
    /// Whether the item is the figure's in it.
    pub(crate) const fn holds(self) -> bool {
        !matches!(self, Self::Reach { .. } | Self::Leave)
    }
}

impl Holding {
    /// Whether the item is in its hands: what is reached for is not yet.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.doing.holds()
    }

    /// Whether it is at a bite, from lifting the item to having it back on the lap.
    #[must_use]
    pub fn eats(&self) -> bool {
        self.doing == Doing::Eat
    }

    /// Whether it is at a sip, as [`Holding::eats`].
    #[must_use]
    pub fn drinks(&self) -> bool {
        self.doing == Doing::Drink
    }

    /// Reached for or, on its feet, held, with its figure's hands still where they are.
    pub(crate) const fn new(item: ObjectHandle, grips: [Option<Vec3>; 2], mass: f32, lies: Rigid) -> Self {
        let (doing, done, began) = (Doing::Carry, 1.0, [0.0; 2]);
        Self { item, grips, mass, doing, done, began, from: lies, pose: lies, before: lies, placed: None, then_up: false }
    }

    /// The same from now on doing something else with it.
    pub(crate) fn begins(&self, doing: Doing, began: [f32; 2]) -> Self {
        Self { doing, done: 0.0, began, from: self.pose, ..self.clone() }
    }

    /// What hands that did the one and now do the other have begun to do, where that is worth telling of, and with what.
    pub(crate) fn deed(before: Option<&Self>, after: Option<&Self>) -> Option<(ObjectHandle, Deed)> {
        let holding = after.or(before)?;
        let (was, does) = (before.map(|holding| holding.doing), after.map(|holding| holding.doing));
        if was.map(|was| discriminant(&was)) == does.map(|does| discriminant(&does)) {
            return None;
        }
        let held = was.is_some_and(Doing::holds);
        let deed = match does {
            Some(Doing::Reach { .. }) => Deed::ReachFor,
            Some(Doing::Carry | Doing::Lift) if !held => Deed::Take,
            Some(Doing::Eat) => Deed::Eat,
            Some(Doing::Drink) => Deed::Drink,
            Some(Doing::PutDown { .. }) => Deed::PutDown { then_up: holding.then_up },
            Some(Doing::Leave) | None if matches!(was, Some(Doing::Reach { .. })) => Deed::Leave,
            Some(Doing::Leave) if matches!(was, Some(Doing::PutDown { .. })) => return None,
            Some(Doing::Leave) | None if held => Deed::LetGo,
            _ => return None,
        };
        Some((holding.item, deed))
    }

    /// How the item is turned about the vertical in the hands of one that faces +Z (rad): two grips lie to their hands' sides, a single one
    /// to its hand's side and ahead.
    pub(crate) fn turn(&self) -> f32 {
        // The left is along +X.
        let (way, yaw) = match self.grips {
            [Some(left), Some(right)] => (left - right, FRAC_PI_2),
            [Some(left), None] => (left, FRAC_PI_2 - AHEAD),
            [None, right] => (right.unwrap_or_default(), AHEAD - FRAC_PI_2),
        };
        if level(way).length() < NO_WAY { 0.0 } else { yaw - libm::atan2f(way.x, way.z) }
    }

    /// The hand that carries it on its own: the left one of two.
    pub(crate) fn carrier(&self) -> usize {
        usize::from(self.grips[0].is_none())
    }

    /// Where it hangs from its hand, ahead of it (world from item), its figure facing a way (rad); `bodies` are world from body.
    pub(crate) fn carried(&self, ragdoll: &Ragdoll, bodies: &[Rigid; crate::BONES], yaw: f32) -> Rigid {
        let side = self.carrier();
        let grip = self.grips[side].unwrap_or_default();
        let turn = if level(grip).length() < NO_WAY { 0.0 } else { PI - libm::atan2f(grip.x, grip.z) };
        let rotation = self.from.rotation.slerp(rotation_from_yaw(yaw + turn), smoothstep(self.done)).normalize();
        Rigid::new(rotation, crate::keyed::palm(ragdoll, bodies, side) - rotation * grip)
    }

    /// Which hands have it: both at rest on the lap and at a bite or sip, else those that carry it.
    #[must_use]
    pub fn hands(&self) -> [bool; 2] {
        [0, 1].map(|side| {
            self.grips[side].is_some()
                && match self.doing {
                    Doing::Carry => side == self.carrier(),
                    Doing::Lift => self.began[side] >= 1.0,
                    Doing::PutDown { near, .. } => near[side],
                    Doing::Rest | Doing::Eat | Doing::Drink => true,
                    Doing::Reach { .. } | Doing::Leave => false,
                }
        })
    }

    /// How it weighs on the hands that have it, under a gravity (m/s²) straight down.
    pub(crate) fn weight<'a>(
        &'a self,
        ragdoll: &'a Ragdoll,
        bodies: &'a [BodyState; crate::BONES],
        gravity: f32,
    ) -> impl Iterator<Item = Force> + 'a {
        let hands = self.hands();
        let share = self.mass * gravity / hands.iter().filter(|has| **has).count().max(1) as f32;
        (0..2).filter(move |side| hands[*side]).map(move |side| {
            let body = HANDS[side].index();
            let force = Vec3::NEG_Y * share;
            let lever = bodies[body].pose.rotation * ragdoll.palms[side];
            Force { body, force, torque: lever.cross(force) }
        })
    }

    /// What tells two states of it apart: what is done, how much of it, and where the item is.
    pub(crate) fn numbers(&self) -> [f32; 9] {
        let kind = match self.doing {
            Doing::Carry => 0.0,
            Doing::Reach { .. } => 1.0,
            Doing::Lift => 2.0,
            Doing::Rest => 3.0,
            Doing::Eat => 4.0,
            Doing::Drink => 5.0,
            Doing::PutDown { .. } => 6.0,
            Doing::Leave => 7.0,
        };
        let ([x, y, z], [a, b, c, d]) = (self.pose.translation.to_array(), self.pose.rotation.to_array());
        [kind, self.done, x, y, z, a, b, c, d]
    }

    /// Whether its numbers are such as holding can have come to.
    pub(crate) fn is_sound(&self) -> bool {
        let shares = self.began.iter().all(|share| (0.0..=1.0).contains(share));
        let to = if let Doing::PutDown { to, .. } = &self.doing { to.is_finite() } else { true };
        let gripped = self.grips.iter().flatten().count() > 0 && self.grips.iter().flatten().all(|grip| grip.is_finite());
        let placed = [Some(self.from), Some(self.pose), Some(self.before), self.placed].iter().flatten().all(Rigid::is_finite);
        shares && to && gripped && placed && (0.0..=3.0).contains(&self.done) && (0.0..=1.0e6).contains(&self.mass)
    }
}
