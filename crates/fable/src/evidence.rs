//! What a model knows about each state and input: how often it was seen and what came of it.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::state_keys::End;

/// Counts of wins, ties and losses.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Wins.
    pub wins: u64,
    /// Ties.
    pub ties: u64,
    /// Losses.
    pub losses: u64,
}

impl Tally {
    /// Counts an end.
    #[inline]
    pub fn add(&mut self, end: End) {
        match end {
            End::Win => self.wins += 1,
            End::Tie => self.ties += 1,
            End::Loss => self.losses += 1,
        }
    }

    /// Adds other counts.
    #[inline]
    pub fn merge(&mut self, other: Tally) {
        self.wins += other.wins;
        self.ties += other.ties;
        self.losses += other.losses;
    }

    /// Returns the number of all ends.
    #[inline]
    #[must_use]
    pub fn total(&self) -> u64 {
        self.wins + self.ties + self.losses
    }
}

/// What came of an input in a state.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// The ends of the games in which it was seen.
    pub ends: Tally,
    /// The ends of the games that ended with it. The others went on to another decision of the same seat.
    pub last: Tally,
}

impl Evidence {
    /// Returns what is credited to an input.
    #[inline]
    #[must_use]
    pub fn credited(&self, credit: Credit) -> Tally {
        match credit {
            Credit::End => self.ends,
            Credit::Survival => {
                let went_on = self.ends.total() - self.last.total();
                Tally { wins: went_on + self.last.wins, ..self.last }
            }
        }
    }

    /// Adds other evidence.
    #[inline]
    pub fn merge(&mut self, other: &Evidence) {
        self.ends.merge(other.ends);
        self.last.merge(other.last);
    }
}

/// What an input is credited with.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Credit {
    /// The end of its game.
    #[default]
    End,
    /// A win if the seat had another decision to take, else the end of its game.
    Survival,
}

/// Passes keys on as hashes: they are hashes already.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are whole numbers of 64 bits")
    }

    fn write_u64(&mut self, key: u64) {
        // Two keys, of a state and of an input, must not cancel each other out.
        self.0 = self.0.rotate_left(32) ^ key;
    }
}

type ByKey = BuildHasherDefault<KeyHasher>;

/// One step of a game as a model sees it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Observation {
    /// The key of the state.
    pub state: u64,
    /// The key of the input.
    pub input: u64,
    /// The key of the seat's next state, or of the end.
    pub next: u64,
    /// How the game ended for the seat.
    pub end: End,
    /// Whether the game ended before the seat's next decision.
    pub is_last: bool,
}

/// The evidence of one model, in memory. The order of its entries has no meaning and must not reach a result.
#[derive(Clone, Debug, Default)]
pub struct EvidenceTable {
    entries: HashMap<(u64, u64), Evidence, ByKey>,
    states: HashSet<u64, ByKey>,
}

impl EvidenceTable {
    /// Returns the evidence about an input in a state.
    #[inline]
    #[must_use]
    pub fn get(&self, state: u64, input: u64) -> Option<&Evidence> {
        self.entries.get(&(state, input))
    }

    /// Returns whether a state has been seen.
    #[inline]
    #[must_use]
    pub fn has_state(&self, state: u64) -> bool {
        self.states.contains(&state)
    }

    /// Counts a step.
    #[inline]
    pub fn observe(&mut self, seen: &Observation) {
        let evidence = self.entry(seen.state, seen.input);
        evidence.ends.add(seen.end);
        if seen.is_last {
            evidence.last.add(seen.end);
        }
    }

    /// Returns the evidence about an input in a state, to be changed.
    pub fn entry(&mut self, state: u64, input: u64) -> &mut Evidence {
        self.states.insert(state);
        self.entries.entry((state, input)).or_default()
    }

    /// Returns the number of inputs in states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Returns about how many bytes the evidence takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<((u64, u64), Evidence)>()
            + self.states.capacity() * size_of::<u64>()
    }

    /// Returns everything, in the order of the keys.
    #[must_use]
    pub fn sorted(&self) -> Vec<(u64, u64, Evidence)> {
        let mut all: Vec<_> =
            self.entries.iter().map(|(&(state, input), &evidence)| (state, input, evidence)).collect();
        all.sort_unstable_by_key(|&(state, input, _)| (state, input));
        all
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.states.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survival_counts_a_step_that_was_not_the_last_as_a_win() {
        let mut table = EvidenceTable::default();
        let step = |end, is_last| Observation { state: 1, input: 2, next: 3, end, is_last };
        for seen in
            [step(End::Loss, false), step(End::Loss, true), step(End::Win, true), step(End::Tie, true)]
        {
            table.observe(&seen);
        }
        let evidence = table.get(1, 2).unwrap();
        assert_eq!(evidence.credited(Credit::End), Tally { wins: 1, ties: 1, losses: 2 });
        assert_eq!(evidence.credited(Credit::Survival), Tally { wins: 2, ties: 1, losses: 1 });
        assert!(table.has_state(1) && !table.has_state(2));
        assert_eq!((table.len(), table.states()), (1, 1));
    }
}
