//! Looking at a match one stage at a time: what a search to the end of the stage asks of a game.

use std::hash::Hash;

use crate::rules::game::Game;

/// A game whose stages can be searched to their end.
///
/// What a stage brings is counted by [`lead`](Staged::lead), so that a search adds up what changes along the way. Gains
/// from before are not part of [`rest`](Staged::rest) unless the rules need them: positions that were reached with
/// different gains share what is still to come. The law: the best that can be gained from states with equal rests, until the
/// stage has ended, is equal.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be searched stage by stage")]
pub trait Staged: Game {
    /// What the rest of a stage depends on. Small, and cheap to hash and compare.
    type Rest: Copy + Eq + Hash + Send + Sync;

    /// What a lead at the end of a stage is called: `points ahead after the stage`.
    const UNIT: &'static str;

    /// Returns everything that the rest of the stage depends on.
    fn rest(&self, state: &Self::State) -> Self::Rest;

    /// Returns how far the first seat is ahead; what it gains the second one loses.
    fn lead(&self, state: &Self::State) -> f64;

    /// Returns the least and the most by which the lead can still change until the stage has ended, for any play:
    /// finite, quick to find, and better too wide than too narrow. [`outlook`](Staged::outlook) lies between them.
    fn reach(&self, state: &Self::State) -> (f64, f64);

    /// Returns how much the lead is likely to change by the end of the stage, at a glance.
    fn outlook(&self, _state: &Self::State) -> f64 {
        0.0
    }
}
