//! `help`: from the same table that binds the functions.

use crate::api::{Bound, COMMON, EVENTS, Entry, MODULES, Param, TABLES, constants, entries, event_names, is_built};
use crate::handle::Thing;
use crate::nearest::accepted;
use crate::params::ParamDoc;
use crate::pretty;
use crate::shared::{Fault, Shared};
use mlua::{Lua, Table, Value};
use simrun_sim::motion::{SETTINGS, Setting};

/// What a figure's settings are told under.
const SETTINGS_TOPIC: &str = "settings";

/// What `help(about)` says.
pub(crate) fn about(lua: &Lua, shared: &Shared, about: Option<&Value>) -> Result<String, Fault> {
    match about {
        None | Some(Value::Nil) => Ok(overview()),
        Some(Value::String(name)) => {
            let name = name.to_string_lossy();
            let library = shared.library.borrow();
            library.behaviours.get(&*name).map_or_else(|| by_name(&name), |script| Ok(behaviour(&name, &script.params)))
        }
        Some(Value::Function(function)) => {
            let bound = lua.app_data_ref::<Bound>();
            let found = bound.as_ref().and_then(|bound| bound.0.iter().find(|(_, known)| known == function));
            found.map(|(entry, _)| full(entry)).ok_or_else(|| "about: that function is a script's own, or Luau's".into())
        }
        Some(Value::Table(table)) => {
            let name = MODULES.iter().chain(&TABLES).map(|(name, _)| *name).find(|name| is_module(lua, name, table));
            name.map_or_else(|| Err("about: that table is no module".into()), by_name)
        }
        Some(Value::LightUserData(handle)) => Ok(methods(match Thing::unpack(*handle) {
            Thing::Figure(_) => "figure",
            Thing::Object(_) => "object",
        })),
        Some(other) => {
            Err(format!("about: found a {}; accepted: a function, a module, a handle or a name", other.type_name()).into())
        }
    }
}

/// What there is to say of a name that scripts can call, of a module, a table, an event, or of `settings`; `None` of all else.
#[must_use]
pub fn topic(name: &str) -> Option<String> {
    by_name(name).ok()
}

/// What can be asked about: modules, tables, functions and events.
pub fn topics() -> impl Iterator<Item = String> {
    let homes = MODULES.iter().chain(&TABLES).map(|(name, _)| (*name).to_owned());
    homes.chain(entries().map(Entry::path)).chain(event_names().map(str::to_owned)).chain([SETTINGS_TOPIC.to_owned()])
}

/// A behaviour's parameters.
#[must_use]
pub fn behaviour(name: &str, params: &[ParamDoc]) -> String {
    if params.is_empty() {
        return format!("the behaviour {name}, without parameters");
    }
    format!("the behaviour {name}; its parameters, as ann:set_param(\"{name}\", …) sets them:\n{}", ParamDoc::listing(params))
}

/// One setting of a figure.
#[must_use]
pub fn setting(setting: &Setting) -> String {
    settings(std::slice::from_ref(setting))
}

/// What a figure's motion can be set to.
fn settings(settings: &[Setting]) -> String {
    let row = |setting: &Setting| {
        let value = match setting.default_value() {
            simrun_sim::Value::Bool(on) => on.to_string(),
            other => other.number().map(pretty::number).unwrap_or_default(),
        };
        format!("  {:<16} {value} ({}); {}", setting.name, setting.accepted(), setting.doc)
    };
    let rows: Vec<String> = settings.iter().map(row).collect();
    format!("a figure's settings, as ann:set_param(\"motion\", …) and a scene's \"motion\" set them:\n{}", rows.join("\n"))
}

fn is_module(lua: &Lua, name: &str, table: &Table) -> bool {
    lua.globals().get::<Table>(name).is_ok_and(|known| known == *table)
}

fn overview() -> String {
    let later = |name| if is_built(name) { "" } else { " (not built yet)" };
    let mut lines: Vec<String> = MODULES.iter().map(|(name, what)| format!("{name:<8} {what}{}", later(name))).collect();
    lines.push(String::new());
    lines.push(listed(|entry| entry.module.is_empty()));
    lines.push(String::new());
    lines.push("Functions that begin with a figure or an object are methods too: motion.lean(ann) is ann:lean().".to_owned());
    lines.push("Bone.chest and the others name bones; vector.create(x, y, z) makes a vector.".to_owned());
    lines.push(format!("Events for sim.on: {}.", event_names().collect::<Vec<_>>().join(", ")));
    lines.push("More: help(\"motion\"), help(motion.hit), help(ann), help(Bone), help(\"struck\"), help(\"settings\"), help(\"catch_step\")".to_owned());
    lines.join("\n")
}

fn by_name(name: &str) -> Result<String, Fault> {
    if MODULES.iter().any(|(module, _)| *module == name) {
        let numbers = numbers(name);
        let gap = if numbers.is_empty() { "" } else { "\n" };
        return Ok(format!("{numbers}{gap}{}", listed(|entry| entry.module == name)));
    }
    if TABLES.iter().any(|(table, _)| *table == name) {
        return Ok(numbers(name));
    }
    if name == SETTINGS_TOPIC {
        return Ok(settings(&SETTINGS));
    }
    if let Some(event) = EVENTS.iter().find(|event| event.name == name) {
        let fields = COMMON.iter().chain(event.fields).map(parameter);
        return Ok([format!("the event {name}: {}", event.doc)].into_iter().chain(fields).collect::<Vec<_>>().join("\n"));
    }
    let by_path = entries().find(|entry| entry.path() == name);
    let found = by_path.or_else(|| entries().find(|entry| entry.name == name));
    let of_figures = || Setting::of(name.strip_prefix("motion.").unwrap_or(name)).map(setting);
    found.map(full).or_else(of_figures).ok_or_else(|| {
        let paths: Vec<String> = topics().collect();
        let meant = crate::nearest::did_you_mean(name, paths.iter().map(String::as_str));
        let modules = accepted("", MODULES.iter().map(|(name, _)| *name));
        Fault(if meant.is_empty() {
            format!("there is no help about '{name}'{modules}")
        } else {
            format!("there is no help about '{name}'{meant}")
        })
    })
}

fn methods(kind: &str) -> String {
    listed(|entry| entry.is_method_of(kind))
}

/// The constants of a table, in one line.
fn numbers(home: &str) -> String {
    let own = constants().filter(|constant| constant.home == home);
    own.map(|constant| format!("{home}.{} = {}", constant.name, constant.value)).collect::<Vec<_>>().join(", ")
}

/// A line for each function that is built, and one for the names of the others.
fn listed(which: impl Fn(&Entry) -> bool) -> String {
    let (built, missing): (Vec<&Entry>, Vec<&Entry>) = entries().filter(|entry| which(entry)).partition(|entry| entry.is_built());
    let mut lines: Vec<String> = built.into_iter().map(short).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.into_iter().map(|entry| entry.name).collect();
        lines.push(format!("not built yet: {}", names.join(", ")));
    }
    lines.join("\n")
}

fn short(entry: &Entry) -> String {
    format!("{:<44} {}", entry.signature(), entry.doc)
}

fn full(entry: &Entry) -> String {
    if !entry.is_built() {
        return format!("{}\n{}", entry.shown(), entry.doc);
    }
    let mut lines = vec![entry.signature(), entry.doc.to_owned()];
    lines.extend(entry.params.iter().map(parameter));
    if !entry.example.is_empty() {
        lines.push(format!("e.g. {}", entry.example));
    }
    lines.join("\n")
}

fn parameter(param: &Param) -> String {
    let doc = if param.doc.is_empty() { String::new() } else { format!("; {}", param.doc) };
    format!("  {:<16} {}{doc}", param.name, param.kind)
}
