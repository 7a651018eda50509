//! What only the program can do for a script.

use simrun_sim::{FigureSpec, HordeSpec, PoolSpec, Value, World};
use std::cell::RefCell;
use std::rc::Rc;

/// How much a line of the log matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What a script prints.
    Info,
    /// Something was dropped or ignored.
    Warn,
    /// Something does not work.
    Error,
}

/// The program around the world: its log, its clock, its files. What a program has not is left as it stands here.
pub trait Host {
    /// Takes a line of the log, without a line end.
    fn log(&mut self, level: Level, text: &str);
    /// Stops or resumes the clock that drives the world.
    fn pause(&mut self, _on: bool) {}
    /// Whether that clock stands.
    fn paused(&self) -> bool {
        false
    }
    /// Seconds of simulation a second of the clock, above 0.
    fn set_speed(&mut self, _x: f64) {}
    /// Seconds of simulation a second of the clock.
    fn speed(&self) -> f64 {
        1.0
    }
    /// Makes a figure's definition from a record as a scene would have it.
    ///
    /// # Errors
    /// A record that a scene would refuse, in one line.
    fn spawn_spec(&mut self, name: &str, _record: &Value) -> Result<FigureSpec, String> {
        Err(format!("'{name}' cannot be made here"))
    }
    /// Makes a horde's definition from a record as a scene would have it.
    ///
    /// # Errors
    /// A record that a scene would refuse, in one line.
    fn horde_spec(&mut self, name: &str, _record: &Value) -> Result<HordeSpec, String> {
        Err(format!("'{name}' cannot be made here"))
    }
    /// Makes the definition of a pool of so many figures from those fields of a scene's horde that concern it.
    ///
    /// # Errors
    /// A record that a scene would refuse, in one line.
    fn pool_spec(&mut self, count: usize, _record: &Value) -> Result<PoolSpec, String> {
        Ok(PoolSpec::new(count))
    }
    /// Writes the world as a scene.
    ///
    /// # Errors
    /// A path that may not be written, in one line.
    fn save(&mut self, _world: &World, path: &str) -> Result<(), String> {
        Err(format!("{path} cannot be written here"))
    }
    /// Asks for every script to be read again.
    fn reload(&mut self) {}
    /// Asks for the program's end.
    fn quit(&mut self) {}
}

/// No program: nobody reads the log, there is no clock and no file. For scripts that run by themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn log(&mut self, _: Level, _: &str) {}
}

/// Stands in for a program in a run that nobody shall notice: nothing is logged, written, paused or ended.
pub(crate) struct Unnoticed(pub(crate) Rc<RefCell<dyn Host>>);

impl Host for Unnoticed {
    fn log(&mut self, _: Level, _: &str) {}

    fn paused(&self) -> bool {
        self.0.borrow().paused()
    }

    fn speed(&self) -> f64 {
        self.0.borrow().speed()
    }

    fn spawn_spec(&mut self, name: &str, record: &Value) -> Result<FigureSpec, String> {
        self.0.borrow_mut().spawn_spec(name, record)
    }

    fn save(&mut self, _: &World, _: &str) -> Result<(), String> {
        Ok(())
    }
}
