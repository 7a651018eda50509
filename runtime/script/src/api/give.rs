//! Pushing results.

use crate::handle::Thing;
use crate::plain::from_plain;
use glam::Vec3;
use mlua::{Lua, Value};
use simrun_sim::{FigureHandle, ObjectHandle};

/// What a result becomes in Lua.
pub(crate) trait Give {
    fn give(self, lua: &Lua) -> mlua::Result<Value>;
}

impl Give for () {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(Value::Nil)
    }
}

impl Give for bool {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(Value::Boolean(self))
    }
}

impl Give for f64 {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(Value::Number(self))
    }
}

impl Give for f32 {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(Value::Number(f64::from(self)))
    }
}

impl Give for Vec3 {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(Value::Vector(mlua::Vector::new(self.x, self.y, self.z)))
    }
}

impl Give for Thing {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(Value::LightUserData(self.pack()))
    }
}

impl Give for FigureHandle {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        Thing::from(self).give(lua)
    }
}

impl Give for ObjectHandle {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        Thing::from(self).give(lua)
    }
}

impl Give for &str {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        lua.create_string(self).map(Value::String)
    }
}

impl Give for String {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        self.as_str().give(lua)
    }
}

impl Give for Value {
    fn give(self, _: &Lua) -> mlua::Result<Value> {
        Ok(self)
    }
}

impl Give for simrun_sim::Value {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        from_plain(lua, &self)
    }
}

impl<T: Give> Give for Option<T> {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        self.map_or(Ok(Value::Nil), |value| value.give(lua))
    }
}

impl<T: Give> Give for Vec<T> {
    fn give(self, lua: &Lua) -> mlua::Result<Value> {
        let table = lua.create_table_with_capacity(self.len(), 0)?;
        for item in self {
            table.raw_push(item.give(lua)?)?;
        }
        Ok(Value::Table(table))
    }
}

/// A table by name from plain values; what is `None` is left out.
pub(crate) fn record<const N: usize>(fields: [(&str, Option<simrun_sim::Value>); N]) -> simrun_sim::Value {
    let known = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    simrun_sim::Value::Map(known.collect())
}
