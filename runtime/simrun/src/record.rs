//! The run as a file, written as it goes.

use simrun_script::{LoadedTexts, Scripts};
use simrun_sim::World;
use simrun_sim::record::{Entry, Note, Recorder};
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
    /// What was typed before the coming step.
    lines: Vec<String>,
    /// Texts that are written down.
    texts: LoadedTexts,
    /// The first write that went wrong; nothing is written after it.
    fault: Option<std::io::Error>,
    steps: u64,
}

impl RecordFile {
    /// Makes the file and writes where the run begins, with which arguments.
    ///
    /// # Errors
    /// A file that cannot be made or written.
    pub fn create(path: &Path, world: &mut World, scene: &str, scripts: &Scripts, args: Vec<String>) -> std::io::Result<Self> {
        let mut file = File::create(path)?;
        let mut recorder = Recorder::new(world, scene, scripts.loaded_sources());
        file.write_all(&recorder.take_bytes())?;
        recorder.note(Note::Began(args));
        Ok(Self { recorder, file, lines: Vec::new(), texts: LoadedTexts::default(), fault: None, steps: 0 })
    }

    /// Notes a line before it is run: what it does belongs to it.
    pub fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    /// The last line was only the beginning of something longer.
    pub fn take_line_back(&mut self) {
        self.lines.pop();
    }

    /// Before a step, or the end: what was typed since the last one, and texts that run from here on.
    pub fn before_step(&mut self, scripts: &Scripts) {
        self.lines.drain(..).for_each(|line| self.recorder.note(Note::Line(line)));
        let texts = scripts.loaded_texts();
        for source in texts.that_differ(&self.texts) {
            self.recorder.note(Note::Text { path: source.path, text: source.text });
        }
        self.texts = texts;
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

    /// Ends the recording with what was asked after the last step; says what went wrong.
    pub fn end(&mut self, world: &World, asked: Vec<Entry>, scripts: &Scripts) -> Option<String> {
        self.before_step(scripts);
        self.recorder.write_closing(world, asked, scripts.script_hash());
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
