//! What was asked of a world, in order: with the claims, all that a run depends on beside where it began.

use crate::command::Command;
use crate::crowd::HordeCommand;
use crate::error::Error;
use crate::figure::Model;
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something asked of the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Asked {
    /// A command that has been applied.
    Command(Command),
    /// A handle for a figure of this name.
    ReserveFigure(String),
    /// A handle for an object of this name.
    ReserveObject(String),
}

impl Asked {
    /// Asks it again, of a world where it is not that step's DECIDE.
    ///
    /// # Errors
    /// What it names is not there, or a name is taken: nothing is applied.
    pub fn apply(&self, world: &mut World) -> Result<(), Error> {
        match self {
            Self::Command(command) => world.command(command.clone()),
            Self::ReserveFigure(name) => world.reserve_figure(name).map(drop),
            Self::ReserveObject(name) => world.reserve_object(name).map(drop),
        }
    }

    /// The model of a figure or a horde to be made.
    pub(crate) fn model_mut(&mut self) -> Option<&mut Arc<Model>> {
        match self {
            Self::Command(Command::Spawn { spec, .. }) => Some(&mut spec.model),
            Self::Command(Command::Horde { command: HordeCommand::Add(spec), .. }) => Some(&mut spec.model),
            _ => None,
        }
    }

    /// The model of a figure or a horde to be made.
    pub(crate) fn model(&self) -> Option<&Arc<Model>> {
        match self {
            Self::Command(Command::Spawn { spec, .. }) => Some(&spec.model),
            Self::Command(Command::Horde { command: HordeCommand::Add(spec), .. }) => Some(&spec.model),
            _ => None,
        }
    }
}

/// One entry of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Asked in DECIDE; else before the step's first room.
    pub in_decide: bool,
    /// What.
    pub asked: Asked,
}

/// Entries since they were last taken.
#[derive(Debug, Default)]
pub(crate) struct Journal(Vec<Entry>);

impl Journal {
    pub(crate) fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    pub(crate) fn take(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.0)
    }
}
