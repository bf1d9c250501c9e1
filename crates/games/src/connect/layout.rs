//! A board as cells, and numbers of actions.

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place, Seat, Symmetry};

use super::{Board, Column, Connect};
use crate::board::bits::Word;

/// Returns a word whose bytes, from the lowest, are the bits of `bits`, from the lowest.
#[inline]
const fn spread(bits: u8) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Byte n keeps bit n of its copy; what is not 0 then carries into the highest bit of its byte.
    let kept = (bits as u64 * EACH) & 0x8040_2010_0804_0201;
    ((kept + 0x7f * EACH) >> 7) & EACH
}

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
            // A free cell is 0 and a disc 1 or 2: `spread` counts on that.
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
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| self.discs(board, seat));
        // Eight discs at a time: a byte of a column becomes eight bytes, which go down the rows.
        let (width, height) = (usize::from(self.width), u32::from(self.height));
        for column in 0..u32::from(self.width) {
            for low in (0..height).step_by(8) {
                let eight = |discs: W| spread((discs >> (column * self.stride() + low)).low() as u8);
                let mut symbols = eight(first) + (eight(second) << 1);
                let mut cell = self.grid_cell(column, low) as usize;
                for _ in low..height.min(low + 8) {
                    out[cell] = symbols as u8;
                    symbols >>= 8;
                    // Below 0 after the top row, where nothing follows.
                    cell = cell.wrapping_sub(width);
                }
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

    #[inline]
    fn legal_numbered(&self, board: &Board<W>, number: usize) -> Option<Column> {
        let top = || number as u32 * self.stride() + u32::from(self.height) - 1;
        (number < self.numbers() && !self.is_over(board) && !board.taken.has(top()))
            .then_some(Column(number as u8))
    }

    #[inline]
    fn write_mask(&self, board: &Board<W>, out: &mut [u8]) {
        assert_eq!(out.len(), self.numbers(), "one element for each number");
        let closed = if self.is_over(board) { self.board } else { board.taken };
        let mut top = u32::from(self.height) - 1;
        for open in out {
            *open = u8::from(!closed.has(top));
            top += self.stride();
        }
    }
}
