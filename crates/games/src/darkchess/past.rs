//! The quiet plies since the last flip or capture, and whether a position has occurred among them before.
//!
//! Only quiet plies can be undone, so only positions since the last flip or capture can occur again. The plies are kept
//! instead of the positions: two bytes each, and the positions follow by taking plies back.

use arrayvec::ArrayVec;

use super::board::EMPTY;
use super::squares::{SQUARES, Square};

/// The most quiet plies that a rule can ask for.
pub const MAX_QUIET: usize = 255;

/// A step to an empty square.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
}

/// The quiet plies, and a small Bloom filter over the hashes of the positions between them.
///
/// The filter has 256 bits; the top of a hash chooses a word, and two bits in it. A clear bit proves that a position is
/// new, which it nearly always is; two set bits prove nothing and the plies are taken back to see. The answer is exact
/// either way: no draw rests on a hash.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Past {
    steps: ArrayVec<Step, MAX_QUIET>,
    seen: [u64; 4],
}

impl Past {
    /// Forgets everything; `hash` is of the first position that can occur again.
    #[inline]
    pub(super) fn restart(&mut self, hash: u64) {
        self.forget();
        self.mark(hash);
    }

    /// Forgets everything, while a piece is being turned up.
    #[inline]
    pub(super) fn forget(&mut self) {
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

    /// Returns how often the position has occurred, this time included. `squares` is what its squares hold.
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
            // Who is to move needs no look: colour the squares like a chess board, and every step takes one piece to
            // the other colour, so a board can only come again after an even number of plies.
            times += u32::from(differing == 0);
        }
        times
    }
}
