//! Running a recording again: the corridor, with a `Decide` that reads the log.

use super::claims::{self, Owners};
use super::format::take_varint;
use super::hash::RoomHashes;
use super::recording::{Kind, Recording, RecordingError, StepRecord};
use crate::decide::{Claims, Decide};
use crate::id::StableId;
use crate::world::{World, WorldSettings};
use std::collections::BTreeMap;

/// Where a replay came to other bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step.
    pub step: u64,
    /// The first room, by its hash.
    pub room: &'static str,
    /// No step: what came after the last one, `step` being the one that would have come next.
    pub closing: bool,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = if self.closing { "what was asked before step" } else { "step" };
        write!(f, "{what} {} differs from the recording, from {} on", self.step, self.room)
    }
}

/// A recording being run again, without Lua.
#[derive(Debug)]
pub struct Replay<'a> {
    recording: &'a Recording,
    next: usize,
    owners: Owners,
    /// By figure, as read last.
    claims: BTreeMap<StableId, Claims>,
}

impl<'a> Replay<'a> {
    /// The world at the recording's beginning, stepped by so many threads, and what takes it on.
    ///
    /// # Errors
    /// A recording of another build, or one whose snapshot contradicts itself: also where the solver's library panics over it. What
    /// such a panic prints is the program's own affair (`std::panic::set_hook`).
    pub fn new(recording: &'a Recording, threads: usize) -> Result<(World, Self), RecordingError> {
        let unfit = |why: String| RecordingError::nonsense("the snapshot", why);
        if !recording.is_of_this_build() {
            let made = &recording.header().build;
            return Err(unfit(format!("it was made by build {made}; this is {}", super::build_id())));
        }
        let mut world = World::new(WorldSettings { threads, ..WorldSettings::default() });
        let restored = contained(|| world.restore(&recording.snapshot)).map_err(unfit)?;
        restored.map_err(|error| unfit(error.to_string()))?;
        let mut replay = Self { recording, next: 0, owners: Owners::default(), claims: BTreeMap::new() };
        replay.begin(&mut world);
        Ok((world, replay))
    }

    /// Goes on from a state.
    fn begin(&mut self, world: &mut World) {
        // What a script had asked for before is in the log, where it was applied.
        world.forget_queue();
        self.claims = world.figures().map(|figure| (figure.id, figure.claims.clone())).collect();
    }

    /// Takes the next step; `None` at the end, else where it differs from the recording, if it does.
    ///
    /// # Errors
    /// A log that cannot have been recorded: it names what is not there; or a beginning from which the solver cannot go on. The world
    /// is then in no state to be used.
    pub fn step(&mut self, world: &mut World) -> Result<Option<Option<Difference>>, RecordingError> {
        let Some(step) = self.recording.steps.get(self.next) else { return Ok(None) };
        let difference = self.run(world, step)?;
        self.next += 1;
        Ok(Some(difference))
    }

    /// Does what came after the last step, once that has been taken: the world is then as the recording left it. Returns where it
    /// differs, if it does. Before the last step, and a second time, it does nothing.
    ///
    /// # Errors
    /// As [`Replay::step`].
    pub fn finish(&mut self, world: &mut World) -> Result<Option<Difference>, RecordingError> {
        let Some(closing) = self.recording.closing.as_ref().filter(|_| self.next == self.recording.steps.len()) else {
            return Ok(None);
        };
        let difference = self.run(world, closing)?;
        self.next += 1;
        Ok(difference)
    }

    /// Does what a record says. Returns where the world differs from it, if it does.
    fn run(&mut self, world: &mut World, step: &StepRecord) -> Result<Option<Difference>, RecordingError> {
        let next = self.recording.header().first_step.saturating_add(self.next as u64);
        let unfit = |why: String| RecordingError::nonsense(format!("what step {next} goes on from"), why);
        if let Some(snapshot) = self.recording.jump(step).map_err(unfit)? {
            let restored = contained(|| world.restore(&snapshot)).map_err(unfit)?;
            restored.map_err(|error| unfit(error.to_string()))?;
            self.begin(world);
        }
        let index = world.step_index();
        let nonsense = |why: String| RecordingError::nonsense(format!("step {index}"), why);
        let mut reader = Reader { step, owners: &mut self.owners, claims: &mut self.claims, fault: None };
        let taken = contained(|| take(world, &mut reader)).map_err(nonsense)?;
        taken.map_err(nonsense)?;
        // As the recorder does: one who comes again under the same name comes without claims.
        self.claims.retain(|id, _| world.figures().any(|figure| figure.id == *id));
        let closing = step.kind == Kind::Closing;
        let found = if closing { RoomHashes::of(world) } else { world.last_hashes() };
        let room = RoomHashes::first_difference(u64::from_le_bytes(step.sim), found.packed());
        Ok(room.map(|room| Difference { step: index, room, closing }))
    }
}

/// One step, with what was asked before it and in it; or what came after the last one.
fn take(world: &mut World, reader: &mut Reader<'_>) -> Result<(), String> {
    for entry in reader.step.entries.iter().filter(|entry| !entry.in_decide) {
        entry.asked.apply(world).map_err(|error| error.to_string())?;
    }
    if reader.step.kind == Kind::Closing {
        reader.decide(world);
    } else {
        world.step(reader);
    }
    reader.fault.take().map_or(Ok(()), Err)
}

/// What a snapshot says inside the solver's library is not ours to check (see [`Snapshot`](crate::world::Snapshot)): where it panics
/// at that, the recording is at fault, and the world is used no more.
fn contained<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        format!("the solver cannot go on from there ({})", said.and_then(|said| said.lines().next()).unwrap_or("it gave up"))
    })
}

/// What stands in the scripts' place.
struct Reader<'a> {
    step: &'a StepRecord,
    owners: &'a mut Owners,
    claims: &'a mut BTreeMap<StableId, Claims>,
    fault: Option<String>,
}

impl Decide for Reader<'_> {
    fn decide(&mut self, world: &mut World) {
        for entry in self.step.entries.iter().filter(|entry| entry.in_decide) {
            if let Err(error) = entry.asked.apply(world) {
                self.fault = Some(error.to_string());
            }
        }
        let changed = read_claims(self.step, self.owners, self.claims, world);
        if changed.is_none() {
            self.fault = Some("its claims cannot be read".to_owned());
        }
    }
}

fn read_claims(step: &StepRecord, owners: &mut Owners, known: &mut BTreeMap<StableId, Claims>, world: &mut World) -> Option<()> {
    let mut bytes = step.claims.as_slice();
    while !bytes.is_empty() {
        let place = usize::try_from(take_varint(&mut bytes)?).ok()?.checked_sub(1)?;
        let figure = world.figures().nth(place)?;
        let (handle, id) = (figure.handle, figure.id);
        let before = known.entry(id).or_default();
        *before = claims::take(&mut bytes, owners, before)?;
        world.set_claims(handle, before.clone()).ok()?;
    }
    Some(())
}
