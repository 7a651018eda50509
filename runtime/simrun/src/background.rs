//! Measures and sweeps in processes of their own, at low priority: whatever becomes of one, the scene goes on.

use serde::Deserialize;
use simrun_script::NamedMeasure;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// Between two lines that say how far one is.
pub const APART: Duration = Duration::from_secs(10);

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
    /// Whether figures have feet of their own, as those of the run have.
    pub ankles: bool,
}

impl Job {
    /// Puts what is measured into a folder, where an editor does not change it meanwhile; the arguments that measure it there. Scripts
    /// are in it where they are in the folder of scripts: what they require is meant from there.
    pub fn put(&self, folder: &Path) -> std::io::Result<Vec<String>> {
        let root = folder.join("scripts");
        let write = |file: &Path, text: &str| {
            file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(file, text)
        };
        let file = root.join(format!("{}.luau", self.script));
        write(&file, &self.text)?;
        let text = |path: &Path| path.display().to_string();
        let mut args = vec!["measure".to_owned()];
        match &self.own {
            Some(own) => {
                let measure = root.join(&self.measure.name);
                // It may be the script itself.
                if measure != file {
                    write(&measure, own)?;
                }
                args.push(text(&measure));
            }
            None => args.extend([self.measure.name.clone(), format!("--script={}", text(&file))]),
        }
        args.extend(["--json".to_owned(), "--progress".to_owned(), "--jobs=1".to_owned()]);
        args.extend(self.measure.runs.map(|runs| format!("--runs={runs}")));
        args.extend(self.figure.as_deref().map(|figure| {
            // The process runs elsewhere; a file that is not there is told by it.
            let figure = figure.canonicalize().unwrap_or_else(|_| figure.to_owned());
            format!("--figure={}", text(&figure))
        }));
        args.extend(self.ankles.then(|| "--ankles".to_owned()));
        Ok(args)
    }

    /// The same for a sweep over parameters, with what else it is asked: an option of it takes the place of one of these.
    pub fn put_to_sweep(&self, folder: &Path, params: &[String], more: &[String]) -> std::io::Result<Vec<String>> {
        let mut args = self.put(folder)?;
        "sweep".clone_into(&mut args[0]);
        args.splice(2..2, params.iter().cloned());
        let option = |word: &str| word.starts_with("--").then(|| word.split('=').next().unwrap_or_default().to_owned());
        let given: Vec<String> = more.iter().filter_map(|word| option(word)).collect();
        args.retain(|arg| option(arg).is_none_or(|option| !given.contains(&option)));
        args.extend_from_slice(more);
        Ok(args)
    }
}

/// How far it is.
#[derive(Clone, Debug)]
pub enum State {
    /// So many runs, or trials of a sweep, of so many are done.
    Done(u64, u64),
    /// Over: the document that it printed, or why there is none, in one line.
    Over(Result<String, String>),
}

/// A process that measures; dropped, it is given up.
#[derive(Debug)]
pub struct Background {
    child: Child,
    document: Option<JoinHandle<String>>,
    /// Hears what it says on standard error.
    hears: Option<JoinHandle<()>>,
    progress: Arc<Progress>,
    /// Removed with this.
    _folder: TempDir,
}

/// What the process has said on standard error.
#[derive(Debug, Default)]
struct Progress {
    done: AtomicU64,
    of: AtomicU64,
    /// The last line that was no count.
    line: Mutex<String>,
}

/// What a document says where there is none.
#[derive(Deserialize)]
struct Refused {
    error: Option<String>,
}

impl Background {
    /// Begins in the folder `root`, or in one of its own, with the arguments that `put` gives once it has put into that one what they name.
    ///
    /// # Errors
    /// A folder or a process that cannot be made.
    pub fn start(root: Option<&Path>, put: impl FnOnce(&Path) -> std::io::Result<Vec<String>>) -> std::io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("simrun-").tempdir()?;
        let args = put(folder.path())?;
        let mut child = spawn(&args, root.unwrap_or(folder.path()))?;
        let progress: Arc<Progress> = Arc::default();
        let document = child.stdout.take().map(|mut out| {
            std::thread::spawn(move || {
                let mut text = String::new();
                // One that broke off makes no document, which is told.
                let _ = out.read_to_string(&mut text);
                text
            })
        });
        let hears = child.stderr.take().map(|lines| {
            let progress = Arc::clone(&progress);
            std::thread::spawn(move || BufReader::new(lines).lines().map_while(Result::ok).for_each(|line| progress.hear(line)))
        });
        Ok(Self { child, document, hears, progress, _folder: folder })
    }

    /// How far it is; it is over once.
    pub fn poll(&mut self) -> State {
        match self.child.try_wait() {
            Ok(None) => State::Done(self.progress.done.load(Ordering::Relaxed), self.progress.of.load(Ordering::Relaxed)),
            Ok(Some(_)) => State::Over(self.printed()),
            Err(error) => State::Over(Err(error.to_string())),
        }
    }

    fn printed(&mut self) -> Result<String, String> {
        // The process may be over before its last line has been read.
        let _ = self.hears.take().map(JoinHandle::join);
        let text = self.document.take().and_then(|document| document.join().ok()).unwrap_or_default();
        match serde_json::from_str::<Refused>(&text) {
            Ok(Refused { error: None }) => Ok(text),
            Ok(Refused { error: Some(why) }) => Err(why),
            Err(_) => Err(self.progress.line.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // One that is over already cannot be ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
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
