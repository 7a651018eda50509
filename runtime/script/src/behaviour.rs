//! A behaviour on a figure: its script, its state, its parameters, and whether it runs.

use crate::library::Script;
use crate::params::ParamDoc;
use mlua::{Lua, Table};
use serde::{Deserialize, Serialize};
use simrun_sim::{Behaviour, Figure, FigureHandle, Value};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Whether a behaviour runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Condition {
    /// `start` has not run yet.
    Fresh,
    /// It steps.
    Running,
    /// A switch of the figure's motion has it off.
    SwitchedOff,
    /// It raised, or never loaded.
    Failed,
}

/// One behaviour of one figure.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) figure: FigureHandle,
    pub(crate) name: Arc<str>,
    pub(crate) script: Option<Rc<Script>>,
    pub(crate) condition: Condition,
    /// Whether `start` has gone through: a reload does not run it again.
    pub(crate) started: bool,
    /// Whether the figure's motion wants it.
    pub(crate) wanted: bool,
    pub(crate) state: Table,
    /// As the script reads it: every described parameter.
    pub(crate) params: Table,
    set: BTreeMap<String, Value>,
}

impl Instance {
    pub(crate) fn new(lua: &Lua, figure: FigureHandle, name: &str) -> mlua::Result<Self> {
        Ok(Self {
            figure,
            name: name.into(),
            script: None,
            condition: Condition::Fresh,
            started: false,
            wanted: true,
            state: lua.create_table()?,
            params: lua.create_table()?,
            set: BTreeMap::new(),
        })
    }

    /// Whether it is this behaviour of this figure.
    pub(crate) fn is(&self, figure: FigureHandle, behaviour: &Behaviour) -> bool {
        self.figure == figure && *self.name == *behaviour.script
    }

    /// Takes over what the figure says now: parameters, and whether its motion wants the behaviour. Returns what is wrong with a
    /// parameter; that one keeps its default.
    pub(crate) fn follow(&mut self, figure: &Figure, behaviour: &Behaviour) -> Vec<String> {
        self.wanted = wanted(figure, &behaviour.script);
        if self.set == behaviour.params { Vec::new() } else { self.set_params(behaviour.params.clone()) }
    }

    /// Writes every described parameter into the script's table.
    fn set_params(&mut self, set: BTreeMap<String, Value>) -> Vec<String> {
        self.set = set;
        let Some(script) = &self.script else { return Vec::new() };
        let mut wrong = Vec::new();
        for doc in &script.params {
            let value = self.set.get(&doc.name).map_or(Ok(doc.default), |value| doc.check(value));
            let value = value.unwrap_or_else(|fault| {
                wrong.push(fault);
                doc.default
            });
            wrong.extend(self.params.raw_set(doc.name.as_str(), value).err().map(|error| error.to_string()));
        }
        wrong.extend(self.set.keys().filter_map(|name| ParamDoc::find(&script.params, &self.name, name).err()));
        wrong
    }

    /// What becomes of its condition with a text that runs.
    pub(crate) fn mended(&self) -> Condition {
        match self.condition {
            Condition::Failed if self.started => Condition::Running,
            Condition::Failed => Condition::Fresh,
            other => other,
        }
    }

    /// Runs another script from now on; the state stays.
    pub(crate) fn take(&mut self, lua: &Lua, script: Rc<Script>) -> mlua::Result<Vec<String>> {
        self.params = lua.create_table()?;
        self.script = Some(script);
        Ok(self.set_params(self.set.clone()))
    }
}

/// The switches of the motion component: each turns the behaviour of its name.
fn wanted(figure: &Figure, behaviour: &str) -> bool {
    let Some(motion) = &figure.motion else { return true };
    match behaviour {
        "protective_fall" | "startle" | "brace" => motion.record.protective,
        "catch_step" => motion.record.stepping,
        "writhe" => motion.record.writhing > 0.0,
        "hit_reaction" => motion.record.hit_reaction,
        _ => true,
    }
}
