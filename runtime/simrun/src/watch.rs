//! Watching scripts: directories, never files, for an editor that saves by renaming takes the file watched away.

use notify::{Config, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use simrun_measure::sources::walk;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Files that changed, by content, within one quiet time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Scripts that are new or differ, by name.
    pub written: Vec<String>,
    /// Scripts that are no more.
    pub gone: Vec<String>,
    /// The scene's file differs.
    pub scene: bool,
}

/// An editor's save is over when nothing happened for so long.
const QUIET: Duration = Duration::from_millis(60);
/// How often `--poll` looks.
const POLL: Duration = Duration::from_millis(250);

/// Keeps watching for as long as it lives.
pub struct Watch {
    _watcher: Box<dyn Watcher + Send>,
}

/// Watches a folder of scripts and a scene's folder; `tell` hears of each change and says whether to go on.
///
/// # Errors
/// What the system says.
pub fn watch(
    scripts: Option<&Path>,
    scene: &Path,
    poll: bool,
    tell: impl Fn(Change) -> bool + Send + 'static,
) -> notify::Result<Watch> {
    let (stirred, stirs) = channel();
    // What happened does not matter: the contents are compared.
    let handler = move |_: notify::Result<notify::Event>| {
        let _ = stirred.send(());
    };
    let mut watcher: Box<dyn Watcher + Send> = if poll {
        let config = Config::default().with_poll_interval(POLL).with_compare_contents(true);
        Box::new(PollWatcher::new(handler, config)?)
    } else {
        Box::new(RecommendedWatcher::new(handler, Config::default())?)
    };
    let files = Files { scripts: scripts.map(Path::to_owned), scene: scene.to_owned() };
    if let Some(scripts) = scripts {
        watcher.watch(scripts, RecursiveMode::Recursive)?;
    }
    let folder = scene.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    watcher.watch(folder, RecursiveMode::NonRecursive)?;
    // Read here, before anybody is told that the run has begun: a thread might first read what was saved since.
    let known = files.contents();
    std::thread::spawn(move || compare(&files, known, &stirs, tell));
    Ok(Watch { _watcher: watcher })
}

fn compare(files: &Files, mut known: BTreeMap<Key, u64>, stirs: &Receiver<()>, tell: impl Fn(Change) -> bool) {
    while stirs.recv().is_ok() {
        while stirs.recv_timeout(QUIET).is_ok() {}
        let mut now = files.contents();
        if now.iter().any(|(key, content)| *content == EMPTY && known.get(key) != Some(content)) {
            // Emptied first and written after: one more look.
            std::thread::sleep(QUIET);
            now = files.contents();
        }
        let mut change = Change::default();
        for (key, _) in now.iter().filter(|(key, content)| known.get(*key) != Some(content)) {
            match key {
                Key::Scene => change.scene = true,
                Key::Script(name) => change.written.push(name.clone()),
            }
        }
        let gone = known.keys().filter(|key| !now.contains_key(*key));
        change.gone.extend(gone.filter_map(|key| if let Key::Script(name) = key { Some(name.clone()) } else { None }));
        if change != Change::default() && !tell(change) {
            return;
        }
        known = now;
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Scene,
    Script(String),
}

struct Files {
    scripts: Option<PathBuf>,
    scene: PathBuf,
}

/// What stands for a file without anything in it.
const EMPTY: u64 = 0;

impl Files {
    /// A hash of each file's content.
    fn contents(&self) -> BTreeMap<Key, u64> {
        let mut contents = BTreeMap::new();
        let mut look = |key: Key, path: &Path| {
            if let Ok(bytes) = std::fs::read(path) {
                contents.insert(key, if bytes.is_empty() { EMPTY } else { hash(&bytes) });
            }
        };
        look(Key::Scene, &self.scene);
        if let Some(scripts) = &self.scripts {
            walk(scripts, "", &mut |name, path| look(Key::Script(name.to_owned()), path));
        }
        contents
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
