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

    /// Returns the action that has a number if the seat to move may choose it; `None` if not.
    ///
    /// A game overrides it where it can tell without listing.
    #[inline]
    fn legal_numbered(&self, state: &Self::State, number: usize) -> Option<Self::Action> {
        self.numbered(number).filter(|&wanted| self.actions(state).any(|action| action == wanted))
    }

    /// Writes 1 for every number that the seat to move may choose, and 0 for the others.
    ///
    /// # Panics
    /// If `out` does not have one element for each number.
    #[inline]
    fn write_mask(&self, state: &Self::State, out: &mut [u8]) {
        assert_eq!(out.len(), self.numbers(), "one element for each number");
        out.fill(0);
        for action in self.actions(state) {
            out[self.number(action)] = 1;
        }
    }
}
