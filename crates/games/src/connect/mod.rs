//! Connect four and its family: discs fall into columns, and the first side with K in a row wins.
//!
//! The default, 11 columns × 10 rows, is the board of Team Domination Association 2011 ("domination"); 7 × 6 is the
//! standard one. The layout of bits, with a row of spare bits on top, and the key are those of J. Tromp's Fhourstones
//! and P. Pons' solver.

mod cells;
pub mod columns;
mod entry;
mod evaluate;
mod layout;
mod notation;
mod ntuple;
mod people;
pub mod solve;
mod stimulus;
mod threats;

pub use evaluate::Weights;
pub use notation::Sheet;
pub use ntuple::Tuples;
pub use solve::solver;
pub use stimulus::Codec;

use parlor_core::{Game, Keyed, Payoffs, Phase, Range, Rng, Seat};

use crate::board::bits::{Cells, Word};

/// The largest number of columns: each has a single character, `1` … `9`, then `a` … `z`.
pub const MAX_WIDTH: u8 = 35;

/// The largest number of cells.
pub const MAX_CELLS: u8 = 128;

/// The rules: seats 0 and 1 take turns to drop a disc; `row` discs of one side in a line win; a full board is a draw.
///
/// Cells are numbered column by column from the bottom left, and cell *i* is bit *i*. Above each column there is one
/// spare bit, so that no line runs from one column's top into the next one's bottom. On 7 × 6:
///
/// ```text
///    6 13 20 27 34 41 48      spare
///    5 12 19 26 33 40 47      top row
///    4 11 18 25 32 39 46
///    3 10 17 24 31 38 45
///    2  9 16 23 30 37 44
///    1  8 15 22 29 36 43
///    0  7 14 21 28 35 42      bottom row
/// ```
///
/// That is `width · (height + 1)` bits: 7 × 6 fits `u64`, 11 × 10 fits `u128`, and every board of up to [`MAX_CELLS`]
/// cells fits [`U192`](crate::board::wide::U192).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connect<W> {
    width: u8,
    height: u8,
    row: u8,
    /// The steps of the directions in which a row fits the board; other directions repeat the step up.
    steps: [u32; 4],
    /// Whether these are the steps of the usual board.
    usual: bool,
    /// The bottom cell of each column.
    bottom: W,
    /// The top cell of each column.
    top: W,
    /// All cells, without the spare bits.
    board: W,
    /// The cells of the first column.
    column: W,
}

/// A board with its discs.
///
/// Two words hold everything: the cells of the seat to move, and the cells of both. The spare bit above the first
/// column is set in the second word after the end, so the phase is a single test.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board<W> {
    mover: W,
    taken: W,
}

/// Dropping a disc into a column, counted from 0 at the left.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub u8);

/// Reasons why a board is invalid.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// The number of columns is not 1 to [`MAX_WIDTH`], or there is no row.
    Side,
    /// The board has more than [`MAX_CELLS`] cells.
    Cells,
    /// The row is shorter than 2 or longer than the longer side, so that no side could ever win.
    Row,
    /// The board is valid but needs more bits than the word has; a wider word takes it.
    Word,
}

/// Returns the number of bits that a board needs.
#[must_use]
pub const fn bits(width: u8, height: u8) -> u32 {
    width as u32 * (height as u32 + 1)
}

/// Returns the height of the usual board of each word, which gets code of its own with constant shifts: shifting
/// words of 128 bits by a variable takes many instructions.
const fn usual_height<W: Word>() -> u32 {
    if W::BITS == 64 { 6 } else { 10 }
}

/// Returns the steps up, right, right and down, right and up.
const fn steps(height: u32) -> [u32; 4] {
    [1, height + 1, height, height + 2]
}

/// Expands to the same code twice: with the steps of the usual board as constants, and with those of any other.
macro_rules! with_steps {
    ($game:expr, $steps:ident => $work:expr) => {
        if $game.usual {
            let $steps = const { $crate::connect::steps($crate::connect::usual_height::<W>()) };
            $work
        } else {
            let $steps = $game.steps;
            $work
        }
    };
}
use with_steps;

impl<W: Word> Connect<W> {
    /// Returns the game on `width` × `height` in which `row` discs in a line win.
    ///
    /// # Errors
    /// If the numbers are inconsistent or the board does not fit the word.
    pub fn new(width: u8, height: u8, row: u8) -> Result<Self, Misfit> {
        if !(1..=MAX_WIDTH).contains(&width) || height == 0 {
            return Err(Misfit::Side);
        }
        if u32::from(width) * u32::from(height) > u32::from(MAX_CELLS) {
            return Err(Misfit::Cells);
        }
        if !(2..=width.max(height)).contains(&row) {
            return Err(Misfit::Row);
        }
        if bits(width, height) > W::BITS {
            return Err(Misfit::Word);
        }
        let column = W::first(u32::from(height));
        let stride = u32::from(height) + 1;
        let every = |cell: u32| (0..u32::from(width)).fold(W::ZERO, |set, c| set | W::bit(c * stride + cell));
        let board = (0..u32::from(height)).fold(W::ZERO, |set, cell| set | every(cell));
        // Up, right, right and down, right and up. A row that is longer than a side cannot lie along it, and its
        // shifts might leave the word; testing upwards once more finds nothing new.
        let (upright, level) = (row <= height, row <= width);
        let possible = [true, level, upright && level, upright && level];
        let all = steps(u32::from(height));
        let steps = std::array::from_fn(|n| if possible[n] { all[n] } else { 1 });
        Ok(Connect {
            width,
            height,
            row,
            steps,
            usual: steps == self::steps(usual_height::<W>()),
            bottom: every(0),
            top: every(u32::from(height) - 1),
            board,
            column,
        })
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// Returns the number of discs in a line that wins.
    #[must_use]
    pub const fn row(&self) -> u8 {
        self.row
    }

    /// Returns the number of bits from a cell to the cell on its right.
    #[inline]
    const fn stride(&self) -> u32 {
        self.height as u32 + 1
    }

    /// Returns the bit of [`Board`]'s second word that marks the end of the match.
    #[inline]
    fn over(&self) -> W {
        W::bit(u32::from(self.height))
    }
}

impl<W: Word> Game for Connect<W> {
    type State = Board<W>;
    type Action = Column;
    type View = Board<W>;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Board<W> {
        Board::default()
    }

    #[inline]
    fn phase(&self, board: &Board<W>) -> Phase {
        if self.is_over(board) { Phase::Over } else { Phase::Decide(Seat((board.taken.len() & 1) as u8)) }
    }

    #[inline]
    fn actions(&self, board: &Board<W>) -> impl ExactSizeIterator<Item = Column> {
        let open = if self.is_over(board) { W::ZERO } else { self.top & !board.taken };
        Columns { open: open.cells(), scale: SCALE.div_ceil(self.stride()) }
    }

    fn chances(&self, _: &Board<W>) -> impl Iterator<Item = (Column, f64)> {
        std::iter::empty()
    }

    // `always`: where a search applies actions in several places, the compiler would otherwise emit calls, and the
    // words of a board could not stay in registers. That would make a simulation about a sixth slower.
    #[inline(always)]
    fn apply(&self, board: &mut Board<W>, Column(column): Column) {
        let column = self.column << (u32::from(column) * self.stride());
        let cell = (board.taken << 1 | self.bottom) & !board.taken & column;
        debug_assert!(!cell.is_empty(), "the column is full");
        let (own, taken) = (board.mover | cell, board.taken | cell);
        let over = self.has_row(own) | (taken == self.board);
        board.mover = board.taken ^ board.mover;
        board.taken = taken;
        if over {
            // A branch rather than a select, so that the next ply does not wait for the test for rows.
            std::hint::cold_path();
            board.taken |= self.over();
        }
    }

    fn payoffs(&self, board: &Board<W>) -> Payoffs {
        self.winner(board).map_or(Payoffs::default(), Payoffs::won_by)
    }

    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }

    fn view(&self, board: &Board<W>, _: Seat) -> Board<W> {
        *board
    }

    fn seen(&self, _: &Board<W>, column: Column, _: Seat) -> Option<Column> {
        Some(column)
    }

    /// Draws columns until one is not full: while most columns are open, this is faster than finding the *n*-th open
    /// one.
    #[inline]
    fn pick(&self, board: &Board<W>, rng: &mut Rng) -> Column {
        loop {
            let column = rng.below(u32::from(self.width));
            if !board.taken.has(column * self.stride() + u32::from(self.height) - 1) {
                return Column(column as u8);
            }
        }
    }
}

impl<W: Word> Keyed for Connect<W> {
    type Key = W;

    /// Returns the discs of the seat to move plus a bit on top of every column's discs. The highest bit of a column
    /// gives its height, the bits below give the owners of its discs: no two boards share a key.
    #[inline]
    fn key(&self, board: &Board<W>) -> W {
        let taken = self.taken(board);
        board.mover | ((taken << 1 | self.bottom) & !taken)
    }

    fn mirrored(&self, board: &Board<W>) -> Option<Board<W>> {
        // The end is marked by a spare bit, which stays where it is.
        let over = board.taken & self.over();
        Some(Board {
            mover: self.mirror_image(board.mover),
            taken: self.mirror_image(self.taken(board)) | over,
        })
    }

    fn mirrored_action(&self, Column(column): Column) -> Column {
        Column(self.width - 1 - column)
    }
}

/// Open columns as actions, from left to right.
struct Columns<W> {
    /// The top cells of the open columns.
    open: Cells<W>,
    /// `SCALE / stride`, rounded up.
    scale: u32,
}

/// Dividing a cell by the stride is multiplying by `⌈SCALE / stride⌉` and dividing by `SCALE`: exact as long as
/// `cell · (stride − 1) < SCALE`, and cells are below 192, strides at most 129.
const SCALE: u32 = 1 << 16;

impl<W: Word> Columns<W> {
    #[inline]
    fn column(&self, cell: u32) -> Column {
        Column((cell * self.scale / SCALE) as u8)
    }
}

impl<W: Word> Iterator for Columns<W> {
    type Item = Column;
    #[inline]
    fn next(&mut self) -> Option<Column> {
        self.open.next().map(|cell| self.column(cell))
    }
    #[inline]
    fn nth(&mut self, n: usize) -> Option<Column> {
        self.open.nth(n).map(|cell| self.column(cell))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.open.size_hint()
    }
}

impl<W: Word> ExactSizeIterator for Columns<W> {}

#[cfg(test)]
mod tests;
