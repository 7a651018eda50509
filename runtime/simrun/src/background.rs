//! Measures and sweeps in processes of their own, at low priority: whatever becomes of one, the scene goes on.

use serde::Deserialize;
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

impl Job {
    /// Puts what is measured into a folder, where an editor does not change it meanwhile; the arguments that measure it there.
    pub fn put(&self, folder: &Path) -> std::io::Result<Vec<String>> {
        let stem = self.script.rsplit('/').next().unwrap_or_default();
        let file = folder.join(format!("{stem}.luau"));
        std::fs::write(&file, &self.text)?;
        let text = |path: &Path| path.display().to_string();
        let mut args = vec!["measure".to_owned()];
        match &self.own {
            Some(own) => {
                let measure = folder.join(Path::new(&self.measure.name).file_name().unwrap_or_default());
                // It may be the script itself.
                if measure != file {
                    std::fs::write(&measure, own)?;
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
        Ok(args)
    }

    /// The same for a sweep over parameters, with what else it is asked.
    pub fn put_to_sweep(&self, folder: &Path, params: &[String], more: &[String]) -> std::io::Result<Vec<String>> {
        let mut args = self.put(folder)?;
        "sweep".clone_into(&mut args[0]);
        args.splice(2..2, params.iter().cloned());
        if more.iter().any(|word| word.starts_with("--runs")) {
            args.retain(|arg| !arg.starts_with("--runs"));
        }
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
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("simrun-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let child = put(&folder).and_then(|args| spawn(&args, root.unwrap_or(&folder)));
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
            Ok(None) => State::Done(self.progress.done.load(Ordering::Relaxed), self.progress.of.load(Ordering::Relaxed)),
            Ok(Some(_)) => State::Over(self.printed()),
            Err(error) => State::Over(Err(error.to_string())),
        }
    }

    fn printed(&mut self) -> Result<String, String> {
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
