//! Static evaluation: points made, and windows in which points are still possible.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Evaluate, ReadError};
use serde::Deserialize;

use super::{Board, Cell, TicTacToe};
use crate::board::bits::Word;
use crate::weights;

/// The data file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    two: i32,
    one: i32,
    turn: i32,
}

/// The value of a point.
const POINT: i32 = 100;

/// The largest weight.
const MAX_WEIGHT: i32 = 1_000;

impl TicTacToe {
    /// Returns the value of the windows that `other` has not touched, for `side`.
    #[inline]
    fn prospects(&self, weights: &Weights, side: u64, other: u64) -> i32 {
        let mut value = 0;
        for d in &self.directions {
            let [a, b, c] = [0, 1, 2].map(|n| side >> (n * d.step));
            let open = d.starts & !(other | other >> d.step | other >> (2 * d.step));
            let (some, several) = (a | b | c, a & b | b & c | a & c);
            let twos = several & !(a & b & c) & open;
            let ones = some & !several & open;
            value += weights.two * twos.len() as i32 + weights.one * ones.len() as i32;
        }
        value
    }
}

impl Evaluate for TicTacToe {
    type Weights = Weights;

    const WEIGHTS: &'static str = include_str!("../../data/tictactoe.toml");
    const UNIT: &'static str = "hundredths of a point";

    fn read_weights(&self, text: &str) -> Result<Weights, ReadError> {
        let file: Weights = weights::read("weights of tictactoe", text)?;
        let named = [("two", file.two), ("one", file.one), ("turn", file.turn)];
        weights::within("weights of tictactoe", MAX_WEIGHT, &named)?;
        Ok(file)
    }

    #[inline]
    fn evaluate(&self, weights: &Weights, board: &Board) -> i32 {
        let x = POINT * (self.points(board.x) as i32 - self.points(board.o) as i32)
            + self.prospects(weights, board.x, board.o)
            - self.prospects(weights, board.o, board.x);
        let x_moves = (board.x | board.o).len() & 1 == 0;
        (weights.turn + if x_moves { x } else { -x }).clamp(-MOST, MOST)
    }

    /// Scores the points that the cell makes and those that it denies the other side.
    #[inline]
    fn promise(&self, weights: &Weights, board: &Board, cell: Cell) -> i32 {
        let gained = |side: u64, other: u64| {
            let [none, one, two] = self.windows_through(cell, side, other).map(|count| count as i32);
            POINT * two + weights.two * one + weights.one * none
        };
        gained(board.x, board.o) + gained(board.o, board.x)
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{Game, Phase, Rng};

    use super::super::Lines;
    use super::*;

    /// Evaluates by counting windows one by one.
    fn slow_evaluation(game: &TicTacToe, weights: &Weights, board: &Board) -> i32 {
        let (rows, columns) = (i32::from(game.rows), i32::from(game.columns));
        let mut value = POINT * (game.points(board.x) as i32 - game.points(board.o) as i32);
        for row in 0..rows {
            for column in 0..columns {
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let cells: Vec<(i32, i32)> =
                        (0..3).map(|n| (row + n * down, column + n * right)).collect();
                    if cells.iter().any(|&(r, c)| !(0..rows).contains(&r) || !(0..columns).contains(&c)) {
                        continue;
                    }
                    let count = |side: u64| {
                        cells.iter().filter(|&&(r, c)| side.has((r * columns + c) as u32)).count()
                    };
                    let worth = |count| [0, weights.one, weights.two, 0][count];
                    match (count(board.x), count(board.o)) {
                        (x, 0) => value += worth(x),
                        (0, o) => value -= worth(o),
                        _ => {}
                    }
                }
            }
        }
        value
    }

    #[test]
    fn windows_are_counted() {
        for (rows, columns) in [(3, 3), (5, 5), (4, 7), (2, 6), (8, 8)] {
            let game = TicTacToe::new(rows, columns, Lines::Windows).unwrap();
            let weights = game.read_weights(TicTacToe::WEIGHTS).unwrap();
            for seed in 0..20 {
                let (mut board, mut rng) = (game.start(), Rng::new(seed));
                while let Phase::Decide(seat) = game.phase(&board) {
                    let x = slow_evaluation(&game, &weights, &board);
                    let expected = weights.turn + if seat.0 == 0 { x } else { -x };
                    assert_eq!(game.evaluate(&weights, &board), expected.clamp(-MOST, MOST));
                    let action = game.pick(&board, &mut rng);
                    game.apply(&mut board, action);
                }
            }
        }
    }

    #[test]
    fn a_cell_that_scores_promises_most() {
        let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
        let weights = game.read_weights(TicTacToe::WEIGHTS).unwrap();
        // X has 0 and 1, O has 4 and 8: cell 2 makes a point.
        let board = Board { x: 0b11, o: 0b1_0001_0000 };
        let best = game.actions(&board).max_by_key(|&cell| game.promise(&weights, &board, cell));
        assert_eq!(best, Some(Cell(2)));
    }
}
