//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use simrun_measure::sources::Folder;
use simrun_measure::sweep::{Better, Choice, Search, SweepOptions, Wanted};
use simrun_measure::{Conditions, Headings, Options, Progress, Span};
use simrun_sim::motion::ActClips;
use simrun_sim::solve::Backend;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Runs a scene of active ragdolls: a prompt in the terminal, scripts that change while it runs.
#[derive(Debug, Parser)]
#[command(
    name = "simrun",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    // Its place is taken by one that knows more.
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub run: Run,
}

/// What it does beside running a scene.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measures figures against a table: how they stand, are struck, fall, step, lie
    Measure(Measure),
    /// Takes a measure with other parameters of a behaviour, over and over: which are best, what they trade, which matter
    Sweep(Sweep),
    /// Draws twelve moments of a figure as lines, side and front
    Strip(Strip),
    /// Plays a recording again, without its scene, models and scripts
    Replay(Replay),
    /// Says every problem of scenes, scripts and models, with line and column
    Check {
        /// Files, or folders of them; without any: scenes, scripts and stdlib here
        paths: Vec<PathBuf>,
        /// One JSON document in place of lines
        #[arg(long)]
        json: bool,
    },
    /// Runs sessions again that `replay --as-test` wrote down, and says whether figures fare as they did
    Test {
        /// Files that end in .test.json, or folders of them; without any: tests here
        paths: Vec<PathBuf>,
    },
    /// Lists the codes that problems are told with
    #[command(after_help = simrun_scene::Code::listing())]
    Errors,
    /// Prints the JSON schema of scenes
    Schema {
        /// Of the parameters of all behaviours here and of figures' settings in place of that
        #[arg(long)]
        params: bool,
    },
    /// Says what there is to a name: a command, a measure, a behaviour, what scripts can call, an event, settings
    Help {
        /// Such as sweep, falls, catch_step, motion.hit, struck, settings
        topic: Option<String>,
    },
}

/// Running a scene.
#[derive(Clone, Debug, Args)]
pub struct Run {
    /// The scene's file
    #[arg(value_name = "SCENE", required = true)]
    pub scene: Option<PathBuf>,
    /// Puts your own model in every figure's place
    #[arg(long, value_name = "MODEL.glb")]
    pub figure: Option<PathBuf>,
    /// In place of the scene's seed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
    /// Simulated seconds a second
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true, value_parser = speed)]
    pub speed: f64,
    /// Threads that figures are spread over; the results are the same
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = threads)]
    pub threads: u16,
    /// No prompt, no page; as fast as it goes
    #[arg(long)]
    pub headless: bool,
    /// Simulated seconds to run for, in place of the scene's
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Prints what every figure went through at the end
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    pub report: Option<Form>,
    /// Writes the run to a file that `simrun replay` plays again
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Sets a parameter of an object, figure or script
    #[arg(long, value_name = "NAME.PARAM=V")]
    pub set: Vec<String>,
    /// Puts every figure of the scene's list on compliant muscles: springs in place of servos
    #[arg(long)]
    pub muscles: bool,
    /// Gives every figure of the scene's list feet that hang from ankles of their own, in place of soles rigid on their shins
    #[arg(long)]
    pub ankles: bool,
    /// Listens on a port of this machine for what the prompt can do, as lines of JSON (CONTROL.md); 0 takes any port that is free
    #[arg(long, value_name = "PORT", conflicts_with = "headless")]
    pub control: Option<u16>,
    /// What opens the control port, in place of one that is made up
    #[arg(long, value_name = "TEXT", requires = "control")]
    pub token: Option<String>,
    /// No page in the browser (there is none yet)
    #[arg(long)]
    pub no_page: bool,
    /// Looks for changed scripts by polling: for network mounts
    #[arg(long)]
    pub poll: bool,
    /// Writes the log to a file as well
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Says more; twice says all
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

impl Run {
    /// The arguments that make the same run of a scene: what is shown and written of it is left out.
    pub fn to_args(&self, scene: &Path) -> Vec<String> {
        let mut args = vec![scene.display().to_string()];
        let mut put = |name: &str, value: Option<String>| args.extend(value.map(|value| format!("--{name}={value}")));
        put("figure", self.figure.as_ref().map(|figure| figure.display().to_string()));
        put("seed", self.seed.map(|seed| seed.to_string()));
        self.set.iter().for_each(|set| put("set", Some(set.clone())));
        args.extend(self.muscles.then(|| "--muscles".to_owned()));
        args.extend(self.ankles.then(|| "--ankles".to_owned()));
        args
    }

    /// A scene run as it is, with nothing asked for.
    pub fn of(scene: &Path) -> Self {
        Self {
            scene: Some(scene.to_owned()),
            figure: None,
            seed: None,
            speed: 1.0,
            threads: 1,
            headless: true,
            seconds: None,
            report: None,
            record: None,
            control: None,
            token: None,
            set: Vec::new(),
            muscles: false,
            ankles: false,
            no_page: true,
            poll: false,
            log: None,
            verbose: 0,
        }
    }
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    Table,
    /// One document on standard output
    Json,
}

/// Measuring.
#[derive(Clone, Debug, Args)]
#[command(after_help = measures())]
pub struct Measure {
    /// Which measure, or the file of your own: NAME.luau
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub ensemble: Ensemble,
    /// Draws heads over time, protected and not: `falls` only
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Says what the measure's rows mean, and takes nothing
    #[arg(long)]
    pub explain: bool,
    /// One JSON document in place of the table
    #[arg(long)]
    pub json: bool,
}

/// What a measure's runs are.
#[derive(Clone, Debug, Args)]
pub struct Ensemble {
    /// How the runs differ; what holds, holds for any
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = seed)]
    pub seed: u64,
    /// Measures your own model
    #[arg(long, value_name = "MODEL.glb")]
    pub figure: Option<PathBuf>,
    /// Kilograms: each run draws its own from a range; without it, what goes with the height
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub mass: Option<Span>,
    /// Metres: each run draws its own from a range; without it, the model's own
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub height: Option<Span>,
    /// Degrees that the ground rises by, where the measure takes a slope
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    pub slope: f32,
    /// Which ways blows go, where the measure leaves it open: default, or all for any
    #[arg(long, value_name = "WAYS", default_value = "default")]
    pub headings: Headings,
    /// How many runs, in place of the measure's own number
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    pub runs: Option<usize>,
    /// Cap of the balance anchor, as a multiple of mass × g × 1 m
    #[arg(long, value_name = "X", default_value_t = 0.65, allow_negative_numbers = true)]
    pub anchor: f32,
    /// Runs at a time; 0: as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = count)]
    pub jobs: usize,
    /// A line on standard error after each run, in place of a bar: for programs
    #[arg(long, hide = true)]
    pub progress: bool,
    /// A clip of the model for what it does, where the measure has it do that: get_up_face_up, get_up_face_down, sit, stand_up or lie_down; may be given again
    #[arg(long, value_name = "ACT=CLIP", value_parser = act, requires = "figure")]
    pub act: Vec<(String, String)>,
    /// Puts figures on compliant muscles: springs in place of servos
    #[arg(long)]
    pub muscles: bool,
    /// Gives figures feet that hang from ankles of their own, in place of soles that are rigid on their shins
    #[arg(long)]
    pub ankles: bool,
    /// What solves the bodies
    #[arg(long, value_name = "NAME", default_value = Backend::default().name(), value_parser = solver)]
    pub solver: Backend,
    /// Your own behaviour in place of the one that is measured
    #[arg(long, value_name = "FILE.luau")]
    pub script: Option<PathBuf>,
    /// Sets a parameter of the behaviour that is measured; may be given again
    #[arg(long, value_name = "NAME=NUMBER", value_parser = parameter)]
    pub set: Vec<(String, f64)>,
}

impl Ensemble {
    /// What a measure is asked with it.
    pub fn options(&self, measure: &str) -> Options {
        Options {
            measure: measure.to_owned(),
            seed: self.seed,
            runs: self.runs,
            figure: self.figure.clone(),
            anchor: self.anchor,
            acts: acts_of(&self.act),
            conditions: Conditions {
                mass: self.mass,
                height: self.height,
                slope_deg: self.slope,
                headings: self.headings,
                muscles: self.muscles,
                ankles: self.ankles,
            },
            jobs: self.jobs,
            solver: self.solver,
            scripts: Some(Folder::above(Path::new("."))),
            script: self.script.clone(),
            set: self.set.clone(),
            plot: None,
            progress: if self.progress { Progress::Lines } else { Progress::Bar },
        }
    }
}

/// Sweeping.
#[derive(Clone, Debug, Args)]
#[command(group(clap::ArgGroup::new("search").args(["random", "cmaes"])))]
pub struct Sweep {
    /// Which measure
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Parameters of the behaviour that is measured and their ranges, with the numbers that a grid has of each; without any: all
    #[arg(value_name = "PARAM=A..B:N")]
    pub params: Vec<Wanted>,
    /// So many trials drawn from the ranges, in place of a grid
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    pub random: Option<usize>,
    /// So many trials that learn from one another (CMA-ES), in place of a grid
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    pub cmaes: Option<usize>,
    /// The row to better, of one way or over all; two and more are traded. Without it: the fewest rows that fail
    #[arg(long, value_name = "ROW[:WAY]")]
    pub row: Vec<Choice>,
    /// Which way a row is better, more or less; one a --row, or one for all. Without it: as the row's bound says
    #[arg(long, value_name = "WHICH")]
    pub better: Vec<Better>,
    /// Keeps the trials, a JSON line each; those that are there are not taken again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub ensemble: Ensemble,
    /// One JSON document in place of tables
    #[arg(long)]
    pub json: bool,
}

impl Sweep {
    /// What is asked.
    pub fn options(&self) -> SweepOptions {
        let search = self.random.map(Search::Random).or(self.cmaes.map(Search::Cmaes)).unwrap_or(Search::Grid);
        SweepOptions {
            measured: self.ensemble.options(&self.name),
            wanted: self.params.clone(),
            search,
            rows: self.row.clone(),
            better: self.better.clone(),
            out: self.out.clone(),
        }
    }
}

/// What stands below the help of measuring.
fn measures() -> String {
    format!("Measures:\n{}\n'simrun measure NAME --explain' says what the rows of one mean.", simrun_measure::Measure::listing())
}

/// Playing a recording.
#[derive(Clone, Debug, Args)]
pub struct Replay {
    /// What `--record` wrote
    pub file: PathBuf,
    /// Compares every step's hashes and stops at the first that differs; exit code 1 then
    #[arg(long)]
    pub check: bool,
    /// Threads that figures are spread over; the results are the same
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = threads)]
    pub threads: u16,
    /// The form of what is printed at the end
    #[arg(long, value_name = "FORM", default_value = "table")]
    pub report: Form,
    /// Writes tests/NAME.test.json beside the scene's scripts, for `simrun test`: the session's lines and how its figures fared
    #[arg(long, value_name = "NAME", conflicts_with = "check")]
    pub as_test: Option<String>,
}

/// Drawing a strip.
#[derive(Clone, Debug, Args)]
pub struct Strip {
    /// The scene's file
    pub scene: PathBuf,
    /// Which figure
    #[arg(long)]
    pub figure: String,
    /// Seconds at which it begins
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = seconds)]
    pub from: f64,
    /// Seconds at which it ends
    #[arg(long, allow_negative_numbers = true, value_parser = seconds)]
    pub to: f64,
    /// The picture's file
    #[arg(short, long, value_name = "FILE.png", default_value = "strip.png")]
    pub output: PathBuf,
    /// Sets a parameter of an object, figure or script
    #[arg(long, value_name = "NAME.PARAM=V")]
    pub set: Vec<String>,
    /// Puts every figure of the scene's list on compliant muscles: springs in place of servos
    #[arg(long)]
    pub muscles: bool,
    /// Gives every figure of the scene's list feet that hang from ankles of their own, in place of soles rigid on their shins
    #[arg(long)]
    pub ankles: bool,
}

/// The speeds that a clock can be run at.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100.0;

fn speed(text: &str) -> Result<f64, String> {
    within(text, SPEEDS)
}

fn parameter(text: &str) -> Result<(String, f64), String> {
    let wrong = || format!("'{text}' sets nothing; accepted: a parameter and a number, such as tuck=0.6");
    let (name, number) = text.split_once('=').ok_or_else(wrong)?;
    let number = number.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong)?;
    Ok((name.trim().to_owned(), number))
}

fn act(text: &str) -> Result<(String, String), String> {
    let accepted = ActClips::ACTS.join(", ");
    let wrong = || format!("accepted: what it is for ({accepted}), =, and a clip's name");
    let (act, clip) = text.split_once('=').ok_or_else(wrong)?;
    if ActClips::ACTS.contains(&act) { Ok((act.to_owned(), clip.to_owned())) } else { Err(wrong()) }
}

fn acts_of(given: &[(String, String)]) -> ActClips {
    let mut acts = ActClips::default();
    for (act, clip) in given {
        acts.set(act, clip);
    }
    acts
}

fn solver(text: &str) -> Result<Backend, String> {
    let known = || Backend::ALL.iter().map(|solver| solver.name()).collect::<Vec<_>>().join(", ");
    Backend::from_name(text).ok_or_else(|| format!("there is no such solver; there are: {}", known()))
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, 0.0..=86_400.0)
}

fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

fn threads(text: &str) -> Result<u16, String> {
    whole(text, 1, 256)
}

/// How many is too many, whoever takes it knows.
fn count(text: &str) -> Result<usize, String> {
    whole(text, 0, usize::MAX)
}

fn whole<N: FromStr + PartialOrd + Display>(text: &str, least: N, most: N) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("accepted: a whole number, {least} to {most}"))
}

fn within(text: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("accepted: {} to {}", range.start(), range.end()))
}
