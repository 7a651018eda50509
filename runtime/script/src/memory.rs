//! Running out of memory: whoever held it lets go, so that the others go on.

use crate::budget::MEMORY;
use crate::scripts::Scripts;
use mlua::Lua;
use std::cell::Cell;

/// Bytes above which garbage is collected before a call: what is left of the cap is room for that call.
const FULL: usize = MEMORY / 5 * 4;
/// Bytes that must have come on top before it is collected again: a full collection of what is all in use takes 0.1 s and frees
/// nothing.
const MORE: usize = MEMORY / 20;

/// When garbage was last collected for want of room.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Bytes that were in use after that.
    kept: Cell<usize>,
}

impl Memory {
    /// Makes room before a call, where there is little.
    pub(crate) fn before_call(&self, lua: &Lua) {
        let used = lua.used_memory();
        if used > FULL && used > self.kept.get() + MORE {
            self.collect(lua);
        }
    }

    /// Has garbage collected before the next call, if memory is still full by then.
    pub(crate) fn collect_before_next(&self) {
        self.kept.set(0);
    }

    /// Collects all garbage and says whether there is room now.
    pub(crate) fn collect(&self, lua: &Lua) -> bool {
        // At the cap the collector's own few bytes would be refused. Twice: what a finaliser lets go of is freed by the second.
        let _ = lua.set_memory_limit(2 * MEMORY);
        for _ in 0..2 {
            let _ = lua.gc_collect();
        }
        let _ = lua.set_memory_limit(MEMORY);
        self.kept.set(lua.used_memory());
        self.kept.get() <= FULL
    }
}

impl Scripts {
    /// Bytes that all scripts together hold, after what nobody holds has been freed.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.loader.vm.memory.collect(&self.loader.vm.lua);
        self.loader.vm.lua.used_memory()
    }

    /// Whether scripts that load from now on are made machine code, which they are by default, or are interpreted. What they do is the
    /// same, to the safepoint at which a runaway is stopped; machine code is faster.
    pub fn set_native(&mut self, on: bool) {
        self.loader.vm.lua.enable_jit(on);
    }
}

/// What a person reads.
pub(crate) const OUT_OF_MEMORY: &str = "out of memory: all scripts together may hold 256 MiB";

/// Whether an error is that memory ran out, in Lua or in a host function.
pub(crate) fn ran_out(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } => ran_out(cause),
        // A host function's refusal, or caught and raised again by the script.
        mlua::Error::RuntimeError(text) => text.contains(OUT_OF_MEMORY) || text.contains("not enough memory"),
        _ => false,
    }
}
