//! The run as a file, written as it goes.

use simrun_sim::World;
use simrun_sim::record::{Entry, Recorder, ScriptSource};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Steps between two writes: a second at 60 Hz. What a crash costs is no more than that.
const WRITE_STEPS: u64 = 60;

/// A recording and the file that it goes to.
#[derive(Debug)]
pub struct RecordFile {
    recorder: Recorder,
    file: File,
    /// The first write that went wrong; nothing is written after it.
    fault: Option<std::io::Error>,
    steps: u64,
}

impl RecordFile {
    /// Makes the file and writes where the run begins.
    ///
    /// # Errors
    /// A file that cannot be made or written.
    pub fn create(path: &Path, world: &mut World, scene: &str, scripts: Vec<ScriptSource>) -> std::io::Result<Self> {
        let mut file = File::create(path)?;
        let mut recorder = Recorder::new(world, scene, scripts);
        file.write_all(&recorder.take_bytes())?;
        Ok(Self { recorder, file, fault: None, steps: 0 })
    }

    /// The run goes on from here, and not from the end of the last step.
    pub fn jump(&mut self, world: &World) {
        self.recorder.jump(world);
    }

    /// Writes down a step, with what was asked before it and in it; says once what went wrong.
    pub fn after_step(&mut self, world: &World, mut asked: Vec<Entry>, inside: Vec<Entry>, script_hash: u64) -> Option<String> {
        asked.extend(inside);
        self.recorder.write_step(world, asked, script_hash);
        self.steps += 1;
        if self.steps.is_multiple_of(WRITE_STEPS) { self.write() } else { None }
    }

    /// Ends the recording; says what went wrong.
    pub fn end(&mut self) -> Option<String> {
        self.recorder.end();
        self.write()
    }

    /// Whether every write went well.
    pub fn is_whole(&self) -> bool {
        self.fault.is_none()
    }

    fn write(&mut self) -> Option<String> {
        let bytes = self.recorder.take_bytes();
        if self.fault.is_some() {
            return None;
        }
        self.fault = self.file.write_all(&bytes).err();
        self.fault.as_ref().map(|error| format!("--record: {error}; the recording ends before step {}", self.steps))
    }
}
