//! The myopic scorer of Myers 2014, Figure 14 and the text above it.

use parlor_core::{Agent, Context, Decision, Policy};

use super::liking;
use crate::choice::{self, Ties};
use crate::dominoes::{Action, Board, Dominoes};

/// Plays the move that scores most now; among equal scores, or if no move scores, the one with the highest board
/// count.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Scoring {
    /// Choice among equally good moves.
    pub ties: Ties,
}

/// Returns the scorer's key of a board: points, then the board count.
fn worth(game: &Dominoes, board: &Board) -> (u8, u8) {
    (game.points_for(board.count()), board.count())
}

impl Agent<Dominoes> for Scoring {
    fn act(&mut self, decision: &Decision<'_, Dominoes>, context: &mut Context<'_, Dominoes>) -> Action {
        choice::act(decision, self.ties, context.rng, |action| {
            liking(decision, action, |board| worth(decision.game, board))
        })
    }
}

impl Policy<Dominoes> for Scoring {
    fn weigh(&mut self, decision: &Decision<'_, Dominoes>, weights: &mut Vec<f64>) {
        choice::weigh(decision, self.ties, weights, |action| {
            liking(decision, action, |board| worth(decision.game, board))
        });
    }
}
