//! Which forms of a figure are near each other: all against all, many at once.

use super::forms::Forms;
use super::placed::Placed;
use std::ops::Range;

/// Forms that are looked at together: one bit each.
pub(super) const BLOCK: usize = 32;

/// Room that is used again for each figure.
#[derive(Default)]
pub(super) struct Own {
    /// By axis and form: where the loosened boxes begin and end.
    lows: [Vec<f32>; 3],
    highs: [Vec<f32>; 3],
    /// Indices of the forms found, ordered by their bodies.
    pub(super) pairs: Vec<(usize, usize)>,
}

impl Own {
    /// Finds the forms whose boxes meet, of bodies that collide with each other.
    pub(super) fn find(&mut self, forms: &Forms, placed: &[Placed]) {
        self.pairs.clear();
        let count = placed.len();
        self.lows.iter_mut().chain(&mut self.highs).for_each(|list| list.resize(count, 0.0));
        let [low_x, low_y, low_z] = self.lows.each_mut().map(|list| &mut list[..count]);
        let [high_x, high_y, high_z] = self.highs.each_mut().map(|list| &mut list[..count]);
        for (index, placed) in placed.iter().enumerate() {
            let (low, high) = (placed.bounds.mins, placed.bounds.maxs);
            let loose = placed.own_loose;
            (low_x[index], low_y[index], low_z[index]) = (low.x - loose, low.y - loose, low.z - loose);
            (high_x[index], high_y[index], high_z[index]) = (high.x + loose, high.y + loose, high.z + loose);
        }
        for first in 0..count {
            let row = &forms.collide[first * count..][..count];
            for block in (first + 1..count).step_by(BLOCK) {
                let mut hits = self.hits(first, block..count.min(block + BLOCK), row);
                while hits != 0 {
                    // Bits go round within the block: each form has its own.
                    let ahead = (hits.trailing_zeros() as usize + BLOCK - block % BLOCK) % BLOCK;
                    self.pairs.push((first, block + ahead));
                    hits &= hits - 1;
                }
            }
        }
        self.pairs.sort_unstable_by_key(|(first, second)| (forms.forms[*first].body, forms.forms[*second].body, *first, *second));
    }

    /// The bits in `row` of those of some forms whose boxes meet one form's. Without branches, so that it is done many at once.
    #[inline]
    fn hits(&self, first: usize, others: Range<usize>, row: &[u32]) -> u32 {
        // Of one length, and known to be: else each look-up is a branch.
        let count = others.len();
        let (low_x, high_x) = (&self.lows[0][others.clone()][..count], &self.highs[0][others.clone()][..count]);
        let (low_y, high_y) = (&self.lows[1][others.clone()][..count], &self.highs[1][others.clone()][..count]);
        let (low_z, high_z) = (&self.lows[2][others.clone()][..count], &self.highs[2][others.clone()][..count]);
        let row = &row[others][..count];
        let (from, to) = (self.lows.each_ref().map(|list| list[first]), self.highs.each_ref().map(|list| list[first]));
        let mut hits = 0;
        for other in 0..count {
            let x = (low_x[other] <= to[0]) & (high_x[other] >= from[0]);
            let y = (low_y[other] <= to[1]) & (high_y[other] >= from[1]);
            let z = (low_z[other] <= to[2]) & (high_z[other] >= from[2]);
            hits |= row[other] & 0_u32.wrapping_sub(u32::from(x & y & z));
        }
        hits
    }
}
