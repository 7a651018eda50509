//! Modules of which nothing is built yet: calling one of these says so.

use super::registry::Entry;

pub(super) static ENTRIES: &[Entry] = &[
    Entry::missing("draw", "line", "Draws a line on the page."),
    Entry::missing("draw", "point", "Draws a point on the page."),
    Entry::missing("draw", "text", "Writes text on the page."),
];
