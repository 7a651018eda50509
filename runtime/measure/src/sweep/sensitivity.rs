//! Which parameters matter.

use super::{Axis, Scored};
use serde::Serialize;

/// Fifths of a range are compared where a parameter has more numbers than these.
const GROUPS: usize = 5;

/// How much of what trials came to goes with one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// Which.
    pub param: String,
    /// Share of the variance that the means over the numbers tried (or over fifths of them) account for, 0 to 1; NaN (JSON: null) where
    /// nothing varies. With few trials chance has a part in it: of n trials about 4/n.
    pub effect: f64,
    /// Rank correlation (Spearman), −1 to 1: the sign says whether more of the parameter gives more of the number.
    pub rank: f64,
}

impl Sensitivity {
    /// Of the first number of each trial to each parameter.
    pub(super) fn of(axes: &[Axis], trials: &[Scored]) -> Vec<Self> {
        let told = trials.iter().filter(|trial| trial.score.first().is_some_and(|score| score.is_finite()));
        let told: Vec<&Scored> = told.collect();
        let numbers: Vec<f64> = told.iter().map(|trial| trial.score[0]).collect();
        let one = |axis: &Axis| {
            let values: Vec<f64> = told.iter().map(|trial| trial.set.get(&axis.name).copied().unwrap_or(f64::NAN)).collect();
            Self {
                param: axis.name.clone(),
                effect: effect(&values, &numbers),
                rank: correlation(&ranks(&values), &ranks(&numbers)),
            }
        };
        axes.iter().map(one).collect()
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The correlation ratio: variance of the means of groups of like values over the variance of all.
fn effect(values: &[f64], numbers: &[f64]) -> f64 {
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let distinct = sorted.chunk_by(|a, b| values[*a] == values[*b]);
    let groups: Vec<&[usize]> = if distinct.clone().count() <= 2 * GROUPS {
        distinct.collect()
    } else {
        sorted.chunks(sorted.len().div_ceil(GROUPS)).collect()
    };
    let middle = mean(numbers);
    let off = |number: f64, weight: usize| (number - middle).powi(2) * weight as f64;
    let group_mean = |group: &[usize]| group.iter().map(|trial| numbers[*trial]).sum::<f64>() / group.len() as f64;
    let between: f64 = groups.iter().map(|group| off(group_mean(group), group.len())).sum();
    between / numbers.iter().map(|number| off(*number, 1)).sum::<f64>()
}

/// The place of each number among all, equals sharing theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let below = |number: f64| numbers.iter().filter(|other| **other < number).count() as f64;
    let above = |number: f64| numbers.iter().filter(|other| **other > number).count() as f64;
    numbers.iter().map(|number| below(*number) - above(*number)).collect()
}

/// Pearson's of two lists whose means are 0, as those of ranks are.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_has_all_the_effect_and_what_does_not_has_none() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let parity: Vec<f64> = (0..100).map(|value| f64::from(value % 2)).collect();
        let decided: Vec<f64> = values.iter().map(|value| -value * value).collect();
        assert!(effect(&values, &decided) > 0.9 && effect(&parity, &decided) < 0.01);
        assert!((correlation(&ranks(&values), &ranks(&decided)) + 1.0).abs() < 1.0e-12);
        assert!(correlation(&ranks(&parity), &ranks(&decided)).abs() < 0.05);
        assert!(effect(&values, &vec![2.0; 100]).is_nan());
    }
}
