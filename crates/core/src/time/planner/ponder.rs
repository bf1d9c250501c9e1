//! Thinking on the opponent's time.

/// What becomes of a search that ran on a guess.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ponder {
    /// The guess was right: the search goes on, with its depth and its table, and the clock starts now.
    Hit,
    /// It was wrong: the search is stopped, what it found at the root is thrown away, and a new one begins.
    Miss,
    /// There was nothing to guess by, so nothing ran; a new search begins.
    Idle,
}

/// Returns the opponent's move to ponder on: the second of the principal variation.
#[must_use]
pub fn guess<M>(variation: &[M]) -> Option<&M> {
    variation.get(1)
}

/// Returns what to do when the opponent has `played`.
#[must_use]
pub fn ponder<M: PartialEq>(variation: &[M], played: &M) -> Ponder {
    match guess(variation) {
        None => Ponder::Idle,
        Some(guessed) if guessed == played => Ponder::Hit,
        Some(_) => Ponder::Miss,
    }
}
