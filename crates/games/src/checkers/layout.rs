//! A board as cells, and numbers of moves.

use std::sync::OnceLock;

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place};

use super::action::Direction;
use super::{Board, Checkers, MAX_SIDE, MIN_SIDE, Move, RED, WHITE};
use crate::board::bits::Word;

/// The symbols of light squares and of empty dark ones; then men and kings of red, men and kings of white.
const LIGHT: u8 = 0;
const EMPTY: u8 = 1;

impl<W: Word> Checkers<W> {
    /// Returns the cell of the grid for a square's bit.
    #[inline]
    fn grid_cell(&self, square: u32) -> u16 {
        let (column, row) = Checkers::place(self, square);
        u16::from(self.rows - 1 - row) * u16::from(self.columns) + u16::from(column)
    }
}

/// The count of plies without progress is not a cell: at the table it is not on the board either.
impl<W: Word> Cells for Checkers<W> {
    fn layout(&self) -> CellLayout {
        let symbols = [
            ("-", "a light square"),
            (".", "an empty dark square"),
            ("r", "a man of red, the first seat"),
            ("R", "a king of red"),
            ("w", "a man of white, the second seat"),
            ("W", "a king of white"),
        ];
        CellLayout {
            width: u16::from(self.columns),
            height: u16::from(self.rows),
            beside: Vec::new(),
            symbols: symbols.map(|(text, meaning)| CellSymbol::new(text, meaning)).into(),
        }
    }

    #[inline]
    fn cells(&self, board: &Board<W>, out: &mut [u8]) {
        let columns = usize::from(self.columns);
        assert_eq!(out.len(), usize::from(self.rows) * columns, "one element for each square");
        // The bottom left square is dark and the number of rows even, so the top left square is light.
        for (row, squares) in out.chunks_exact_mut(columns).enumerate() {
            for (column, square) in squares.iter_mut().enumerate() {
                *square = if (row + column) % 2 == 0 { LIGHT } else { EMPTY };
            }
        }
        let sets = [board.men(RED), board.kings(RED), board.men(WHITE), board.kings(WHITE)];
        for (symbol, set) in (EMPTY + 1..).zip(sets) {
            for square in set.cells() {
                out[usize::from(self.grid_cell(square))] = symbol;
            }
        }
    }

    /// The square that the piece starts from and every square that it lands on. A jump goes two rows, a step one.
    #[inline]
    fn place(&self, _: &Board<W>, action: Move) -> Place {
        Place::along(self.path(action).map(|square| self.grid_cell(square)))
    }
}

/// Every step and every path of jumps that the board has room for, sorted, for each board size; made when a size is first used.
static MOVES: [OnceLock<Vec<Move>>; SIZES * SIZES] = [const { OnceLock::new() }; SIZES * SIZES];

/// Number of different sides of a board.
const SIZES: usize = ((MAX_SIDE - MIN_SIDE) / 2 + 1) as usize;

/// Every step and every path of jumps has a number: the moves are sorted by start, then by number of jumps, then by steps.
///
/// There are 26 on 4×4, 154 on 6×6, 1,426 on 8×8 (1,328 of them jumps), 36,450 on 10×10 and 1,860,762 on 12×12.
impl<W: Word> Numbered for Checkers<W> {
    fn numbers(&self) -> usize {
        self.every_move().len()
    }

    #[inline]
    fn number(&self, action: Move) -> usize {
        self.every_move().binary_search(&action).expect("a move of another board has no number")
    }

    fn numbered(&self, number: usize) -> Option<Move> {
        self.every_move().get(number).copied()
    }
}

impl<W: Word> Checkers<W> {
    fn every_move(&self) -> &'static [Move] {
        let size = |side: u8| usize::from((side - MIN_SIDE) / 2);
        MOVES[size(self.rows) * SIZES + size(self.columns)].get_or_init(|| {
            let mut moves = Vec::new();
            for start in self.squares.cells() {
                for direction in Direction::ALL {
                    if self.away(start, direction, 1).is_some() {
                        moves.push(Move::new(start, u64::from(direction.0), 0));
                    }
                }
                self.add_jumps(start, start, 0, 0, W::ZERO, &mut moves);
            }
            moves.sort_unstable();
            moves
        })
    }

    /// Adds every path of jumps that continues one of `jumps` jumps from `start` to `at` over `taken`.
    fn add_jumps(&self, start: u32, at: u32, steps: u64, jumps: u32, taken: W, moves: &mut Vec<Move>) {
        for direction in Direction::ALL {
            let (Some(over), Some(land)) = (self.away(at, direction, 1), self.away(at, direction, 2)) else {
                continue;
            };
            // No piece is jumped twice.
            if taken.has(over) {
                continue;
            }
            let steps = steps | u64::from(direction.0) << (2 * jumps);
            moves.push(Move::new(start, steps, jumps + 1));
            self.add_jumps(start, land, steps, jumps + 1, taken | W::bit(over), moves);
        }
    }

    /// Returns the square that lies some diagonal steps away; `None` beyond the edge.
    fn away(&self, square: u32, direction: Direction, distance: i8) -> Option<u32> {
        let (column, row) = Checkers::place(self, square);
        let (right, up) = direction.right_and_up();
        let to = |from: u8, by: i8| u8::try_from(i16::from(from) + i16::from(by * distance)).ok();
        self.square(to(column, right)?, to(row, up)?)
    }
}
