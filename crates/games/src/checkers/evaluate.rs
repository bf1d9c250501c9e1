//! Static evaluation. Material first; then men about to crown, guards, mobility, and a bonus for exchanges by the
//! side that is ahead. The terms are those of A. Samuel, *Some studies in machine learning using the game of
//! checkers*, 1959, and J. Schaeffer, *One jump ahead*, 1997.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Evaluate, Game, ReadError, Seat};
use serde::Deserialize;

use super::{Board, Checkers, Move, RED, WHITE};
use crate::board::bits::Word;
use crate::weights;

/// The data file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    man: i32,
    king: i32,
    advance: i32,
    crowning: i32,
    guard: i32,
    centre: i32,
    edge_king: i32,
    step: i32,
    hanging: i32,
    trade: i32,
    turn: i32,
}

/// Weights prepared for one board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights<W> {
    file: File,
    /// Bit planes of each square's row number, counted from the bottom: `rows[k]` holds the squares whose row number
    /// has bit *k* set.
    rows: [W; ROW_BITS],
    /// The first row, the second, the last but one and the last.
    home: [W; 2],
    nearly: [W; 2],
    centre: W,
    edge: W,
    /// Number of pieces at the start.
    pieces: i32,
    /// Move-ordering score of a step of each seat's men, by the square it starts from.
    steps: [Box<[i16]>; 2],
}

/// Bits of a row number: rows are at most 11.
const ROW_BITS: usize = 4;

/// The largest weight.
const MAX_WEIGHT: i32 = 1_000;

/// The largest value, below that of a won match.
const MAX_VALUE: i32 = MOST - 100;

/// Maximum length of an exchange that is followed.
const MAX_EXCHANGE: u32 = 8;

impl<W: Word> Checkers<W> {
    /// Returns the board as if it were the other side's turn.
    #[inline]
    pub(super) fn turned(board: &Board<W>) -> Board<W> {
        Board { own: board.other, other: board.own, to_move: board.to_move.other(), ..*board }
    }

    /// Returns the value of the pieces of `board.own` and their placement.
    #[inline]
    fn placement(&self, weights: &Weights<W>, board: &Board<W>) -> i32 {
        let file = &weights.file;
        let seat = board.to_move.index();
        let (men, kings) = (board.own & !board.kings, board.own & board.kings);
        let count = men.len() as i32;
        let from_bottom =
            weights.rows.iter().enumerate().fold(0, |sum, (k, &row)| sum + (((men & row).len() as i32) << k));
        let rows = if seat == 0 { from_bottom } else { count * (i32::from(self.rows) - 1) - from_bottom };
        let free = self.squares & !(board.own | board.other);
        let ahead = if board.to_move == RED {
            free >> self.half | free >> (self.half + 1)
        } else {
            free << self.half | free << (self.half + 1)
        };
        let steps = self.quiet_steps(board) as i32;
        let mut value = file.man * count + file.advance * rows + file.step * steps;
        value += file.crowning * (men & weights.nearly[seat] & ahead).len() as i32;
        value += file.guard * (men & weights.home[seat]).len() as i32;
        value += file.centre * (board.own & weights.centre).len() as i32;
        if !kings.is_empty() {
            value += file.king * kings.len() as i32 + file.edge_king * (kings & weights.edge).len() as i32;
        }
        value
    }

    /// Returns the move-ordering score of a man's step from a row: highest for crowning, lowest for leaving home.
    fn step_score(&self, seat: Seat, row: u8) -> i16 {
        let gone = if seat == RED { row } else { self.rows - 1 - row };
        if gone == self.rows - 2 {
            500
        } else if gone == 0 {
            -10
        } else {
            i16::from(gone)
        }
    }

    fn worth(&self, weights: &Weights<W>, board: &Board<W>) -> i32 {
        let (all, kings) = (board.own.len() as i32, (board.own & board.kings).len() as i32);
        weights.file.man * (all - kings) + weights.file.king * kings
    }

    /// Returns the material that `action` takes, less what the best reply takes in return, and so on.
    fn follow(&self, weights: &Weights<W>, board: &Board<W>, action: Move, left: u32) -> i32 {
        let before = self.worth(weights, &Self::turned(board));
        let mut next = *board;
        self.apply(&mut next, action);
        let gain = before - self.worth(weights, &next);
        if left == 0 {
            return gain;
        }
        let answer =
            self.actions(&next).filter(|answer| answer.jumps() > 0).max_by_key(|answer| answer.jumps());
        gain - answer.map_or(0, |answer| self.follow(weights, &next, answer, left - 1))
    }
}

impl<W: Word> Evaluate for Checkers<W> {
    type Weights = Weights<W>;

    const WEIGHTS: &'static str = include_str!("../../data/checkers.toml");
    const UNIT: &'static str = "hundredths of a man";

    fn read_weights(&self, text: &str) -> Result<Weights<W>, ReadError> {
        let file: File = weights::read("weights of checkers", text)?;
        let File { man, king, advance, crowning, guard, centre, edge_king, step, hanging, trade, turn } =
            file;
        let named = [
            ("man", man),
            ("king", king),
            ("advance", advance),
            ("crowning", crowning),
            ("guard", guard),
            ("centre", centre),
            ("edge_king", edge_king),
            ("step", step),
            ("hanging", hanging),
            ("trade", trade),
            ("turn", turn),
        ];
        weights::within("weights of checkers", MAX_WEIGHT, &named)?;
        let mut rows = [W::ZERO; ROW_BITS];
        for (k, plane) in rows.iter_mut().enumerate() {
            for row in (0..self.rows).filter(|row| row >> k & 1 == 1) {
                *plane |= self.row(row);
            }
        }
        let (mut middle, mut edge) = (W::ZERO, W::ZERO);
        for square in self.squares.cells() {
            let (column, row) = self.place(square);
            let from_edge = |at: u8, side: u8| at.min(side - 1 - at);
            let (across, along) = (from_edge(column, self.columns), from_edge(row, self.rows));
            if across >= self.columns / 4 && along >= self.rows / 4 {
                middle |= W::bit(square);
            }
            if across.min(along) == 0 {
                edge |= W::bit(square);
            }
        }
        let start = self.start();
        let steps = [RED, WHITE].map(|seat| {
            let mut promises = vec![0; W::BITS as usize];
            for square in self.squares.cells() {
                promises[square as usize] = self.step_score(seat, self.place(square).1);
            }
            promises.into()
        });
        Ok(Weights {
            file,
            rows,
            home: [self.row(0), self.row(self.rows - 1)],
            nearly: [self.row(self.rows - 2), self.row(1)],
            centre: middle,
            edge,
            pieces: (start.own | start.other).len() as i32,
            steps,
        })
    }

    #[inline]
    fn evaluate(&self, weights: &Weights<W>, board: &Board<W>) -> i32 {
        let file = &weights.file;
        let turned = Self::turned(board);
        let mut value = file.turn + self.placement(weights, board) - self.placement(weights, &turned);
        value -= file.hanging * self.jumps(&turned) as i32;
        let lead = board.own.len() as i32 - board.other.len() as i32;
        if lead != 0 {
            let off = weights.pieces - (board.own | board.other).len() as i32;
            value += lead.signum() * file.trade * off.max(0);
        }
        value.clamp(-MAX_VALUE, MAX_VALUE)
    }

    #[inline]
    fn is_loud(&self, board: &Board<W>) -> bool {
        self.jumps(board) > 0
    }

    #[inline]
    fn is_threatened(&self, board: &Board<W>) -> bool {
        self.jumps(&Self::turned(board)) > 0
    }

    #[inline]
    fn is_loud_action(&self, _: &Board<W>, action: Move) -> bool {
        action.jumps() > 0
    }

    fn exchange(&self, weights: &Weights<W>, board: &Board<W>, action: Move) -> i32 {
        self.follow(weights, board, action, MAX_EXCHANGE)
    }

    /// Prefers longer jumps, then crowning, then advanced men.
    #[inline]
    fn promise(&self, weights: &Weights<W>, board: &Board<W>, action: Move) -> i32 {
        if action.jumps() > 0 {
            return 1_000 * action.jumps() as i32;
        }
        let start = W::bit(action.start());
        if !(board.kings & start).is_empty() {
            return 0;
        }
        i32::from(weights.steps[board.to_move.index()][action.start() as usize])
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{Phase, Rng};

    use super::super::Options;
    use super::*;

    /// Returns the board rotated by half a turn with the sides exchanged; it looks the same to the side to move.
    fn exchanged<W: Word>(game: &Checkers<W>, board: &Board<W>) -> Board<W> {
        let (rows, columns) = game.size();
        let turn = |set: W| {
            set.cells().fold(W::ZERO, |turned, square| {
                let (column, row) = game.place(square);
                turned | W::bit(game.square(columns - 1 - column, rows - 1 - row).unwrap())
            })
        };
        Board {
            own: turn(board.own),
            other: turn(board.other),
            kings: turn(board.kings),
            to_move: board.to_move.other(),
            idle: board.idle,
        }
    }

    fn sides_are_alike<W: Word>(rows: u8, columns: u8) {
        let game = Checkers::<W>::new(rows, columns, Options::default()).unwrap();
        let weights = game.read_weights(Checkers::<W>::WEIGHTS).unwrap();
        let mut jumps = 0;
        for seed in 0..20 {
            let (mut board, mut rng) = (game.start(), Rng::new(seed));
            while let Phase::Decide(_) = game.phase(&board) {
                let value = game.evaluate(&weights, &board);
                assert_eq!(game.evaluate(&weights, &exchanged(&game, &board)), value);
                assert!(value.abs() <= MAX_VALUE);
                let loud = game.actions(&board).any(|action| game.is_loud_action(&board, action));
                assert_eq!(game.is_loud(&board), loud);
                for action in game.actions(&board).filter(|action| action.jumps() > 0) {
                    jumps += 1;
                    let mut next = board;
                    game.apply(&mut next, action);
                    let gain = game.exchange(&weights, &board, action);
                    if !game.is_loud(&next) {
                        assert!(gain >= weights.file.man * action.jumps() as i32);
                    }
                }
                let action = game.pick(&board, &mut rng);
                game.apply(&mut board, action);
            }
        }
        assert!(jumps > 0);
    }

    #[test]
    fn both_sides_are_judged_alike() {
        sides_are_alike::<u64>(8, 8);
        sides_are_alike::<u64>(6, 8);
        sides_are_alike::<u128>(12, 12);
    }

    #[test]
    fn an_even_exchange_gains_nothing() {
        use parlor_core::{Notation, Position};
        let game = Checkers::<u64>::new(8, 8, Options::default()).unwrap();
        let weights = game.read_weights(Checkers::<u64>::WEIGHTS).unwrap();
        let exchange = |fen: &str| {
            let Ok(Position::State(board)) = game.read_position(fen) else { panic!("{fen}") };
            let jump = game.actions(&board).next().unwrap();
            assert_eq!(jump.jumps(), 1, "{fen}");
            game.exchange(&weights, &board, jump)
        };
        // Numbers are those of the usual diagram; white's man takes, and a second black man may take it in return.
        assert_eq!(exchange("W:W23:B18"), 100);
        assert_eq!(exchange("W:W23:B18,9,5"), 0);
    }
}
