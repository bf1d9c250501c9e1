//! The quiet plies since the last flip or capture, and repetitions of positions among them.
//!
//! Only quiet plies are reversible, so only positions since the last flip or capture can occur again. The plies are
//! stored instead of the positions: two bytes each, and undoing plies restores the positions.

use arrayvec::ArrayVec;

use super::board::EMPTY;
use super::squares::{SQUARES, Square};

/// The largest limit of quiet plies that a rule can set.
pub const MAX_QUIET: usize = 255;

/// A step to an empty square.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
}

/// The quiet plies, and a small Bloom filter over the hashes of the positions between them.
///
/// The filter has 256 bits; the top of a hash chooses a word, and two bits in it. A clear bit proves that a position
/// is new, which it nearly always is; if both bits are set, the plies are undone to check. The result is exact either
/// way: no draw depends on a hash.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Past {
    steps: ArrayVec<Step, MAX_QUIET>,
    seen: [u64; 4],
}

impl Past {
    /// Clears the past; `hash` is that of the first position that can occur again.
    #[inline]
    pub(super) fn restart(&mut self, hash: u64) {
        self.clear();
        self.mark(hash);
    }

    /// Clears the past, while a piece is being turned up.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.seen = [0; 4];
    }

    /// Adds a quiet ply that led to the position with `hash`. Returns whether that position may have occurred before.
    #[inline]
    pub(super) fn push(&mut self, step: Step, hash: u64) -> bool {
        self.steps.push(step);
        self.mark(hash)
    }

    #[inline]
    fn mark(&mut self, hash: u64) -> bool {
        let word = &mut self.seen[(hash >> 62) as usize];
        let bits = 1 << (hash >> 56 & 63) | 1 << (hash >> 50 & 63);
        let before = *word & bits == bits;
        *word |= bits;
        before
    }

    /// Returns the quiet plies, the oldest first.
    #[inline]
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the number of occurrences of the position, including this one. `squares` are the contents of its
    /// squares.
    pub(super) fn occurrences(&self, squares: &[u8; SQUARES]) -> u32 {
        let mut then = *squares;
        let mut differing = 0;
        let mut times = 1;
        for &Step { from, to } in self.steps.iter().rev() {
            then[from.index()] = then[to.index()];
            then[to.index()] = EMPTY;
            for square in [from, to] {
                let differs = then[square.index()] != squares[square.index()];
                differing = differing & !square.bit() | u32::from(differs) << square.index();
            }
            // The side to move needs no check: on squares coloured like a chess board, every step moves one piece to
            // the other colour, so a board can only recur after an even number of plies.
            times += u32::from(differing == 0);
        }
        times
    }
}
