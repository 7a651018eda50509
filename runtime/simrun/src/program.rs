//! What the program does for scripts: its log, its clock, its files.

use crate::args::SPEEDS;
use crate::console::Console;
use simrun_scene::{Models, Scene};
use simrun_script::{Host, Level};
use simrun_sim::{FigureSpec, HordeSpec, PoolSpec, Value, World};
use std::path::{Component, Path, PathBuf};

/// The program as scripts see it.
#[derive(Debug)]
pub struct Program {
    /// Where lines go.
    pub console: Console,
    /// Read once each.
    pub models: Models,
    /// As it was read.
    pub scene: Scene,
    /// The scene's folder: nothing is written elsewhere.
    pub folder: PathBuf,
    /// The clock stands.
    pub paused: bool,
    /// Simulated seconds a second.
    pub speed: f64,
    /// A script asked for all scripts to be read again.
    pub wants_reload: bool,
    /// A script asked for the end.
    pub wants_quit: bool,
    /// Files are not written, though scripts are told that they are: this run is only looked at.
    pub read_only: bool,
    /// What is logged while somebody asks who does not see the log.
    pub heard: Option<Vec<String>>,
}

/// The most lines of the log that come back with one answer.
const MOST_HEARD: usize = 1000;

impl Host for Program {
    fn log(&mut self, level: Level, text: &str) {
        if let Some(heard) = self.heard.as_mut().filter(|heard| heard.len() < MOST_HEARD) {
            heard.push(text.to_owned());
        }
        match level {
            Level::Info => self.console.note(text),
            Level::Warn => self.console.note(&format!("warning: {text}")),
            Level::Error => self.console.error(text),
        }
    }

    fn pause(&mut self, on: bool) {
        self.paused = on;
    }

    fn paused(&self) -> bool {
        self.paused
    }

    fn set_speed(&mut self, x: f64) {
        if x.is_finite() {
            self.speed = x.clamp(*SPEEDS.start(), *SPEEDS.end());
        }
    }

    fn speed(&self) -> f64 {
        self.speed
    }

    fn spawn_spec(&mut self, name: &str, record: &Value) -> Result<FigureSpec, String> {
        let (figure, spec) = simrun_scene::figure_from_value(name, record, &mut self.models)?;
        // What is saved later takes the model's path from here.
        self.scene.figures.retain(|known| known.name != figure.name);
        self.scene.figures.push(figure);
        Ok(spec)
    }

    fn horde_spec(&mut self, name: &str, record: &Value) -> Result<HordeSpec, String> {
        let (horde, spec) = simrun_scene::horde_from_value(name, record, &mut self.models)?;
        self.scene.hordes.retain(|known| known.name != horde.name);
        self.scene.hordes.push(horde);
        Ok(spec)
    }

    fn pool_spec(&mut self, count: usize, record: &Value) -> Result<PoolSpec, String> {
        simrun_scene::pool_from_value(count, record)
    }

    fn save(&mut self, world: &World, path: &str) -> Result<(), String> {
        let name = Path::new(path);
        let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || name.extension().is_none_or(|ending| ending != "json") {
            return Err(format!("\"{path}\" cannot be written; accepted: a .json file in the scene's folder"));
        }
        if self.read_only {
            return Ok(());
        }
        let file = self.folder.join(name);
        Scene::of(world, &self.scene).write(&file).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn reload(&mut self) {
        self.wants_reload = true;
    }

    fn quit(&mut self) {
        self.wants_quit = true;
    }
}
