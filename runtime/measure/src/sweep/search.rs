//! Which trials are taken: a grid, draws, or generations that learn from one another.

use super::{Axis, MOST_TRIALS, Search, refused};
use crate::options::MeasureError;
use cmaes::{CMAESOptions, DVector};
use rand::Rng;
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

/// A trial's parameters.
type Set = BTreeMap<String, f64>;

/// How far (share of its range) the first generation spreads from the behaviour as it stands: a quarter reaches most of the range.
const SPREAD: f64 = 0.25;
/// Cost of what could not be measured: worse than anything that could.
const WORST: f64 = 1.0e30;

/// The trials to come.
pub(super) struct Plan<'a> {
    axes: &'a [Axis],
    search: Search,
    seed: u64,
    trials: usize,
}

impl<'a> Plan<'a> {
    pub(super) fn new(axes: &'a [Axis], search: Search, seed: u64) -> Result<Self, MeasureError> {
        let trials = match search {
            Search::Grid => axes.iter().fold(1_usize, |trials, axis| trials.saturating_mul(axis.steps.unwrap_or(1))),
            Search::Random(trials) => trials,
            Search::Cmaes(least) => least.div_ceil(generation(axes)) * generation(axes),
        };
        if trials == 0 || trials > MOST_TRIALS {
            return Err(refused(format!("{trials} trials; accepted: 1 to {MOST_TRIALS}")));
        }
        Ok(Self { axes, search, seed, trials })
    }

    /// How many there are.
    pub(super) fn trials(&self) -> usize {
        self.trials
    }

    /// How they are chosen, and how many; more than were asked for where a generation is finished.
    pub(super) fn about(&self) -> String {
        let (name, trials) = (self.search.name(), self.trials);
        match self.search {
            Search::Cmaes(asked) if asked != trials => {
                let size = generation(self.axes);
                format!("{name}, {trials} trials: {asked} rounded up to {} generations of {size}", trials / size)
            }
            _ => format!("{name}, {trials} trials"),
        }
    }

    /// Gives each trial's parameters to `take`, which says what they cost.
    pub(super) fn follow(&self, mut take: impl FnMut(Set) -> Result<f64, MeasureError>) -> Result<(), MeasureError> {
        match self.search {
            Search::Grid => (0..self.trials).try_for_each(|trial| take(self.grid(trial)).map(|_| ())),
            Search::Random(_) => {
                // A stream of its own: the runs are drawn from those of their own numbers.
                let mut random = Pcg32::new(self.seed, u64::MAX >> 1);
                (0..self.trials).try_for_each(|_| take(self.set(|_| random.random_range(0.0..=1.0))).map(|_| ()))
            }
            Search::Cmaes(_) => self.evolve(take),
        }
    }

    fn set(&self, mut share: impl FnMut(usize) -> f64) -> Set {
        self.axes.iter().enumerate().map(|(index, axis)| (axis.name.clone(), axis.at(share(index)))).collect()
    }

    /// The last parameter changes from trial to trial, the first one last.
    fn grid(&self, trial: usize) -> Set {
        let mut left = trial;
        let mut shares = vec![0.0; self.axes.len()];
        for (share, axis) in shares.iter_mut().zip(self.axes).rev() {
            let steps = axis.steps.unwrap_or(1);
            *share = (left % steps) as f64 / (steps.max(2) - 1) as f64;
            left /= steps;
        }
        self.set(|index| shares[index])
    }

    fn evolve(&self, mut take: impl FnMut(Set) -> Result<f64, MeasureError>) -> Result<(), MeasureError> {
        let mut failed = None;
        let start: Vec<f64> = self.axes.iter().map(|axis| axis.start).collect();
        let cost = |point: &DVector<f64>| {
            if failed.is_some() {
                return f64::NAN;
            }
            match take(self.set(|index| folded(point[index]))) {
                Ok(cost) => cost.min(WORST),
                Err(error) => {
                    failed = Some(error);
                    f64::NAN
                }
            }
        };
        let options = CMAESOptions::new(start, SPREAD).population_size(generation(self.axes)).seed(self.seed);
        let mut state = options.build(cost).map_err(|error| refused(format!("{error:?}")))?;
        for _ in 0..self.trials / generation(self.axes) {
            // It ends before its time where all costs of a generation are the same, or no number.
            if state.next().is_some() {
                break;
            }
        }
        drop(state);
        failed.map_or(Ok(()), Err)
    }
}

/// Trials of a generation: the usual number (Hansen 2016, *The CMA Evolution Strategy: A Tutorial*, table 1).
fn generation(axes: &[Axis]) -> usize {
    4 + (3.0 * (axes.len() as f64).ln()).floor() as usize
}

/// A point of the range 0 to 1 for any point at all: what goes past an end comes back from it.
fn folded(share: f64) -> f64 {
    1.0 - (share.rem_euclid(2.0) - 1.0).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &str, steps: Option<usize>) -> Axis {
        Axis { name: name.to_owned(), unit: String::new(), from: -1.0, to: 3.0, steps, start: 0.5 }
    }

    fn taken(axes: &[Axis], search: Search) -> Vec<Set> {
        let mut sets = Vec::new();
        let plan = Plan::new(axes, search, 5).expect("a plan");
        plan.follow(|set| {
            // The least is at 2 in each.
            let cost = set.values().map(|value| (value - 2.0).powi(2)).sum();
            sets.push(set);
            Ok(cost)
        })
        .expect("nothing fails");
        assert_eq!(sets.len(), plan.trials());
        sets
    }

    #[test]
    fn a_grid_has_every_combination_once() {
        let sets = taken(&[axis("a", Some(3)), axis("b", Some(2))], Search::Grid);
        let pairs: Vec<(f64, f64)> = sets.iter().map(|set| (set["a"], set["b"])).collect();
        assert_eq!(pairs, [(-1.0, -1.0), (-1.0, 3.0), (1.0, -1.0), (1.0, 3.0), (3.0, -1.0), (3.0, 3.0)]);
    }

    #[test]
    fn draws_are_within_the_range_and_the_same_for_a_seed() {
        let axes = [axis("a", None), axis("b", None)];
        let sets = taken(&axes, Search::Random(50));
        assert!(sets.iter().flat_map(|set| set.values()).all(|value| (-1.0..=3.0).contains(value)));
        assert_eq!(sets, taken(&axes, Search::Random(50)));
    }

    #[test]
    fn generations_find_the_least() {
        let axes = [axis("a", None), axis("b", None)];
        let sets = taken(&axes, Search::Cmaes(90));
        let off = |set: &Set| set.values().map(|value| (value - 2.0).abs()).fold(0.0, f64::max);
        let least = |sets: &[Set]| sets.iter().map(off).fold(f64::INFINITY, f64::min);
        let mean = |sets: &[Set]| sets.iter().map(off).sum::<f64>() / sets.len() as f64;
        assert!(least(&sets) < 0.1, "{}", least(&sets));
        let [first, last] = [&sets[..30], &sets[sets.len() - 30..]].map(mean);
        assert!(last < 0.5 * first, "from {first} to {last}");
        assert_eq!(sets, taken(&axes, Search::Cmaes(90)));
    }

    #[test]
    fn what_fails_ends_the_search() {
        let axes = [axis("a", None)];
        let mut taken = 0;
        let told = Plan::new(&axes, Search::Cmaes(20), 1).expect("a plan").follow(|_| {
            taken += 1;
            Err(refused("no"))
        });
        assert!(told.is_err() && taken == 1);
    }

    #[test]
    fn folding_keeps_what_is_inside() {
        for (share, folds) in [(0.3, 0.3), (1.25, 0.75), (-0.25, 0.25), (2.5, 0.5)] {
            assert!((folded(share) - folds).abs() < 1.0e-12, "{share}");
        }
    }
}
