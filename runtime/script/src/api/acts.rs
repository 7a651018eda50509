//! `motion`: acts, what a figure does by keyed ways and stays in.

use super::give::record;
use super::motion::{command, motion};
use super::registry::{Binder, Entry, FIGURE, NOTHING, Returns, p, r};
use crate::shared::{Fault, Shared};
use glam::Vec3;
use simrun_sim::acts::{self, Spot};
use simrun_sim::motion::{ActKind, Motion};
use simrun_sim::space::yaw_of;
use simrun_sim::{Command, FigureHandle, Value};

const SPOT: Returns = r("{ position, yaw }: for move_to", "{ position: vector, yaw: number }");

fn spot(spot: &Spot) -> Value {
    record([("position", Some(Value::Vector(spot.position))), ("yaw", Some(f64::from(spot.yaw).into()))])
}

/// The way to face on a seat: as said, or as it faces.
fn facing(shared: &Shared, figure: FigureHandle, said: Option<f32>) -> Result<f32, Fault> {
    said.map_or_else(|| shared.figure(figure, |figure| yaw_of(figure.place.rotation)), Ok)
}

fn sit_spot(shared: &Shared, (figure, seat, way): (FigureHandle, Vec3, Option<f32>)) -> Result<Value, Fault> {
    let way = facing(shared, figure, way)?;
    Ok(spot(&acts::sit_spot(&*shared.read()?, figure, seat, way)?))
}

fn sit(shared: &Shared, (figure, seat, way): (FigureHandle, Vec3, Option<f32>)) -> Result<(), Fault> {
    let facing = facing(shared, figure, way)?;
    command(shared, Command::Sit { figure, seat, facing })
}

fn lie_spot(shared: &Shared, (figure, middle, head): (FigureHandle, Vec3, Vec3)) -> Result<Value, Fault> {
    Ok(spot(&acts::lie_spot(&*shared.read()?, figure, middle, head)?))
}

/// Binds a question about the act.
fn act_is(binder: &Binder<'_>, is: fn(&Motion) -> bool) -> mlua::Result<mlua::Function> {
    binder.of(move |shared, (figure,): (FigureHandle,)| motion(shared, figure, is))
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "motion",
        name: "acting",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it sits down, lies down, stands up or stays so by itself; set_mode ends it, and a blow does.",
        example: "motion.acting(ann)",
        bind: |b| act_is(b, |motion| motion.act.is_some()),
    },
    Entry {
        module: "motion",
        name: "sit",
        params: &[
            FIGURE,
            p("seat", "vector", "world, m: where the middle of its hips comes to rest, on the seat's top"),
            p("facing?", "number", "rad; left out: as it faces"),
        ],
        returns: NOTHING,
        doc: "Sits it down on a box, a log, any surface, from where it stands by it: within 0.2 m and 45° of its sit_spot.",
        example: "ann:sit(vector.create(0, 0.45, -0.42), 0)",
        bind: |b| b.of(sit),
    },
    Entry {
        module: "motion",
        name: "sit_spot",
        params: &[FIGURE, p("seat", "vector", "world, m: as of sit"), p("facing?", "number", "rad; left out: as it faces")],
        returns: SPOT,
        doc: "Where to stand to sit there with upright shins.",
        example: "ann:sit_spot(vector.create(0, 0.45, -0.42), 0).position",
        bind: |b| b.of(sit_spot),
    },
    Entry {
        module: "motion",
        name: "sitting",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it sits down or sits.",
        example: "motion.sitting(ann)",
        bind: |b| act_is(b, |motion| motion.acts(ActKind::Sit).is_some_and(|act| !act.leaving)),
    },
    Entry {
        module: "motion",
        name: "seated",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it has come to sit.",
        example: "motion.seated(ann)",
        bind: |b| act_is(b, |motion| motion.stays(ActKind::Sit)),
    },
    Entry {
        module: "motion",
        name: "stand_up",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "Stands it up from a seat, into the mode that it sat down from.",
        example: "if ann:sitting() then ann:stand_up() end",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| command(shared, Command::StandUp(figure))),
    },
    Entry {
        module: "motion",
        name: "lie_down",
        params: &[FIGURE, p("head", "vector", "world, m: where its head comes to lie toward")],
        returns: NOTHING,
        doc: "Lays it on its back from where it stands, its back to the point, until get_up.",
        example: "ann:lie_down(vector.create(0, 0, -2))",
        bind: |b| b.of(|shared, (figure, head): (FigureHandle, Vec3)| command(shared, Command::LieDown { figure, head })),
    },
    Entry {
        module: "motion",
        name: "lie_spot",
        params: &[
            FIGURE,
            p("middle", "vector", "world, m: where its hips are to lie"),
            p("head", "vector", "world, m: where its head comes to lie toward"),
        ],
        returns: SPOT,
        doc: "Where to stand to lie with the hips at the middle of a bed.",
        example: "ann:lie_spot(vector.create(0, 0, 2), vector.create(0, 0, 3)).yaw",
        bind: |b| b.of(lie_spot),
    },
    Entry {
        module: "motion",
        name: "lying_down",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it lies down by itself, or has lain down so.",
        example: "motion.lying_down(ann)",
        bind: |b| act_is(b, |motion| motion.acts(ActKind::Lie).is_some()),
    },
];
