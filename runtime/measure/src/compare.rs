//! Two tables of one measure beside each other: what became better, what worse, in one line.

use crate::bound::Bound;
use crate::table::{Row, number};
use std::cmp::Ordering;

/// Numbers that differ by a smaller share of the larger are the same: a change of a script turns every run a little.
const SAME: f64 = 0.02;
/// Rows that a line tells of: the others are counted.
const TOLD: usize = 3;

/// What a row's change means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Worse,
    Better,
    /// Another number, which is held to nothing that says which way is better.
    Other,
    Same,
}

/// The rows of a table after a change, beside those before it, in one line: those that changed most, by what they are held to, with
/// the runs that came out worse, then how many rows are worse and better in all.
#[must_use]
pub fn compared(before: &[Row], after: &[Row]) -> String {
    let mut changes: Vec<Change<'_>> = after.iter().filter_map(|row| Change::of(before, row)).collect();
    let count = |verdict| changes.iter().filter(|change| change.verdict == verdict).count();
    let (worse, better, other) = (count(Verdict::Worse), count(Verdict::Better), count(Verdict::Other));
    if worse + better + other == 0 {
        return format!("the same in all {} rows", after.len());
    }
    // Stable: among equals those come first that the table has first.
    changes.sort_by(Change::order);
    let told = changes.iter().filter(|change| change.verdict != Verdict::Same).take(TOLD).map(Change::told);
    format!("{}; of {} rows {worse} worse, {better} better", told.collect::<Vec<_>>().join("; "), after.len())
}

/// A row and the same of the other table.
struct Change<'a> {
    before: &'a Row,
    after: &'a Row,
    verdict: Verdict,
}

impl<'a> Change<'a> {
    fn of(before: &'a [Row], after: &'a Row) -> Option<Self> {
        let before = before.iter().find(|row| row.name == after.name && row.way == after.way)?;
        Some(Self { before, after, verdict: verdict(after.held_to, before.measured, after.measured) })
    }

    /// Rows that hold no more, those that hold now, then those whose runs are told, then the greater change.
    fn order(&self, other: &Self) -> Ordering {
        let key = |change: &Self| {
            let turned = change.before.ok != change.after.ok;
            (change.verdict == Verdict::Other, !turned, change.after.each.is_empty())
        };
        key(self).cmp(&key(other)).then_with(|| other.share().total_cmp(&self.share()))
    }

    fn share(&self) -> f64 {
        share(self.before.measured, self.after.measured)
    }

    fn told(&self) -> String {
        let Row { name, way, unit, measured, held_to, ok, each } = self.after;
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let way = if way.is_empty() { String::new() } else { format!("{way}: ") };
        let mut told = format!("{way}{name} {} → {}{unit}", number(self.before.measured), number(*measured));
        if self.before.each.len() == each.len() && !each.is_empty() {
            let worse = self.before.each.iter().zip(each).filter(|(old, new)| verdict(*held_to, **old, **new) == Verdict::Worse);
            told += &format!(", {} of {} worse", worse.count(), each.len());
        }
        match (self.before.ok, ok) {
            (true, false) => told + &format!(" (no longer {held_to})"),
            (false, true) => told + &format!(" (now {held_to})"),
            _ => told,
        }
    }
}

fn verdict(held_to: Bound, before: f64, after: f64) -> Verdict {
    if before == after || share(before, after) < SAME {
        return Verdict::Same;
    }
    let less = after < before;
    match held_to {
        Bound::Reported => Verdict::Other,
        // A number is better than none.
        _ if before.is_nan() => Verdict::Better,
        _ if after.is_nan() => Verdict::Worse,
        Bound::AtMost(_) => {
            if less {
                Verdict::Better
            } else {
                Verdict::Worse
            }
        }
        Bound::AtLeast(_) => {
            if less {
                Verdict::Worse
            } else {
                Verdict::Better
            }
        }
        Bound::Within(..) | Bound::Exactly(_) => match held_to.shortfall(after).total_cmp(&held_to.shortfall(before)) {
            Ordering::Less => Verdict::Better,
            Ordering::Equal => Verdict::Other,
            Ordering::Greater => Verdict::Worse,
        },
    }
}

/// How far apart two numbers are, as a share of the larger; infinite where one is none.
fn share(before: f64, after: f64) -> f64 {
    let apart = (after - before).abs() / before.abs().max(after.abs()).max(f64::MIN_POSITIVE);
    if apart.is_nan() { if before.is_nan() && after.is_nan() { 0.0 } else { f64::INFINITY } } else { apart }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, held_to: Bound, each: &[f64]) -> Row {
        Row::new(name, "forward", "m/s", each.iter().sum::<f64>() / each.len() as f64, held_to).over(each.to_vec())
    }

    #[test]
    fn what_changed_is_told_in_one_line() {
        let table = |head: &[f64], at: f64| {
            let still = Row::new("still", "back", "%", 100.0, Bound::AtLeast(95.0));
            vec![still, Row::new("at", "back", "s", at, Bound::Reported), row("head", Bound::AtMost(1.0), head)]
        };
        let (before, after) = (table(&[0.5, 0.5, 0.5], 0.7), table(&[0.5, 2.0, 1.5], 0.8));
        assert_eq!(
            compared(&before, &after),
            "forward: head 0.5 → 1.333 m/s, 2 of 3 worse (no longer ≤ 1); back: at 0.7 → 0.8 s; of 3 rows 1 worse, 0 better"
        );
        assert!(compared(&after, &before).starts_with("forward: head 1.333 → 0.5 m/s, 0 of 3 worse (now ≤ 1)"));
        assert_eq!(compared(&before, &before), "the same in all 3 rows");
    }

    #[test]
    fn which_way_is_better_is_as_the_bound_says() {
        for (held_to, before, after, expected) in [
            (Bound::AtMost(1.0), 0.5, 0.6, Verdict::Worse),
            (Bound::AtMost(1.0), 0.5, 0.505, Verdict::Same),
            (Bound::AtLeast(1.0), 0.5, 0.6, Verdict::Better),
            (Bound::Exactly(1.0), 0.5, 1.0, Verdict::Better),
            (Bound::Within(1.0, 2.0), 1.2, 1.8, Verdict::Other),
            (Bound::Within(1.0, 2.0), 1.2, 2.8, Verdict::Worse),
            (Bound::Reported, 1.2, 2.8, Verdict::Other),
            (Bound::AtMost(1.0), f64::NAN, 0.5, Verdict::Better),
            (Bound::AtMost(1.0), 0.5, f64::NAN, Verdict::Worse),
            (Bound::AtMost(1.0), 0.0, 0.0, Verdict::Same),
        ] {
            assert_eq!(verdict(held_to, before, after), expected, "{held_to}: {before}, {after}");
        }
    }
}
