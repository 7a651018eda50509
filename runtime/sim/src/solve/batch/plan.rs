//! Who is solved together: islands of what touches, and figures side by side.

use crate::solve::boundary::Touched;
use crate::solve::detected::Detected;
use crate::space::Vec3;

/// What moves slower rests (m/s, rad/s).
pub const RESTING: f32 = 0.01;

/// A figure as planning sees it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The caller's key.
    pub key: u64,
    /// Which structure it has.
    pub structure: usize,
    /// Sub-steps and additional sweeps.
    pub effort: (usize, usize),
    /// How many anchors: figures with as many stand side by side, since a row costs every lane.
    pub anchors: usize,
    /// It may sleep on, if all that it touches may.
    pub rests: bool,
}

/// Figures and guests that are solved as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Indices of entries, figures of one structure next to each other.
    pub figures: Vec<usize>,
    /// Indices of guests.
    pub guests: Vec<usize>,
    /// Indices of points on one figure alone, with the entry's place in `figures`.
    pub own: Vec<(usize, usize)>,
    /// Indices of points between two of these.
    pub between: Vec<usize>,
    /// Sub-steps and additional sweeps: the most that any of them asks for.
    pub effort: (usize, usize),
}

/// Sets of what hangs together (union–find, halving paths).
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The lower index stays the root, whatever the order of joining.
        self.0[a.max(b)] = a.min(b);
    }
}

/// Where a side of a point is: a figure's entry, a guest after all entries, or scenery.
fn place(side: Touched, entries: &[Entry], detected: &Detected) -> Option<usize> {
    match side {
        Touched::Figure(key, _) => entries.binary_search_by_key(&key, |entry| entry.key).ok(),
        Touched::Object(key) => {
            let guest = detected.guests.binary_search_by_key(&key, |guest| guest.key).ok()?;
            Some(entries.len() + guest)
        }
    }
}

/// Which islands, by root, sleep: all their figures rest, their guests lie still, and no scenery that they touch moves.
fn asleep(entries: &[Entry], detected: &Detected, places: &[(Option<usize>, Option<usize>)], roots: &[usize]) -> Vec<bool> {
    let mut asleep = vec![true; roots.len()];
    for (index, root) in roots.iter().enumerate() {
        let rests = match index.checked_sub(entries.len()) {
            None => entries[index].rests,
            Some(guest) => {
                let state = &detected.guests[guest].state;
                state.linear.length() < RESTING && state.angular.length() < RESTING
            }
        };
        asleep[*root] &= rests;
    }
    for (point, (one, two)) in detected.points.iter().zip(places) {
        if point.scenery_velocity != Vec3::ZERO {
            for place in [one, two].into_iter().flatten() {
                asleep[roots[*place]] = false;
            }
        }
    }
    asleep
}

/// Plans a step. `entries` and guests are ordered by key; so are the plans, by their first figure. What is planned together does not
/// change a bit of it, except that what touches has to be solved as one.
pub fn plan(entries: &[Entry], detected: &Detected, width: usize) -> Vec<Plan> {
    let count = entries.len() + detected.guests.len();
    let mut sets = Sets((0..count).collect());
    let places: Vec<_> =
        detected.points.iter().map(|point| (place(point.one, entries, detected), place(point.two, entries, detected))).collect();
    for (one, two) in &places {
        if let (Some(one), Some(two)) = (one, two) {
            sets.join(*one, *two);
        }
    }
    let roots: Vec<usize> = (0..count).map(|index| sets.root(index)).collect();
    let mut sizes = vec![0_usize; count];
    roots.iter().for_each(|root| sizes[*root] += 1);

    let asleep = asleep(entries, detected, &places, &roots);

    let mut plans: Vec<Plan> = Vec::new();
    // Where each figure or guest went, and the figure's place there.
    let mut plan_of = vec![usize::MAX; count];
    let mut seats = vec![0; count];
    let mut order: Vec<usize> = (0..entries.len()).filter(|index| !asleep[roots[*index]]).collect();
    order.sort_by_key(|index| {
        let entry = &entries[*index];
        // Alone: by what may stand side by side. Together: by island, then structure.
        let alone = sizes[roots[*index]] == 1;
        if alone {
            (0, entry.structure, entry.effort, entry.anchors, *index)
        } else {
            (1, roots[*index], (0, 0), entry.structure, *index)
        }
    });
    let mut last: Option<(usize, usize, (usize, usize), usize)> = None;
    for index in order {
        let entry = &entries[index];
        let alone = sizes[roots[index]] == 1;
        let class = if alone { (0, entry.structure, entry.effort, entry.anchors) } else { (1, roots[index], (0, 0), 0) };
        let full = alone && plans.last().is_some_and(|plan| plan.figures.len() >= width);
        if last != Some(class) || full {
            plans.push(Plan::default());
            last = Some(class);
        }
        let at = plans.len() - 1;
        let plan = &mut plans[at];
        seats[index] = plan.figures.len();
        plan.figures.push(index);
        plan.effort = (plan.effort.0.max(entry.effort.0), plan.effort.1.max(entry.effort.1));
        plan_of[index] = at;
        plan_of[roots[index]] = at;
    }
    for guest in entries.len()..count {
        // A guest without a figure has no plan: its root's is unset.
        let at = plan_of[roots[guest]];
        if let Some(plan) = plans.get_mut(at) {
            plan.guests.push(guest - entries.len());
            plan_of[guest] = at;
        }
    }
    for (index, (one, two)) in places.iter().enumerate() {
        let Some(one) = *one else { continue };
        let Some(plan) = plans.get_mut(plan_of[one]) else { continue };
        let own = one < entries.len() && (two.is_none() || *two == Some(one));
        if own {
            plan.own.push((seats[one], index));
        } else {
            plan.between.push(index);
        }
    }
    plans
}
