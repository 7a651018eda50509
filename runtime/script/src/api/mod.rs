//! What scripts can call: one table of entries a module. The same entry binds the function, documents it for `help`, and
//! completes it at the prompt.

mod claims;
mod figure;
mod give;
mod globals;
mod motion;
mod physics;
mod read;
mod registry;
mod scene;
mod senses;
mod sim;

pub(crate) use read::bone_names;
pub(crate) use registry::Entry;
pub(crate) use sim::EVENTS;

use crate::describe::line;
use crate::handle::Thing;
use crate::nearest::did_you_mean;
use crate::shared::Shared;
use mlua::{Function, LightUserData, Lua, Table, Value};
use registry::Binder;
use simrun_sim::{Bone, Mode, Part};
use std::rc::Rc;

/// Every entry, module by module.
pub(crate) fn entries() -> impl Iterator<Item = &'static Entry> {
    [
        motion::ENTRIES,
        senses::ENTRIES,
        claims::ENTRIES,
        figure::ENTRIES,
        physics::ENTRIES,
        sim::ENTRIES,
        scene::ENTRIES,
        globals::ENTRIES,
    ]
    .into_iter()
    .flatten()
}

/// The modules' names and what they are for.
pub(crate) const MODULES: [(&str, &str); 5] = [
    ("motion", "what an active ragdoll does: modes, hits, strengths, senses, claims on limbs"),
    ("figure", "clips, places, bones"),
    ("physics", "objects, rays, contacts"),
    ("sim", "time, events, timers, random numbers, the clock"),
    ("scene", "finding, making and removing figures and objects; parameters"),
];

/// Names of the constants in `motion`: modes, then parts.
pub(crate) const MODES: [&str; 5] = ["ANIMATED", "POWERED", "LIMP", "GETTING_UP", "ACTING"];
pub(crate) const PARTS: [&str; 6] = ["PART_HEAD", "PART_SPINE", "PART_ARM_L", "PART_ARM_R", "PART_LEG_L", "PART_LEG_R"];

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
    for entry in entries() {
        let function = (entry.bind)(&Binder { lua, shared, entry })?;
        let home: Table = if entry.module.is_empty() { globals.clone() } else { globals.raw_get(entry.module)? };
        home.raw_set(entry.name, &function)?;
        if entry.is_method() && !methods.contains_key(entry.name)? {
            methods.raw_set(entry.name, &function)?;
        }
        bound.0.push((entry, function));
    }
    lua.set_app_data(bound);
    constants(lua, &globals)?;
    for (name, _) in MODULES {
        checked(lua, globals.raw_get(name)?, name)?;
    }
    handles(lua, shared, methods)
}

fn constants(lua: &Lua, globals: &Table) -> mlua::Result<()> {
    let motion: Table = globals.raw_get("motion")?;
    for (name, mode) in MODES.into_iter().zip(Mode::ALL) {
        motion.raw_set(name, mode as u8)?;
    }
    let parts = lua.create_table()?;
    for (name, part) in PARTS.into_iter().zip(Part::ALL) {
        motion.raw_set(name, part as u8)?;
        parts.raw_set(read::part_name(part), part as u8)?;
    }
    // From 1, so that a table by bone is a list.
    let bones = lua.create_table()?;
    for bone in Bone::ALL {
        bones.raw_set(bone.name(), bone.index() + 1)?;
    }
    globals.raw_set("Bone", checked(lua, bones, "Bone")?)?;
    globals.raw_set("Part", checked(lua, parts, "Part")?)
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
