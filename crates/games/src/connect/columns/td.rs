//! Learning by temporal differences, on the same 17 features.
//!
//! The printed rule blames and praises each chosen column by who won, whatever else could have been chosen, so that a block before a loss
//! loses weight. Here the weights judge whole boards: the features of all open columns are summed, and the judgement after each own move
//! is drawn towards the judgement after the next one, and at the end towards the result.

use parlor_core::Game;

use super::features::{COUNT, ColumnFeatures};
use super::value::{Judge, Weights};
use crate::board::bits::Word;
use crate::connect::{Board, Column, Connect};

/// The value of a win, beyond all that weights add up to.
const WIN: f64 = 1e6;

/// The constants of the rule.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TdRule {
    /// The step size.
    pub step: f64,
    /// The decay of traces.
    pub lambda: f64,
    /// What turns sums into expected results: tanh(scale · sum).
    pub scale: f64,
}

/// What a board is judged by: its features, and having the move.
pub(super) type Sums = [f64; COUNT + 1];

/// A board after an own move.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum After {
    /// The match goes on; these are the sums of the side to move, the other one.
    Open(Sums),
    /// The match is over.
    Over {
        /// Whether the move won it.
        won: bool,
    },
}

/// Returns the features summed over all open columns, for the side to move, and 1 for having the move.
pub(super) fn sums<W: Word>(judge: &Judge<W>, game: &Connect<W>, board: &Board<W>) -> Sums {
    let mut counts = [0_u32; COUNT];
    for cell in game.playable(board).cells() {
        let features: ColumnFeatures = judge.windows.features(game, board, cell);
        for (sum, count) in counts.iter_mut().zip(features) {
            *sum += u32::from(count);
        }
    }
    let mut sums = [1.0; COUNT + 1];
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum = f64::from(count);
    }
    sums
}

/// Returns the board after an own move.
pub(super) fn after<W: Word>(judge: &Judge<W>, game: &Connect<W>, board: &Board<W>, column: u8) -> After {
    let mut board = *board;
    game.apply(&mut board, Column(column));
    if game.is_over(&board) {
        After::Over { won: game.winner(&board).is_some() }
    } else {
        After::Open(sums(judge, game, &board))
    }
}

/// Returns what a board after an own move is worth to the side that moved, in the unit of the weights.
pub(super) fn worth(after: &After, weights: &Weights, tempo: f64) -> f64 {
    match after {
        After::Over { won } => f64::from(u8::from(*won)) * WIN,
        After::Open(sums) => {
            let all = weights.iter().chain(std::iter::once(&tempo));
            -all.zip(sums).map(|(weight, sum)| weight * sum).sum::<f64>()
        }
    }
}

/// Looks ahead with learnt weights: every move of both sides for a number of plies.
pub(super) struct Search<'a, W> {
    pub judge: &'a Judge<W>,
    pub game: &'a Connect<W>,
    pub weights: &'a Weights,
    pub tempo: f64,
    /// The columns from the middle outwards: good ones come first, so that more is cut off.
    pub order: &'a [u8],
}

impl<W: Word> Search<'_, W> {
    /// Returns what a column is worth, looking `plies` further ahead, or a bound if it is not worth more than `floor`. A win is worth
    /// more the sooner it comes.
    pub fn column(&self, board: &Board<W>, column: u8, plies: u32, floor: f64) -> f64 {
        // A window of no width would call equal values bounds.
        self.child(board, column, plies, floor.next_down(), f64::INFINITY)
    }

    fn child(&self, board: &Board<W>, column: u8, plies: u32, alpha: f64, beta: f64) -> f64 {
        let mut board = *board;
        self.game.apply(&mut board, Column(column));
        if self.game.is_over(&board) {
            let won = self.game.winner(&board).is_some();
            return if won { WIN * f64::from(plies + 1) } else { 0.0 };
        }
        -self.board(&board, plies, -beta, -alpha)
    }

    /// Returns what a board is worth to the side to move, or a bound beyond the window.
    fn board(&self, board: &Board<W>, plies: u32, mut alpha: f64, beta: f64) -> f64 {
        if plies == 0 {
            let sums = sums(self.judge, self.game, board);
            return -worth(&After::Open(sums), self.weights, self.tempo);
        }
        let playable = self.game.playable(board);
        let mut best = -f64::INFINITY;
        for &column in self.order {
            if (playable >> self.game.cell(column, 0) & W::first(u32::from(self.game.height()))).is_empty() {
                continue;
            }
            best = best.max(self.child(board, column, plies - 1, alpha, beta));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

impl TdRule {
    /// Learns from the boards after one side's moves in a match, first to last, and the result, −1 to 1. Returns the sum of the absolute
    /// differences that it learnt from, and their number.
    pub(super) fn learn(
        &self,
        weights: &mut Weights,
        tempo: &mut f64,
        boards: &[After],
        result: f64,
    ) -> (f64, u64) {
        let expected = |weights: &Weights, tempo: f64, after: Option<&After>| match after {
            None | Some(After::Over { .. }) => result,
            Some(open) => libm::tanh(self.scale * worth(open, weights, tempo)),
        };
        let (mut surprises, mut steps) = (0.0, 0);
        let mut trace = [0.0; COUNT + 1];
        for (at, after) in boards.iter().enumerate() {
            let After::Open(sums) = after else { break };
            let value = expected(weights, *tempo, Some(after));
            let surprise = expected(weights, *tempo, boards.get(at + 1)) - value;
            (surprises, steps) = (surprises + surprise.abs(), steps + 1);
            for (trace, sum) in trace.iter_mut().zip(sums) {
                *trace = self.lambda * *trace - (1.0 - value * value) * sum;
            }
            for (weight, trace) in weights.iter_mut().chain(std::iter::once(&mut *tempo)).zip(trace) {
                *weight += self.step * surprise * trace;
            }
        }
        (surprises, steps)
    }
}

/// Returns the probabilities of soft-max over values.
pub(super) fn softmax(values: &[f64], temperature: f64) -> arrayvec::ArrayVec<f64, 64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut odds: arrayvec::ArrayVec<f64, 64> =
        values.iter().map(|value| libm::exp((value - best) / temperature)).collect();
    let total: f64 = odds.iter().sum();
    odds.iter_mut().for_each(|odds| *odds /= total);
    odds
}
