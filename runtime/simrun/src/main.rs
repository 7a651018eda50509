//! The command `simrun`: arguments, the run loop, the prompt, watched scripts.

mod args;
mod background;
mod check;
mod clock;
mod console;
mod control;
mod headless;
mod line;
mod live;
mod measure;
mod moment;
mod past;
mod program;
mod prompt;
mod record;
mod replay;
mod session;
mod set;
mod testing;
mod topics;
mod vet;
mod watch;

use args::{Cli, Command, Form, Run};
use clap::{CommandFactory, Parser};
use console::{Console, LogLine};
use session::Session;
use simrun_scene::{Code, Problem, nearest};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tracing_subscriber::EnvFilter;

/// Why the program cannot do what it was asked: bad input, a line each.
#[derive(Debug)]
pub struct Failure(pub Vec<Problem>);

impl Failure {
    /// An argument, or what stands behind one, that cannot be used.
    pub fn of(why: impl Into<String>) -> Self {
        Self(vec![Problem::argument(Code::Argument, "", why, "")])
    }
}

/// Exit codes beside 0: a measure or check failed; bad usage or input.
const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    if let Some(problem) = unknown_command() {
        eprintln!("error: {problem}");
        if wants_json() {
            print_problems(&[problem]);
        }
        return ExitCode::from(BAD_INPUT);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let json = cli.run.report == Some(Form::Json)
        || matches!(&cli.command, Some(Command::Check { json: true, .. }))
        || matches!(&cli.command, Some(Command::Measure(args)) if args.json)
        || matches!(&cli.command, Some(Command::Sweep(args)) if args.json)
        || matches!(&cli.command, Some(Command::Replay(args)) if args.report == Form::Json);
    let console = match Console::new(json, cli.run.log.as_deref()) {
        Ok(console) => console,
        Err(error) => {
            eprintln!("error: --log: {error}");
            return ExitCode::from(BAD_INPUT);
        }
    };
    log(&console, cli.run.verbose);
    match dispatch(&cli, &console) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        Err(Failure(problems)) => {
            problems.iter().for_each(|problem| console.error(&format!("error: {problem}")));
            if json {
                print_problems(&problems);
            }
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// A first argument that is neither a file nor named like one, where a command may have been meant.
fn unknown_command() -> Option<Problem> {
    let found = std::env::args_os().nth(1)?.into_string().ok()?;
    if found.contains(['-', '.', '/', '\\']) || Path::new(&found).exists() {
        return None;
    }
    let cli = Cli::command();
    let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let meant = nearest(&found, names.iter().copied()).filter(|meant| *meant != found)?;
    let told = Problem::argument(Code::Argument, "", format!("there is no file or command \"{found}\""), names.join(", "));
    Some(told.meaning(Some(meant)))
}

/// Tells a command line that makes no sense, or what was asked about command lines; as one document too where one was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    if wants_json() {
        let told = error.render().to_string();
        // What follows is how commands look in general.
        let told = told.split("\n\nUsage:").next().unwrap_or_default().split("\n\nFor more").next().unwrap_or_default();
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        print_problems(&[Problem::argument(Code::Argument, "", told.strip_prefix("error: ").unwrap_or(&told), "")]);
    }
    ExitCode::from(BAD_INPUT)
}

/// Whether a command line that cannot be read asks for one document.
fn wants_json() -> bool {
    let args: Vec<OsString> = std::env::args_os().collect();
    args.iter().any(|arg| arg == "--json" || arg == "--report=json")
        || args.windows(2).any(|pair| pair[0] == "--report" && pair[1] == "json")
}

fn dispatch(cli: &Cli, console: &Console) -> Result<bool, Failure> {
    match &cli.command {
        Some(Command::Measure(args)) => measure::measure(args),
        Some(Command::Sweep(args)) => measure::sweep(args).map(|()| true),
        Some(Command::Strip(args)) => measure::strip(args, console).map(|()| true),
        Some(Command::Replay(args)) => replay::replay(args, console),
        Some(Command::Check { paths, json }) => {
            let warnings = check::check(paths, console)?;
            if *json {
                print_document(&[], &warnings);
            }
            Ok(true)
        }
        Some(Command::Test { paths }) => testing::run(paths, console),
        Some(Command::Errors) => {
            console.value(Code::listing().trim_end());
            Ok(true)
        }
        Some(Command::Schema { params }) => {
            let schema = if *params { topics::schema()? } else { simrun_scene::schema() };
            console.value(schema.trim_end());
            Ok(true)
        }
        Some(Command::Help { topic }) => {
            console.value(&topics::help(topic.as_deref())?);
            Ok(true)
        }
        None => {
            let scene = cli.run.scene.as_deref().ok_or_else(|| Failure::of("no scene was given"))?;
            run(scene, &cli.run, console)
        }
    }
}

/// The one document of what found problems.
fn print_problems(problems: &[Problem]) {
    print_document(problems, &[]);
}

/// The one document of a run or a check that found problems, or of a check that found none: `error` is the first of them as people read
/// it, and `warnings` are no problems.
fn print_document(problems: &[Problem], warnings: &[Problem]) {
    let error = problems.first().map(ToString::to_string);
    let document = serde_json::json!({ "ok": problems.is_empty(), "error": error, "problems": problems, "warnings": warnings });
    // A closed pipe is the reader's choice.
    let _ = writeln!(std::io::stdout(), "{document:#}");
}

/// Runs a scene. Whether everything that was asked for was written and, without a person who sees to it, nothing went wrong.
fn run(scene: &Path, args: &Run, console: &Console) -> Result<bool, Failure> {
    let mut session = Session::open(scene, args, console)?;
    let stop = Arc::clone(session.stop());
    // Without it Ctrl-C ends the program at once, which loses the report and the last second of a recording.
    let _ = ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed));
    // A prompt needs both ends of a terminal: with the output in a pipe or file it would be typed into that.
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let alone = args.headless || !(at_terminal || args.control.is_some());
    let form = if alone {
        let whole = headless::run(&mut session, args.seconds);
        args.report.or(whole.then_some(Form::Table))
    } else {
        live::run(&mut session, args, at_terminal)?;
        args.report
    };
    let whole = session.end();
    match form {
        Some(Form::Json) => {
            let text = serde_json::to_string_pretty(&session.report()).map_err(|error| Failure::of(error.to_string()))?;
            // A closed pipe is the reader's choice.
            let _ = writeln!(std::io::stdout(), "{text}");
        }
        Some(Form::Table) => {
            let _ = write!(std::io::stdout(), "{}", session.report());
        }
        None => {}
    }
    Ok(whole && !(alone && session.has_errors()))
}

/// Sends the libraries' logs where lines go.
fn log(console: &Console, verbose: u8) {
    let level = ["warn", "info", "debug", "trace"][usize::from(verbose.min(3))];
    // The editor logs every key; rapier logs what its own tests need.
    let filter = EnvFilter::new(format!("{level},rustyline=off,notify=warn"));
    let console = console.clone();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .with_writer(move || LogLine(console.clone()))
        .init();
}
