//! Loaded scripts and modules: `require`, what depends on what, and what a script's table holds.

use crate::budget::BEHAVIOUR;
use crate::named::NamedMeasure;
use crate::nearest::did_you_mean;
use crate::params::ParamDoc;
use crate::pretty::kind;
use crate::problem::Problem;
use crate::shared::Shared;
use crate::source::{STD, Source, SourceError, Sources, standard};
use crate::vm::Vm;
use mlua::{Function, Lua, Table, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A loaded behaviour or scene script.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) params: Vec<ParamDoc>,
    pub(crate) measure: Option<NamedMeasure>,
    pub(crate) start: Option<Function>,
    pub(crate) step: Option<Function>,
    pub(crate) stop: Option<Function>,
    pub(crate) migrate: Option<Function>,
    table: Table,
}

impl Script {
    /// Reads a script's table.
    fn new(name: &str, path: &str, value: Value) -> Result<Self, String> {
        let Value::Table(table) = value else {
            return Err(format!("returns {}; accepted: a table with step and, if wanted, params, start, stop", kind(&value)));
        };
        let function = |key: &str| match table.raw_get::<Value>(key) {
            Ok(Value::Nil) => Ok(None),
            Ok(Value::Function(function)) => Ok(Some(function)),
            Ok(other) => Err(format!("{key} is a {}; accepted: a function", kind(&other))),
            Err(error) => Err(error.to_string()),
        };
        let (start, step, stop, migrate) = (function("start")?, function("step")?, function("stop")?, function("migrate")?);
        let params = ParamDoc::all(&table)?;
        let measure = NamedMeasure::of(&table)?;
        Ok(Self { name: name.to_owned(), path: path.to_owned(), params, measure, start, step, stop, migrate, table })
    }

    /// That nothing of it is ever run, in words, where that is so.
    pub(crate) fn idle(&self) -> Option<String> {
        if [&self.start, &self.step, &self.stop].iter().any(|function| function.is_some()) {
            return None;
        }
        let functions = self.table.pairs::<String, Value>().flatten().filter(|(_, value)| value.is_function());
        let mut names: Vec<String> = functions.map(|(name, _)| name).collect();
        names.sort();
        let has = if names.is_empty() { "no function".to_owned() } else { names.join(", ") };
        let meant = names.iter().map(|name| did_you_mean(name, ["step", "start", "stop"])).find(|meant| !meant.is_empty());
        let (accepted, meant) = ("accepted: a table with step", meant.unwrap_or_default());
        Some(format!("does nothing: its table has neither step nor start; it has {has}; {accepted}{meant}"))
    }

    /// A script of the same name and file that does nothing.
    pub(crate) fn emptied(&self, table: Table) -> Self {
        let (name, path) = (self.name.clone(), self.path.clone());
        Self { name, path, params: Vec::new(), measure: None, start: None, step: None, stop: None, migrate: None, table }
    }

    /// Anything of its table.
    pub(crate) fn entry(&self, key: &str) -> Value {
        self.table.raw_get(key).unwrap_or(Value::Nil)
    }

    /// The names of what its table holds beside functions, in order.
    pub(crate) fn entry_names(&self) -> Vec<String> {
        let entries = self.table.pairs::<String, Value>().flatten().filter(|(_, value)| !value.is_function());
        let mut names: Vec<String> = entries.map(|(name, _)| name).collect();
        names.sort();
        names
    }

    /// A function of its table.
    pub(crate) fn function(&self, name: &str) -> Result<Function, String> {
        match self.table.raw_get::<Value>(name) {
            Ok(Value::Function(function)) => Ok(function),
            _ => {
                let names: Vec<String> = self
                    .table
                    .pairs::<String, Value>()
                    .flatten()
                    .filter(|(_, value)| value.is_function())
                    .map(|(name, _)| name)
                    .collect();
                let hint = did_you_mean(name, names.iter().map(String::as_str));
                Err(format!("the table of '{}' has no function '{name}'{hint}", self.name))
            }
        }
    }
}

/// The texts of what is loaded: restoring a snapshot runs these again, whatever the files have become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    scripts: BTreeMap<String, Source>,
    /// By the path that requires and what it asks for.
    modules: BTreeMap<(String, String), Source>,
}

impl Texts {
    /// Every text; one that several files require comes several times.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Source> {
        self.scripts.values().chain(self.modules.values())
    }

    /// Every text once, by path.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &Source> {
        let by_path: BTreeMap<&str, &Source> = self.all().map(|source| (source.path.as_str(), source)).collect();
        by_path.into_values()
    }

    /// The paths of texts that others have otherwise, or lack.
    pub(crate) fn that_differ(&self, others: &Self) -> BTreeSet<String> {
        let known: BTreeMap<&str, &str> = others.all().map(|source| (source.path.as_str(), source.text.as_str())).collect();
        let differs = |source: &&Source| known.get(source.path.as_str()).is_none_or(|text| *text != source.text);
        self.all().filter(differs).map(|source| source.path.clone()).collect()
    }
}

/// Everything loaded into one VM.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    pub(crate) behaviours: BTreeMap<String, Rc<Script>>,
    pub(crate) scene: Option<Rc<Script>>,
    modules: BTreeMap<String, Value>,
    /// Paths that a path requires.
    edges: BTreeMap<String, BTreeSet<String>>,
    /// Modules whose top level is running, outermost first.
    loading: Vec<String>,
    /// Shared with the images that are kept of them.
    pub(crate) texts: Arc<Texts>,
}

impl Library {
    /// Nothing loaded yet, of these texts.
    pub(crate) fn of(texts: Arc<Texts>) -> Self {
        Self { texts, ..Self::default() }
    }

    /// The script of a name, behaviour or scene.
    pub(crate) fn script(&self, name: &str) -> Option<&Rc<Script>> {
        self.behaviours.get(name).or_else(|| self.scene.as_ref().filter(|scene| scene.name == name))
    }

    /// The paths that a name means: those of scripts and modules that are or were to be loaded and end in it.
    pub(crate) fn paths(&self, name: &str) -> BTreeSet<String> {
        let is = |path: &str| {
            let bare = path.strip_suffix(".luau").unwrap_or(path);
            path == name || bare == name || bare.strip_suffix(name).is_some_and(|folder| folder.ends_with('/'))
        };
        let scripts = self.behaviours.values().chain(&self.scene).map(|script| script.path.as_str());
        let known = scripts.chain(self.modules.keys().map(String::as_str)).chain(self.texts.all().map(|text| text.path.as_str()));
        known.filter(|path| is(path)).map(str::to_owned).collect()
    }

    /// These paths and everything that requires them, through any number of modules.
    pub(crate) fn dependants(&self, paths: BTreeSet<String>) -> BTreeSet<String> {
        let mut all = paths;
        loop {
            let more: Vec<String> = self
                .edges
                .iter()
                .filter(|(path, needs)| !all.contains(*path) && !needs.is_disjoint(&all))
                .map(|(path, _)| path.clone())
                .collect();
            if more.is_empty() {
                return all;
            }
            all.extend(more);
        }
    }

    /// Forgets modules, so that the next `require` reads them again.
    pub(crate) fn forget(&mut self, paths: &BTreeSet<String>) {
        self.modules.retain(|path, _| !paths.contains(path));
        self.edges.retain(|path, _| !paths.contains(path));
    }
}

/// Which texts are read anew; all others are those that were loaded before, where there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every one.
    #[default]
    All,
    /// Those of these paths: what else has become of the files is another reload's affair.
    Only(BTreeSet<String>),
    /// None.
    Known,
}

impl Reading {
    fn takes(&self, known: &Source) -> bool {
        match self {
            Self::All => true,
            Self::Only(paths) => paths.contains(&known.path),
            Self::Known => false,
        }
    }
}

/// Loads scripts and modules into a VM.
pub(crate) struct Loader {
    pub(crate) vm: Vm,
    pub(crate) sources: Rc<dyn Sources>,
    pub(crate) shared: Rc<Shared>,
    reading: RefCell<Reading>,
}

impl Loader {
    pub(crate) fn new(vm: Vm, sources: Rc<dyn Sources>, shared: Rc<Shared>) -> Self {
        Self { vm, sources, shared, reading: RefCell::default() }
    }

    /// Loads, reading these texts anew.
    pub(crate) fn reading<R>(&self, texts: Reading, load: impl FnOnce() -> R) -> R {
        let before = self.reading.replace(texts);
        let result = load();
        self.reading.replace(before);
        result
    }

    /// Loads from these alone from now on, where they have what is asked for.
    pub(crate) fn keep_to_known_texts(&self) {
        self.reading.replace(Reading::Known);
    }

    /// Whether a text compiles; nothing of it runs.
    pub(crate) fn check(self: &Rc<Self>, source: &Source) -> Result<(), Problem> {
        let checked = self.require(source.path.clone()).and_then(|require| self.vm.environment(require));
        let checked = checked.and_then(|environment| self.vm.compile(source, &environment));
        checked.map(drop).map_err(|error| Problem::raised(&source.path, &error))
    }

    /// The text of a script.
    fn text(&self, name: &str) -> Result<Source, SourceError> {
        if let Some(known) = self.shared.library.borrow().texts.scripts.get(name)
            && !self.reading.borrow().takes(known)
        {
            return Ok(known.clone());
        }
        let source = self.sources.behaviour(name)?;
        Arc::make_mut(&mut self.shared.library.borrow_mut().texts).scripts.insert(name.to_owned(), source.clone());
        Ok(source)
    }

    /// The text of a module, as a file asks for it.
    fn module_text(&self, from: &str, request: &str) -> Result<Source, SourceError> {
        let key = (from.to_owned(), request.to_owned());
        if let Some(known) = self.shared.library.borrow().texts.modules.get(&key)
            && !self.reading.borrow().takes(known)
        {
            return Ok(known.clone());
        }
        let source = match request.strip_prefix(STD) {
            Some(name) => standard(name),
            None => self.sources.module(from, request),
        }?;
        Arc::make_mut(&mut self.shared.library.borrow_mut().texts).modules.insert(key, source.clone());
        Ok(source)
    }

    /// Loads the script of a name afresh; the caller decides whether it takes its place.
    pub(crate) fn script(self: &Rc<Self>, name: &str) -> Result<Rc<Script>, Problem> {
        let source = self.text(name).map_err(|error| Problem::new(name, error.0))?;
        self.shared.budget.fill(BEHAVIOUR);
        let value = self.run(&source).map_err(|error| Problem::raised(name, &error))?;
        let script = Script::new(name, &source.path, value);
        script.map(Rc::new).map_err(|message| Problem { at: Some((source.path, 1)), ..Problem::new(name, message) })
    }

    /// The behaviour of a name, loaded once.
    pub(crate) fn behaviour(self: &Rc<Self>, name: &str) -> Result<Rc<Script>, Problem> {
        if let Some(known) = self.shared.library.borrow().behaviours.get(name) {
            return Ok(Rc::clone(known));
        }
        let script = self.script(name)?;
        self.shared.library.borrow_mut().behaviours.insert(name.to_owned(), Rc::clone(&script));
        Ok(script)
    }

    /// Runs a source's top level in globals of its own.
    fn run(self: &Rc<Self>, source: &Source) -> mlua::Result<Value> {
        let path = &source.path;
        if let Some(cycle) = self.cycle(path) {
            return Err(mlua::Error::runtime(format!("require goes round in a circle: {cycle}")));
        }
        self.shared.library.borrow_mut().edges.insert(path.clone(), BTreeSet::new());
        let require = self.require(path.clone())?;
        self.vm.environment(require).and_then(|environment| self.vm.compile(source, &environment)).and_then(|top| {
            self.shared.library.borrow_mut().loading.push(path.clone());
            let result = self.shared.loading(|| top.call::<Value>(()));
            self.shared.library.borrow_mut().loading.pop();
            result
        })
    }

    fn cycle(&self, path: &String) -> Option<String> {
        let library = self.shared.library.borrow();
        let start = library.loading.iter().position(|loading| loading == path)?;
        let round: Vec<&str> = library.loading[start..].iter().chain([path]).map(String::as_str).collect();
        Some(round.join(" → "))
    }

    /// The `require` of the file at a path.
    pub(crate) fn require(self: &Rc<Self>, from: String) -> mlua::Result<Function> {
        // Weak: the VM holds the function, and the loader holds the VM.
        let loader = Rc::downgrade(self);
        self.vm.lua.create_function(move |_: &Lua, request: String| {
            let loader = loader.upgrade().ok_or_else(|| mlua::Error::runtime("the script host is gone"))?;
            loader.module(&from, &request)
        })
    }

    pub(crate) fn module(self: &Rc<Self>, from: &str, request: &str) -> mlua::Result<Value> {
        let source = self
            .module_text(from, request)
            .map_err(|SourceError(text)| mlua::Error::runtime(format!("require(\"{request}\"): {text}")))?;
        if let Some(edges) = self.shared.library.borrow_mut().edges.get_mut(from) {
            edges.insert(source.path.clone());
        }
        if let Some(known) = self.shared.library.borrow().modules.get(&source.path) {
            return Ok(known.clone());
        }
        let value = self.run(&source)?;
        match &value {
            // Shared by every script that requires it: what one wrote, all would read, and no snapshot would hold it.
            Value::Table(table) => table.set_readonly(true),
            Value::Function(_) => {}
            other => {
                let kind = kind(other);
                return Err(mlua::Error::runtime(format!("{}: returns {kind}; accepted: a table or a function", source.path)));
            }
        }
        self.shared.library.borrow_mut().modules.insert(source.path, value.clone());
        Ok(value)
    }
}
