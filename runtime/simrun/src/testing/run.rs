//! Running tests of sessions.

use super::write::matters;
use super::{ENDING, Exact, Expected, SessionTest, hex};
use crate::Failure;
use crate::args::{Cli, Run};
use crate::check::walk;
use crate::console::Console;
use crate::session::Session;
use clap::Parser;
use simrun_measure::outcome::Outcome;
use simrun_scene::file::read_text;
use simrun_scene::{Code, Problem, Scene};
use std::path::{Path, PathBuf};

/// Where tests are looked for where no path is given.
const USUAL: &str = "tests";

/// What came of a test.
enum Verdict {
    /// It holds; what was left out of it, if anything.
    Holds(&'static str),
    /// What does not hold.
    Fails(Vec<String>),
}

/// Runs tests: files, and those in folders and the folders below them. A line each; whether all hold.
///
/// # Errors
/// No test there.
pub fn run(paths: &[PathBuf], console: &Console) -> Result<bool, Failure> {
    let usual = [PathBuf::from(USUAL)];
    let mut files = Vec::new();
    for path in if paths.is_empty() { &usual } else { paths } {
        if path.is_dir() {
            let mut found = Vec::new();
            walk(path, &mut found);
            files.extend(found.into_iter().filter(|file| file.to_string_lossy().ends_with(ENDING)));
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        let accepted = format!("files that end in {ENDING}, as `simrun replay FILE --as-test NAME` writes them");
        return Err(Failure(vec![Problem::argument(Code::NotFound, "test", "no tests there", accepted)]));
    }
    let mut all = true;
    for file in &files {
        let name = file.display();
        // One that cannot be run fails like any other: those after it are run all the same.
        let said = match read(file).and_then(|test| Ok((of(&test, file)?, test.steps))) {
            Ok((Verdict::Holds(but), steps)) => format!("ok      {name}: {steps} steps{but}"),
            Ok((Verdict::Fails(why), _)) => format!("FAILED  {name}: {}", why.join("; ")),
            Err(Failure(problems)) => {
                let why = problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; ");
                // Most name the file themselves.
                let of = if why.starts_with(&name.to_string()) { String::new() } else { format!("{name}: ") };
                format!("FAILED  {of}{why}")
            }
        };
        all &= said.starts_with("ok");
        console.value(&said);
    }
    Ok(all)
}

/// Reads a test.
///
/// # Errors
/// A file that cannot be read or is no test, with its line.
fn read(file: &Path) -> Result<SessionTest, Failure> {
    let text = read_text(file).map_err(|problem| Failure(vec![*problem]))?;
    serde_json::from_str(&text).map_err(|error| {
        let at = (error.line() > 0).then(|| (error.line(), error.column()));
        let said = error.to_string();
        let found = said.split(" at line ").next().unwrap_or_default();
        let problem = Problem::new(Code::TestForm, file, found, "a test as `simrun replay FILE --as-test NAME` writes it");
        Failure(vec![Problem { at, ..problem }])
    })
}

/// Reads a test and what it is begun with: nothing runs.
///
/// # Errors
/// A file that cannot be read or is no test, arguments that are none, a scene that is gone or is none.
pub fn check(file: &Path) -> Result<(), Failure> {
    let test = read(file)?;
    let scene = scene_of(&test, file);
    arguments(&test, &scene, file)?;
    Scene::read(&scene).map(drop).map_err(Failure)
}

/// The file of a test's scene.
fn scene_of(test: &SessionTest, file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(&test.scene)
}

fn of(test: &SessionTest, file: &Path) -> Result<Verdict, Failure> {
    let scene = scene_of(test, file);
    let mut session = Session::open(&scene, &arguments(test, &scene, file)?, &Console::silent())?;
    session.look_on();
    let begins = hex(session.world().sim_hash());
    for typed in &test.lines {
        session.step_to(typed.after);
        // One that was put there by hand must not write files either.
        if matters(&typed.line) {
            session.whole_line(&typed.line);
        }
    }
    session.step_to(test.steps);
    let mut why: Vec<String> = session.report().errors;
    let outcomes = session.outcomes();
    for (name, expected) in &test.figures {
        match outcomes.iter().find(|outcome| outcome.name == *name) {
            Some(outcome) => why.extend(expected.failings(outcome).into_iter().map(|failing| format!("{name} {failing}"))),
            None => why.push(format!("there is no {name}")),
        }
    }
    let Some(exact) = &test.exact else { return Ok(Verdict::of(why, "")) };
    let but = exact.differs(&session, &begins);
    if but.is_none() && exact.ends != hex(session.world().sim_hash()) {
        why.push("it comes to other bits, with the same build, scene and scripts".to_owned());
    }
    Ok(Verdict::of(why, but.unwrap_or(", to the bit")))
}

/// How the session was begun, as `simrun` reads it.
fn arguments(test: &SessionTest, scene: &Path, file: &Path) -> Result<Run, Failure> {
    let line = ["simrun".into(), scene.as_os_str().to_owned(), "--headless".into()];
    let cli = Cli::try_parse_from(line.into_iter().chain(test.args.iter().map(Into::into)));
    cli.map(|cli| cli.run).map_err(|error| {
        let said = error.to_string();
        let found = format!("args: {}", said.lines().next().unwrap_or_default().trim_start_matches("error: "));
        Failure(vec![Problem::new(Code::TestForm, file, found, "arguments of `simrun SCENE`")])
    })
}

impl Verdict {
    fn of(why: Vec<String>, but: &'static str) -> Self {
        if why.is_empty() { Self::Holds(but) } else { Self::Fails(why) }
    }
}

impl Expected {
    fn failings(&self, outcome: &Outcome) -> Vec<String> {
        let fell =
            self.fell.filter(|fell| *fell != outcome.fell).map(|fell| if fell { "does not fall" } else { "falls" }.to_owned());
        let numbers = [
            ("head_mps", self.head_mps, outcome.head_mps.unwrap_or_default()),
            ("steps", self.steps, f64::from(outcome.steps)),
            ("still_s", self.still_s, outcome.still_s.unwrap_or(f64::INFINITY)),
        ];
        let wrong = numbers.into_iter().filter_map(|(name, bound, found)| {
            let bound = bound.filter(|bound| !bound.holds(found))?;
            Some(format!("{name} {found:.2}, held to {bound}"))
        });
        fell.into_iter().chain(wrong).collect()
    }
}

impl Exact {
    /// What keeps a run from coming to the same bits.
    fn differs(&self, session: &Session, begins: &str) -> Option<&'static str> {
        let scripts = session.loaded_sources().into_iter().map(|source| (source.path, hex(source.hash))).collect();
        if self.build != simrun_sim::record::build_id() {
            Some(" (another build: not to the bit)")
        } else if self.begins != begins {
            Some(" (another scene: not to the bit)")
        } else if self.scripts != scripts {
            Some(" (other scripts: not to the bit)")
        } else {
            None
        }
    }
}
