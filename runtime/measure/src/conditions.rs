//! Who an ensemble is drawn from, and on what ground: what a measure can be asked beside its own situations.

use serde::{Serialize, Serializer};
use simrun_sim::figure::Build;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Masses (kg), heights (m) and slopes (degrees) that figures can be measured with: beyond anybody's, within what the solver is made for.
const MASSES: RangeInclusive<f32> = 20.0..=300.0;
const HEIGHTS: RangeInclusive<f32> = 1.0..=2.5;
const SLOPES: RangeInclusive<f32> = 0.0..=30.0;

/// Who stands where. By default everybody is as the model is, on level ground, and is struck from a measure's own ways.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Conditions {
    /// Kilograms, 20 to 300: each run draws its own. `None`: what the usual person of that height has.
    pub mass: Option<Span>,
    /// Metres, 1 to 2.5: each run draws its own. `None`: the model's own height.
    pub height: Option<Span>,
    /// How much the ground rises, the same way for all (degrees, 0 to 30); figures face any way on it.
    pub slope_deg: f32,
    /// Which ways blows go.
    pub headings: Headings,
    /// Whether figures are on compliant muscles ([`MotionRecord`](simrun_sim::MotionRecord)).
    pub muscles: bool,
    /// Whether their feet hang from ankles of their own ([`Build`]).
    pub ankles: bool,
}

/// The ways that blows go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Headings {
    /// Those that the measure names.
    #[default]
    Default,
    /// Any, drawn for each blow.
    All,
}

impl FromStr for Headings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "default" => Ok(Self::Default),
            "all" => Ok(Self::All),
            _ => Err(format!("'{text}'; accepted: all, default")),
        }
    }
}

/// Numbers from one to another, both included; the two may be the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least.
    pub from: f32,
    /// The most.
    pub to: f32,
}

impl Span {
    /// The number so far along it, 0 to 1.
    #[must_use]
    pub fn at(self, share: f32) -> f32 {
        self.from + (self.to - self.from) * share
    }

    fn is_within(self, range: &RangeInclusive<f32>) -> bool {
        self.from <= self.to && range.contains(&self.from) && range.contains(&self.to)
    }
}

impl FromStr for Span {
    type Err = String;

    /// `75` or `50..110`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f32| number.is_finite());
        let span = number(from).zip(number(to)).map(|(from, to)| Self { from, to });
        span.ok_or_else(|| format!("'{text}'; accepted: a number or a range, such as 75 or 50..110"))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { write!(f, "{}", self.from) } else { write!(f, "{}..{}", self.from, self.to) }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.from, self.to].serialize(serializer)
    }
}

impl Conditions {
    /// What is out of its range: what it is, what was found, what is accepted.
    pub(crate) fn flaw(&self) -> Option<(&'static str, String, &'static str)> {
        let outside = |span: &Option<Span>, range| span.filter(|span| !span.is_within(&range)).map(|span| span.to_string());
        if let Some(found) = outside(&self.mass, MASSES) {
            return Some(("mass", found, "20 to 300 kg, the lesser first"));
        }
        if let Some(found) = outside(&self.height, HEIGHTS) {
            return Some(("height", found, "1 to 2.5 m, the lesser first"));
        }
        let steep = !SLOPES.contains(&self.slope_deg);
        steep.then(|| ("slope", self.slope_deg.to_string(), "0 to 30 degrees"))
    }

    /// Radians that the ground rises by.
    pub(crate) fn slope(&self) -> f32 {
        self.slope_deg.to_radians()
    }

    /// How a figure is built; `share` draws a number from 0 to 1. `None`: nothing is asked of it.
    pub(crate) fn build(&self, mut share: impl FnMut() -> f32) -> Option<Build> {
        let mut draw = |span: Option<Span>| span.map(|span| span.at(share()));
        let build = Build { mass: draw(self.mass), height: draw(self.height), ankles: self.ankles };
        (build != Build::default()).then_some(build)
    }
}

/// What is not as usual, each after a dot: ` · 50..110 kg`.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mass, height, slope_deg, headings, muscles, ankles } = self;
        mass.map_or(Ok(()), |mass| write!(f, " · {mass} kg"))?;
        height.map_or(Ok(()), |height| write!(f, " · {height} m"))?;
        if *slope_deg != 0.0 {
            write!(f, " · slope of {slope_deg}°")?;
        }
        if *headings == Headings::All {
            f.write_str(" · any heading")?;
        }
        if *muscles {
            f.write_str(" · compliant muscles")?;
        }
        if *ankles { f.write_str(" · ankles") } else { Ok(()) }
    }
}
