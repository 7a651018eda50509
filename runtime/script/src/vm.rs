//! The Luau VM: what it is made with, how text becomes a function, and each script's own globals.

use crate::budget::{Budget, MEMORY};
use crate::memory::Memory;
use crate::sandbox;
use crate::shared::Shared;
use crate::source::Source;
use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, Lua, LuaOptions, StdLib, Table};
use std::rc::Rc;

/// The VM and the globals that all scripts share, read-only.
pub(crate) struct Vm {
    pub(crate) lua: Lua,
    pub(crate) memory: Memory,
    base: Table,
    /// Its metatable is one table for all, so that a script's own globals cost one lookup more and no more.
    meta: Table,
}

impl Vm {
    /// A sandboxed VM; `install` puts the API into its globals before they close.
    pub(crate) fn new(
        shared: &Rc<Shared>,
        budget: &Budget,
        install: impl FnOnce(&Lua) -> mlua::Result<()>,
    ) -> mlua::Result<Self> {
        // A library that is not loaded needs no taking out: no os, io, debug or package.
        let libraries = StdLib::COROUTINE
            | StdLib::TABLE
            | StdLib::STRING
            | StdLib::UTF8
            | StdLib::BIT
            | StdLib::MATH
            | StdLib::BUFFER
            | StdLib::VECTOR;
        // A panic of ours must stop the program, not look like a script's error.
        let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
        lua.set_compiler(
            Compiler::new()
                .set_optimization_level(2)
                .set_debug_level(1)
                .set_type_info_level(1)
                .set_disabled_builtins(sandbox::replaced_builtins()),
        );
        lua.enable_jit(true);
        sandbox::furnish(&lua, shared)?;
        install(&lua)?;
        let base = lua.globals();
        let meta = lua.create_table()?;
        meta.raw_set("__index", &base)?;
        meta.raw_set("__metatable", false)?;
        meta.set_readonly(true);
        lua.sandbox(true)?;
        lua.set_memory_limit(MEMORY)?;
        budget.watch(&lua)?;
        Ok(Self { lua, memory: Memory::default(), base, meta })
    }

    /// The globals that all scripts share.
    pub(crate) fn base(&self) -> &Table {
        &self.base
    }

    /// Fresh globals for one script: it reads the shared ones and writes its own. `require` resolves from its path.
    pub(crate) fn environment(&self, require: Function) -> mlua::Result<Table> {
        let environment = self.lua.create_table()?;
        environment.raw_set("require", require)?;
        environment.set_metatable(Some(self.meta.clone()))?;
        // Without this flag natively compiled code looks every global up by name (+75 %); nothing changes them behind its back.
        environment.set_safeenv(true);
        Ok(environment)
    }

    /// Compiles a source. Text only: a file of bytecode is memory-unsafe.
    pub(crate) fn compile(&self, source: &Source, environment: &Table) -> mlua::Result<Function> {
        let chunk = self.lua.load(source.text.as_str()).set_name(format!("@{}", source.path));
        chunk.set_mode(ChunkMode::Text).set_environment(environment.clone()).into_function()
    }
}
