//! Snapshots: all of a world, so that going on from one gives the same bits as never having stopped.

use super::{Figure, State, World};
use crate::command::Command;
use crate::crowd::HordeCommand;
use crate::error::Error;
use crate::figure::{BONES, Model};
use crate::id::key_of;
use crate::solve::boundary::Holds;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All of a world between two steps. Models are shared with the world, not copied.
///
/// A snapshot of another build is refused or means something else. One that comes out of a file is not proof against malice:
/// [`World::restore`] refuses what contradicts itself in all that is this crate's own (handles, names, indices, counts, ranges) and
/// in what the solver's library shows of itself. Inside that library's own structures a forged snapshot can still say what makes it
/// panic, run for long or end the process.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// The world's state, without models.
    state: Vec<u8>,
    /// The solver's, as it writes itself.
    solver: Vec<u8>,
    /// For each figure that lives, then each horde, then each of them that a queued command makes, the index of its model.
    wears: Vec<u32>,
    step: u64,
    /// Written to files once for all, in a form of their own.
    #[serde(skip)]
    pub(crate) models: Vec<Arc<Model>>,
}

impl Snapshot {
    /// The step that a world restored from it takes next.
    #[must_use]
    pub const fn step_index(&self) -> u64 {
        self.step
    }

    /// Bytes that it holds, models not counted.
    #[must_use]
    pub fn size(&self) -> usize {
        self.state.len() + self.solver.len() + self.wears.len() * size_of::<u32>()
    }
}

impl World {
    /// Everything there is, between two steps.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut models: Vec<Arc<Model>> = Vec::new();
        let mut wears = Vec::new();
        let queued = self.state.queue.iter().filter_map(|command| match command {
            Command::Spawn { spec, .. } => Some(&spec.model),
            Command::Horde { command: HordeCommand::Add(spec), .. } => Some(&spec.model),
            _ => None,
        });
        let hordes = self.state.hordes.values().map(|horde| &horde.model);
        for model in self.state.figures.values().flatten().map(|figure| &figure.model).chain(hordes).chain(queued) {
            let known = models.iter().position(|known| Arc::ptr_eq(known, model));
            wears.push(known.unwrap_or(models.len()) as u32);
            if known.is_none() {
                models.push(Arc::clone(model));
            }
        }
        // Plain data into memory: nothing of it can fail to be written.
        let state = postcard::to_allocvec(&self.state).unwrap_or_default();
        Snapshot { state, solver: self.solver.save(), wears, step: self.state.step, models }
    }

    /// Becomes the world that a snapshot was taken of. Clock, threads and journal stay this world's own.
    ///
    /// # Errors
    /// A snapshot of another build, a damaged one, or one that contradicts itself: nothing has changed.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let damaged = |why: String| Error::Snapshot(why);
        let mut state: State = postcard::from_bytes(&snapshot.state).map_err(|error| damaged(error.to_string()))?;
        let mut wears = snapshot.wears.iter();
        let mut model = || {
            let index = wears.next().and_then(|index| usize::try_from(*index).ok());
            index.and_then(|index| snapshot.models.get(index)).cloned().ok_or_else(|| damaged("a model is missing".to_owned()))
        };
        for figure in state.figures.values_mut().flatten() {
            figure.model = model()?;
        }
        for (name, horde) in &mut state.hordes {
            horde.dress(model()?, self.state.hordes.get(name));
        }
        for command in &mut state.queue {
            match command {
                Command::Spawn { spec, .. } => spec.model = model()?,
                Command::Horde { command: HordeCommand::Add(spec), .. } => spec.model = model()?,
                _ => {}
            }
        }
        state.settings.threads = self.state.settings.threads;
        state.check()?;
        if state.step != snapshot.step {
            return Err(damaged(format!("it names step {}; its world stands at {}", snapshot.step, state.step)));
        }
        let moved = state.figures.values().flatten().filter(|figure| figure.body.is_some() && !figure.is_parked());
        let bodies = |figure: &Figure| figure.model.ragdoll.as_ref().map_or(BONES, |ragdoll| ragdoll.solved().bodies.len());
        let figures: Vec<(u64, usize)> = moved.map(|figure| (key_of(figure.handle), bodies(figure))).collect();
        let objects: Vec<u64> = state.objects.values().flatten().map(|object| key_of(object.handle)).collect();
        let holds = Holds { figures: &figures, objects: &objects };
        self.solver.load(&snapshot.solver, holds).map_err(damaged)?;
        self.state = state;
        Ok(())
    }
}
