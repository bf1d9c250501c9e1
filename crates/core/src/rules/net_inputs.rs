//! What a game must offer for values by a small net: its positions as sets of inputs that are on.

use crate::rules::game::Game;

/// Words of a set of inputs.
pub const WORDS: usize = 4;

/// A set of inputs that are on: input *n* is bit *n* mod 64 of word *n* / 64.
pub type Inputs = [u64; WORDS];

/// A game whose positions are sets of inputs, for nets that value them.
///
/// Positions that differ only in the names of the sides have the same set: it is the board as the side to move sees it.
#[diagnostic::on_unimplemented(message = "`{Self}` does not describe its positions by inputs")]
pub trait NetInputs: Game {
    /// How many stages a match is divided into; each has layers of its own in a net.
    const STAGES: usize;

    /// Returns what the inputs mean: nets with equal texts are interchangeable; `None` on boards too large for a set.
    fn inputs_meaning(&self) -> Option<String>;

    /// Returns the number of inputs.
    fn inputs(&self) -> usize;

    /// Returns the inputs that are on. The phase is [`Decide`](crate::Phase::Decide).
    fn active_inputs(&self, state: &Self::State) -> Inputs;

    /// Returns which of the two sides is to move, 0 or 1. Sums that are kept for each side save work; no value depends on it.
    fn input_side(&self, state: &Self::State) -> usize;

    /// Returns the stage of a position, less than [`STAGES`](NetInputs::STAGES).
    fn input_stage(&self, state: &Self::State) -> usize;
}
