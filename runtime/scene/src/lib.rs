//! Scenes and models: JSON and GLB files decoded to what the simulation is made of, and encoded again.
//!
//! A scene is read ([`Scene::read`]), resolved against the models in its folder and built into a world ([`Scene::build`]), and
//! taken from a running world to be saved ([`Scene::of`]). A scene read, saved and read again is the same.
//!
//! Nothing here panics on a bad file: every problem says the file, the line and column, the path (`figures[2].motion.mode`),
//! what was found, what is accepted and the nearest name that may have been meant.

mod build;
mod check;
mod code;
mod doubt;
mod explain;
pub mod file;
pub mod format;
mod held;
mod horde;
mod lines;
mod look;
pub mod model;
mod models;
mod nearest;
mod param;
mod problem;
mod range;
mod read;
mod repair;
mod save;
mod schema;
mod tree;

pub use build::Overrides;
pub use code::Code;
pub use format::{Behaviour, Figure, Horde, Motion, Object, Scene, Shape};
pub use models::Models;
pub use nearest::{did_you_mean, nearest};
pub use param::Param;
pub use problem::Problem;
pub use range::{ParamRange, Refusal};
pub use read::{figure_from_value, horde_from_value, pool_from_value};
pub use schema::schema;
