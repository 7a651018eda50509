//! Parts: a mode and a strength of their own, on a figure that is otherwise whole.

use super::{Mode, Motion};
use crate::figure::{BONES, Bone, Part};
use crate::solve::boundary::BodySet;
use serde::{Deserialize, Serialize};

/// How a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartRecord {
    /// `Animated`: as the rest of the figure. `Powered`: on its muscles, where the figure follows its clip. `Limp`: without muscle.
    pub mode: Mode,
    /// Lasting share of its muscle, 0..=1.
    pub strength: f32,
}

impl Default for PartRecord {
    fn default() -> Self {
        Self { mode: Mode::Animated, strength: 1.0 }
    }
}

/// What drives one bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// Its clip, position and all.
    Clip,
    /// The muscle of its joint.
    Muscle,
    /// Nothing.
    Nothing,
}

impl Motion {
    /// What drives each bone: as the figure's mode says, but for parts with one of their own.
    #[must_use]
    pub fn driven(&self) -> [Driven; BONES] {
        self.driven_where(match self.mode {
            Mode::Powered => Driven::Muscle,
            Mode::Limp => Driven::Nothing,
            Mode::Animated | Mode::GettingUp | Mode::Acting => Driven::Clip,
        })
    }

    /// Bones that their clip does not drive where it drives the figure: they are drawn as their bodies hang.
    #[must_use]
    pub fn loose(&self) -> BodySet {
        if self.record.parts.iter().all(|part| part.mode == Mode::Animated) {
            return BodySet::NONE;
        }
        let driven = self.driven_where(Driven::Clip);
        BodySet::of(|body| driven.get(body).is_some_and(|by| *by != Driven::Clip))
    }

    /// The mode of a part.
    #[must_use]
    pub fn part_mode(&self, part: Part) -> Mode {
        self.record.parts[part as usize].mode
    }

    /// What hangs from a part that its clip lets go of is on its muscles with it: held in the world, arms would hold a swaying chest. The
    /// pelvis hangs on no joint, and goes with the figure.
    fn driven_where(&self, usual: Driven) -> [Driven; BONES] {
        let mut driven = [usual; BONES];
        for bone in Bone::ALL {
            let Some(parent) = bone.parent() else { continue };
            driven[bone.index()] = match (usual, self.part_mode(bone.part())) {
                (Driven::Nothing, _) | (_, Mode::Limp) => Driven::Nothing,
                (_, Mode::Powered) => Driven::Muscle,
                _ if driven[parent.index()] != Driven::Clip => Driven::Muscle,
                _ => usual,
            };
        }
        driven
    }
}
