//! Folding single observations before they are written.

use crate::model::TransitionCount;

/// Counts of transitions in memory: added one by one, taken out sorted and each key once.
///
/// Writing sorted counts is several times as fast as writing each observation, because neighbours share pages.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    rows: Vec<TransitionCount>,
    /// The first rows are sorted, and each of their keys is there once.
    folded: usize,
}

/// Fewer rows than this are not worth sorting.
const SMALLEST: usize = 1 << 12;

impl Observations {
    /// Adds an observation, or counts of several.
    pub fn add(&mut self, row: TransitionCount) {
        // Twice the memory of the folded rows, and every row is sorted a constant number of times on average.
        if self.rows.len() >= (2 * self.folded).max(SMALLEST) {
            self.fold();
        }
        self.rows.push(row);
    }

    /// Returns an upper bound of the number of different transitions, without counting them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the counts, sorted by key, each key once.
    pub fn sorted(&mut self) -> &[TransitionCount] {
        self.fold();
        &self.rows
    }

    /// Forgets everything; the memory is kept for what comes next.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.folded = 0;
    }

    fn fold(&mut self) {
        if self.folded < self.rows.len() {
            // Stable sorting finds the sorted rows at the beginning and merges them.
            self.rows[self.folded..].sort_unstable_by_key(TransitionCount::key);
            self.rows.sort_by_key(TransitionCount::key);
            self.rows.dedup_by(|next, kept| {
                let same = next.key() == kept.key();
                if same {
                    kept.add(next);
                }
                same
            });
        }
        self.folded = self.rows.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn folded_counts_are_the_sums(keys in prop::collection::vec((0_u64..4, 0_u64..3, 0_u64..300), 0..12_000)) {
            let mut observations = Observations::default();
            let mut expected: BTreeMap<(u64, u64, u64), u32> = BTreeMap::new();
            for &(state, input, next) in &keys {
                observations.add(TransitionCount { state, input, next, count: 1, ..TransitionCount::default() });
                *expected.entry((state, input, next)).or_default() += 1;
            }
            prop_assert!(observations.len() >= expected.len());
            let counted: Vec<_> = observations.sorted().iter().map(|row| (row.key(), row.count)).collect();
            prop_assert_eq!(counted, expected.into_iter().collect::<Vec<_>>());
            observations.clear();
            prop_assert!(observations.is_empty() && observations.sorted().is_empty());
        }
    }
}
