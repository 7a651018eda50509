//! A recording in memory, decoded and checked.

use super::format::{Blocks, MAGIC, VERSION, read, unpack};
use super::journal::Entry;
use super::model::KeptModel;
use super::poses::{EVERY, FigurePose, Poses};
use crate::figure::Model;
use crate::space::Rigid;
use crate::world::Snapshot;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A script that ran when a recording was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptSource {
    /// Its path, as messages name it.
    pub path: String,
    /// Hash of its text.
    pub hash: u64,
}

/// What a recording says of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The build that made it, as [`build_id`](super::build_id) names it.
    pub build: String,
    /// The scene's name.
    pub scene: String,
    /// Steps a second.
    pub step_hz: f32,
    /// The step with which it begins.
    pub first_step: u64,
    /// The scripts that ran. A replay does not need them.
    pub scripts: Vec<ScriptSource>,
    /// Names of the figures that were there at the beginning, in the order of their ids.
    pub figures: Vec<String>,
}

/// The most entries of a step before that are taken again where others follow. All of them are shared, or a file of a megabyte could ask for all
/// of the memory.
pub(super) const MOST_SAME: usize = 8;

/// What a record is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    /// A step.
    #[default]
    Step,
    /// What came after the last step: no step is taken.
    Closing,
}

/// One step, as it was recorded; or what came after the last one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct StepRecord {
    pub(super) kind: Kind,
    /// How many of its first entries are those of the step before: a car that is told its speed in each step.
    pub(super) again: u32,
    /// Commands and reserved handles, in order; in a file those after the first that come again.
    pub(super) entries: Arc<Vec<Arc<Entry>>>,
    /// Models that are worn for the first time.
    pub(super) models: Vec<KeptModel>,
    /// For each command that spawns, the index of its model among all so far.
    pub(super) wears: Vec<u32>,
    /// Packed changes of claims.
    pub(super) claims: Vec<u8>,
    /// Packed hashes of the rooms.
    pub(super) sim: [u8; 8],
    /// Hash of the scripts' state.
    pub(super) script: [u8; 8],
    /// What was shown, every few steps.
    pub(super) poses: Option<Poses>,
    /// The run went on from elsewhere before this step.
    pub(super) jump: Option<Jump>,
    /// What was typed and loaded before this step, for people and for tests; a replay does not need it.
    pub(super) notes: Vec<Note>,
}

/// A state that the run went on from: back in time, or a future.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Jump {
    /// Packed.
    pub(super) snapshot: Vec<u8>,
    /// The snapshot's models, by their indices among all so far.
    pub(super) models: Vec<u32>,
}

/// Something that a person did, or that was done for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// The arguments that the run was begun with, the scene first; before the first step.
    Began(Vec<String>),
    /// A line of the prompt, a pipe or the control port, whole.
    Line(String),
    /// A script's or module's text, as it runs from here on.
    Text {
        /// As messages name it.
        path: String,
        /// Luau.
        text: String,
    },
}

/// Why bytes are no recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// Something else altogether.
    #[error("this is no simrun recording; accepted: a file that `--record` wrote")]
    Foreign,
    /// Another form.
    #[error("the recording has form {found}; accepted: {VERSION}")]
    Version {
        /// The form's number.
        found: u32,
    },
    /// A flipped byte, a hole, a splice.
    #[error("the recording is damaged in {what}, between byte {at} and the next block")]
    Damaged {
        /// The snapshot, a step.
        what: String,
        /// Where the damaged block begins (bytes).
        at: usize,
    },
    /// Whole, but it contradicts itself: nobody's `--record` wrote it.
    #[error("the recording contradicts itself in {what}: {why}")]
    Nonsense {
        /// The snapshot, a step.
        what: String,
        /// How.
        why: String,
    },
    /// It ends before its first step.
    #[error("the recording is cut off in {what}")]
    Cut {
        /// The snapshot, the header.
        what: String,
    },
}

impl RecordingError {
    pub(super) fn nonsense(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Nonsense { what: what.into(), why: why.into() }
    }
}

/// A recording, decoded.
///
/// Each block has a check, so what was damaged by chance is told. That is no proof against malice: who forges a file makes the checks
/// right. A forged one is refused where it contradicts itself, and a panic of the solver's library over its snapshot is an error of
/// [`Replay`](super::Replay). Not kept from it: what ends the process or runs for long inside that library (see [`Snapshot`]). Memory
/// goes with what its blocks unpack to, 256 MB each at most.
#[derive(Debug)]
pub struct Recording {
    header: Header,
    pub(super) snapshot: Snapshot,
    pub(super) steps: Vec<StepRecord>,
    /// What came after the last step.
    pub(super) closing: Option<StepRecord>,
    /// Every model, in the order in which they were first worn.
    models: Vec<Arc<Model>>,
    complete: bool,
}

/// What the last block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    pub(super) steps: u64,
}

impl Recording {
    /// Decodes a file's bytes. A recording that was cut off among its steps has those that are whole.
    ///
    /// # Errors
    /// Something else than a recording, another form, a damaged block by its step, contradictions.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordingError> {
        let rest = bytes.strip_prefix(MAGIC.as_slice()).ok_or(RecordingError::Foreign)?;
        let (version, rest) = rest.split_first_chunk().ok_or(RecordingError::Cut { what: "the header".to_owned() })?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(RecordingError::Version { found });
        }
        let mut blocks = Blocks::new(rest, bytes.len() - rest.len());
        let mut part = |what: &str| {
            let block = blocks.next(|| what.to_owned())?;
            block.ok_or_else(|| RecordingError::Cut { what: what.to_owned() })
        };
        let header = read::<Header>(part("the header")?).map_err(|why| RecordingError::nonsense("the header", why))?;
        let kept = unpacked::<Vec<KeptModel>>("the models", part("the models")?)?;
        let mut snapshot = unpacked::<Snapshot>("the snapshot", part("the snapshot")?)?;
        let models = kept.into_iter().map(|model| model.into_model().map(Arc::new)).collect::<Result<Vec<_>, _>>();
        snapshot.models = models.map_err(|why| RecordingError::nonsense("the models", why))?;
        if header.first_step != snapshot.step_index() {
            let why = format!("it names step {}; the snapshot is of step {}", header.first_step, snapshot.step_index());
            return Err(RecordingError::nonsense("the header", why));
        }
        let mut models = snapshot.models.clone();
        let Log { steps, closing, complete } = log(&mut blocks, header.first_step, &mut models)?;
        Ok(Self { header, snapshot, steps, closing, models, complete })
    }

    /// What it says of itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Steps recorded.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.steps.len() as u64
    }

    /// Whether it holds no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether it was ended, and not cut off.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether this build made it: only then can it be computed again.
    #[must_use]
    pub fn is_of_this_build(&self) -> bool {
        self.header.build == super::build_id()
    }

    /// Every step, and what came after the last one under the number of the step that was not taken.
    fn records(&self) -> impl Iterator<Item = (usize, &StepRecord)> {
        self.steps.iter().chain(&self.closing).enumerate()
    }

    /// Hash of the scripts' state after a step, counted from 0.
    #[must_use]
    pub fn script_hash(&self, step: usize) -> Option<u64> {
        self.steps.get(step).map(|step| u64::from_le_bytes(step.script))
    }

    /// Hash of the scripts' state in the end; `None` of a recording in which nothing is done.
    #[must_use]
    pub fn last_script_hash(&self) -> Option<u64> {
        self.closing.as_ref().or(self.steps.last()).map(|record| u64::from_le_bytes(record.script))
    }

    /// What was typed and loaded, with the step (counted from 0) before which it was; after the last one it is their number.
    pub fn notes(&self) -> impl Iterator<Item = (usize, &Note)> {
        self.records().flat_map(|(step, record)| record.notes.iter().map(move |note| (step, note)))
    }

    /// The states that the run went on from, with the step (counted from 0) that came next.
    pub fn jumps(&self) -> impl Iterator<Item = usize> {
        self.records().filter(|(_, record)| record.jump.is_some()).map(|(step, _)| step)
    }

    /// The world's state that a step went on from, if that was not the one after the step before.
    pub(super) fn jump(&self, step: &StepRecord) -> Result<Option<Snapshot>, String> {
        let Some(jump) = &step.jump else { return Ok(None) };
        let mut snapshot: Snapshot = unpack(&jump.snapshot).and_then(|bytes| read(&bytes))?;
        let model = |index: &u32| self.models.get(*index as usize).cloned().ok_or_else(|| "a model is missing".to_owned());
        snapshot.models = jump.models.iter().map(model).collect::<Result<_, _>>()?;
        Ok(Some(snapshot))
    }

    /// Packed hash of the simulation after a step, counted from 0; see [`RoomHashes::packed`](super::RoomHashes::packed).
    #[must_use]
    pub fn sim_hash(&self, step: usize) -> Option<u64> {
        self.steps.get(step).map(|step| u64::from_le_bytes(step.sim))
    }

    /// The figures as they were shown after the last step up to `step` (counted from 0) that kept them, in the order of their ids.
    /// Any build can read them.
    #[must_use]
    pub fn shown(&self, step: usize) -> &[FigurePose] {
        self.kept(step).map_or(&[], |poses| &poses.figures)
    }

    /// Everything that was kept of the figures: the step (counted from 0), their names, what they were shown as, in the same order. What
    /// came after the last step may have moved them once more.
    pub fn all_shown(&self) -> impl Iterator<Item = (usize, &[String], &[FigurePose])> {
        let mut names: &[String] = &self.header.figures;
        self.records().filter_map(move |(step, record)| {
            let poses = record.poses.as_ref()?;
            names = poses.names.as_deref().unwrap_or(names);
            Some((step, names, poses.figures.as_slice()))
        })
    }

    /// World from object, of a movable object by its place in the order of the ids; as [`Recording::shown`].
    #[must_use]
    pub fn shown_object(&self, step: usize, index: usize) -> Option<Rigid> {
        self.kept(step)?.object(index)
    }

    fn kept(&self, step: usize) -> Option<&Poses> {
        self.steps[..self.steps.len().min(step + 1)].iter().rev().take(EVERY as usize).find_map(|step| step.poses.as_ref())
    }
}

fn unpacked<T: serde::de::DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, RecordingError> {
    unpack(bytes).and_then(|bytes| read(&bytes)).map_err(|why| RecordingError::nonsense(what, why))
}

/// What follows after the beginning.
struct Log {
    steps: Vec<StepRecord>,
    closing: Option<StepRecord>,
    complete: bool,
}

fn log(blocks: &mut Blocks<'_>, first: u64, models: &mut Vec<Arc<Model>>) -> Result<Log, RecordingError> {
    let mut steps: Vec<StepRecord> = Vec::new();
    let mut closing = None;
    loop {
        let what = || format!("step {}", first.saturating_add(steps.len() as u64));
        let Some(block) = blocks.next(what)? else { return Ok(Log { steps, closing, complete: false }) };
        if let Ok(End { steps: count }) = read(block) {
            return match (blocks.is_empty(), count == steps.len() as u64) {
                (true, true) => Ok(Log { steps, closing, complete: true }),
                (true, false) => Err(RecordingError::nonsense("its end", format!("it names {count} steps"))),
                (false, _) => Err(RecordingError::nonsense("its end", "more follows after it")),
            };
        }
        if closing.is_some() {
            return Err(RecordingError::nonsense("its end", "more follows after what came after the last step"));
        }
        let record = record(block, steps.last(), models).map_err(|why| RecordingError::nonsense(what(), why))?;
        if record.kind == Kind::Closing {
            closing = Some(record);
        } else {
            steps.push(record);
        }
    }
}

fn record(block: &[u8], before: Option<&StepRecord>, models: &mut Vec<Arc<Model>>) -> Result<StepRecord, String> {
    let mut record = read::<StepRecord>(block)?;
    for kept in std::mem::take(&mut record.models) {
        models.push(Arc::new(kept.into_model()?));
    }
    let mut wears = record.wears.iter();
    for model in Arc::make_mut(&mut record.entries).iter_mut().filter_map(|entry| Arc::make_mut(entry).asked.model_mut()) {
        let worn = wears.next().and_then(|index| models.get(*index as usize));
        *model = Arc::clone(worn.ok_or("a model is missing")?);
    }
    let again = record.again as usize;
    if again > 0 {
        let before = before.map(|before| &before.entries).filter(|before| again <= before.len());
        let before = before.ok_or("it asks again for more than was asked for before it")?;
        if again == before.len() && record.entries.is_empty() {
            record.entries = Arc::clone(before);
        } else if again <= MOST_SAME {
            record.entries = Arc::new([&before[..again], &record.entries].concat());
        } else {
            return Err(format!("it asks again for {again} beside others; accepted: {MOST_SAME} at most"));
        }
    }
    Ok(record)
}
