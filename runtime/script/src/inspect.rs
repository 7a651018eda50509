//! What a program reads of scripts: entries of the tables that they return, and what behaviours keep, as plain data.

use crate::plain::to_plain;
use crate::problem::{Problem, ScriptError};
use crate::scripts::Scripts;
use mlua::Value as LuaValue;
use simrun_sim::{FigureHandle, Value};

impl Scripts {
    /// What the table that a script returns has under a key; [`Value::Nil`] where it has nothing. Loads the script if it is not loaded.
    ///
    /// # Errors
    /// A script that does not load; an entry that is no plain data.
    pub fn entry(&mut self, script: &str, key: &str) -> Result<Value, Problem> {
        let entry = self.known_or_loaded(script)?.entry(key);
        to_plain(&entry, key).map_err(|fault| Problem::new(script, fault))
    }

    /// The names of all that the table that a script returns holds and that is no function: those are called by their names, and may have
    /// any. Loads the script if it is not loaded.
    ///
    /// # Errors
    /// A script that does not load.
    pub fn entry_names(&mut self, script: &str) -> Result<Vec<String>, Problem> {
        Ok(self.known_or_loaded(script)?.entry_names())
    }

    /// What a behaviour of a figure keeps in its state.
    ///
    /// # Errors
    /// A figure that does not carry it; a state that is no plain data.
    pub fn state(&self, figure: FigureHandle, behaviour: &str) -> Result<Value, ScriptError> {
        let carried = self.roster.iter().find(|instance| instance.figure == figure && *instance.name == *behaviour);
        let carried = carried.ok_or_else(|| ScriptError(format!("the figure carries no {behaviour}")))?;
        to_plain(&LuaValue::Table(carried.state.clone()), "state").map_err(ScriptError)
    }
}
