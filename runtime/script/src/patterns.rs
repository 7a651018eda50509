//! `string.find`, `match`, `gmatch` and `gsub` with bounded work.
//!
//! Luau meets a safepoint wherever a pattern tries another place, so trying again and again is counted. Between two safepoints it
//! may walk the whole text, with a set (`[…]`) the whole pattern for each letter, and a search without wildcards meets none at all:
//! one call could go on for hours. So a safepoint costs as much more as text × pattern is long.

use crate::budget::Budget;
use mlua::{Function, Lua, MultiValue, Table, Value};

/// Letters of text × letters of pattern that one safepoint pays for: 2 to 10 µs at the worst, so that a line at the prompt ends
/// within seconds (at 16,384 one went on for 6 s). A pattern of ten letters over a text of four hundred costs what it always did.
const LETTERS_A_SAFEPOINT: usize = 4096;

/// Puts the bounded functions in the place of Luau's.
pub(crate) fn bound(lua: &Lua, string: &Table, budget: &Budget) -> mlua::Result<()> {
    for name in ["find", "match", "gsub"] {
        let (plain, budget): (Function, Budget) = (string.raw_get(name)?, budget.clone());
        let bounded = lua.create_function(move |lua, args: MultiValue| {
            let weight = weight(&args);
            budget.spend(lua, weight - 1)?;
            budget.weighted(weight, || plain.call::<MultiValue>(args))
        })?;
        string.raw_set(name, bounded)?;
    }
    let (plain, budget): (Function, Budget) = (string.raw_get("gmatch")?, budget.clone());
    let gmatch = lua.create_function(move |lua, args: MultiValue| {
        let (weight, budget) = (weight(&args), budget.clone());
        let next: Function = plain.call(args)?;
        lua.create_function(move |lua, ()| {
            budget.spend(lua, weight - 1)?;
            budget.weighted(weight, || next.call::<MultiValue>(()))
        })
    })?;
    string.raw_set("gmatch", gmatch)
}

/// What a safepoint costs while a pattern (the second argument) is looked for in a text (the first).
fn weight(args: &MultiValue) -> u32 {
    let letters = |index: usize| if let Some(Value::String(text)) = args.get(index) { text.as_bytes().len() } else { 0 };
    let steps = letters(0).saturating_mul(letters(1)) / LETTERS_A_SAFEPOINT;
    u32::try_from(steps).unwrap_or(u32::MAX).saturating_add(1)
}
