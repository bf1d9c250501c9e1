//! The myopic defender of Myers 2014, Figures 15 and 16 and the text around them.

use std::cmp::Reverse;

use parlor_core::{Agent, Context, Decision, Policy};

use super::liking;
use crate::choice::{self, Ties};
use crate::dominoes::{Action, Board, Dominoes};

/// Plays the move that leaves the fewest different values to play on; among those, the one with the lowest board
/// count.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Defense {
    /// Choice among equally good moves.
    pub ties: Ties,
}

/// Returns the defensive score of a board: 4 minus the number of different values that a tile can be put on.
///
/// An open side of the spinner counts as such a value, and so does an open arm without tiles. The score of a board
/// with tiles is 0 … 3.
#[must_use]
pub fn defensive_score(board: &Board) -> u8 {
    let values = board.open().fold(0_u16, |values, open| values | 1 << open.pips);
    4 - values.count_ones() as u8
}

/// Returns the defender's key of a board: the defensive score, then a low board count.
fn worth(board: &Board) -> (u8, Reverse<u8>) {
    (defensive_score(board), Reverse(board.count()))
}

impl Agent<Dominoes> for Defense {
    fn act(&mut self, decision: &Decision<'_, Dominoes>, context: &mut Context<'_, Dominoes>) -> Action {
        choice::act(decision, self.ties, context.rng, |action| liking(decision, action, worth))
    }
}

impl Policy<Dominoes> for Defense {
    fn weigh(&mut self, decision: &Decision<'_, Dominoes>, weights: &mut Vec<f64>) {
        choice::weigh(decision, self.ties, weights, |action| liking(decision, action, worth));
    }
}
