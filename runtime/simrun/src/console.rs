//! Where lines go: values, notes and errors, at a terminal, through the prompt's printer, or in a pipe.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// Takes whole lines. Cheap to clone, and the same from any thread.
#[derive(Clone, Debug)]
pub struct Console {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Standard output carries one JSON document and nothing else.
    stdout_is_taken: bool,
    colour: bool,
    /// Nobody wants to see anything.
    silent: bool,
    /// The prompt's printer, while a line is being typed.
    printer: Mutex<Option<Sender<String>>>,
    file: Mutex<Option<File>>,
}

impl Console {
    /// `stdout_is_taken`: values go to standard error, for standard output carries a document.
    ///
    /// # Errors
    /// A log file that cannot be made.
    pub fn new(stdout_is_taken: bool, log: Option<&Path>) -> std::io::Result<Self> {
        let file = log.map(File::create).transpose()?;
        let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Ok(Self::of(Inner { stdout_is_taken, colour, silent: false, printer: Mutex::new(None), file: Mutex::new(file) }))
    }

    /// One that shows and keeps nothing.
    pub fn silent() -> Self {
        Self::of(Inner { stdout_is_taken: false, colour: false, silent: true, printer: Mutex::new(None), file: Mutex::new(None) })
    }

    fn of(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Sends lines through a prompt's printer from now on, so that they do not break what is being typed.
    pub fn attach(&self, printer: Option<Sender<String>>) {
        *self.inner.printer.lock().unwrap_or_else(PoisonError::into_inner) = printer;
    }

    /// An answer to what a person or a pipe asked.
    pub fn value(&self, text: &str) {
        if !self.print(text) {
            if self.inner.stdout_is_taken { line(std::io::stderr(), text) } else { line(std::io::stdout(), text) }
        }
    }

    /// A line of the log.
    pub fn note(&self, text: &str) {
        self.keep(text);
        if !self.print(text) {
            line(std::io::stderr(), text);
        }
    }

    /// A line that says that something is wrong; red at a terminal.
    pub fn error(&self, text: &str) {
        self.keep(text);
        let text = self.red(text);
        if !self.print(&text) {
            line(std::io::stderr(), &text);
        }
    }

    /// The text in red, where that can be seen.
    pub fn red(&self, text: &str) -> String {
        if self.inner.colour { format!("\x1b[31m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn print(&self, text: &str) -> bool {
        if self.inner.silent {
            return true;
        }
        let printer = self.inner.printer.lock().unwrap_or_else(PoisonError::into_inner);
        printer.as_ref().is_some_and(|printer| printer.send(text.to_owned()).is_ok())
    }

    fn keep(&self, text: &str) {
        if let Some(file) = &mut *self.inner.file.lock().unwrap_or_else(PoisonError::into_inner) {
            line(file, text);
        }
    }
}

/// A closed pipe is the reader's choice and no error of ours.
fn line(mut out: impl Write, text: &str) {
    let _ = writeln!(out, "{text}");
}

/// For [`tracing_subscriber`]: each event is one line.
#[derive(Debug)]
pub struct LogLine(pub Console);

impl Write for LogLine {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.note(String::from_utf8_lossy(bytes).trim_end());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
