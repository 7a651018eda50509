//! A scene being run: the world, its scripts, and what a person or a pipe may ask of them between two steps.

mod ask;
mod measured;
mod reload;
mod travel;
mod tune;

use crate::Failure;
use crate::args::Run;
use crate::console::Console;
use crate::control::Hub;
use crate::line::{self, Doing, Line};
use crate::past::{self, Past};
use crate::program::Program;
use crate::record::RecordFile;
use crate::testing::SessionWatch;
use crate::vet::Vet;
use simrun_measure::outcome::Outcome;
use simrun_measure::report::{self, Observer, Report};
use simrun_measure::sources::Folder;
use simrun_scene::{Models, Overrides, Scene};
use simrun_script::{Candidate, Eval, Problem, Scripts, Sources as _};
use simrun_sim::World;
use simrun_sim::record::{Entry, ScriptSource};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a line came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Done, with nothing to say.
    Nothing,
    /// Done, with something to say.
    Value(String),
    /// Not done, and why in one line.
    Error(String),
    /// The line is the beginning of something longer.
    More,
}

/// A scene being run.
pub struct Session {
    world: World,
    scripts: Scripts,
    program: Rc<RefCell<Program>>,
    observer: Observer,
    record: Option<RecordFile>,
    console: Console,
    folder: Folder,
    file: PathBuf,
    scene: String,
    hub: Hub,
    past: Past,
    kept: travel::Kept,
    /// What was asked of the world since the last step.
    asked: Vec<Entry>,
    /// How much of that the recording has: it is in the state that it goes on from.
    recorded: usize,
    /// Scripts that were saved and do not go yet.
    unfit: BTreeSet<String>,
    /// Whether a save is followed by the same again.
    again_on_save: bool,
    measured: measured::Measured,
    tuning: Option<tune::Tuning>,
    /// The model in every figure's place.
    figure: Option<PathBuf>,
    /// Every figure was given ankles.
    ankles: bool,
    /// It runs in real time, and files are watched.
    live: bool,
    /// Lines of something longer, so far.
    begun: String,
    /// Lines for later, by their times (s), earliest first.
    later: Vec<(f64, Line)>,
    /// Lines whose time had come are being run.
    in_due: bool,
    /// Steps that were taken, those gone back over too.
    taken: u64,
    /// Time that the past took.
    keeping: Duration,
    /// Looks at what becomes of the figures, where somebody wants to know.
    watch: Option<SessionWatch>,
    /// Somebody pressed Ctrl-C.
    stop: Arc<AtomicBool>,
    start: Instant,
}

impl Session {
    /// Reads a scene, builds its world and starts its scripts.
    ///
    /// # Errors
    /// Everything that is wrong with the scene, its models and the arguments.
    pub fn open(file: &Path, args: &Run, console: &Console) -> Result<Self, Failure> {
        let mut scene = Scene::read(file).map_err(Failure)?;
        let folder = Folder::of_scene(file);
        let mut vet = Vet::new(&folder)?;
        let mut problems = vet.scene(&scene, file);
        problems.extend(vet.set_all(&mut scene, &args.set));
        for motion in scene.figures.iter_mut().filter_map(|figure| figure.motion.as_mut()) {
            motion.muscles |= args.muscles;
            motion.ankles |= args.ankles;
        }
        let program = Rc::new(RefCell::new(Program {
            console: console.clone(),
            models: Models::beside(file),
            scene: scene.clone(),
            folder: file.parent().unwrap_or(Path::new("")).to_owned(),
            paused: false,
            speed: args.speed,
            wants_reload: false,
            wants_quit: false,
            read_only: false,
            heard: None,
        }));
        let seed = args.seed.unwrap_or(scene.seed);
        let mut scripts =
            Scripts::new(Rc::new(folder.clone()), program.clone(), seed).map_err(|error| Failure::of(error.to_string()))?;
        let overrides = Overrides { seed: Some(seed), threads: Some(usize::from(args.threads)), figure: args.figure.clone() };
        let built = scene.build(file, &mut program.borrow_mut().models, &overrides);
        let mut world = match built {
            Ok(world) if problems.is_empty() => world,
            built => {
                problems.extend(built.err().unwrap_or_default());
                return Err(Failure(problems));
            }
        };
        world.set_clock(since_start);
        world.keep_journal(true);
        let observer = Observer::new(&world);
        let problems = scripts.start(&mut world, scene.script.as_deref());
        let record = args.record.as_deref().map(|path| {
            if path.canonicalize().is_ok_and(|path| file.canonicalize().is_ok_and(|file| path == file)) {
                return Err(Failure::of(format!("--record: {} is the scene itself", path.display())));
            }
            RecordFile::create(path, &mut world, &scene.name, &scripts, args.to_args(file))
                .map_err(|error| Failure::of(format!("--record: {}: {error}", path.display())))
        });
        let mut session = Self {
            world,
            scripts,
            program,
            observer,
            record: record.transpose()?,
            console: console.clone(),
            folder,
            file: file.to_owned(),
            scene: scene.name,
            hub: Hub::default(),
            past: Past::new(past::BYTES),
            kept: travel::Kept::default(),
            asked: Vec::new(),
            recorded: 0,
            unfit: BTreeSet::new(),
            again_on_save: false,
            measured: measured::Measured::default(),
            tuning: None,
            figure: args.figure.clone(),
            ankles: args.ankles,
            live: false,
            begun: String::new(),
            later: Vec::new(),
            in_due: false,
            taken: 0,
            keeping: Duration::ZERO,
            watch: None,
            stop: Arc::default(),
            start: Instant::now(),
        };
        session.tell(problems);
        session.past.begin(&session.world, &session.scripts);
        Ok(session)
    }

    /// The simulation as it stands.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// From now on somebody steps it in real time and tells of saves.
    pub fn go_live(&mut self) {
        self.live = true;
    }

    /// Where lines go.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// Whoever listens at the control port.
    pub fn hub(&mut self) -> &mut Hub {
        &mut self.hub
    }

    /// The scene's file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Where the scripts are.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Seconds that the scene says it lasts.
    pub fn scene_seconds(&self) -> Option<f64> {
        self.program.borrow().scene.seconds.map(f64::from)
    }

    /// Whether the clock stands.
    pub fn is_paused(&self) -> bool {
        self.program.borrow().paused
    }

    /// Simulated seconds a second.
    pub fn speed(&self) -> f64 {
        self.program.borrow().speed
    }

    /// Whether somebody asked for the end.
    pub fn wants_quit(&self) -> bool {
        self.program.borrow().wants_quit
    }

    /// Lines for now, then one step.
    pub fn step(&mut self) {
        self.run_due();
        self.gather();
        let mut asked = std::mem::take(&mut self.asked);
        if self.scripts.take_touched() {
            self.past.touch();
        }
        let start = Instant::now();
        self.past.before_step(&self.world, &self.scripts, &asked);
        self.keeping += start.elapsed();
        if let Some(record) = &mut self.record {
            record.before_step(&self.scripts);
        }
        let start = Instant::now();
        self.world.step(&mut self.scripts);
        self.scripts.take_touched();
        self.taken += 1;
        if let Some(watch) = &mut self.watch {
            watch.after_step(&self.world);
        }
        self.observer.after_step(&self.world, start.elapsed());
        self.past.after_step(&self.world);
        self.hub.after_step(&self.world, &self.kept.ghost);
        let problems = self.scripts.problems();
        self.tell(problems);
        for frozen in self.frozen() {
            self.say(&Reply::Error(frozen));
        }
        let inside = self.world.take_journal();
        asked.drain(..std::mem::take(&mut self.recorded));
        if let Some(record) = &mut self.record
            && let Some(fault) = record.after_step(&self.world, asked, inside, self.scripts.script_hash())
        {
            self.say(&Reply::Error(fault));
        }
        if std::mem::take(&mut self.program.borrow_mut().wants_reload) {
            let reply = self.reload_all();
            self.say(&reply);
        }
    }

    /// Takes steps until so many have been taken in all, those that were gone back over too.
    pub fn step_to(&mut self, taken: u64) {
        while self.taken < taken && !self.stop.load(Ordering::Relaxed) {
            self.step();
        }
    }

    /// From now on it is looked at what becomes of the figures, and no file is written.
    pub fn look_on(&mut self) {
        self.watch = Some(SessionWatch::new(&self.world));
        self.program.borrow_mut().read_only = true;
    }

    /// What has become of the figures, where that was looked at.
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.watch.as_ref().map(|watch| watch.outcomes(&self.world)).unwrap_or_default()
    }

    /// The texts that are loaded, by path and hash.
    pub fn loaded_sources(&self) -> Vec<ScriptSource> {
        self.scripts.loaded_sources()
    }

    /// Takes note of what was asked of the world.
    fn gather(&mut self) {
        self.asked.extend(self.world.take_journal());
    }

    /// A line of the prompt or a pipe, between two steps.
    pub fn line(&mut self, text: &str) -> Reply {
        let (text, line) = if self.begun.is_empty() {
            match Line::parse(text) {
                Ok(Line::Lua(text)) if text.is_empty() => return Reply::Nothing,
                Ok(line) => (text.to_owned(), line),
                Err(why) => return Reply::Error(why),
            }
        } else {
            let whole = format!("{}\n{text}", std::mem::take(&mut self.begun));
            (whole.clone(), Line::Lua(whole))
        };
        if let Some(record) = &mut self.record {
            record.line(&text);
        }
        let reply = self.run(line);
        if reply == Reply::More
            && let Some(record) = &mut self.record
        {
            record.take_line_back();
        }
        reply
    }

    /// A line that stands for itself, whatever somebody is in the middle of typing, of one who does not see the log: what was printed
    /// meanwhile comes with the reply.
    pub fn whole_line(&mut self, text: &str) -> (Reply, Vec<String>) {
        let begun = std::mem::take(&mut self.begun);
        self.program.borrow_mut().heard = Some(Vec::new());
        let reply = self.line(text);
        self.begun = begun;
        (reply, self.program.borrow_mut().heard.take().unwrap_or_default())
    }

    /// Drops the lines of something longer; whether there were any.
    pub fn abandon(&mut self) -> bool {
        !std::mem::take(&mut self.begun).is_empty()
    }

    /// Says a reply where values and errors go; an error counts as one of the run's.
    pub fn say(&mut self, reply: &Reply) {
        match reply {
            Reply::Value(text) => self.console.value(text),
            Reply::Error(text) => {
                self.console.error(text);
                self.observer.error(text.as_str());
            }
            Reply::Nothing | Reply::More => {}
        }
    }

    /// What could stand at a place of a line: where it begins, and the candidates.
    pub fn complete(&self, line: &str, at: usize) -> (usize, Vec<Candidate>) {
        if line.starts_with(':') && !line[..at].contains(' ') {
            let fits = line::COMMANDS.into_iter().filter(|(name, _, _)| name.starts_with(&line[..at]));
            return (0, fits.map(|(name, _, what)| Candidate::new(name, what)).collect());
        }
        self.scripts.complete(&self.world, line, at)
    }

    /// Becomes true when somebody wants what goes on to stop; whoever has stopped sets it back.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Ends the recording, if there is one. Whether all of it was written.
    pub fn end(&mut self) -> bool {
        let Some(mut record) = self.record.take() else { return true };
        self.gather();
        let asked = self.asked.split_off(self.recorded);
        if let Some(fault) = record.end(&self.world, asked, &self.scripts) {
            self.say(&Reply::Error(fault));
        }
        record.is_whole()
    }

    /// Whether anything that was said went wrong: a line, a script, a file.
    pub fn has_errors(&self) -> bool {
        self.observer.has_errors()
    }

    /// The report up to now.
    pub fn report(&self) -> Report {
        let run = report::Run {
            scene: self.scene.clone(),
            script_hash: self.scripts.script_hash(),
            wall: self.start.elapsed(),
            keeping: self.keeping,
            past_bytes: self.past.bytes(),
        };
        self.observer.report(&self.world, &run)
    }

    fn run(&mut self, line: Line) -> Reply {
        let mut program = self.program.borrow_mut();
        match line {
            Line::Help => return Reply::Value(line::help()),
            Line::Pause => program.paused = true,
            Line::Resume => program.paused = false,
            Line::Speed(speed) => program.speed = speed,
            Line::Quit => program.wants_quit = true,
            Line::At(time, line) => {
                drop(program);
                return self.put_off(time, *line);
            }
            Line::Step(steps) => {
                drop(program);
                self.advance(steps);
                return self.now();
            }
            Line::Rewind(seconds) => {
                drop(program);
                return match self.rewind(seconds) {
                    Ok(_) => self.now(),
                    Err(why) => Reply::Error(format!(":rewind {why}")),
                };
            }
            Line::Tune(asked) => {
                drop(program);
                return self.tune(&asked);
            }
            Line::Why(name, time) => {
                drop(program);
                return match self.why(&name, time) {
                    Ok(said) => Reply::Value(said),
                    Err(why) => Reply::Error(format!(":why {name}: {why}")),
                };
            }
            Line::Mark(name) => {
                drop(program);
                self.mark(name);
                return Reply::Nothing;
            }
            Line::Again(Doing::OnSave(on)) => {
                drop(program);
                self.again_on_save = on;
                return Reply::Nothing;
            }
            Line::Again(Doing::Now(mark)) => {
                drop(program);
                return match self.again(mark.as_deref()) {
                    Ok(said) => Reply::Value(said),
                    Err(why) => Reply::Error(format!(":again: {why}")),
                };
            }
            Line::Measure(doing) => {
                drop(program);
                return match doing {
                    Doing::Now(name) => self.measure(name),
                    Doing::OnSave(on) => {
                        self.measure_saves(on);
                        Reply::Nothing
                    }
                };
            }
            Line::Keep(name) => {
                drop(program);
                return self.keep(name);
            }
            Line::Revert(name) => {
                drop(program);
                return self.revert(name);
            }
            Line::Reload(name) => {
                drop(program);
                return match name {
                    None => self.reload_all(),
                    Some(name) => match self.folder.behaviour(&name) {
                        Ok(_) => self.reload(&[name]),
                        Err(why) => Reply::Error(why.to_string()),
                    },
                };
            }
            Line::Lua(text) => {
                drop(program);
                return self.eval(text);
            }
        }
        Reply::Nothing
    }

    fn eval(&mut self, text: String) -> Reply {
        let mut eval = self.scripts.eval(&mut self.world, &text);
        while let Eval::Asks(request) = eval {
            let answer = self.perform(request);
            eval = self.scripts.answer(&mut self.world, answer);
        }
        let reply = match eval {
            Eval::Asks(_) => Reply::Nothing,
            Eval::Value(value) => Reply::Value(value),
            Eval::Nothing => Reply::Nothing,
            Eval::Error(why) => Reply::Error(why),
            Eval::Incomplete => {
                self.begun = text;
                Reply::More
            }
        };
        let problems = self.scripts.problems();
        self.tell(problems);
        reply
    }

    fn put_off(&mut self, time: f64, line: Line) -> Reply {
        if time < self.world.time() {
            return Reply::Error(format!(":at {time}: it is {:.3} s already", self.world.time()));
        }
        let place = self.later.partition_point(|(earlier, _)| *earlier <= time);
        self.later.insert(place, (time, line));
        Reply::Nothing
    }

    /// Runs the lines whose time has come. Each was taken off the list first: it runs once. A line that takes steps itself leaves those
    /// that come due meanwhile to the round that it is in.
    fn run_due(&mut self) {
        if std::mem::replace(&mut self.in_due, true) {
            return;
        }
        self.run_all_due();
        self.in_due = false;
    }

    fn run_all_due(&mut self) {
        // Half a step early is the nearest step there is.
        let now = |world: &World| world.time() + 0.5 * f64::from(world.dt());
        while self.later.first().is_some_and(|(time, _)| *time <= now(&self.world)) {
            let (time, line) = self.later.remove(0);
            let reply = match self.run(line) {
                Reply::More => {
                    self.abandon();
                    Reply::Error(format!(":at {time}: the line is not complete"))
                }
                reply => reply,
            };
            self.say(&reply);
        }
    }

    fn now(&self) -> Reply {
        Reply::Value(format!("step {}, {:.3} s", self.world.step_index(), self.world.time()))
    }

    /// The models that are known, for runs apart from this one.
    fn models(&self) -> Models {
        self.program.borrow().models.clone()
    }

    fn tell(&mut self, problems: Vec<Problem>) {
        for problem in problems {
            self.say(&Reply::Error(problem.to_string()));
        }
    }
}

/// The simulation has no clock of its own: this one times its rooms.
fn since_start() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
