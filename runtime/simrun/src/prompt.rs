//! The prompt: an editor in a thread of its own, and another that prints, so that neither waits for the simulation nor holds it up.

use crate::console::Console;
use crate::control::Request;
use crate::watch::Change;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use simrun_script::Candidate;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What comes to the simulation between two steps.
#[derive(Debug)]
pub enum Message {
    /// A line, and where its answer goes.
    Line {
        /// As typed.
        text: String,
        /// Where to.
        answer: Sender<Answer>,
    },
    /// What could stand at a byte of a line.
    Complete {
        /// As typed so far.
        line: String,
        /// Byte of the cursor.
        at: usize,
        /// Where to.
        answer: Sender<(usize, Vec<Candidate>)>,
    },
    /// The lines of something longer are given up.
    Abandon,
    /// Files changed.
    Changed(Change),
    /// A client of the control port has shown the token.
    Joined {
        /// Its number.
        client: u64,
        /// Lines for it.
        lines: SyncSender<String>,
    },
    /// It asks.
    Asked {
        /// Its number.
        client: u64,
        /// What.
        request: Request,
    },
    /// It has gone.
    Left(u64),
    /// The person leaves.
    Leave,
}

/// What a line came to.
#[derive(Debug)]
pub struct Answer {
    /// To show.
    pub text: Option<String>,
    /// The line is the beginning of something longer.
    pub more: bool,
    /// The program ends.
    pub quit: bool,
}

/// How long completion waits for the simulation: a step of a crowded scene, and no more than a person notices.
const PATIENCE: Duration = Duration::from_millis(250);
/// Letters of a candidate that are listed: a line of a usual terminal.
const LISTED: usize = 78;
/// Where in it begins what it does.
const DOC_COLUMN: usize = 32;
/// Lines of history that are kept.
const HISTORY: usize = 2000;

/// A running prompt.
#[derive(Debug)]
pub struct Prompt {
    editor: JoinHandle<()>,
    console: Console,
}

/// Starts the prompt; the console's lines go through its printer from now on.
///
/// # Errors
/// A terminal that cannot be used.
pub fn start(messages: Sender<Message>, console: &Console) -> rustyline::Result<Prompt> {
    let config = Config::builder()
        .max_history_size(HISTORY)?
        .auto_add_history(false)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .build();
    let mut editor: Editor<Assistant, FileHistory> = Editor::with_config(config)?;
    // Without a terminal that it can print beside, lines go out plainly.
    if let Ok(mut printer) = editor.create_external_printer() {
        let (lines, inbox) = channel::<String>();
        // Printing can wait for the editor: never on the simulation's thread.
        std::thread::spawn(move || {
            for line in inbox {
                if printer.print(format!("{line}\n")).is_err() {
                    return;
                }
            }
        });
        console.attach(Some(lines));
    }
    let history = history_file();
    if let Some(file) = &history {
        // The first time there is none.
        let _ = editor.load_history(file);
    }
    editor.set_helper(Some(Assistant { messages: messages.clone(), past: HistoryHinter::new() }));
    let editor = std::thread::spawn(move || read(editor, &messages, history));
    Ok(Prompt { editor, console: console.clone() })
}

impl Prompt {
    /// Gives the terminal back.
    pub fn stop(self) {
        self.console.attach(None);
        if self.editor.is_finished() || self.wait() {
            return;
        }
        // A script asked for the end while a line was being typed: the editor holds the terminal raw, and only a key wakes it.
        #[cfg(unix)]
        let _ = std::process::Command::new("stty").arg("sane").status();
    }

    /// The editor ends by itself after the answer that told it to.
    fn wait(&self) -> bool {
        (0..20).any(|_| {
            std::thread::sleep(Duration::from_millis(5));
            self.editor.is_finished()
        })
    }
}

/// A second Ctrl-C within this time leaves.
const AGAIN: Duration = Duration::from_secs(2);

fn read(mut editor: Editor<Assistant, FileHistory>, messages: &Sender<Message>, history: Option<PathBuf>) {
    let mut typed = String::new();
    let mut interrupted: Option<Instant> = None;
    loop {
        let line = match editor.readline(if typed.is_empty() { "> " } else { ">> " }) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) if !typed.is_empty() => {
                typed.clear();
                let _ = messages.send(Message::Abandon);
                continue;
            }
            // What was being typed is gone, and the editor does not say whether there was anything: once clears, twice leaves.
            Err(ReadlineError::Interrupted) if interrupted.is_none_or(|at| at.elapsed() > AGAIN) => {
                interrupted = Some(Instant::now());
                println!("Ctrl-C again, Ctrl-D or :quit leaves");
                continue;
            }
            // Ctrl-C twice, Ctrl-D, or a terminal that went away.
            Err(_) => break,
        };
        interrupted = None;
        if !typed.is_empty() {
            typed.push('\n');
        }
        typed.push_str(&line);
        let (answer, answered) = channel();
        if messages.send(Message::Line { text: line, answer }).is_err() {
            break;
        }
        let Ok(answer) = answered.recv() else { break };
        if let Some(text) = answer.text {
            println!("{text}");
        }
        if !answer.more {
            let _ = editor.add_history_entry(std::mem::take(&mut typed));
        }
        if answer.quit {
            break;
        }
    }
    if let Some(file) = history {
        let made = file.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok());
        // History is a comfort: without a place for it the program ends as well.
        let _ = made && editor.save_history(&file).is_ok();
    }
    let _ = messages.send(Message::Leave);
}

/// Where the history is kept across runs.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else {
        folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")))
    };
    state.map(|state| state.join("simrun").join("history"))
}

/// Completes from the running simulation, hints from what was typed before.
struct Assistant {
    messages: Sender<Message>,
    past: HistoryHinter,
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (answer, answered) = channel();
        let asked = self.messages.send(Message::Complete { line: line.to_owned(), at, answer });
        let found = asked.ok().and_then(|()| answered.recv_timeout(PATIENCE).ok());
        let (start, candidates) = found.unwrap_or((at, Vec::new()));
        Ok((start, candidates.into_iter().map(listed).collect()))
    }
}

/// A candidate as Tab lists it: the call, and what it does as far as the line goes.
fn listed(Candidate { text, shown, doc }: Candidate) -> Pair {
    let mut display = if doc.is_empty() { shown } else { format!("{shown:<DOC_COLUMN$} {doc}") };
    if let Some((end, _)) = display.char_indices().nth(LISTED) {
        display.truncate(end);
        display.push('…');
    }
    Pair { display, replacement: text }
}

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, at: usize, context: &Context<'_>) -> Option<String> {
        self.past.hint(line, at, context)
    }
}

impl Highlighter for Assistant {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("\x1b[2m{hint}\x1b[0m"))
    }
}

impl Validator for Assistant {}
impl Helper for Assistant {}
