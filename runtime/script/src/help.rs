//! `help`: from the same table that binds the functions.

use crate::api::{Bound, Entry, MODULES, entries};
use crate::nearest::accepted;
use crate::shared::Fault;
use mlua::{Lua, Table, Value};

/// What `help(about)` says.
pub(crate) fn about(lua: &Lua, about: Option<&Value>) -> Result<String, Fault> {
    match about {
        None | Some(Value::Nil) => Ok(overview()),
        Some(Value::String(name)) => by_name(&name.to_string_lossy()),
        Some(Value::Function(function)) => {
            let bound = lua.app_data_ref::<Bound>();
            let found = bound.as_ref().and_then(|bound| bound.0.iter().find(|(_, known)| known == function));
            found.map(|(entry, _)| full(entry)).ok_or_else(|| "about: that function is a script's own, or Luau's".into())
        }
        Some(Value::Table(table)) => {
            let name = MODULES.iter().map(|(name, _)| *name).find(|name| is_module(lua, name, table));
            name.map_or_else(|| Err("about: that table is no module".into()), by_name)
        }
        Some(Value::LightUserData(_)) => Ok(methods()),
        Some(other) => {
            Err(format!("about: found a {}; accepted: a function, a module, a handle or a name", other.type_name()).into())
        }
    }
}

fn is_module(lua: &Lua, name: &str, table: &Table) -> bool {
    lua.globals().get::<Table>(name).is_ok_and(|known| known == *table)
}

fn overview() -> String {
    let mut lines: Vec<String> = MODULES.iter().map(|(name, what)| format!("{name:<8} {what}")).collect();
    lines.push(String::new());
    lines.push(listed(|entry| entry.module.is_empty()));
    lines.push(String::new());
    lines.push("Functions that begin with a figure or an object are methods too: motion.lean(ann) is ann:lean().".to_owned());
    lines.push("Bone.chest and the others name bones; vector.create(x, y, z) makes a vector.".to_owned());
    lines.push("More: help(\"motion\"), help(motion.hit), help(ann)".to_owned());
    lines.join("\n")
}

fn by_name(name: &str) -> Result<String, Fault> {
    if MODULES.iter().any(|(module, _)| *module == name) {
        return Ok(listed(|entry| entry.module == name));
    }
    let by_path = entries().find(|entry| entry.path() == name);
    let found = by_path.or_else(|| entries().find(|entry| entry.name == name));
    found.map(full).ok_or_else(|| {
        let paths: Vec<String> = entries().map(Entry::path).collect();
        let meant = crate::nearest::did_you_mean(name, paths.iter().map(String::as_str));
        let modules = accepted("", MODULES.iter().map(|(name, _)| *name));
        Fault(if meant.is_empty() {
            format!("there is no help about '{name}'{modules}")
        } else {
            format!("there is no help about '{name}'{meant}")
        })
    })
}

fn methods() -> String {
    listed(Entry::is_method)
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
    for param in entry.params {
        let doc = if param.doc.is_empty() { String::new() } else { format!("; {}", param.doc) };
        lines.push(format!("  {:<16} {}{doc}", param.name, param.kind));
    }
    if !entry.example.is_empty() {
        lines.push(format!("e.g. {}", entry.example));
    }
    lines.join("\n")
}
