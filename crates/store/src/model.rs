//! Models: counts of transitions, with the games that were counted.

use crate::error::StoreError;
use crate::history::GameId;

/// How often an input in a state led to the next state, and how the games ended. Keys are hashes that never change.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TransitionCount {
    /// The state.
    pub state: u64,
    /// The input.
    pub input: u64,
    /// The next state.
    pub next: u64,
    /// How often it was seen.
    pub count: u32,
    /// How often it led to a win.
    pub wins: u32,
    /// How often it led to a tie.
    pub ties: u32,
    /// How often it led to a loss.
    pub losses: u32,
}

impl TransitionCount {
    /// Returns what it is a count of.
    #[must_use]
    pub const fn key(&self) -> (u64, u64, u64) {
        (self.state, self.input, self.next)
    }

    /// Adds the counts of the same transition. Counts stop at the greatest number instead of starting anew.
    pub fn add(&mut self, more: &TransitionCount) {
        debug_assert_eq!(self.key(), more.key(), "counts of one transition are added");
        self.count = self.count.saturating_add(more.count);
        self.wins = self.wins.saturating_add(more.wins);
        self.ties = self.ties.saturating_add(more.ties);
        self.losses = self.losses.saturating_add(more.losses);
    }
}

/// How large a model is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ModelSizes {
    /// Number of different transitions.
    pub transitions: u64,
    /// Number of games that were counted.
    pub games: u64,
    /// Bytes on the disk; in PostgreSQL, of the tables of all models together.
    pub bytes: u64,
}

/// What one heuristic has counted.
pub trait Model: Send {
    /// Adds counts and marks the games that they come from as counted, in one transaction: all of it or nothing.
    ///
    /// The rows are sorted by [`TransitionCount::key`], each key once; [`Observations`](crate::Observations) makes them so.
    ///
    /// # Errors
    /// [`StoreError::Processed`] if one of the games was counted before, and if the store cannot be written; then nothing has
    /// changed.
    fn fold(&mut self, rows: &[TransitionCount], games: &[GameId]) -> Result<(), StoreError>;

    /// Returns the transitions of a state, in the order of their keys.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn of_state(&mut self, state: u64) -> Result<Vec<TransitionCount>, StoreError>;

    /// Gives every transition to `each`, in the order of their keys.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn for_each(&mut self, each: &mut dyn FnMut(&TransitionCount)) -> Result<(), StoreError>;

    /// Returns the games after `after` that were counted, at most `limit` of them, in order.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn processed(&mut self, after: GameId, limit: usize) -> Result<Vec<GameId>, StoreError>;

    /// Returns the last game that was counted; `GameId(0)` if there is none.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn last_processed(&mut self) -> Result<GameId, StoreError>;

    /// Forgets everything, in one transaction.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn clear(&mut self) -> Result<(), StoreError>;

    /// Returns how large the model is.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn sizes(&mut self) -> Result<ModelSizes, StoreError>;
}

/// Returns a key as a signed number of the database, in the same order.
pub(crate) const fn to_signed(key: u64) -> i64 {
    (key ^ (1 << 63)) as i64
}

/// Returns the key of a signed number of the database.
pub(crate) const fn from_signed(number: i64) -> u64 {
    (number as u64) ^ (1 << 63)
}

/// Returns a count of the database; the greatest number for greater ones.
pub(crate) fn count_of(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

/// Returns whether a name can be that of a model: it is a part of a file's name.
pub(crate) fn is_model_name(name: &str) -> bool {
    (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_keys_keep_their_order() {
        let keys = [0, 1, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX - 1, u64::MAX];
        assert!(keys.map(to_signed).is_sorted());
        assert_eq!(keys.map(to_signed).map(from_signed), keys);
    }

    #[test]
    fn names_of_models_are_parts_of_file_names() {
        assert!(is_model_name("locality-3"));
        for wrong in ["", "../x", "A", "a b", &"x".repeat(41)] {
            assert!(!is_model_name(wrong), "{wrong}");
        }
    }
}
