//! Static evaluation: what a search asks where it stops.

use std::fmt;

use crate::rules::game::{Game, Phase};
use crate::text::notation::ReadError;

/// No evaluation is larger than this, or smaller than its negative. Results of finished matches lie beyond it.
pub const MOST: i32 = 10_000;

/// A game with a static evaluation.
///
/// Evaluations are whole numbers, so that equal searches give equal values on every machine. The game chooses the unit:
/// hundredths of a man, of a pawn, of a point. The weights live in a data file that can be replaced.
///
/// Nothing here allocates, apart from [`read_weights`](Evaluate::read_weights): searches call it millions of times a second.
#[diagnostic::on_unimplemented(message = "`{Self}` has no evaluation")]
pub trait Evaluate: Game {
    /// The numbers that an evaluation depends on.
    type Weights: Clone + fmt::Debug + PartialEq + Send + Sync + 'static;

    /// The built-in data file, as text.
    const WEIGHTS: &'static str;

    /// The unit of an evaluation, for display: `hundredths of a man`.
    const UNIT: &'static str;

    /// Reads weights from the text of a data file, and makes them fit these rules.
    ///
    /// # Errors
    /// Where the text is wrong, and what would be right.
    fn read_weights(&self, text: &str) -> Result<Self::Weights, ReadError>;

    /// Returns how good `state` looks for the seat to move, from −[`MOST`] to [`MOST`]. The phase is
    /// [`Decide`](crate::Phase::Decide).
    fn evaluate(&self, weights: &Self::Weights, state: &Self::State) -> i32;

    /// Returns whether a position is too volatile to evaluate: quiescence search follows loud actions first.
    fn is_loud(&self, _state: &Self::State) -> bool {
        false
    }

    /// Returns whether the side that is not to move would have a loud action if it were its turn: then a search looks one ply further
    /// before it evaluates the position.
    fn is_threatened(&self, _state: &Self::State) -> bool {
        false
    }

    /// Returns whether quiescence search follows an action before it evaluates a position: a capture.
    fn is_loud_action(&self, _state: &Self::State, _action: Self::Action) -> bool {
        false
    }

    /// Returns what the exchange that a loud action begins wins for the seat to move, if both sides go on taking as long as
    /// it pays (static exchange evaluation). In the units of [`evaluate`](Evaluate::evaluate).
    fn exchange(&self, _weights: &Self::Weights, _state: &Self::State, _action: Self::Action) -> i32 {
        0
    }

    /// Returns whether chance acts right after an action. A game overrides it where it knows without playing.
    fn is_gamble(&self, state: &Self::State, action: Self::Action) -> bool {
        let mut next = state.clone();
        self.apply(&mut next, action);
        self.phase(&next) == Phase::Chance
    }

    /// Returns whether a position has occurred before, and can be reached again without end. A search scores it as a draw:
    /// a side that could do better the second time could do so at once.
    fn recurs(&self, _state: &Self::State) -> bool {
        false
    }

    /// Returns how promising an action looks before any search, larger is better; only the order counts.
    fn promise(&self, _weights: &Self::Weights, _state: &Self::State, _action: Self::Action) -> i32 {
        0
    }

    /// Calls `visit` with every action and its [`promise`](Evaluate::promise), in the order of [`actions`](Game::actions). A
    /// game overrides it where promises share work.
    #[inline]
    fn promises(
        &self,
        weights: &Self::Weights,
        state: &Self::State,
        mut visit: impl FnMut(Self::Action, i32),
    ) {
        for action in self.actions(state) {
            visit(action, self.promise(weights, state, action));
        }
    }
}
