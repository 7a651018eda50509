//! How much a script may do: counted in safepoints, so that a runaway is stopped at the same place in every run.
//!
//! Luau meets a safepoint at every loop's back edge and every call, interpreted and native alike. Once a budget is spent every
//! further safepoint raises again, so a `pcall` in a loop does not get away with it.

use mlua::{Lua, VmState};
use std::cell::Cell;
use std::rc::Rc;

/// Safepoints a call into a behaviour, a callback or a script's top level: 1 to 3 ms; a step at 60 Hz has 16.
pub(crate) const BEHAVIOUR: u32 = 100_000;
/// Safepoints a line at the prompt: a person waits for it, so ten times as much.
pub(crate) const PROMPT: u32 = 1_000_000;
/// Bytes of all scripts together. A behaviour's state is kilobytes; this also stops one long C call (`string.rep`).
pub(crate) const MEMORY: usize = 256 << 20;

/// The chunk name of the prelude.
pub(crate) const PRELUDE: &str = "prelude";
/// Frames that are looked through for a script's own line: host functions and the prelude nest no deeper.
const DEEPEST_PLACE: usize = 16;

/// The safepoints left of the present call.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: Rc<Cell<u32>>,
    given: Rc<Cell<u32>>,
    /// What a safepoint costs now.
    weight: Rc<Cell<u32>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: Rc::default(), given: Rc::default(), weight: Rc::new(Cell::new(1)) }
    }
}

impl Budget {
    /// Counts every safepoint of a VM.
    pub(crate) fn watch(&self, lua: &Lua) {
        let budget = self.clone();
        lua.set_interrupt(move |lua| match budget.left.get() {
            0 => Err(stopped(lua, budget.given.get())),
            left => {
                budget.left.set(left.saturating_sub(budget.weight.get()));
                Ok(VmState::Continue)
            }
        });
    }

    /// Starts a call with a full budget.
    pub(crate) fn fill(&self, safepoints: u32) {
        self.left.set(safepoints);
        self.given.set(safepoints);
        self.weight.set(1);
    }

    /// Takes safepoints that were not met: for work that meets none.
    ///
    /// # Errors
    /// There are not so many left: the call ends here.
    pub(crate) fn spend(&self, lua: &Lua, safepoints: u32) -> mlua::Result<()> {
        match self.left.get().checked_sub(safepoints) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(stopped(lua, self.given.get()))
            }
        }
    }

    /// Runs something in which a safepoint costs more.
    pub(crate) fn weighted<R>(&self, weight: u32, run: impl FnOnce() -> R) -> R {
        let before = self.weight.replace(weight);
        let result = run();
        self.weight.set(before);
        result
    }
}

/// The error with the place that was running: Luau adds none to what an interrupt raises.
fn stopped(lua: &Lua, safepoints: u32) -> mlua::Error {
    let place = |level| {
        lua.inspect_stack(level, |frame| {
            let (source, line) = (frame.source().short_src?.into_owned(), frame.current_line()?);
            (source != PRELUDE).then(|| format!("{source}:{line}: "))
        })
    };
    // Our own `pcall` or `find` may be what runs: the place is whoever called it.
    let place = (0..DEEPEST_PLACE).map_while(place).flatten().next().unwrap_or_default();
    mlua::Error::runtime(format!(
        "{place}stopped after {safepoints} safepoints (loop turns and calls): a loop without an end, or too much for one step"
    ))
}
