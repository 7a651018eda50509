//! What `sim.on` tells: the events' names and what each carries.

use super::crowd::{HORDE, MEMBER};
use super::registry::{BONE, FIGURE, OBJECT, Param, p};

/// An event as scripts hear it.
#[derive(Debug)]
pub(crate) struct EventDoc {
    /// As `sim.on` takes it.
    pub(crate) name: &'static str,
    /// One line.
    pub(crate) doc: &'static str,
    /// What it carries beside [`COMMON`].
    pub(crate) fields: &'static [Param],
}

/// What every event carries.
pub(crate) const COMMON: &[Param] = &[
    p("name", "text", "the event's"),
    p("step", "number", "in which it happened"),
    p("time", "number", "s of simulation"),
    p(FIGURE.name, FIGURE.kind, "whom it is about"),
];

const POINT: Param = p("point", "vector", "world, m");

/// Every event.
pub(crate) static EVENTS: [EventDoc; 11] = [
    EventDoc {
        name: "struck",
        doc: "A blow landed, or something that is not ground ran into the figure.",
        fields: &[
            p(BONE.name, "bone name", ""),
            POINT,
            p("impulse", "vector", "N·s, world"),
            p("closing_speed?", "number", "m/s, where it is known"),
            p("by?", "object", "what struck, where it is known"),
        ],
    },
    EventDoc {
        name: "phase",
        doc: "The figure's phase changed.",
        fields: &[p("from", "text", "the phase before"), p("to", "text", "the phase now")],
    },
    EventDoc {
        name: "mode",
        doc: "The figure's mode changed.",
        fields: &[p("from", "text", "the mode before"), p("to", "text", "the mode now")],
    },
    EventDoc {
        name: "get_up_waits",
        doc: "A figure that is to get up does not yet: it moves, or something is in its way. Told again when the reason changes.",
        fields: &[p("why", "text", "the reason, in words")],
    },
    EventDoc {
        name: "touched",
        doc: "A bone met the ground or an object.",
        fields: &[
            p(BONE.name, "bone name", ""),
            p(OBJECT.name, OBJECT.kind, "what it met"),
            POINT,
            p("speed", "number", "m/s, along the contact's normal"),
        ],
    },
    EventDoc { name: "spawned", doc: "A figure came to be.", fields: &[] },
    EventDoc { name: "destroyed", doc: "A figure went.", fields: &[] },
    EventDoc { name: "handed_over", doc: "A struck member of a horde became a figure.", fields: &[HORDE, MEMBER] },
    EventDoc { name: "returned", doc: "A figure that has recovered went back to its horde.", fields: &[HORDE, MEMBER] },
    EventDoc { name: "despawned", doc: "A killed member's figure was taken away.", fields: &[HORDE, MEMBER] },
    EventDoc { name: "poisoned", doc: "A figure's bodies went non-finite: it is frozen.", fields: &[] },
];

/// The names of all events.
pub(crate) fn event_names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|event| event.name)
}
