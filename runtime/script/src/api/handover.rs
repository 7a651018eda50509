//! `handover`: members of a horde into figures, and back.

use super::crowd::{Column, HORDE, MEMBER, Member, tell};
use super::give::record;
use super::read::{Options, Read};
use super::registry::{Entry, NOTHING, p, r};
use super::sim::{FUNCTION, target};
use crate::schedule::Listener;
use crate::shared::{Fault, Shared};
use glam::Vec3;
use mlua::Value;
use simrun_sim::crowd::Whereabouts;
use simrun_sim::handover::Strike;
use simrun_sim::{Error, FigureHandle, HordeCommand};

fn pool_new(shared: &Shared, (horde, count, record): (String, Member, Option<simrun_sim::Value>)) -> Result<(), Fault> {
    shared.read()?;
    let record = record.unwrap_or_else(|| simrun_sim::Value::Map(Default::default()));
    let pool = shared.host.borrow_mut().pool_spec(count.0 as usize, &record)?;
    tell(shared, horde, HordeCommand::MakePool(Box::new(pool)))
}

fn set_horde(shared: &Shared, (horde, columns): (String, Options)) -> Result<(), Fault> {
    columns.only(&["count", "position", "heading", "phase", "tint", "speed", "whereabouts"])?;
    let column = |name: &str| columns.get::<Option<Column>>(name, None, shared);
    let floats = |name: &str| Ok::<_, String>(column(name)?.map(|column| column.floats()).unwrap_or_default());
    let positions = column("position")?.map(|column| column.groups::<3>()).transpose();
    let command = HordeCommand::SetColumns {
        positions: positions.map_err(|fault| format!("position: {fault}"))?.unwrap_or_default(),
        headings: floats("heading")?,
        phases: floats("phase")?,
        tints: column("tint")?.map(|column| column.wholes()).unwrap_or_default(),
    };
    tell(shared, horde, command)
}

fn set_colors(shared: &Shared, (horde, tints): (String, Column)) -> Result<(), Fault> {
    let tints = tints.wholes();
    tell(shared, horde, HordeCommand::SetColumns { positions: vec![], headings: vec![], phases: vec![], tints })
}

fn outs(shared: &Shared, (horde,): (String,)) -> Result<Vec<simrun_sim::Value>, Fault> {
    let world = shared.read()?;
    let horde = world.horde(&horde)?;
    let pool = horde.pool().ok_or_else(|| Error::NoPool(horde.name.clone()))?;
    let out = pool.slots().iter().filter_map(|slot| {
        let member = Some(f64::from(slot.stage.member()?).into());
        Some(record([("member", member), ("figure", Some(simrun_sim::Value::Figure(slot.figure)))]))
    });
    Ok(out.collect())
}

type StrikeArgs = (String, Member, Vec3, Vec3);

fn strike(shared: &Shared, (horde, member, point, impulse): StrikeArgs, kills: bool) -> Result<Option<FigureHandle>, Fault> {
    let member = member.0;
    let Some(figure) = shared.read()?.taker(&horde, member)? else { return Ok(None) };
    tell(shared, horde, HordeCommand::Strike(Strike { member, figure, point, impulse, kills }))?;
    Ok(Some(figure))
}

fn is_dead(shared: &Shared, (horde, member): (String, Member)) -> Result<bool, Fault> {
    let world = shared.read()?;
    let whereabouts = world.horde(&horde)?.members().whereabouts();
    let found = whereabouts.get(member.0 as usize);
    let accepted = || Fault(format!("member: found {}; accepted: a member of {}, from 0", member.0, whereabouts.len()));
    found.map(|whereabouts| *whereabouts == Whereabouts::Dead).ok_or_else(accepted)
}

/// Listens to an event of one horde.
fn listen(shared: &Shared, args: &[Value], event: &str) -> Result<Value, Fault> {
    let horde = String::read(args.first().unwrap_or(&Value::Nil), shared).map_err(|fault| format!("horde: {fault}"))?;
    shared.read()?.horde(&horde)?;
    let target = target(args.get(1).unwrap_or(&Value::Nil), shared)?;
    let caller = shared.caller.borrow().clone();
    shared.schedule.borrow_mut().listen(Listener { event: crate::event::of_horde(event, &horde), caller, target });
    Ok(Value::Nil)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "handover",
        name: "pool_new",
        params: &[
            HORDE,
            p("count", "number", "figures, 1..1000"),
            p("record?", "table", "motion, behaviours, stance, settle and despawn, as a horde of a scene file has them"),
        ],
        returns: NOTHING,
        doc: "Makes the figures that a horde's members become when they are struck: horde_1, horde_2, … They are parked till then: \
              without bodies, their behaviours asleep.",
        example: "crowd.drop(\"crowd\", 5) handover.pool_new(\"walkers\", 4, { behaviours = { \"protective_fall\" } })",
        bind: |b| b.of(pool_new),
    },
    Entry {
        module: "handover",
        name: "set_horde",
        params: &[HORDE, p("columns", "table", "buffers by name as crowd.columns has them; what is left out stays")],
        returns: NOTHING,
        doc: "Puts members where they were not: position, heading, phase, tint. Those who are figures stay what they are.",
        example: "handover.set_horde(\"crowd\", { position = crowd.columns(\"crowd\").position })",
        bind: |b| b.of(set_horde),
    },
    Entry {
        module: "handover",
        name: "set_facing",
        params: &[HORDE, p("turn", "number", "rad")],
        returns: NOTHING,
        doc: "The turn that is added to a heading where a member is drawn, for a model that walks another way than it faces.",
        example: "handover.set_facing(\"crowd\", 0)",
        bind: |b| b.of(|shared, (horde, turn): (String, f32)| tell(shared, horde, HordeCommand::SetFacing(turn))),
    },
    Entry {
        module: "handover",
        name: "set_colors",
        params: &[HORDE, p("tints", "buffer", "red, green, blue, alpha a member, a byte each")],
        returns: NOTHING,
        doc: "The members' tints; a figure wears its member's.",
        example: "handover.set_colors(\"crowd\", crowd.columns(\"crowd\").tint)",
        bind: |b| b.of(set_colors),
    },
    Entry {
        module: "handover",
        name: "outs",
        params: &[HORDE],
        returns: r("list of { member, figure }", "{ Out }"),
        doc: "The members that are figures now, the dead that lie among them.",
        example: "#handover.outs(\"crowd\")",
        bind: |b| b.of(outs),
    },
    Entry {
        module: "handover",
        name: "strike",
        params: &[HORDE, MEMBER, p("point", "vector", "world, m: the nearest bone is hit"), p("impulse", "vector", "N·s, world")],
        returns: r("the figure, or nil where every figure is falling or getting up, or the member is dead and gone", "Figure?"),
        doc: "Strikes a member: a figure of the pool takes its place, powered, and is hit. When it stands well again it goes back. \
              With none free, the farthest that is not in the middle of a fall gives up its member. Who lies dead is hit where it lies.",
        example: "handover.strike(\"crowd\", 0, crowd.position(\"crowd\", 0) + vector.create(0, 1.3, 0), vector.create(0, 0, 200))",
        bind: |b| b.of(|shared, args: StrikeArgs| strike(shared, args, false)),
    },
    Entry {
        module: "handover",
        name: "kill",
        params: &[HORDE, MEMBER, p("point", "vector", "world, m"), p("impulse", "vector", "N·s, world")],
        returns: r("the figure, or nil as of handover.strike", "Figure?"),
        doc: "The same, but the figure lies limp and never goes back.",
        example: "handover.kill(\"crowd\", 1, crowd.position(\"crowd\", 1), vector.create(0, 0, 200))",
        bind: |b| b.of(|shared, args: StrikeArgs| strike(shared, args, true)),
    },
    Entry {
        module: "handover",
        name: "set_settle",
        params: &[HORDE, p("seconds", "number", "s, 0..600; 0.5 at first")],
        returns: NOTHING,
        doc: "How long a figure stands well, upright and with all its muscle, before its member goes back.",
        example: "handover.set_settle(\"crowd\", 1)",
        bind: |b| b.of(|shared, (horde, seconds): (String, f32)| tell(shared, horde, HordeCommand::SetSettle(seconds))),
    },
    Entry {
        module: "handover",
        name: "set_on_return",
        params: &[HORDE, FUNCTION],
        returns: NOTHING,
        doc: "Calls a function when a member of this horde has gone back: the same as sim.on(\"returned\", …) for one horde.",
        example: "handover.set_on_return(\"crowd\", \"back\")",
        bind: |b| b.raw(|_, shared, args| listen(shared, &args, "returned")),
    },
    Entry {
        module: "handover",
        name: "set_despawn",
        params: &[HORDE, p("seconds", "number", "s; 0 for ever; 10 at first")],
        returns: NOTHING,
        doc: "How long a killed one lies before its figure is taken away.",
        example: "handover.set_despawn(\"crowd\", 3)",
        bind: |b| b.of(|shared, (horde, seconds): (String, f32)| tell(shared, horde, HordeCommand::SetDespawn(seconds))),
    },
    Entry {
        module: "handover",
        name: "set_on_despawn",
        params: &[HORDE, FUNCTION],
        returns: NOTHING,
        doc: "Calls a function when a killed one's figure is taken away: the same as sim.on(\"despawned\", …) for one horde.",
        example: "handover.set_on_despawn(\"crowd\", \"gone\")",
        bind: |b| b.raw(|_, shared, args| listen(shared, &args, "despawned")),
    },
    Entry {
        module: "handover",
        name: "is_dead",
        params: &[HORDE, MEMBER],
        returns: r("true or false", "boolean"),
        doc: "Whether a member has been killed.",
        example: "handover.is_dead(\"crowd\", 1)",
        bind: |b| b.of(is_dead),
    },
    Entry {
        module: "handover",
        name: "renumber",
        params: &[HORDE, p("one", "number", "a member"), p("other", "number", "a member")],
        returns: NOTHING,
        doc: "Two members change places in the columns; their figures follow.",
        example: "handover.renumber(\"crowd\", 0, 3)",
        bind: |b| {
            b.of(|shared, (horde, one, other): (String, Member, Member)| {
                tell(shared, horde, HordeCommand::Swap { one: one.0, other: other.0 })
            })
        },
    },
];
