//! Tic-tac-toe on any board, filled to the last cell; every three in a row is a point, and most points win.
//!
//! After Jackson 2009 (FABLE), section on tic-tac-toe. On 3×3 a game continues after the first three in a row.

mod entry;
mod evaluate;
mod features;
mod layout;
mod notation;
mod ntuple;
mod people;
pub mod players;
pub mod solve;
mod stimulus;

use parlor_core::{Game, Keyed, Payoffs, Phase, Range, Rng, Seat};

use crate::board::bits::{Cells, Word};
pub use evaluate::Weights;
pub use features::Tracker;
pub use solve::solver;
pub use stimulus::WholeBoard;

/// The largest side of a board: 8×8 cells fill a word.
pub const MAX_SIDE: u8 = 8;

/// What counts as a point.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Lines {
    /// Every window of three: four in a row are two points.
    Windows,
    /// Every longest run of three or more, once.
    Runs,
}

/// The rules: X (seat 0) and O (seat 1) take turns until the board is full.
///
/// Cells are numbered row by row from the top left, and cell *i* is bit *i*. On 3×4:
///
/// ```text
///    0  1  2  3
///    4  5  6  7
///    8  9 10 11
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    rows: u8,
    columns: u8,
    lines: Lines,
    directions: [Direction; 4],
}

/// A direction in which three cells can form a row: the step to the next cell, and the cells that have a next one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Direction {
    step: u32,
    /// Cells whose next two cells in this direction are on the board.
    starts: u64,
    /// Cells whose next cell in this direction is on the board.
    has_next: u64,
}

/// A board.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    /// The cells of X.
    pub x: u64,
    /// The cells of O.
    pub o: u64,
}

/// Taking a cell.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub u8);

impl TicTacToe {
    /// Returns the game on `rows` × `columns`; `None` if a side is 0 or larger than [`MAX_SIDE`].
    #[must_use]
    pub fn new(rows: u8, columns: u8, lines: Lines) -> Option<Self> {
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&columns) {
            return None;
        }
        // Down-right and down-left, along a row and down a column.
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)]
            .map(|(down, right)| Direction::new(i16::from(rows), i16::from(columns), down, right));
        Some(TicTacToe { rows, columns, lines, directions })
    }

    /// Returns the number of cells.
    #[must_use]
    pub const fn cells(&self) -> u32 {
        self.rows as u32 * self.columns as u32
    }

    /// Returns the points that the cells of one side are worth.
    #[must_use]
    pub fn points(&self, side: u64) -> u32 {
        self.directions
            .iter()
            .map(|d| {
                let windows = side & (side >> d.step) & (side >> (2 * d.step)) & d.starts;
                match self.lines {
                    Lines::Windows => windows.len(),
                    // A window starts a run if the cell before it does not belong to this side.
                    Lines::Runs => (windows & !((side & d.has_next) << d.step)).len(),
                }
            })
            .sum()
    }

    /// Returns how many windows through a free cell are untouched by `other` and have none, one and two cells of `side`.
    #[inline]
    #[must_use]
    pub(crate) fn windows_through(&self, cell: Cell, side: u64, other: u64) -> [u32; 3] {
        let cell = u64::bit(u32::from(cell.0));
        let mut found = [0; 3];
        for d in &self.directions {
            let step = d.step;
            // The windows that contain the cell begin at it, one before it or two before it.
            let windows = (cell | cell >> step | cell >> (2 * step)) & d.starts;
            let open = windows & !(other | other >> step | other >> (2 * step));
            let [a, b, c] = [side, side >> step, side >> (2 * step)];
            let full = (a & b) | (a & c) | (b & c);
            let some = a | b | c;
            for (count, kind) in found.iter_mut().zip([!some, some & !full, full]) {
                *count += (open & kind).len();
            }
        }
        found
    }

    /// Returns the cells that neither side has taken.
    #[must_use]
    pub fn free(&self, board: &Board) -> u64 {
        u64::first(self.cells()) & !(board.x | board.o)
    }
}

impl Direction {
    fn new(rows: i16, columns: i16, down: i16, right: i16) -> Self {
        let reaches = |steps: i16| {
            let mut cells = 0;
            for row in 0..rows {
                for column in 0..columns {
                    let (r, c) = (row + steps * down, column + steps * right);
                    if (0..rows).contains(&r) && (0..columns).contains(&c) {
                        cells |= u64::bit((row * columns + column) as u32);
                    }
                }
            }
            cells
        };
        Direction { step: (down * columns + right) as u32, starts: reaches(2), has_next: reaches(1) }
    }
}

impl Game for TicTacToe {
    type State = Board;
    type Action = Cell;
    type View = Board;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Board {
        Board::default()
    }

    #[inline]
    fn phase(&self, board: &Board) -> Phase {
        let taken = (board.x | board.o).len();
        if taken == self.cells() { Phase::Over } else { Phase::Decide(Seat((taken & 1) as u8)) }
    }

    #[inline]
    fn actions(&self, board: &Board) -> impl ExactSizeIterator<Item = Cell> {
        Free(self.free(board).cells())
    }

    fn chances(&self, _: &Board) -> impl Iterator<Item = (Cell, f64)> {
        std::iter::empty()
    }

    #[inline]
    fn apply(&self, board: &mut Board, Cell(cell): Cell) {
        let x_moves = (board.x | board.o).len() & 1 == 0;
        let side = if x_moves { &mut board.x } else { &mut board.o };
        *side |= u64::bit(u32::from(cell));
    }

    #[inline]
    fn payoffs(&self, board: &Board) -> Payoffs {
        Payoffs::zero_sum(f64::from(self.points(board.x)) - f64::from(self.points(board.o)))
    }

    fn range(&self) -> Range {
        let most: u32 = self.directions.iter().map(|d| d.starts.len()).sum();
        Range { low: -f64::from(most), high: f64::from(most), sum: Some(0.0) }
    }

    fn view(&self, board: &Board, _: Seat) -> Board {
        *board
    }

    fn seen(&self, _: &Board, cell: Cell, _: Seat) -> Option<Cell> {
        Some(cell)
    }

    #[inline]
    fn pick(&self, board: &Board, rng: &mut Rng) -> Cell {
        let free = self.free(board);
        if 2 * free.len() > self.cells() {
            // While most cells are free, drawing until one is free is faster than counting to the n-th free one.
            loop {
                let cell = rng.below(self.cells());
                if free.has(cell) {
                    return Cell(cell as u8);
                }
            }
        }
        Cell(free.nth(rng.below(free.len())) as u8)
    }
}

impl Keyed for TicTacToe {
    type Key = (u64, u64);

    fn key(&self, board: &Board) -> (u64, u64) {
        (board.x, board.o)
    }
}

/// Free cells as actions.
struct Free(Cells<u64>);

impl Iterator for Free {
    type Item = Cell;
    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.0.next().map(|cell| Cell(cell as u8))
    }
    #[inline]
    fn nth(&mut self, n: usize) -> Option<Cell> {
        self.0.nth(n).map(|cell| Cell(cell as u8))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Free {}

#[cfg(test)]
mod tests;
