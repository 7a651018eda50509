//! `crowd`: hordes and their columns.

use super::read::Read;
use super::registry::{BONE, Entry, NOTHING, Param, p, r};
use crate::shared::{Fault, Shared};
use glam::Vec3;
use mlua::{Buffer, Lua, Table, Value};
use simrun_sim::{Bone, Command, HordeCommand};

pub(super) const HORDE: Param = p("horde", "text", "its name");
pub(super) const MEMBER: Param = p("member", "number", "from 0, as in the columns");

/// Gives a horde's command.
pub(super) fn tell(shared: &Shared, horde: String, command: HordeCommand) -> Result<(), Fault> {
    Ok(shared.write()?.command(Command::Horde { horde, command })?)
}

/// A member's number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member(pub(super) u32);

impl Read for Member {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        let number = f64::read(value, shared)?;
        let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
        if whole { Ok(Self(number as u32)) } else { Err(format!("found {number}; accepted: a whole number from 0")) }
    }
}

/// A column as a script holds it: four bytes a number, the lowest first.
#[derive(Debug)]
pub(super) struct Column(Vec<[u8; 4]>);

impl Read for Column {
    fn read(value: &Value, shared: &Shared) -> Result<Self, String> {
        let Value::Buffer(buffer) = value else {
            return Err(format!("found {}; accepted: a buffer, as crowd.columns gives it", super::read::found(value, shared)));
        };
        let bytes = buffer.to_vec();
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(format!("found a buffer of {} bytes; accepted: four bytes a number", bytes.len()));
        }
        Ok(Self(numbers.to_vec()))
    }
}

impl Column {
    pub(super) fn floats(&self) -> Vec<f32> {
        self.0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    pub(super) fn wholes(&self) -> Vec<u32> {
        self.0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    }

    /// So many numbers a member; what is left over at the end is refused.
    pub(super) fn groups<const N: usize>(&self) -> Result<Vec<[f32; N]>, String> {
        let floats = self.floats();
        let (groups, rest) = floats.as_chunks::<N>();
        if rest.is_empty() { Ok(groups.to_vec()) } else { Err(format!("found {} numbers; accepted: {N} a member", floats.len())) }
    }
}

fn buffer<const N: usize>(lua: &Lua, numbers: impl Iterator<Item = [u8; N]>) -> mlua::Result<Buffer> {
    lua.create_buffer(numbers.flatten().collect::<Vec<u8>>())
}

/// A horde's columns, copied.
fn columns(lua: &Lua, shared: &Shared, args: &[Value]) -> Result<Value, Fault> {
    let name = String::read(args.first().unwrap_or(&Value::Nil), shared).map_err(|fault| format!("horde: {fault}"))?;
    let world = shared.read()?;
    let members = world.horde(&name)?.members();
    let table: Table = lua.create_table()?;
    let floats = |column: &[f32]| buffer(lua, column.iter().map(|number| number.to_le_bytes()));
    table.raw_set("count", members.len())?;
    table.raw_set("position", floats(members.positions().as_flattened())?)?;
    let headings: Vec<f32> = (0..members.len()).map(|member| members.heading(member)).collect();
    table.raw_set("heading", floats(&headings)?)?;
    table.raw_set("phase", floats(members.phases())?)?;
    table.raw_set("speed", floats(members.speeds())?)?;
    table.raw_set("tint", buffer(lua, members.tints().iter().map(|tint| tint.to_le_bytes()))?)?;
    table.raw_set("whereabouts", buffer(lua, members.whereabouts().iter().map(|whereabouts| [*whereabouts as u8]))?)?;
    Ok(Value::Table(table))
}

fn bake(shared: &Shared, (name, record): (String, simrun_sim::Value)) -> Result<(), Fault> {
    shared.read()?;
    let spec = shared.host.borrow_mut().horde_spec(&name, &record)?;
    tell(shared, name, HordeCommand::Add(Box::new(spec)))
}

/// One member's number out of the columns.
fn of_member<T>(
    shared: &Shared,
    horde: &str,
    member: Member,
    read: impl FnOnce(&simrun_sim::Horde, usize) -> T,
) -> Result<T, Fault> {
    let world = shared.read()?;
    let horde = world.horde(horde)?;
    let count = horde.members().len();
    let index = member.0 as usize;
    if index >= count {
        return Err(format!("member: found {index}; accepted: a member of {count}, from 0").into());
    }
    Ok(read(horde, index))
}

fn set_goal(shared: &Shared, (horde, goal): (String, Value)) -> Result<(), Fault> {
    let goals = match &goal {
        Value::Nil => Vec::new(),
        Value::Buffer(_) => Column::read(&goal, shared)?.groups::<2>().map_err(|fault| format!("goal: {fault}"))?,
        _ => {
            let at = Vec3::read(&goal, shared).map_err(|fault| format!("goal: {fault}, a buffer, or nil"))?;
            vec![[at.x, at.z]]
        }
    };
    tell(shared, horde, HordeCommand::SetGoals(goals))
}

fn step(shared: &Shared, (horde, seconds): (String, f32)) -> Result<(), Fault> {
    tell(shared, horde, HordeCommand::Step(seconds))
}

/// The middle of a member's bone.
fn bone(shared: &Shared, (horde, member, bone): (String, Member, Bone)) -> Result<Vec3, Fault> {
    let figure = of_member(shared, &horde, member, |horde, member| horde.figure_of(member as u32))?;
    if let Some(figure) = figure {
        return Ok(shared.read()?.figure(figure)?.bone(bone).translation);
    }
    let middle = of_member(shared, &horde, member, |horde, member| horde.bone(member, bone))?;
    middle.map(|middle| middle.translation).ok_or_else(|| format!("'{horde}' has no ragdoll").into())
}

const SECONDS: Param = p("seconds", "number", "s of simulation, in the world's steps");

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "crowd",
        name: "all",
        params: &[],
        returns: r("list of names", "{ string }"),
        doc: "Every horde, in a fixed order.",
        example: "crowd.all()[1]",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.hordes().map(|horde| horde.name.clone()).collect::<Vec<_>>())),
    },
    Entry {
        module: "crowd",
        name: "bake",
        params: &[p("name", "text", "unique in the scene"), p("record", "table", "as a horde of a scene file")],
        returns: NOTHING,
        doc: "Makes a horde: its clip is baked in place, its members are spread over its area. It is there from the next step on.",
        example: "crowd.bake(\"mob\", { model = \"assets/boxman.glb\", clip = \"Walk\", count = 20 })",
        bind: |b| b.of(bake),
    },
    Entry {
        module: "crowd",
        name: "columns",
        params: &[HORDE],
        returns: r(
            "count, and buffers: position (three f32 a member, world, m), heading (f32, rad), phase (f32, 0..1), speed (f32, m/s), tint \
             (four bytes), whereabouts (one byte: 0 in the horde, 1 a figure, 2 dead)",
            "Columns",
        ),
        doc: "A copy of its members' columns; handover.set_horde puts them back.",
        example: "buffer.readf32(crowd.columns(\"crowd\").position, 0)",
        bind: |b| b.raw(|lua, shared, args| columns(lua, shared, &args)),
    },
    Entry {
        module: "crowd",
        name: "count",
        params: &[HORDE],
        returns: r("number", "number"),
        doc: "How many members it has, those who are figures or dead among them.",
        example: "crowd.count(\"crowd\")",
        bind: |b| b.of(|shared, (horde,): (String,)| Ok(shared.read()?.horde(&horde)?.members().len() as f64)),
    },
    Entry {
        module: "crowd",
        name: "position",
        params: &[HORDE, MEMBER],
        returns: r("world, m", "vector"),
        doc: "Where a member stands; of one that is a figure, where that is.",
        example: "crowd.position(\"crowd\", 0)",
        bind: |b| {
            b.of(|shared, (horde, member): (String, Member)| {
                of_member(shared, &horde, member, |horde, member| Vec3::from_array(horde.members().positions()[member]))
            })
        },
    },
    Entry {
        module: "crowd",
        name: "bone",
        params: &[HORDE, MEMBER, BONE],
        returns: r("world, m", "vector"),
        doc: "Where the middle of a member's bone is, as its clip has it; of one that is a figure, where that has it.",
        example: "crowd.bone(\"crowd\", 0, Bone.chest)",
        bind: |b| b.of(bone),
    },
    Entry {
        module: "crowd",
        name: "heading",
        params: &[HORDE, MEMBER],
        returns: r("rad about +Y, 0 along +Z", "number"),
        doc: "Which way a member faces.",
        example: "crowd.heading(\"crowd\", 0)",
        bind: |b| {
            b.of(|shared, (horde, member): (String, Member)| {
                of_member(shared, &horde, member, |horde, member| horde.members().heading(member))
            })
        },
    },
    Entry {
        module: "crowd",
        name: "set_goal",
        params: &[
            HORDE,
            p("goal?", "vector or buffer", "world, m: one place for all, or X and Z (f32) of each; nil: nowhere in particular"),
        ],
        returns: NOTHING,
        doc: "Where its members walk. Those who roam find another goal there.",
        example: "crowd.set_goal(\"crowd\", vector.create(0, 0, 5))",
        bind: |b| b.of(set_goal),
    },
    Entry {
        module: "crowd",
        name: "set_speed",
        params: &[HORDE, p("speed", "number", "m/s, 0..30")],
        returns: NOTHING,
        doc: "How fast its members walk.",
        example: "crowd.set_speed(\"crowd\", 1.2)",
        bind: |b| b.of(|shared, (horde, speed): (String, f32)| tell(shared, horde, HordeCommand::SetSpeed(speed))),
    },
    Entry {
        module: "crowd",
        name: "set_clearance",
        params: &[HORDE, p("clearance", "number", "m; 0 for none")],
        returns: NOTHING,
        doc: "The distance that its members keep from each other.",
        example: "crowd.set_clearance(\"crowd\", 0.8)",
        bind: |b| b.of(|shared, (horde, metres): (String, f32)| tell(shared, horde, HordeCommand::SetClearance(metres))),
    },
    Entry {
        module: "crowd",
        name: "step",
        params: &[HORDE, SECONDS],
        returns: NOTHING,
        doc: "Lets its members go on at once, beside the steps that they take by themselves; those who are figures are passed by.",
        example: "crowd.step(\"crowd\", 2)",
        bind: |b| b.of(step),
    },
    Entry {
        module: "crowd",
        name: "step_out",
        params: &[HORDE, SECONDS],
        returns: NOTHING,
        doc: "The same as crowd.step, which never moves those who are out.",
        example: "crowd.step_out(\"crowd\", 2)",
        bind: |b| b.of(step),
    },
    Entry {
        module: "crowd",
        name: "drop",
        params: &[HORDE, MEMBER],
        returns: NOTHING,
        doc: "Takes a member out for good: the last one gets its number. If it is a figure, that is parked.",
        example: "crowd.drop(\"crowd\", 0)",
        bind: |b| b.of(|shared, (horde, member): (String, Member)| tell(shared, horde, HordeCommand::RemoveMember(member.0))),
    },
    Entry {
        module: "crowd",
        name: "remove",
        params: &[HORDE],
        returns: NOTHING,
        doc: "Takes a horde out, with its pool and its figures.",
        example: "crowd.remove(\"crowd\")",
        bind: |b| b.of(|shared, (horde,): (String,)| tell(shared, horde, HordeCommand::Remove)),
    },
];
