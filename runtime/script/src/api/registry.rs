//! An entry of the API, and how it becomes a Lua function: check, read, call, push.

use super::give::Give;
use super::read::Read;
use crate::shared::{Fault, Shared};
use mlua::{FromLuaMulti, Function, Lua, MultiValue, Value};
use std::rc::Rc;

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    /// Its name, with `?` at the end where it may be left out.
    pub(crate) name: &'static str,
    /// `figure`, `number`, `vector`, …
    pub(crate) kind: &'static str,
    /// Unit, range, default, frame; may be empty.
    pub(crate) doc: &'static str,
}

/// What a function returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returns {
    /// As a person reads it, with its unit; empty for nothing.
    pub(crate) doc: &'static str,
    /// As a type checker reads it.
    pub(crate) luau: &'static str,
}

/// A function that returns nothing.
pub(crate) const NOTHING: Returns = r("", "()");

/// What a function returns, shortly.
pub(crate) const fn r(doc: &'static str, luau: &'static str) -> Returns {
    Returns { doc, luau }
}

/// A parameter, shortly.
pub(crate) const fn p(name: &'static str, kind: &'static str, doc: &'static str) -> Param {
    Param { name, kind, doc }
}

pub(crate) const FIGURE: Param = p("figure", "figure", "");
pub(crate) const OBJECT: Param = p("object", "object", "");
pub(crate) const THING: Param = p("thing", "figure or object", "");
pub(crate) const BONE: Param = p("bone", "bone", "a name or a Bone constant");

/// A function that scripts can call.
pub(crate) struct Entry {
    /// Empty for a global function.
    pub(crate) module: &'static str,
    pub(crate) name: &'static str,
    pub(crate) params: &'static [Param],
    pub(crate) returns: Returns,
    /// One line.
    pub(crate) doc: &'static str,
    /// One line of Lua that runs in a scene with the figures ann and bob, the car, the crate, the stool, the bowl and the cup; empty where nothing stands behind
    /// the name yet.
    pub(crate) example: &'static str,
    pub(crate) bind: fn(&Binder<'_>) -> mlua::Result<Function>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path())
    }
}

impl Entry {
    /// A name of the product that nothing stands behind yet: calling it says so.
    pub(crate) const fn missing(module: &'static str, name: &'static str, doc: &'static str) -> Self {
        let bind = |binder: &Binder<'_>| {
            let path = binder.entry.path();
            let refuse = move |_: &Lua, _: MultiValue| -> mlua::Result<()> {
                Err(mlua::Error::runtime(format!("{path} is not built yet")))
            };
            binder.lua.create_function(refuse)
        };
        Self { module, name, params: &[], returns: NOTHING, doc, example: "", bind }
    }

    /// Whether something stands behind the name.
    pub(crate) const fn is_built(&self) -> bool {
        !self.example.is_empty()
    }

    /// `motion.hit`
    pub(crate) fn path(&self) -> String {
        if self.module.is_empty() { self.name.to_owned() } else { format!("{}.{}", self.module, self.name) }
    }

    /// `motion.hit(figure, bone, point?, impulse)`
    pub(crate) fn call(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|param| param.name).collect();
        format!("{}({})", self.path(), names.join(", "))
    }

    /// `hit(bone, point?, impulse)`, as it is written after a figure and a colon, or with all parameters after a module and a dot.
    pub(crate) fn short_call(&self, method: bool) -> String {
        let names: Vec<&str> = self.params.iter().skip(usize::from(method)).map(|param| param.name).collect();
        format!("{}({})", self.name, names.join(", "))
    }

    /// Its call and what comes back: `motion.strength(figure) → 0..1`
    pub(crate) fn signature(&self) -> String {
        let returns = if self.returns.doc.is_empty() { String::new() } else { format!(" → {}", self.returns.doc) };
        format!("{}{returns}", self.call())
    }

    /// Its signature, or that nothing stands behind it yet.
    pub(crate) fn shown(&self) -> String {
        if self.is_built() { self.signature() } else { format!("{}: not built yet", self.path()) }
    }

    /// Whether handles have it as a method.
    pub(crate) fn is_method(&self) -> bool {
        self.is_method_of("figure") || self.is_method_of("object")
    }

    /// Whether handles of a kind (`figure`, `object`) have it as a method.
    pub(crate) fn is_method_of(&self, kind: &str) -> bool {
        let first = self.params.first().map_or("", |first| first.kind);
        !self.module.is_empty() && (first == kind || first == THING.kind)
    }

    fn refuse(&self, fault: Fault) -> mlua::Error {
        mlua::Error::runtime(format!("{}: {}", self.path(), fault.0))
    }

    fn refuse_argument(&self, index: usize, fault: String) -> Fault {
        let name = self.params.get(index).map_or("argument", |param| param.name.trim_end_matches('?'));
        Fault(format!("{name}: {fault}"))
    }
}

/// What an entry is bound with.
pub(crate) struct Binder<'a> {
    pub(crate) lua: &'a Lua,
    pub(crate) shared: &'a Rc<Shared>,
    pub(crate) entry: &'static Entry,
}

impl Binder<'_> {
    /// Binds a function of read arguments.
    pub(crate) fn of<A: Args, R: Give>(&self, body: impl Fn(&Shared, A) -> Result<R, Fault> + 'static) -> mlua::Result<Function> {
        let (shared, entry) = (Rc::clone(self.shared), self.entry);
        self.lua.create_function(move |lua, values: A::Values| {
            let result = A::read(values, entry, &shared).and_then(|args| body(&shared, args));
            result.map_err(|fault| entry.refuse(fault))?.give(lua)
        })
    }

    /// Binds a function that reads its arguments itself.
    pub(crate) fn raw(
        &self,
        body: impl Fn(&Lua, &Shared, Vec<Value>) -> Result<Value, Fault> + 'static,
    ) -> mlua::Result<Function> {
        let (shared, entry) = (Rc::clone(self.shared), self.entry);
        self.lua.create_function(move |lua, values: MultiValue| {
            body(lua, &shared, values.into_iter().collect()).map_err(|fault| entry.refuse(fault))
        })
    }
}

/// Arguments of a function, read one by one so that a refusal names the parameter.
pub(crate) trait Args: Sized {
    /// As Lua passes them.
    type Values: FromLuaMulti;
    fn read(values: Self::Values, entry: &Entry, shared: &Shared) -> Result<Self, Fault>;
}

macro_rules! args {
    ($($kind:ident $index:tt $value:ident),*) => {
        impl<$($kind: Read),*> Args for ($($kind,)*) {
            type Values = ($(args!(@value $kind),)*);
            #[allow(unused_variables, clippy::unused_unit, reason = "the macro also makes the empty tuple")]
            fn read(($($value,)*): Self::Values, entry: &Entry, shared: &Shared) -> Result<Self, Fault> {
                Ok(($($kind::read(&$value, shared).map_err(|fault| entry.refuse_argument($index, fault))?,)*))
            }
        }
    };
    (@value $kind:ident) => { Value };
}
args!();
args!(A 0 a);
args!(A 0 a, B 1 b);
args!(A 0 a, B 1 b, C 2 c);
args!(A 0 a, B 1 b, C 2 c, D 3 d);
args!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e);
args!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e, F 5 f);
args!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e, F 5 f, G 6 g);
