//! `cargo xtask`: what keeps the repository in order. Run it from anywhere inside.

use clap::{Parser, Subcommand};
use simrun_xtask::{ci, docs, figures, pictures, verdicts};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Keeps the repository in order")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check everything that must hold before a change is taken in
    Ci {
        /// Only the stages whose names contain this
        #[arg(long)]
        only: Option<String>,
    },
    /// Write the manual's tables and the definitions for type checkers
    Docs {
        /// Write nothing; fail if a committed file differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// Lay scripts out as stylua.toml says
    Format {
        /// Write nothing; fail if one is laid out otherwise
        #[arg(long)]
        check: bool,
    },
    /// Say what the loader and the Khronos validator make of every model in a folder
    Verdicts { folder: PathBuf },
    /// Write the models that are made in code
    Figures {
        /// Write nothing; fail if a committed model differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// Draw the README's pictures
    Pictures,
    /// Hold scripts to Luau's strict types: those that are shipped, or the files named
    Types { files: Vec<PathBuf> },
}

fn main() -> ExitCode {
    let done = match Args::parse().task {
        Task::Ci { only } => ci::run(&root(), only.as_deref()),
        Task::Docs { check } => docs::run(&root(), check),
        Task::Format { check } => ci::format_scripts(&root(), check),
        Task::Verdicts { folder } => verdicts::run(&root(), &folder),
        Task::Figures { check } => write_figures(check),
        Task::Pictures => pictures::run(&root()),
        Task::Types { files } => ci::check_types(&root(), &files),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn write_figures(check: bool) -> Result<(), String> {
    let path = root().join(figures::BOXMAN);
    let made = figures::boxman();
    if check {
        let found = std::fs::read(&path).map_err(|why| format!("{}: {why}; `cargo xtask figures` writes it", figures::BOXMAN))?;
        if found != made {
            return Err(format!("{} is not what `cargo xtask figures` writes; run it and commit the file", figures::BOXMAN));
        }
        println!("{} is what `cargo xtask figures` writes", figures::BOXMAN);
        return Ok(());
    }
    std::fs::write(&path, &made).map_err(|why| format!("{}: {why}", figures::BOXMAN))?;
    println!("{}: {} bytes", figures::BOXMAN, made.len());
    Ok(())
}
