//! How much a script may do: counted in safepoints, so that a runaway is stopped at the same place in every run.
//!
//! A clock only ends what would otherwise go on for minutes: library functions over hundreds of megabytes, again and again. That is
//! a thousand times what a call may take, so whether it ends does not hang on the machine, though where it ends then does.
//!
//! Luau meets a safepoint at every loop's back edge and every call, interpreted and native alike. Once a budget is spent every
//! further safepoint raises again, so a `pcall` in a loop does not get away with it.

use crate::raw;
use mlua::{Lua, VmState};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Safepoints a call into a behaviour, a callback or a script's top level: 1 to 3 ms; a step at 60 Hz has 16.
pub(crate) const BEHAVIOUR: u32 = 100_000;
/// Safepoints a line at the prompt: a person waits for it, so ten times as much.
pub(crate) const PROMPT: u32 = 1_000_000;
/// Bytes of all scripts together. A behaviour's state is kilobytes; this also stops one long C call (`string.rep`).
pub(crate) const MEMORY: usize = 256 << 20;

/// How long a call may take: 100,000 safepoints over small data take 3 ms.
const LONGEST: Duration = Duration::from_secs(5);
/// Safepoints between two looks at the clock: a look takes 25 ns, and between two lie 64 library calls at the most.
const LOOK: u32 = 64;

/// The chunk name of the prelude.
pub(crate) const PRELUDE: &str = "prelude";
/// Frames that are looked through for a script's own line: host functions and the prelude nest no deeper.
const DEEPEST_PLACE: usize = 16;

/// The safepoints left of the present call.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Beside those granted: they may pass without a look.
    left: Rc<Cell<u32>>,
    granted: Rc<Cell<u32>>,
    given: Rc<Cell<u32>>,
    /// What a safepoint costs now.
    weight: Rc<Cell<u32>>,
    /// When the clock was first looked at in this call.
    since: Rc<Cell<Option<Instant>>>,
    /// Whether it was the clock that ended it.
    late: Rc<Cell<bool>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            left: Rc::default(),
            granted: Rc::default(),
            given: Rc::default(),
            weight: Rc::new(Cell::new(1)),
            since: Rc::default(),
            late: Rc::default(),
        }
    }
}

impl Budget {
    /// Counts every safepoint of a VM.
    ///
    /// # Errors
    /// No memory left.
    pub(crate) fn watch(&self, lua: &Lua) -> mlua::Result<()> {
        let budget = self.clone();
        lua.set_interrupt(move |lua| budget.look(lua));
        raw::count(lua)
    }

    /// The safepoint at which a grant is used up.
    fn look(&self, lua: &Lua) -> mlua::Result<VmState> {
        self.granted.set(0);
        let left = self.left.get();
        if left == 0 {
            return Err(self.stopped(lua));
        }
        if self.is_late() {
            self.left.set(0);
            self.late.set(true);
            return Err(self.stopped(lua));
        }
        let weight = self.weight.get();
        self.left.set(left.saturating_sub(weight));
        // This one is paid for; the next are granted, but none where they cost more than one.
        if weight == 1 {
            self.grant(LOOK - 1);
        }
        Ok(VmState::Continue)
    }

    /// Lets up to so many of the safepoints left pass without a look.
    fn grant(&self, safepoints: u32) {
        let granted = safepoints.min(self.left.get());
        self.left.set(self.left.get() - granted);
        self.granted.set(granted);
        raw::grant(granted);
    }

    /// Takes back what is left of a grant.
    fn settle(&self) {
        let unused = raw::grant(0).min(self.granted.replace(0));
        self.left.set(self.left.get() + unused);
    }

    /// Starts a call with a full budget.
    pub(crate) fn fill(&self, safepoints: u32) {
        self.left.set(safepoints);
        self.given.set(safepoints);
        self.weight.set(1);
        self.since.set(None);
        self.late.set(false);
        self.grant(LOOK);
    }

    fn is_late(&self) -> bool {
        let now = Instant::now();
        let since = self.since.get().unwrap_or(now);
        self.since.set(Some(since));
        now.duration_since(since) > LONGEST
    }

    fn stopped(&self, lua: &Lua) -> mlua::Error {
        if self.late.get() {
            return stopped(lua, &format!("{} s", LONGEST.as_secs()));
        }
        stopped(lua, &format!("{} safepoints (loop turns and calls)", self.given.get()))
    }

    /// Takes safepoints that were not met: for work that meets none.
    ///
    /// # Errors
    /// There are not so many left: the call ends here.
    pub(crate) fn spend(&self, lua: &Lua, safepoints: u32) -> mlua::Result<()> {
        self.settle();
        match self.left.get().checked_sub(safepoints) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(self.stopped(lua))
            }
        }
    }

    /// Runs something in which a safepoint costs more.
    pub(crate) fn weighted<R>(&self, weight: u32, run: impl FnOnce() -> R) -> R {
        self.settle();
        let before = self.weight.replace(weight);
        let result = run();
        self.settle();
        self.weight.set(before);
        result
    }
}

/// The error with the place that was running: Luau adds none to what an interrupt raises.
fn stopped(lua: &Lua, after: &str) -> mlua::Error {
    let place = |level| {
        lua.inspect_stack(level, |frame| {
            let (source, line) = (frame.source().short_src?.into_owned(), frame.current_line()?);
            (source != PRELUDE).then(|| format!("{source}:{line}: "))
        })
    };
    // Our own `pcall` or `find` may be what runs: the place is whoever called it.
    let place = (0..DEEPEST_PLACE).map_while(place).flatten().next().unwrap_or_default();
    mlua::Error::runtime(format!("{place}stopped after {after}: a loop without an end, or too much for one step"))
}
