//! Values of positions by a small net: sparse inputs that are on or off, a first layer that all stages share, and two small layers for
//! each stage of the game. Trained in floating point, used in whole numbers.
//!
//! ```text
//! inputs (0 or 1) ── first layer, HIDDEN units, clipped to 0 … 1 ──┬─ stage 0: MIDDLE units, clipped ── value
//!                                                                  ├─ stage 1: …
//! ```
//!
//! Y. Nasu, *Efficiently updatable neural-network-based evaluation functions for computer shogi*, 2018 (sums of the first layer that
//! are kept and changed by the inputs that change).

mod quantised;
mod train;

pub use quantised::{Accumulators, Net};
pub use train::{Epoch, Samples, TrainParams, train};

/// Words of a set of inputs.
pub const WORDS: usize = 4;

/// The maximum number of inputs.
pub const MOST_INPUTS: usize = 64 * WORDS;

/// The maximum number of stages.
pub const MOST_STAGES: usize = 16;

/// Units of the first layer.
pub const HIDDEN: usize = 128;

/// Units of the second layer.
pub const MIDDLE: usize = 16;

/// A set of inputs that are on: input *n* is bit *n* mod 64 of word *n* / 64.
pub type Inputs = [u64; WORDS];

/// Calls `visit` with the number of every input in a set.
#[inline]
pub fn each_input(set: &Inputs, mut visit: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut left = bits;
        while left != 0 {
            visit(64 * word + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}
