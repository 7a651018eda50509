//! What a number is held to.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a number is held to; in words as tables and JSON have it: `≤ 5`, `≥ 95`, `8 to 30`, `= 0`, and `reported`, which JSON has as null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Option<String>", try_from = "Option<String>")]
pub enum Bound {
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
    /// From one to the other.
    Within(f64, f64),
    /// This and nothing else.
    Exactly(f64),
    /// Nothing: the number is there to be seen.
    Reported,
}

impl Bound {
    /// A number that is none holds to nothing.
    #[must_use]
    pub fn holds(self, measured: f64) -> bool {
        match self {
            Self::AtMost(most) => measured <= most,
            Self::AtLeast(least) => measured >= least,
            Self::Within(least, most) => (least..=most).contains(&measured),
            Self::Exactly(value) => measured == value,
            Self::Reported => measured.is_finite(),
        }
    }

    /// How far a number is from holding, as a share of what it is held to (of 1 where that is less): 0 where it holds, infinite where it
    /// is no number.
    #[must_use]
    pub fn shortfall(self, measured: f64) -> f64 {
        if self.holds(measured) {
            return 0.0;
        }
        let nearest = match self {
            Self::AtMost(value) | Self::AtLeast(value) | Self::Exactly(value) => value,
            Self::Within(least, most) => measured.clamp(least, most),
            Self::Reported => return f64::INFINITY,
        };
        let short = (measured - nearest).abs() / nearest.abs().max(1.0);
        if short.is_nan() { f64::INFINITY } else { short }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "≤ {most}"),
            Self::AtLeast(least) => write!(f, "≥ {least}"),
            Self::Within(least, most) => write!(f, "{least} to {most}"),
            Self::Exactly(value) => write!(f, "= {value}"),
            Self::Reported => f.write_str("reported"),
        }
    }
}

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let of = |sign: &str| text.strip_prefix(sign).and_then(number);
        let within = || text.split_once(" to ").and_then(|(least, most)| Some(Self::Within(number(least)?, number(most)?)));
        let bound = of("≤").map(Self::AtMost).or_else(|| of("≥").map(Self::AtLeast)).or_else(|| of("=").map(Self::Exactly));
        let bound = bound.or_else(within).or_else(|| (text == "reported").then_some(Self::Reported));
        bound.ok_or_else(|| format!("'{text}' is no bound; accepted: ≤ 5, ≥ 5, 5 to 6, = 5, reported"))
    }
}

impl From<Bound> for Option<String> {
    fn from(bound: Bound) -> Self {
        (bound != Bound::Reported).then(|| bound.to_string())
    }
}

impl TryFrom<Option<String>> for Bound {
    type Error = String;

    fn try_from(text: Option<String>) -> Result<Self, String> {
        text.map_or(Ok(Self::Reported), |text| text.parse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Bound; 5] =
        [Bound::AtMost(1.0), Bound::AtLeast(1.5), Bound::Within(-1.0, 1.0), Bound::Exactly(0.0), Bound::Reported];

    #[test]
    fn a_number_that_is_none_holds_to_nothing() {
        for bound in ALL {
            assert!(!bound.holds(f64::NAN), "{bound}");
            assert_eq!(bound.shortfall(f64::NAN), f64::INFINITY, "{bound}");
        }
    }

    #[test]
    fn a_bound_is_read_as_it_is_written() {
        for bound in ALL {
            assert_eq!(bound.to_string().parse(), Ok(bound));
        }
        assert!("about 5".parse::<Bound>().is_err());
    }

    #[test]
    fn what_holds_is_not_short_and_what_does_not_is_by_its_share() {
        assert_eq!(Bound::AtLeast(95.0).shortfall(95.0), 0.0);
        assert_eq!(Bound::AtLeast(100.0).shortfall(75.0), 0.25);
        assert_eq!(Bound::AtMost(0.1).shortfall(0.6), 0.5);
        assert_eq!(Bound::Within(2.0, 4.0).shortfall(5.0), 0.25);
    }
}
