//! Writing a recording as the run goes.

use super::claims::{self, Owners};
use super::format::{MAGIC, VERSION, pack, put_block, put_varint, write};
use super::hash::RoomHashes;
use super::journal::Entry;
use super::model::KeptModel;
use super::poses::{EVERY, Poses};
use super::recording::{End, Header, Jump, Kind, MOST_SAME, Note, ScriptSource, StepRecord};
use crate::decide::Claims;
use crate::figure::Model;
use crate::id::StableId;
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Writes down a run, step by step. The bytes are handed out as they come, so that whoever keeps them can write a file.
#[derive(Debug)]
pub struct Recorder {
    bytes: Vec<u8>,
    blocks: u64,
    steps: u64,
    /// Models written so far.
    models: Vec<Arc<Model>>,
    /// The figures' names as written last.
    names: Vec<String>,
    /// The last step's entries, each as it is written.
    entries: Vec<Vec<u8>>,
    /// Claims as written last, by figure.
    claims: BTreeMap<StableId, Claims>,
    owners: Owners,
    /// For the coming step.
    jump: Option<Jump>,
    jump_models: Vec<KeptModel>,
    notes: Vec<Note>,
    /// Bytes by what they are spent on.
    spent: Spent,
}

/// Bytes of a recording by what they are spent on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Header, models, snapshot.
    pub beginning: usize,
    /// Commands and handles; what a step asks for as the one before did is said in its frame.
    pub commands: usize,
    /// Claims.
    pub claims: usize,
    /// Poses kept for other builds.
    pub poses: usize,
    /// Each step's frame: hashes, check, lengths.
    pub hashes: usize,
}

impl Recorder {
    /// Begins with a world as it stands, which keeps a journal from now on.
    #[must_use]
    pub fn new(world: &mut World, scene: &str, scripts: Vec<ScriptSource>) -> Self {
        world.keep_journal(true);
        let header = Header {
            build: super::build_id().to_owned(),
            scene: scene.to_owned(),
            step_hz: world.settings().step_hz,
            first_step: world.step_index(),
            scripts,
            figures: world.figures().map(|figure| figure.name.clone()).collect(),
        };
        let snapshot = world.snapshot();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let claims = world.figures().map(|figure| (figure.id, figure.claims.clone())).collect();
        let models = snapshot.models.clone();
        let mut recorder = Self {
            bytes,
            blocks: 0,
            steps: 0,
            models,
            names: header.figures.clone(),
            entries: Vec::new(),
            claims,
            owners: Owners::default(),
            jump: None,
            jump_models: Vec::new(),
            notes: Vec::new(),
            spent: Spent::default(),
        };
        let kept: Vec<KeptModel> = snapshot.models.iter().map(|model| KeptModel::of(model)).collect();
        recorder.block(&write(&header));
        recorder.block(&pack(&write(&kept)));
        recorder.block(&pack(&write(&snapshot)));
        recorder.spent.beginning = recorder.bytes.len();
        recorder
    }

    /// Writes down the step that the world has just taken.
    pub fn after_step(&mut self, world: &mut World, script_hash: u64) {
        let entries = world.take_journal();
        self.write_step(world, entries, script_hash);
    }

    /// The same, of what was asked before the step and in it, by whoever has taken the journal.
    pub fn write_step(&mut self, world: &World, mut entries: Vec<Entry>, script_hash: u64) {
        let written: Vec<Vec<u8>> = entries.iter().map(write).collect();
        // Those that spawn differ in their handles, so what comes again needs no model.
        let same = written.iter().zip(&self.entries).take_while(|(now, before)| now == before).count();
        let again = if same == written.len() && same == self.entries.len() { same } else { same.min(MOST_SAME) };
        self.entries = written;
        let record = StepRecord {
            again: again as u32,
            sim: world.last_hashes().packed().to_le_bytes(),
            poses: self.steps.is_multiple_of(EVERY).then(|| self.poses(world)),
            ..self.record(world, script_hash)
        };
        self.write_record(record, entries.split_off(again));
        self.steps += 1;
    }

    /// Writes down what was asked after the last step, by whoever has taken the journal, and what else was done there: bones claimed,
    /// another moment gone to, lines typed. Nothing is written where there was nothing; only [`Recorder::end`] may come after.
    pub fn write_closing(&mut self, world: &World, entries: Vec<Entry>, script_hash: u64) {
        let record = self.record(world, script_hash);
        if entries.is_empty() && record.jump.is_none() && record.notes.is_empty() && record.claims.is_empty() {
            return;
        }
        let sim = RoomHashes::of(world).packed().to_le_bytes();
        let poses = Some(self.poses(world));
        self.write_record(StepRecord { kind: Kind::Closing, sim, poses, ..record }, entries);
    }

    /// What has become of the world since the last record, but for what was asked.
    fn record(&mut self, world: &World, script_hash: u64) -> StepRecord {
        StepRecord {
            script: script_hash.to_le_bytes(),
            claims: self.changed_claims(world),
            models: std::mem::take(&mut self.jump_models),
            jump: self.jump.take(),
            notes: std::mem::take(&mut self.notes),
            ..StepRecord::default()
        }
    }

    fn write_record(&mut self, mut step: StepRecord, entries: Vec<Entry>) {
        for model in entries.iter().filter_map(|entry| entry.asked.model()) {
            step.wears.push(number_of(&mut self.models, &mut step.models, model));
        }
        step.entries = Arc::new(entries.into_iter().map(Arc::new).collect());
        let before = self.bytes.len();
        self.block(&write(&step));
        let spent = [
            if step.entries.is_empty() { 0 } else { write(&(&step.entries, &step.models, &step.wears)).len() },
            step.claims.len(),
            step.poses.as_ref().map_or(0, |poses| write(poses).len()),
        ];
        self.spent.commands += spent[0];
        self.spent.claims += spent[1];
        self.spent.poses += spent[2];
        self.spent.hashes += self.bytes.len() - before - spent.iter().sum::<usize>();
    }

    /// The run goes on from this state and not from the one after the last step.
    pub fn jump(&mut self, world: &World) {
        let snapshot = world.snapshot();
        let models = snapshot.models.iter().map(|model| number_of(&mut self.models, &mut self.jump_models, model)).collect();
        self.jump = Some(Jump { snapshot: pack(&write(&snapshot)), models });
        self.claims = world.figures().map(|figure| (figure.id, figure.claims.clone())).collect();
    }

    /// Writes down what a person did before the coming step.
    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Ends the recording; nothing may come after.
    pub fn end(&mut self) {
        self.block(&write(&End { steps: self.steps }));
    }

    /// The bytes since the last call.
    #[must_use]
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// What the bytes so far were spent on.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// What is shown, with the names where they have changed.
    fn poses(&mut self, world: &World) -> Poses {
        let names: Vec<String> = world.figures().map(|figure| figure.name.clone()).collect();
        let changed = names != self.names;
        if changed {
            self.names.clone_from(&names);
        }
        Poses { names: changed.then_some(names), ..Poses::of(world) }
    }

    fn block(&mut self, payload: &[u8]) {
        put_block(&mut self.bytes, self.blocks, payload);
        self.blocks += 1;
    }

    /// Each figure whose claims changed, by its place in the order of the ids: the place plus one, then the claims; 0 at the end.
    fn changed_claims(&mut self, world: &World) -> Vec<u8> {
        let mut out = Vec::new();
        let none = Claims::default();
        for (place, figure) in world.figures().enumerate() {
            let before = self.claims.get(&figure.id).unwrap_or(&none);
            if *before != figure.claims {
                put_varint(&mut out, place as u64 + 1);
                claims::put(&mut out, &mut self.owners, before, &figure.claims);
                self.claims.insert(figure.id, figure.claims.clone());
            }
        }
        self.claims.retain(|id, _| world.figures().any(|figure| figure.id == *id));
        out
    }
}

/// A model's number among all so far; a new one is written too.
fn number_of(models: &mut Vec<Arc<Model>>, written: &mut Vec<KeptModel>, model: &Arc<Model>) -> u32 {
    let known = models.iter().position(|known| Arc::ptr_eq(known, model));
    let number = known.unwrap_or(models.len());
    if known.is_none() {
        models.push(Arc::clone(model));
        written.push(KeptModel::of(model));
    }
    number as u32
}
