//! `motion`: what a figure has in its hands, and eating and drinking from it.

use super::motion::{command, motion};
use super::registry::{Binder, Entry, FIGURE, NOTHING, p, r};
use crate::shared::{Fault, Shared};
use glam::Vec3;
use simrun_sim::keyed::mouth;
use simrun_sim::motion::{Holding, Motion};
use simrun_sim::{Command, FigureHandle, ObjectHandle};

type HoldArgs = (FigureHandle, ObjectHandle, Option<String>, Option<String>);

/// Left out, both hands grip the first two grips in the order of their names; of one, the right hand.
fn hold(shared: &Shared, (figure, item, left, right): HoldArgs) -> Result<(), Fault> {
    let grips = if left.is_none() && right.is_none() { usual(shared, item)? } else { [left, right] };
    command(shared, Command::Hold { figure, item, grips })
}

type CupArgs = (FigureHandle, ObjectHandle, Option<String>, Option<bool>);

fn hold_cup(shared: &Shared, (figure, item, grip, right): CupArgs) -> Result<(), Fault> {
    let first = || shared.object(item, |item| item.grips.keys().next().cloned());
    let grip = grip.map_or_else(first, |grip| Ok(Some(grip)))?;
    let grips = if right.unwrap_or(true) { [None, grip] } else { [grip, None] };
    command(shared, Command::Hold { figure, item, grips })
}

fn usual(shared: &Shared, item: ObjectHandle) -> Result<[Option<String>; 2], Fault> {
    shared.object(item, |item| {
        let mut names = item.grips.keys().cloned();
        match (names.next(), names.next()) {
            (one, None) => [None, one],
            both => both.into(),
        }
    })
}

fn held(shared: &Shared, (figure,): (FigureHandle,)) -> Result<Option<ObjectHandle>, Fault> {
    motion(shared, figure, |motion| motion.holds().map(|holding| holding.item))
}

fn mouth_of(shared: &Shared, (figure,): (FigureHandle,)) -> Result<Vec3, Fault> {
    let world = shared.read()?;
    let figure = world.figure(figure)?;
    let no_motion = || simrun_sim::Error::NoMotion(figure.name.clone());
    let ragdoll = figure.model.ragdoll.as_ref().map_err(|_| no_motion())?;
    Ok(mouth(ragdoll, &figure.drawn.bodies))
}

/// Binds a question about what is done with what it holds.
fn is(binder: &Binder<'_>, is: fn(&Holding) -> bool) -> mlua::Result<mlua::Function> {
    let of = move |motion: &Motion| motion.holding.as_ref().is_some_and(is);
    binder.of(move |shared, (figure,): (FigureHandle,)| motion(shared, figure, of))
}

/// Binds a command that says no more than who.
fn tell(binder: &Binder<'_>, what: fn(FigureHandle) -> Command) -> mlua::Result<mlua::Function> {
    binder.of(move |shared, (figure,): (FigureHandle,)| command(shared, what(figure)))
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "motion",
        name: "hold",
        params: &[
            FIGURE,
            p("item", "object", "a dynamic one that has grips"),
            p("left?", "text", "the grip for the left hand; with neither, the item's first two in the order of their names"),
            p("right?", "text", "the grip for the right hand"),
        ],
        returns: NOTHING,
        doc: "Takes an item: one who sits reaches for it and holds it over the lap, one on its feet has it in its hand at once.",
        example: "ann:hold(scene.find(\"bowl\"), \"left\", \"right\")",
        bind: |b| b.of(hold),
    },
    Entry {
        module: "motion",
        name: "hold_cup",
        params: &[
            FIGURE,
            p("cup", "object", "a dynamic one that has grips"),
            p("grip?", "text", "which; left out: its first in the order of their names"),
            p("right?", "boolean", "whether in the right hand; true by default"),
        ],
        returns: NOTHING,
        doc: "The same with one hand; the other stays free, on its thigh.",
        example: "bob:hold_cup(scene.find(\"cup\"), \"handle\")",
        bind: |b| b.of(hold_cup),
    },
    Entry {
        module: "motion",
        name: "holding",
        params: &[FIGURE],
        returns: r("the object, or nil", "Object?"),
        doc: "What it has in its hands; what it only reaches for it has not.",
        example: "motion.holding(ann)",
        bind: |b| b.of(held),
    },
    Entry {
        module: "motion",
        name: "let_go",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "Opens its hands: what it held falls from where it is. Who stands up from a seat puts it down first.",
        example: "if ann:holding() then ann:let_go() end",
        bind: |b| tell(b, Command::LetGo),
    },
    Entry {
        module: "motion",
        name: "eat",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "Takes a bite of what it holds, sat: that comes up before the mouth and goes back; a hand that is free takes the bite.",
        example: "if ann:seated() and ann:holding() then ann:eat() end",
        bind: |b| tell(b, Command::Eat),
    },
    Entry {
        module: "motion",
        name: "eating",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it is at a bite.",
        example: "motion.eating(ann)",
        bind: |b| is(b, Holding::eats),
    },
    Entry {
        module: "motion",
        name: "drink",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "Takes a sip of what it holds, sat: its rim comes to the lips and is tipped by 60°.",
        example: "if ann:seated() and ann:holding() then ann:drink() end",
        bind: |b| tell(b, Command::Drink),
    },
    Entry {
        module: "motion",
        name: "drinking",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it is at a sip.",
        example: "motion.drinking(ann)",
        bind: |b| is(b, Holding::drinks),
    },
    Entry {
        module: "motion",
        name: "mouth",
        params: &[FIGURE],
        returns: r("world, m", "vector"),
        doc: "Where its mouth is.",
        example: "motion.mouth(ann)",
        bind: |b| b.of(mouth_of),
    },
];
