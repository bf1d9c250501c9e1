//! What a column is worth: weights times features now, and discounted sums of the plies that are predicted to follow.

use parlor_core::Game;

use super::features::{COUNT, ColumnFeatures, Windows};
use crate::board::bits::Word;
use crate::connect::{Board, Column, Connect, MAX_WIDTH};

/// One weight for each feature.
pub type Weights = [f64; COUNT];

/// How far columns are judged ahead, and how.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct LookAhead {
    /// How many own moves after the one that is judged.
    pub moves: u32,
    /// Whether every own move is tried, or only the one with the best sum.
    pub branching: bool,
    /// By what a sum counts less for each own move further on.
    pub gamma: f64,
    /// What a predicted loss adds, before it is discounted.
    pub loss: f64,
}

/// Sums or values of the columns of a board; only those of open columns mean anything.
pub(super) type ByColumn<T> = [T; MAX_WIDTH as usize];

/// The features and sums of every open column of a board, for the side to move.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub features: ByColumn<ColumnFeatures>,
    pub sums: ByColumn<f64>,
    /// The open columns, from the left.
    pub open: arrayvec::ArrayVec<u8, { MAX_WIDTH as usize }>,
}

/// Returns weights · features, summed in the order of the features.
pub(super) fn sum(weights: &Weights, features: &ColumnFeatures) -> f64 {
    weights.iter().zip(features).map(|(weight, &count)| weight * f64::from(count)).sum()
}

/// Judges columns of a board of one size.
#[derive(Clone, Debug)]
pub(super) struct Judge<W> {
    pub windows: Windows<W>,
    pub ahead: LookAhead,
}

impl<W: Word> Judge<W> {
    /// Returns features and sums of every open column.
    pub fn judge(&self, game: &Connect<W>, board: &Board<W>, weights: &Weights) -> Judged {
        let mut judged = Judged {
            features: [[0; COUNT]; MAX_WIDTH as usize],
            sums: [0.0; MAX_WIDTH as usize],
            open: arrayvec::ArrayVec::new(),
        };
        for cell in game.playable(board).cells() {
            let column = (cell / game.stride()) as u8;
            let features = self.windows.features(game, board, cell);
            judged.features[usize::from(column)] = features;
            judged.sums[usize::from(column)] = sum(weights, &features);
            judged.open.push(column);
        }
        judged
    }

    /// Returns the open column with the greatest sum; among equal ones the nearest to the middle, then the left one.
    pub fn greedy(game: &Connect<W>, judged: &Judged) -> Option<u8> {
        let from_middle = |column: u8| (2 * i32::from(column) + 1 - i32::from(game.width())).unsigned_abs();
        let better = |&best: &u8, &next: &u8| {
            let [held, new] = [best, next].map(|column| judged.sums[usize::from(column)]);
            new > held || (new == held && from_middle(next) < from_middle(best))
        };
        judged.open.iter().copied().reduce(|best, next| if better(&best, &next) { next } else { best })
    }

    /// Returns the value of a column whose sum is `sum`, with `left` own moves to look ahead after it.
    pub fn value(
        &self,
        game: &Connect<W>,
        board: &Board<W>,
        weights: &Weights,
        column: u8,
        sum: f64,
        left: u32,
    ) -> f64 {
        if left == 0 {
            return sum;
        }
        let gamma = self.ahead.gamma;
        match self.after_reply(game, board, weights, column) {
            Reply::Over => sum,
            Reply::Lost => sum + gamma * self.ahead.loss,
            Reply::Open(board) => {
                let judged = self.judge(game, &board, weights);
                let next = |column: u8| {
                    let sum = judged.sums[usize::from(column)];
                    self.value(game, &board, weights, column, sum, left - 1)
                };
                let best = if self.ahead.branching {
                    judged.open.iter().map(|&column| next(column)).reduce(f64::max)
                } else {
                    Self::greedy(game, &judged).map(next)
                };
                best.map_or(sum, |best| sum + gamma * best)
            }
        }
    }

    /// Plays a column and the reply that is best by the other side's own features.
    fn after_reply(&self, game: &Connect<W>, board: &Board<W>, weights: &Weights, column: u8) -> Reply<W> {
        let mut board = *board;
        game.apply(&mut board, Column(column));
        if game.is_over(&board) {
            return Reply::Over;
        }
        let judged = self.judge(game, &board, weights);
        let reply = Self::greedy(game, &judged).expect("a board that is not over has an open column");
        game.apply(&mut board, Column(reply));
        match (game.is_over(&board), game.winner(&board)) {
            (true, Some(_)) => Reply::Lost,
            (true, None) => Reply::Over,
            (false, _) => Reply::Open(board),
        }
    }

    /// Returns the values of all open columns of a judged board.
    pub fn values(
        &self,
        game: &Connect<W>,
        board: &Board<W>,
        weights: &Weights,
        judged: &Judged,
    ) -> ByColumn<f64> {
        let mut values = [0.0; MAX_WIDTH as usize];
        for &column in &judged.open {
            let sum = judged.sums[usize::from(column)];
            values[usize::from(column)] = self.value(game, board, weights, column, sum, self.ahead.moves);
        }
        values
    }
}

/// How a board stands after a move and the reply to it.
enum Reply<W> {
    /// The move ended the match, or the reply filled the board.
    Over,
    /// The reply won.
    Lost,
    /// The match goes on.
    Open(Board<W>),
}
