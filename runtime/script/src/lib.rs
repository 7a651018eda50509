//! The script host: Luau behaviours and scene scripts in a sandbox, the prompt, reload.
//!
//! The only crate that names `mlua`. It opens no files: text comes from [`Sources`], and what only the program can do goes
//! through [`Host`]. A world is lent to Lua for as long as a call goes on; scripts hold handles, never parts of it.

mod api;
mod behaviour;
mod budget;
mod complete;
mod decide;
mod describe;
pub mod docs;
mod eval;
mod event;
mod handle;
pub mod help;
mod host;
mod image;
mod inspect;
mod library;
pub mod lint;
mod memory;
mod named;
mod nearest;
mod params;
mod patterns;
mod plain;
mod pretty;
mod problem;
mod raw;
mod reload;
mod request;
mod sandbox;
mod schedule;
mod scripts;
mod shared;
mod snapshot;
mod source;
mod vm;

pub use complete::Candidate;
pub use describe::why;
pub use eval::Eval;
pub use host::{Host, Level, NoHost};
pub use image::{LoadedTexts, ScriptImage};
pub use named::NamedMeasure;
pub use params::ParamDoc;
pub use problem::{Problem, ScriptError};
pub use reload::ReloadOutcome;
pub use request::{Callback, LONGEST_REWIND, MOST_STEPS, Request};
pub use scripts::Scripts;
pub use snapshot::ScriptSnapshot;
pub use source::{Source, SourceError, Sources, standard_modules};
