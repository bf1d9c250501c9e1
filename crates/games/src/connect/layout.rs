//! A board as cells, and numbers of actions.

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place, Seat, Symmetry};

use super::{Board, Column, Connect};
use crate::board::bits::Word;

/// The symbol of a free cell; then those of the first and the second seat.
const FREE: u8 = 0;

impl<W: Word> Connect<W> {
    /// Returns the cell of the grid in `column` and `row`, rows counted from 0 at the bottom.
    #[inline]
    fn grid_cell(&self, column: u32, row: u32) -> u32 {
        (u32::from(self.height) - 1 - row) * u32::from(self.width) + column
    }
}

impl<W: Word> Cells for Connect<W> {
    fn layout(&self) -> CellLayout {
        let symbols =
            [(".", "a free cell"), ("X", "a disc of the first seat"), ("O", "a disc of the second seat")];
        CellLayout {
            width: u16::from(self.width),
            height: u16::from(self.height),
            beside: Vec::new(),
            symbols: symbols.map(|(text, meaning)| CellSymbol::new(text, meaning)).into(),
        }
    }

    #[inline]
    fn cells(&self, board: &Board<W>, out: &mut [u8]) {
        assert_eq!(
            out.len(),
            usize::from(self.width) * usize::from(self.height),
            "one element for each cell"
        );
        out.fill(FREE);
        for seat in [Seat::FIRST, Seat::SECOND] {
            for bit in self.discs(board, seat).cells() {
                let cell = self.grid_cell(bit / self.stride(), bit % self.stride());
                out[cell as usize] = FREE + 1 + seat.0;
            }
        }
    }

    /// The cell that the disc falls into.
    #[inline]
    fn place(&self, board: &Board<W>, Column(column): Column) -> Place {
        let column = u32::from(column);
        let below = self.taken(board) >> (column * self.stride()) & self.column;
        Place::along([self.grid_cell(column, below.len()) as u16])
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::Identity, Symmetry::Mirror]
    }
}

/// The number of an action is its column, counted from 0 at the left.
impl<W: Word> Numbered for Connect<W> {
    fn numbers(&self) -> usize {
        usize::from(self.width)
    }

    #[inline]
    fn number(&self, Column(column): Column) -> usize {
        usize::from(column)
    }

    fn numbered(&self, number: usize) -> Option<Column> {
        (number < self.numbers()).then_some(Column(number as u8))
    }
}
