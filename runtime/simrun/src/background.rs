//! A measure of one text of a behaviour, taken in a process of its own at low priority: whatever becomes of it, the scene goes on.

use serde::Deserialize;
use simrun_measure::Row;
use simrun_script::NamedMeasure;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// What is to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The script's name.
    pub script: String,
    /// Its text.
    pub text: String,
    /// By what.
    pub measure: NamedMeasure,
    /// The text of the measure, where it is one of the scripts.
    pub own: Option<String>,
    /// The folder of scripts that it is one of: what it requires and what else figures carry is there.
    pub root: Option<PathBuf>,
    /// The model that is measured, in place of the box man.
    pub figure: Option<PathBuf>,
}

/// How far it is.
#[derive(Clone, Debug)]
pub enum State {
    /// So many runs of so many are done.
    Runs(u64, u64),
    /// Over: the table's rows, or why there are none, in one line.
    Over(Result<Vec<Row>, String>),
}

/// A measure that is being taken; dropped, it is given up.
#[derive(Debug)]
pub struct Background {
    child: Child,
    document: Option<JoinHandle<String>>,
    progress: Arc<Progress>,
    folder: PathBuf,
}

/// What the process has said on standard error.
#[derive(Debug, Default)]
struct Progress {
    done: AtomicU64,
    of: AtomicU64,
    /// The last line that was no count.
    line: Mutex<String>,
}

/// What is read of a measure's document.
#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    rows: Vec<Row>,
    error: Option<String>,
}

impl Background {
    /// Begins.
    ///
    /// # Errors
    /// A folder or a process that cannot be made.
    pub fn start(job: &Job) -> std::io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("simrun-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let child = put(job, &folder).and_then(|args| spawn(&args, job.root.as_deref().unwrap_or(&folder)));
        let mut child = child.inspect_err(|_| drop(std::fs::remove_dir_all(&folder)))?;
        let progress: Arc<Progress> = Arc::default();
        let document = child.stdout.take().map(|mut out| {
            std::thread::spawn(move || {
                let mut text = String::new();
                // One that broke off makes no document, which is told.
                let _ = out.read_to_string(&mut text);
                text
            })
        });
        if let Some(lines) = child.stderr.take() {
            let progress = Arc::clone(&progress);
            std::thread::spawn(move || BufReader::new(lines).lines().map_while(Result::ok).for_each(|line| progress.hear(line)));
        }
        Ok(Self { child, document, progress, folder })
    }

    /// How far it is; it is over once.
    pub fn poll(&mut self) -> State {
        match self.child.try_wait() {
            Ok(None) => State::Runs(self.progress.done.load(Ordering::Relaxed), self.progress.of.load(Ordering::Relaxed)),
            Ok(Some(_)) => State::Over(self.rows()),
            Err(error) => State::Over(Err(error.to_string())),
        }
    }

    fn rows(&mut self) -> Result<Vec<Row>, String> {
        let text = self.document.take().and_then(|document| document.join().ok()).unwrap_or_default();
        match serde_json::from_str::<Document>(&text) {
            Ok(Document { error: None, rows }) => Ok(rows),
            Ok(Document { error: Some(why), .. }) => Err(why),
            Err(_) => Err(self.progress.line.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // One that is over already cannot be ended, and a folder that stays is the system's to clear.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Progress {
    fn hear(&self, line: String) {
        let count = line.split_once(" of ").and_then(|(done, of)| Some((done.parse().ok()?, of.parse().ok()?)));
        match count {
            Some((done, of)) => {
                self.done.store(done, Ordering::Relaxed);
                self.of.store(of, Ordering::Relaxed);
            }
            None => *self.line.lock().unwrap_or_else(PoisonError::into_inner) = line,
        }
    }
}

/// Puts what is measured into a folder, where an editor does not change it meanwhile; the arguments that measure it there.
fn put(job: &Job, folder: &Path) -> std::io::Result<Vec<String>> {
    let stem = job.script.rsplit('/').next().unwrap_or_default();
    let file = folder.join(format!("{stem}.luau"));
    std::fs::write(&file, &job.text)?;
    let text = |path: &Path| path.display().to_string();
    let mut args = vec!["measure".to_owned()];
    match &job.own {
        Some(own) => {
            let measure = folder.join(Path::new(&job.measure.name).file_name().unwrap_or_default());
            // It may be the script itself.
            if measure != file {
                std::fs::write(&measure, own)?;
            }
            args.push(text(&measure));
        }
        None => args.extend([job.measure.name.clone(), format!("--script={}", text(&file))]),
    }
    args.extend(["--json".to_owned(), "--progress".to_owned(), "--jobs=1".to_owned()]);
    args.extend(job.measure.runs.map(|runs| format!("--runs={runs}")));
    args.extend(job.figure.as_deref().map(|figure| {
        // The process runs elsewhere; a file that is not there is told by it.
        let figure = figure.canonicalize().unwrap_or_else(|_| figure.to_owned());
        format!("--figure={}", text(&figure))
    }));
    Ok(args)
}

/// This program again, in a folder, behind whatever else wants the processor.
fn spawn(args: &[String], folder: &Path) -> std::io::Result<Child> {
    let program = std::env::current_exe()?;
    let start = |mut command: Command| {
        command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    #[cfg(unix)]
    {
        let mut nice = Command::new("nice");
        nice.args(["-n", "15"]).arg(&program);
        // A system without `nice` measures at the usual priority.
        start(nice).or_else(|_| start(Command::new(&program)))
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        const BELOW_NORMAL_PRIORITY_CLASS: u32 = 0x4000;
        let mut command = Command::new(&program);
        command.creation_flags(BELOW_NORMAL_PRIORITY_CLASS);
        start(command)
    }
    #[cfg(not(any(unix, windows)))]
    start(Command::new(&program))
}
