//! A fixed number for every action.

use crate::rules::game::Game;

/// A game whose actions have fixed numbers, for policies and for other languages.
///
/// The numbers depend on the game and its options alone, not on the position. Every number below [`numbers`](Numbered::numbers) is an
/// action, though perhaps one that no position offers.
///
/// Only actions of seats have numbers: chance is not an agent.
#[diagnostic::on_unimplemented(message = "the actions of `{Self}` have no numbers")]
pub trait Numbered: Game {
    /// Returns how many numbers there are.
    fn numbers(&self) -> usize;

    /// Returns the number of an action of a seat, without allocating.
    ///
    /// # Panics
    /// If chance does it, or it is an action of another board.
    fn number(&self, action: Self::Action) -> usize;

    /// Returns the action that has a number; `None` from [`numbers`](Numbered::numbers) on.
    fn numbered(&self, number: usize) -> Option<Self::Action>;
}
