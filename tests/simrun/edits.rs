//! Random edits of scripts while the street runs: good, broken, half-written, wrong in their trial, renamed, deleted, of a module.

use super::control::Served;
use super::street;
use std::path::Path;
use std::time::{Duration, Instant};

/// Edits: `SIMRUN_EDITS=1000` takes as many as live coding is held to.
fn edits() -> usize {
    crate::support::asked("SIMRUN_EDITS", 24)
}

/// Edits from which on a run is the whole: by itself, and held to all that live coding is held to.
const WHOLE: usize = 1000;

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Good,
    Renamed,
    Broken,
    Half,
    WrongAtTheThird,
    Deleted,
    Module,
    BrokenModule,
}

impl Edit {
    /// Whether an error is told of it, whatever was there before.
    fn is_told(self) -> bool {
        matches!(self, Self::Broken | Self::Half | Self::WrongAtTheThird | Self::BrokenModule)
    }
}

const EDITS: [Edit; 8] =
    [Edit::Good, Edit::Broken, Edit::Module, Edit::Renamed, Edit::WrongAtTheThird, Edit::BrokenModule, Edit::Half, Edit::Deleted];

/// A behaviour that says once which version runs, with how many steps it has been in, and in which step.
fn behaviour(version: usize, then: &str) -> String {
    format!(
        "local words = require(\"./words\")
return {{ step = function(fig, state)
	state.count = (state.count or 0) + 1
	local version = \"{version}.\" .. words.version
	if state.version ~= version then
		state.version, state.since = version, state.count
		print(\"version\", version, state.count, sim.step())
	end
	{then}
end }}\n"
    )
}

fn module(version: usize) -> String {
    format!("return {{ version = \"{version}\" }}\n")
}

/// A number that follows from its index and nothing else, spread evenly over 0 to 1.
fn unit(index: usize) -> f64 {
    (index as f64 * 0.618_033_988_749_895).fract()
}

/// Kilobytes that a process holds.
fn kilobytes(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// What runs, how many steps its state has seen less the world's, and what else was said.
fn heard(log: Vec<String>, running: &mut (String, Option<i64>), errors: &mut Vec<String>) {
    for line in log {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["version", version, count, step] = words[..] {
            let kept = count.parse::<i64>().expect("a count") - step.parse::<i64>().expect("a step");
            assert!(running.1.is_none_or(|before| before == kept), "the state is kept: {line}");
            *running = (version.to_owned(), Some(kept));
        } else if !line.starts_with("reloaded ") && !line.starts_with("read ") {
            errors.push(line);
        }
    }
}

/// What is in a file, and what of it may run.
#[derive(Clone, Debug, Default)]
struct Content {
    /// The version that runs.
    running: usize,
    /// What the file holds: a version that passes, or something that does not.
    now: Option<usize>,
    /// Versions that it held since it was looked at last: one that was read in passing may run where what is there now does not.
    between: Vec<usize>,
}

impl Content {
    fn new() -> Self {
        Self { now: Some(0), ..Self::default() }
    }

    fn saved(&mut self, version: Option<usize>) {
        self.between.extend(self.now);
        self.now = version;
    }

    fn changes(&self) -> bool {
        self.now.is_some_and(|now| now != self.running)
    }

    fn may_run(&self, version: usize) -> bool {
        self.now.map_or_else(|| version == self.running || self.between.contains(&version), |now| now == version)
    }

    fn runs(&mut self, version: &str) {
        self.running = version.parse().expect("a version");
        self.between.clear();
    }
}

fn runs(version: &str, says: &Content, words: &Content) -> bool {
    let Some((one, other)) = version.split_once('.') else { return false };
    [(one, says), (other, words)].iter().all(|(version, file)| version.parse().is_ok_and(|version| file.may_run(version)))
}

#[test]
fn random_edits_leave_the_last_that_passed_running() {
    let folder = street();
    let scripts = folder.path().join("scripts");
    let write = |name: &str, text: &str| std::fs::write(scripts.join(name), text).expect("a file");
    write("words.luau", &module(0));
    write("says.luau", &behaviour(0, ""));
    let scene = folder.path().join("scenes/s.json");
    let text = std::fs::read_to_string(&scene).expect("it is there");
    std::fs::write(&scene, text.replacen("\"behaviours\": [", "\"behaviours\": [ \"says\", ", 1)).expect("a file");
    let served = Served::start(&scene);
    let mut client = served.client();
    let (mut running, mut errors) = ((String::new(), None), Vec::new());
    let (mut says, mut words) = (Content::new(), Content::new());
    let (mut last_step, mut waits, mut memory) = (0, Vec::new(), Vec::new());
    for index in 1..=edits() {
        let edit = EDITS[index % EDITS.len()];
        let saved = Instant::now();
        apply(edit, index, &scripts);
        match edit {
            Edit::Good | Edit::Renamed => says.saved(Some(index)),
            Edit::Module => words.saved(Some(index)),
            Edit::BrokenModule => words.saved(None),
            Edit::Broken | Edit::Half | Edit::WrongAtTheThird | Edit::Deleted => says.saved(None),
        }
        // Now and then the next comes before this one is read.
        if unit(index) > 0.8 && index < edits() {
            std::thread::sleep(Duration::from_millis((40.0 * unit(3 * index)) as u64));
            continue;
        }
        let swaps = says.changes() || words.changes();
        let told = errors.len();
        // What does not run is told, and for a while after nothing else comes of it.
        let done = |running: &str, errors: usize| match swaps {
            true => runs(running, &says, &words),
            false => (errors > told || !edit.is_told()) && saved.elapsed() > Duration::from_millis(400),
        };
        while saved.elapsed() < Duration::from_secs(5) && !done(&running.0, errors.len()) {
            std::thread::sleep(Duration::from_millis(2));
            heard(served.log(), &mut running, &mut errors);
        }
        assert!(done(&running.0, errors.len()), "edit {index}, {edit:?}, is not told: {errors:#?}");
        assert!(runs(&running.0, &says, &words), "edit {index}, {edit:?}: {} runs, {says:?}, {words:?}: {errors:#?}", running.0);
        let (one, other) = running.0.split_once('.').expect("both");
        says.runs(one);
        words.runs(other);
        if swaps {
            waits.push(saved.elapsed().saturating_sub(QUIET));
        }
        let step: u64 = client.ask("sim.step()")["value"].as_str().and_then(|step| step.parse().ok()).expect("it answers");
        assert!(step > last_step, "it goes on");
        last_step = step;
        memory.extend(kilobytes(served.id()));
    }
    let bad =
        (1..=edits()).filter(|index| !matches!(EDITS[index % EDITS.len()], Edit::Good | Edit::Renamed | Edit::Module)).count();
    assert!(errors.len() <= bad, "{} lines of errors for {bad} bad edits: {errors:#?}", errors.len());
    assert!(errors.iter().all(|line| line.contains("goes on")), "{errors:#?}");
    assert!(bad < EDITS.len() || !errors.is_empty(), "no error is told");
    eprintln!("{} edits, {} lines of errors", edits(), errors.len());
    waits.sort_unstable();
    if let [least, ..] = waits[..] {
        let median = waits[waits.len() / 2];
        eprintln!("from save to acting, beside the quiet time: least {least:?}, median {median:?}");
        // Beside the other tests it is one of many at the processor.
        let (held, most) = if edits() >= WHOLE { (median, 100) } else { (least, 2000) };
        assert!(held <= Duration::from_millis(most), "from save to acting: least {least:?}, median {median:?}");
    }
    if let [.., last] = memory[..] {
        let half = memory[memory.len() / 2];
        eprintln!("memory: {half} KB at half, {last} KB at the end");
        // States of the last two minutes are kept, in at most 128 MB; a short run has not come to that.
        let most = if edits() >= WHOLE { 160 } else { 40 };
        assert!(last < half + (most << 10), "memory grows: {half} KB at half, {last} KB at the end");
    }
}

/// What an editor's save is waited for.
const QUIET: Duration = Duration::from_millis(60);

fn apply(edit: Edit, index: usize, scripts: &Path) {
    let write = |name: &str, text: &str| std::fs::write(scripts.join(name), text).expect("a file");
    let good = behaviour(index, "");
    match edit {
        Edit::Good => write("says.luau", &good),
        Edit::Renamed => {
            write(".says.tmp", &good);
            std::fs::rename(scripts.join(".says.tmp"), scripts.join("says.luau")).expect("a new name");
        }
        Edit::Broken => write("says.luau", &good.replace("then", "than")),
        Edit::Half => write("says.luau", &good[..good.len() / 2]),
        Edit::WrongAtTheThird => {
            write("says.luau", &behaviour(index, "if state.count - state.since == 3 then error('third') end"))
        }
        // It may be gone already.
        Edit::Deleted => drop(std::fs::remove_file(scripts.join("says.luau"))),
        Edit::Module => write("words.luau", &module(index)),
        Edit::BrokenModule => write("words.luau", "return {"),
    }
}
