//! The measures there are, and what each can be asked.

use crate::carried::Carried;
use crate::options::{MeasureError, Options};
use crate::subject::Subject;
use crate::table::Row;
use crate::{
    balance, brace, crawl, eat, falls, get_up, handover, handover_gap, heading, impact_shows, lie, limits, part_powered, parts,
    pile, props, rest, shove, sit, stagger, walls, wounds, writhe,
};
use std::fmt;

/// Takes a measure: the number of runs and what was found.
pub(crate) type Take = fn(&Subject, &Options) -> Result<(usize, Vec<Row>), MeasureError>;

/// A measure: an ensemble of runs and a table of what they come to.
#[derive(Debug)]
pub struct Measure {
    /// What it goes by.
    pub name: &'static str,
    /// What it finds out, in one line.
    pub about: &'static str,
    /// What its rows say, by their names.
    pub rows: &'static [(&'static str, &'static str)],
    /// The behaviours that its figures carry; the first one is what is measured.
    pub carries: &'static [&'static str],
    /// Whether it can be taken on a slope.
    pub slopes: bool,
    /// Whether its blows can go any way.
    pub turns: bool,
    /// Whether it can be drawn.
    pub drawn: bool,
    /// Whether its figures can be on compliant muscles.
    pub muscles: bool,
    /// Whether its figures do what they can have a clip for.
    pub acts: bool,
    pub(crate) take: Take,
}

/// Every measure, in the order in which they are told.
pub const MEASURES: [&Measure; 23] = [
    &rest::MEASURE,
    &shove::MEASURE,
    &heading::MEASURE,
    &impact_shows::MEASURE,
    &handover_gap::MEASURE,
    &limits::MEASURE,
    &pile::MEASURE,
    &props::MEASURE,
    &walls::MEASURE,
    &falls::MEASURE,
    &balance::MEASURE,
    &stagger::MEASURE,
    &get_up::MEASURE,
    &parts::MEASURE,
    &part_powered::MEASURE,
    &writhe::MEASURE,
    &wounds::MEASURE,
    &brace::MEASURE,
    &crawl::MEASURE,
    &sit::MEASURE,
    &lie::MEASURE,
    &eat::MEASURE,
    &handover::MEASURE,
];

impl Measure {
    /// One that can be asked nothing in particular, of figures that carry nothing: what a measure says of itself is what differs.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        about: "",
        rows: &[],
        carries: &[],
        slopes: false,
        turns: false,
        drawn: false,
        muscles: false,
        acts: false,
        take: |_, _| Ok((0, Vec::new())),
    };

    /// What its figures carry, as the options have it.
    ///
    /// # Errors
    /// As of [`Carried::of`].
    pub(crate) fn carried(&self, options: &Options) -> Result<Carried, MeasureError> {
        Carried::of(self.carries, options)
    }

    /// The measure of a name.
    ///
    /// # Errors
    /// A name that is no measure's.
    pub fn named(name: &str) -> Result<&'static Self, MeasureError> {
        let found = MEASURES.into_iter().find(|measure| measure.name == name);
        found.ok_or_else(|| MeasureError::UnknownMeasure(name.to_owned()))
    }

    /// The names of those of which something is true, in one line.
    pub(crate) fn names(which: fn(&Self) -> bool) -> String {
        let names: Vec<&str> = MEASURES.iter().filter(|measure| which(measure)).map(|measure| measure.name).collect();
        names.join(", ")
    }

    /// What it is about, what it can be asked, and what each of its rows says.
    #[must_use]
    pub fn explanation(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.about);
        if let Some(measured) = self.carries.first() {
            text += &format!(
                "\nIt measures scripts/{measured}.luau: --script puts your own in its place, --set sets its parameters.\n"
            );
            if let [_, others @ ..] = self.carries
                && !others.is_empty()
            {
                text += &format!("Beside it the figures carry: {}.\n", others.join(", "));
            }
        }
        if self.slopes {
            text += "\nIt can be taken on a slope: --slope.\n";
        }
        if self.turns {
            text += "\nIts blows can go any way: --headings all.\n";
        }
        if self.drawn {
            text += "\nIt can be drawn: --plot.\n";
        }
        text += "\nRows:\n";
        let width = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        self.rows.iter().for_each(|(name, says)| text += &format!("  {name:width$}  {says}\n"));
        text
    }

    /// Every measure with what it is about, a line each.
    #[must_use]
    pub fn listing() -> String {
        let width = MEASURES.iter().map(|measure| measure.name.len()).max().unwrap_or(0);
        MEASURES.iter().map(|measure| format!("  {measure:width$}  {}\n", measure.about)).collect()
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}
