//! Luau's C interface, where going through mlua costs more than what is done: the interrupt at every safepoint, and the calls that a
//! behaviour makes dozens of times a step. It is the only `unsafe` of this crate.
//!
//! **The interrupt.** mlua's own enters Rust through a guard that can raise, at 30 ns a safepoint: a behaviour with 64 calls meets 70.
//! [`count`] puts one in front of it that counts down and enters the guard only when the count is used up.
//!
//! **Direct calls.** mlua reads each argument into an enum, keeps room for an error, and pushes the result back through another enum, at
//! 100 ns a call. [`direct`] binds a function that reads its arguments off Luau's stack as what they ought to be, and calls the ordinary
//! binding whenever anything is not: that one says what is wrong. So a direct call never raises, and gives what the ordinary one does.
//!
//! What makes it sound: the functions handed to Luau have the signatures that it asks for; they touch their own arguments within the
//! stack's height, a counter of their own thread, and a [`Body`] that lives as long as the VM does; they unwind nothing of ours through
//! Luau's frames.
#![allow(unsafe_code, reason = "C callbacks; see above")]

use crate::handle::Thing;
use crate::shared::Shared;
use glam::Vec3;
use mlua::ffi::{self, lua_State};
use mlua::{Function, LightUserData, Lua};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

type Interrupt = unsafe extern "C-unwind" fn(*mut lua_State, c_int);

thread_local! {
    /// Safepoints of the call under way that need no look.
    static FREE: Cell<u32> = const { Cell::new(0) };
    /// What mlua had put there: the same function for every VM.
    static LOOK: Cell<Option<Interrupt>> = const { Cell::new(None) };
}

/// Lets so many safepoints pass without a look at the budget. Returns those that were left of the last grant.
pub(crate) fn grant(safepoints: u32) -> u32 {
    FREE.replace(safepoints)
}

/// Puts the counting interrupt in front of the one that [`Lua::set_interrupt`] has set.
pub(crate) fn count(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: `state` is that of a live VM, and its callbacks live as long. mlua has set the interrupt just before; ours calls it.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            let callbacks = ffi::lua_callbacks(state);
            if let Some(look) = (*callbacks).interrupt {
                LOOK.set(Some(look));
                (*callbacks).interrupt = Some(counting);
            }
        })
    }
}

/// Called by Luau at a safepoint (`gc` < 0) or in a step of garbage collection.
unsafe extern "C-unwind" fn counting(state: *mut lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    match FREE.get() {
        0 => {
            if let Some(look) = LOOK.get() {
                // SAFETY: the arguments are Luau's own, and so is the moment.
                unsafe { look(state, gc) }
            }
        }
        left => FREE.set(left - 1),
    }
}

/// What a direct call does: `None` wherever the ordinary binding shall be asked.
pub(crate) type Call = fn(&Shared, &Args) -> Option<Out>;

/// What a direct call gives back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Out {
    Nothing,
    Truth(bool),
    Number(f64),
    Vector(Vec3),
    Text(&'static str),
    /// What `motion.feet` gives.
    Feet {
        ankles: [Vec3; 2],
        down: [bool; 2],
    },
}

/// A direct call's arguments, read off Luau's stack; counted from 0.
pub(crate) struct Args {
    state: *mut lua_State,
    count: c_int,
}

impl Args {
    /// Whether nothing is given at a place.
    pub(crate) fn is_nil(&self, index: c_int) -> bool {
        // SAFETY: within the stack's height.
        index >= self.count || unsafe { ffi::lua_type(self.state, index + 1) } == ffi::LUA_TNIL
    }

    /// A handle.
    pub(crate) fn thing(&self, index: c_int) -> Option<Thing> {
        if index >= self.count {
            return None;
        }
        // SAFETY: within the stack's height; the pointer is a number to us and is never followed.
        unsafe {
            let is_handle = ffi::lua_type(self.state, index + 1) == ffi::LUA_TLIGHTUSERDATA;
            is_handle.then(|| Thing::unpack(LightUserData(ffi::lua_touserdata(self.state, index + 1))))
        }
    }

    /// A finite number; not text that reads as one.
    pub(crate) fn number(&self, index: c_int) -> Option<f64> {
        if index >= self.count {
            return None;
        }
        // SAFETY: within the stack's height.
        unsafe {
            let is_number = ffi::lua_type(self.state, index + 1) == ffi::LUA_TNUMBER;
            let number = is_number.then(|| ffi::lua_tonumberx(self.state, index + 1, std::ptr::null_mut()));
            number.filter(|number| number.is_finite())
        }
    }

    /// Calls `each` with every key and finite number of a plain table; `None` where it has others, or at what `each` refuses.
    pub(crate) fn numbers(&self, index: c_int, mut each: impl FnMut(&[u8], f64) -> Option<()>) -> Option<()> {
        if index >= self.count {
            return None;
        }
        let mut at = 0;
        // SAFETY: within the stack's height; a key and its value are pushed within the room that a C function has, and popped again.
        // A key's bytes are read while the table holds it, and `each` runs no Lua.
        unsafe {
            if ffi::lua_type(self.state, index + 1) != ffi::LUA_TTABLE {
                return None;
            }
            loop {
                at = ffi::lua_rawiter(self.state, index + 1, at);
                if at < 0 {
                    return Some(());
                }
                let plain =
                    ffi::lua_type(self.state, -2) == ffi::LUA_TSTRING && ffi::lua_type(self.state, -1) == ffi::LUA_TNUMBER;
                let taken = plain.then(|| {
                    let mut length = 0;
                    let key = ffi::lua_tolstring(self.state, -2, &raw mut length);
                    let number = ffi::lua_tonumberx(self.state, -1, std::ptr::null_mut());
                    let key = std::slice::from_raw_parts(key.cast(), length);
                    number.is_finite().then(|| each(key, number)).flatten()
                });
                ffi::lua_settop(self.state, self.count);
                taken.flatten()?;
            }
        }
    }

    /// A finite vector.
    pub(crate) fn vector(&self, index: c_int) -> Option<Vec3> {
        if index >= self.count {
            return None;
        }
        // SAFETY: within the stack's height; Luau's vectors are three floats (mlua is built without `luau-vector4`).
        let vector = unsafe {
            let vector = ffi::lua_tovector(self.state, index + 1);
            (!vector.is_null()).then(|| Vec3::new(*vector, *vector.add(1), *vector.add(2)))
        };
        vector.filter(|vector| vector.is_finite())
    }
}

/// What a direct call needs: it lives in the VM's app data, as long as the VM.
pub(crate) struct Body {
    shared: Rc<Shared>,
    call: Call,
}

/// Bodies of a VM's direct calls.
#[derive(Default)]
pub(crate) struct Bodies(Vec<Rc<Body>>);

impl Bodies {
    /// Binds a direct call in front of an ordinary binding. `self` must become the VM's app data before any script runs.
    pub(crate) fn bind(&mut self, lua: &Lua, shared: &Rc<Shared>, call: Call, ordinary: &Function) -> mlua::Result<Function> {
        let body = Rc::new(Body { shared: Rc::clone(shared), call });
        let at = LightUserData(Rc::as_ptr(&body).cast_mut().cast());
        self.0.push(body);
        // SAFETY: exactly the two values that are pushed become the closure's own; the body does not move when its list grows.
        unsafe { lua.exec_raw((at, ordinary), |state| ffi::lua_pushcclosure(state, direct, 2)) }
    }
}

/// Pushes what `motion.feet` gives.
///
/// # Safety
/// The state of a live VM, with room for three values.
unsafe fn feet(state: *mut lua_State, ankles: [Vec3; 2], down: [bool; 2]) {
    // SAFETY: as asked for; what is pushed is the table's at once.
    unsafe {
        ffi::lua_createtable(state, 0, 4);
        for (name, at) in [c"left", c"right"].into_iter().zip(ankles) {
            ffi::lua_pushvector(state, at.x, at.y, at.z);
            ffi::lua_rawsetfield(state, -2, name.as_ptr());
        }
        for (name, bears) in [c"left_down", c"right_down"].into_iter().zip(down) {
            ffi::lua_pushboolean(state, bears.into());
            ffi::lua_rawsetfield(state, -2, name.as_ptr());
        }
    }
}

/// The C function of every direct call.
unsafe extern "C-unwind" fn direct(state: *mut lua_State) -> c_int {
    // SAFETY: the first of the closure's own values is a `Body` of this VM's app data, and Luau gives a C function room to push.
    unsafe {
        let body: *const c_void = ffi::lua_touserdata(state, ffi::lua_upvalueindex(1));
        let Body { shared, call } = &*body.cast::<Body>();
        let count = ffi::lua_gettop(state);
        // A panic must not run through Luau's frames; the ordinary binding meets it again, where mlua carries it.
        let answer = || if shared.direct.get() { call(shared, &Args { state, count }) } else { None };
        let out = catch_unwind(AssertUnwindSafe(answer)).ok().flatten();
        match out {
            Some(Out::Nothing) => return 0,
            Some(Out::Truth(truth)) => ffi::lua_pushboolean(state, truth.into()),
            Some(Out::Number(number)) => ffi::lua_pushnumber(state, number),
            Some(Out::Vector(v)) => ffi::lua_pushvector(state, v.x, v.y, v.z),
            Some(Out::Feet { ankles, down }) => feet(state, ankles, down),
            Some(Out::Text(text)) => ffi::lua_pushlstring_(state, text.as_ptr().cast(), text.len()),
            None => {
                ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
                ffi::lua_insert(state, 1);
                ffi::lua_call(state, count, 1);
            }
        }
        1
    }
}
