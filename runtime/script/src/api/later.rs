//! Modules of which nothing is built yet: calling one of these says so.

use super::registry::Entry;

pub(super) static ENTRIES: &[Entry] = &[
    Entry::missing("handover", "pool_new", "Makes the figures that a horde's members become when they are hit."),
    Entry::missing("handover", "set_horde", "Gives a pool its horde."),
    Entry::missing("handover", "set_facing", "Which way a horde's members face."),
    Entry::missing("handover", "set_colors", "The colours of a horde's members."),
    Entry::missing("handover", "outs", "The members that are figures now."),
    Entry::missing("handover", "strike", "Hits a member of a horde, which becomes a figure."),
    Entry::missing("handover", "kill", "Kills a member of a horde."),
    Entry::missing("handover", "set_settle", "How long a figure lies before it goes back to the horde."),
    Entry::missing("handover", "set_on_return", "What is called when a figure goes back to the horde."),
    Entry::missing("handover", "set_despawn", "How long a dead figure lies before it goes."),
    Entry::missing("handover", "set_on_despawn", "What is called when a dead figure goes."),
    Entry::missing("handover", "is_dead", "Whether a member of a horde is dead."),
    Entry::missing("handover", "renumber", "Moves a member of a horde to another place in its columns."),
    Entry::missing("crowd", "columns", "A horde's columns as buffers."),
    Entry::missing("crowd", "bake", "Makes the poses that a horde plays."),
    Entry::missing("crowd", "step", "Steps a horde."),
    Entry::missing("crowd", "step_out", "Takes a member out of a horde."),
    Entry::missing("draw", "line", "Draws a line on the page."),
    Entry::missing("draw", "point", "Draws a point on the page."),
    Entry::missing("draw", "text", "Writes text on the page."),
];
