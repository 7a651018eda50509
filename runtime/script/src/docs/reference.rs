//! The tables of the manual, in Markdown.

use super::plain_name;
use crate::api::{BONE, COMMON, EVENTS, Entry, MODULES, Param, TABLES, constants, entries};

/// Every function, constant and event, module by module, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut text = String::new();
    for (module, what) in MODULES {
        text += &format!("### {module}\n\n{}.\n", capital(what));
        text += &functions(|entry| entry.module == module);
        text += &numbers(module);
    }
    text += "### without a module\n";
    text += &functions(|entry| entry.module.is_empty());
    for (table, what) in TABLES {
        text += &format!("### {table}\n\n{}.\n\n{}", capital(what), numbers(table));
    }
    text + &events()
}

fn functions(which: impl Fn(&Entry) -> bool) -> String {
    let (built, missing): (Vec<&Entry>, Vec<&Entry>) = entries().filter(|entry| which(entry)).partition(|entry| entry.is_built());
    let mut text = String::from("\n");
    if !built.is_empty() {
        text += "| call | what it does | arguments | returns |\n|---|---|---|---|\n";
    }
    for entry in built {
        let call = format!("`{}`", entry.call());
        text += &row(&[&call, entry.doc, &arguments(entry.params), entry.returns.doc]);
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|entry| format!("`{}`", entry.name)).collect();
        let gap = if text.len() > 1 { "\n" } else { "" };
        text += &format!("{gap}Not built yet: {}.\n", names.join(", "));
    }
    text + "\n"
}

fn numbers(home: &str) -> String {
    let mut lists: Vec<String> = Vec::new();
    for constant in constants().filter(|constant| constant.home == home) {
        let doc = if constant.doc.is_empty() { String::new() } else { format!(" ({})", constant.doc) };
        lists.push(format!("`{}.{}`{doc}", constant.home, constant.name));
    }
    if lists.is_empty() { String::new() } else { format!("Constants: {}.\n\n", lists.join(", ")) }
}

fn events() -> String {
    let common = arguments(COMMON).replace("<br>", ", ");
    let mut text = format!("### events\n\nWhat `sim.on` listens to. Every event carries {common}.\n\n");
    text += "| event | when | carries |\n|---|---|---|\n";
    for event in &EVENTS {
        text += &row(&[&format!("`{}`", event.name), event.doc, &arguments(event.fields)]);
    }
    text
}

/// What there is to say of arguments beyond their names.
fn arguments(params: &[Param]) -> String {
    let said = |param: &Param| match (param.kind, param.doc) {
        (kind, "") if kind == plain_name(param) => None,
        (_, doc) if doc == BONE.doc => None,
        (kind, "") => Some(format!("`{}` {kind}", plain_name(param))),
        (kind, doc) if kind == plain_name(param) => Some(format!("`{kind}` {doc}")),
        (kind, doc) => Some(format!("`{}` {kind}: {doc}", plain_name(param))),
    };
    params.iter().filter_map(said).collect::<Vec<_>>().join("<br>")
}

fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
