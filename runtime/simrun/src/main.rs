//! The command `simrun`: arguments, the run loop, the prompt, watched scripts.

mod args;
mod check;
mod clock;
mod console;
mod headless;
mod line;
mod live;
mod measure;
mod program;
mod prompt;
mod record;
mod replay;
mod session;
mod set;
mod sources;
mod watch;

use args::{Cli, Command, Form, Run};
use clap::Parser;
use console::{Console, LogLine};
use session::Session;
use simrun_scene::SceneProblem;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tracing_subscriber::EnvFilter;

/// Why the program cannot do what it was asked: bad input, a line each.
#[derive(Debug)]
pub struct Failure(pub Vec<String>);

impl Failure {
    fn scene(problems: Vec<SceneProblem>) -> Self {
        Self(problems.iter().map(ToString::to_string).collect())
    }
}

/// Exit codes beside 0: a measure or check failed; bad usage or input.
const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let of_replay = matches!(&cli.command, Some(Command::Replay(args)) if args.report == Form::Json);
    let json = cli.run.report == Some(Form::Json) || of_replay;
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
        Err(Failure(lines)) => {
            lines.iter().for_each(|line| console.error(&format!("error: {line}")));
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn dispatch(cli: &Cli, console: &Console) -> Result<bool, Failure> {
    match &cli.command {
        Some(Command::Measure(args)) => measure::measure(args),
        Some(Command::Strip(args)) => measure::strip(args, console).map(|()| true),
        Some(Command::Replay(args)) => replay::replay(args, console),
        Some(Command::Check { paths }) => Ok(check::check(paths, console)),
        Some(Command::Schema) => {
            print!("{}", simrun_scene::schema());
            Ok(true)
        }
        None => {
            let scene = cli.run.scene.as_deref().ok_or_else(|| Failure(vec!["no scene was given".to_owned()]))?;
            run(scene, &cli.run, console).map(|()| true)
        }
    }
}

fn run(scene: &Path, args: &Run, console: &Console) -> Result<(), Failure> {
    let mut session = Session::open(scene, args, console)?;
    // A prompt needs both ends of a terminal: with the output in a pipe or file it would be typed into that.
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let form = if args.headless || !at_terminal {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        // Without it Ctrl-C ends the program at once, which loses the report and nothing else.
        let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
        let whole = headless::run(&mut session, args.seconds, &stop);
        args.report.or(whole.then_some(Form::Table))
    } else {
        live::run(&mut session, args.seconds, args.poll)?;
        args.report
    };
    session.end();
    match form {
        Some(Form::Json) => {
            let text = serde_json::to_string_pretty(&session.report()).map_err(|error| Failure(vec![error.to_string()]))?;
            // A closed pipe is the reader's choice.
            let _ = writeln!(std::io::stdout(), "{text}");
        }
        Some(Form::Table) => {
            let _ = write!(std::io::stdout(), "{}", session.report());
        }
        None => {}
    }
    Ok(())
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
