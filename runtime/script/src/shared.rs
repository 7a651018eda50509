//! What host functions reach: the world while it is lent, who is calling, and what callbacks are waiting.

use crate::budget::Budget;
use crate::host::{Host, Level};
use crate::library::Library;
use crate::request::Asking;
use crate::schedule::Schedule;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use simrun_sim::{Figure, FigureHandle, Object, ObjectHandle, World};
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

/// Lines that scripts may print in one step; the rest is counted and dropped.
const LINES_A_STEP: u32 = 100;
/// Bytes of one printed line.
const LINE_BYTES: usize = 8192;

/// A refusal: the line that a script or a person reads.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) String);

impl From<simrun_sim::Error> for Fault {
    fn from(error: simrun_sim::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<mlua::Error> for Fault {
    fn from(error: mlua::Error) -> Self {
        Self(crate::problem::explain(&error).1)
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Fault {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// On whose behalf Lua runs: it owns the claims and the callbacks that it makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Caller {
    Prompt,
    Scene(Arc<str>),
    Behaviour(FigureHandle, Arc<str>),
}

impl Caller {
    /// The owner's name in claims.
    pub(crate) fn owner(&self) -> Arc<str> {
        match self {
            Self::Prompt => "prompt".into(),
            Self::Scene(name) | Self::Behaviour(_, name) => Arc::clone(name),
        }
    }
}

/// What Lua may reach at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No world is lent.
    Away,
    /// A script's top level runs: it only builds its table, so that running it again changes nothing.
    Loading,
    /// The world is there.
    Running,
}

/// Shared by all host functions of one VM.
pub(crate) struct Shared {
    world: RefCell<World>,
    stage: Cell<Stage>,
    pub(crate) caller: RefCell<Caller>,
    pub(crate) host: Rc<RefCell<dyn Host>>,
    pub(crate) random: RefCell<Pcg64Mcg>,
    pub(crate) schedule: RefCell<Schedule>,
    pub(crate) library: RefCell<Library>,
    pub(crate) budget: Budget,
    /// Whether direct calls answer, or leave everything to the ordinary bindings.
    pub(crate) direct: Cell<bool>,
    pub(crate) asking: RefCell<Asking>,
    /// Somebody has been given what changes the world, or has changed what scripts keep.
    touched: Cell<bool>,
    printed: Cell<u32>,
    seed: u64,
}

impl Shared {
    pub(crate) fn new(host: Rc<RefCell<dyn Host>>, seed: u64) -> Self {
        Self {
            world: RefCell::new(World::hollow()),
            stage: Cell::new(Stage::Away),
            caller: RefCell::new(Caller::Prompt),
            host,
            random: RefCell::new(Pcg64Mcg::seed_from_u64(seed)),
            schedule: RefCell::default(),
            library: RefCell::default(),
            budget: Budget::default(),
            direct: Cell::new(true),
            asking: RefCell::default(),
            touched: Cell::new(false),
            printed: Cell::new(0),
            seed,
        }
    }

    /// The seed that scripts' random numbers come from.
    pub(crate) const fn seed(&self) -> u64 {
        self.seed
    }

    /// Lends the world to Lua while `run` goes on; it is back afterwards, also after a panic.
    pub(crate) fn lend<R>(&self, world: &mut World, run: impl FnOnce() -> R) -> R {
        struct Loan<'a>(&'a Shared, &'a mut World, Stage);
        impl Drop for Loan<'_> {
            fn drop(&mut self) {
                std::mem::swap(&mut *self.0.world.borrow_mut(), self.1);
                self.0.stage.set(self.2);
            }
        }
        std::mem::swap(&mut *self.world.borrow_mut(), world);
        let _loan = Loan(self, world, self.stage.replace(Stage::Running));
        run()
    }

    /// Runs a script's top level, which reaches no world.
    pub(crate) fn loading<R>(&self, run: impl FnOnce() -> R) -> R {
        let before = self.stage.replace(Stage::Loading);
        let result = run();
        self.stage.set(before);
        result
    }

    /// Whether a world is lent and may be used.
    pub(crate) fn is_running(&self) -> bool {
        self.stage.get() == Stage::Running
    }

    fn there(&self) -> Result<(), Fault> {
        match self.stage.get() {
            Stage::Running => Ok(()),
            Stage::Loading => Err("not while a script loads: call this from start, step or a callback".into()),
            Stage::Away => Err("there is no world here".into()),
        }
    }

    /// The world, to read.
    pub(crate) fn read(&self) -> Result<Ref<'_, World>, Fault> {
        self.there()?;
        Ok(self.world.borrow())
    }

    /// The world, to give it commands and claims.
    pub(crate) fn write(&self) -> Result<RefMut<'_, World>, Fault> {
        self.there()?;
        self.touch();
        Ok(self.world.borrow_mut())
    }

    /// Says that something has changed or will.
    pub(crate) fn touch(&self) {
        self.touched.set(true);
    }

    /// Whether somebody said so since the last call.
    pub(crate) fn take_touched(&self) -> bool {
        self.touched.replace(false)
    }

    /// Reads one figure.
    pub(crate) fn figure<R>(&self, figure: FigureHandle, read: impl FnOnce(&Figure) -> R) -> Result<R, Fault> {
        Ok(read(self.read()?.figure(figure)?))
    }

    /// Reads one object.
    pub(crate) fn object<R>(&self, object: ObjectHandle, read: impl FnOnce(&Object) -> R) -> Result<R, Fault> {
        Ok(read(self.read()?.object(object)?))
    }

    /// Who owns the claims that are made now.
    pub(crate) fn owner(&self) -> Arc<str> {
        self.caller.borrow().owner()
    }

    /// A new step: the printing allowance is full again.
    pub(crate) fn begin_step(&self) {
        let dropped = self.printed.replace(0).saturating_sub(LINES_A_STEP);
        if dropped > 0 {
            self.host.borrow_mut().log(Level::Warn, &format!("{dropped} more lines were printed in one step and dropped"));
        }
    }

    /// A line that a script prints.
    pub(crate) fn print(&self, text: &str) {
        self.printed.set(self.printed.get() + 1);
        if self.printed.get() <= LINES_A_STEP {
            let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= LINE_BYTES).last().unwrap_or(0);
            let text = if text.len() > LINE_BYTES { &text[..end] } else { text };
            self.host.borrow_mut().log(Level::Info, text);
        }
    }
}
