//! The corridor of simrun: figures whose animation is played by their muscles, stepped at a fixed rate.
//!
//! This crate has no Lua, opens no files, reads no clock, and keeps no process globals: two worlds in one process do not know
//! of each other. See `examples/embed.rs` for thirty lines that drop a figure.
#![warn(missing_docs)]

pub mod acts;
pub mod command;
pub mod crowd;
pub mod decide;
pub mod draw;
pub mod drive;
mod error;
pub mod event;
pub mod figure;
pub mod handover;
pub mod id;
pub mod keyed;
pub mod motion;
pub mod pose;
pub mod profile;
pub mod record;
pub mod sense;
mod slots;
pub mod solve;
pub mod space;
mod step;
pub mod trace;
pub mod value;
pub mod world;

pub use command::{Behaviour, Command, FigureSpec, Hit, Holds, ObjectSpec, Switch};
pub use crowd::{Horde, HordeCommand, HordeSpec};
pub use decide::{Claim, Claims, Decide, Nobody, Want};
pub use error::Error;
pub use event::{Event, Happening};
pub use figure::{BONES, Bone, Model, Part};
pub use handover::PoolSpec;
pub use id::{FigureHandle, ObjectHandle, StableId};
pub use motion::{Mode, MotionRecord, Phase};
pub use profile::{Profile, Room, SolveParts};
pub use sense::Senses;
pub use space::Rigid;
pub use value::Value;
pub use world::{Figure, Object, World, WorldSettings};
