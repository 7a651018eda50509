//! What scripts can call: one table of entries a module. The same entry binds the function, documents it for `help`, and
//! completes it at the prompt.

mod acts;
mod claims;
mod constants;
mod crowd;
mod direct;
mod events;
mod figure;
mod give;
mod globals;
mod handover;
mod hold;
mod later;
mod motion;
mod past;
mod physics;
mod read;
mod reasons;
mod registry;
mod scene;
mod senses;
mod sim;

pub(crate) use constants::{TABLES, constants};
pub(crate) use events::{COMMON, EVENTS, event_names};
pub(crate) use read::bone_names;
pub(crate) use registry::{BONE, Entry, Param};

use crate::describe::line;
use crate::handle::Thing;
use crate::nearest::did_you_mean;
use crate::raw::Bodies;
use crate::shared::Shared;
use mlua::{Function, LightUserData, Lua, MultiValue, Table, Value};
use registry::Binder;
use std::rc::Rc;

/// Every entry, module by module.
pub(crate) fn entries() -> impl Iterator<Item = &'static Entry> {
    [
        motion::ENTRIES,
        reasons::ENTRIES,
        acts::ENTRIES,
        hold::ENTRIES,
        senses::ENTRIES,
        claims::ENTRIES,
        figure::ENTRIES,
        physics::ENTRIES,
        sim::ENTRIES,
        past::ENTRIES,
        scene::ENTRIES,
        handover::ENTRIES,
        crowd::ENTRIES,
        later::ENTRIES,
        globals::ENTRIES,
    ]
    .into_iter()
    .flatten()
}

/// The modules' names and what they are for.
pub(crate) const MODULES: [(&str, &str); 8] = [
    ("motion", "what an active ragdoll does: modes, hits, strengths, senses, claims on limbs"),
    ("figure", "clips, places, bones"),
    ("physics", "objects, rays, contacts"),
    ("sim", "time, events, timers, random numbers, the clock"),
    ("scene", "finding, making and removing figures and objects; parameters"),
    ("handover", "figures out of a horde and back"),
    ("crowd", "hordes"),
    ("draw", "lines, points and text on the page"),
];

/// Whether anything stands behind a module.
pub(crate) fn is_built(module: &str) -> bool {
    entries().any(|entry| entry.module == module && entry.is_built())
}

/// The functions that were bound, in the order of [`entries`]: `help(motion.hit)` finds its entry here.
#[derive(Debug, Default)]
pub(crate) struct Bound(pub(crate) Vec<(&'static Entry, Function)>);

/// Puts the API into a VM's globals.
pub(crate) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let globals = lua.globals();
    let methods = lua.create_table()?;
    for (name, _) in MODULES {
        globals.raw_set(name, lua.create_table()?)?;
    }
    let mut bound = Bound::default();
    let mut bodies = Bodies::default();
    for entry in entries() {
        let ordinary = (entry.bind)(&Binder { lua, shared, entry })?;
        let call = direct::of(entry.module, entry.name);
        let function = call.map_or(Ok(ordinary.clone()), |call| bodies.bind(lua, shared, call, &ordinary))?;
        let home: Table = if entry.module.is_empty() { globals.clone() } else { globals.raw_get(entry.module)? };
        home.raw_set(entry.name, &function)?;
        if entry.is_method() {
            let first: Option<Function> = methods.raw_get(entry.name)?;
            methods.raw_set(
                entry.name,
                first.map_or_else(|| Ok(function.clone()), |first| by_kind(lua, entry, first, &function))?,
            )?;
        }
        bound.0.push((entry, function));
    }
    lua.set_app_data(bound);
    lua.set_app_data(bodies);
    set_constants(lua, &globals)?;
    for (name, _) in MODULES {
        checked(lua, globals.raw_get(name)?, name)?;
    }
    handles(lua, shared, methods)
}

/// A method that figures have from one module and objects from another: `ann:contacts()`, `car:contacts()`.
fn by_kind(lua: &Lua, second: &Entry, first: Function, function: &Function) -> mlua::Result<Function> {
    let (figures, objects) = if second.is_method_of("object") { (first, function.clone()) } else { (function.clone(), first) };
    lua.create_function(move |_, args: MultiValue| {
        let of_object =
            matches!(args.front(), Some(Value::LightUserData(handle)) if matches!(Thing::unpack(*handle), Thing::Object(_)));
        if of_object { &objects } else { &figures }.call::<Value>(args)
    })
}

fn set_constants(lua: &Lua, globals: &Table) -> mlua::Result<()> {
    for (name, _) in TABLES {
        globals.raw_set(name, lua.create_table()?)?;
    }
    for constant in constants() {
        globals.raw_get::<Table>(constant.home)?.raw_set(constant.name, constant.value)?;
    }
    TABLES.into_iter().try_for_each(|(name, _)| checked(lua, globals.raw_get(name)?, name).map(drop))
}

/// A table where an unknown name is an error, not nil. A known one costs nothing more.
fn checked(lua: &Lua, table: Table, name: &'static str) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    let unknown = lua.create_function(move |_, (table, key): (Table, Value)| -> mlua::Result<Value> {
        // Not a table's own text: it is an address.
        let key = if let Value::String(text) = &key { text.to_string_lossy() } else { key.type_name().to_owned() };
        let known: Vec<String> = table.pairs::<String, Value>().flatten().map(|(key, _)| key).collect();
        let hint = did_you_mean(&key, known.iter().map(String::as_str));
        Err(mlua::Error::runtime(format!("{name} has no '{key}'{hint}")))
    })?;
    meta.raw_set("__index", unknown)?;
    meta.raw_set("__metatable", false)?;
    meta.set_readonly(true);
    table.set_metatable(Some(meta))?;
    Ok(table)
}

/// Gives handles their methods and their line of text.
fn handles(lua: &Lua, shared: &Rc<Shared>, methods: Table) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    let unknown = lua.create_function(|_, (methods, key): (Table, String)| -> mlua::Result<Value> {
        let known: Vec<String> = methods.pairs::<String, Value>().flatten().map(|(key, _)| key).collect();
        let hint = did_you_mean(&key, known.iter().map(String::as_str));
        Err(mlua::Error::runtime(format!("figures and objects have no method '{key}'{hint}")))
    })?;
    let fallback = lua.create_table()?;
    fallback.raw_set("__index", unknown)?;
    methods.set_metatable(Some(fallback))?;
    methods.set_readonly(true);
    meta.raw_set("__index", methods)?;
    meta.raw_set("__type", "handle")?;
    let shared = Rc::clone(shared);
    let text = lua.create_function(move |_, handle: LightUserData| {
        let thing = Thing::unpack(handle);
        Ok(shared.read().map_or_else(|fault| fault.0, |world| line(&world, thing)))
    })?;
    meta.raw_set("__tostring", text)?;
    meta.set_readonly(true);
    lua.set_type_metatable::<LightUserData>(Some(meta));
    Ok(())
}
