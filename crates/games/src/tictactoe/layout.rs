//! A board as cells, and numbers of actions.

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place, Symmetry};

use super::{Board, Cell, TicTacToe};
use crate::board::bits::Word;

/// The symbol of a free cell; then those of X and O.
const FREE: u8 = 0;

impl Cells for TicTacToe {
    fn layout(&self) -> CellLayout {
        let symbols = [
            (".", "a free cell"),
            ("X", "a cell of X, the first seat"),
            ("O", "a cell of O, the second seat"),
        ];
        CellLayout {
            width: u16::from(self.columns),
            height: u16::from(self.rows),
            beside: Vec::new(),
            symbols: symbols.map(|(text, meaning)| CellSymbol::new(text, meaning)).into(),
        }
    }

    #[inline]
    fn cells(&self, board: &Board, out: &mut [u8]) {
        assert_eq!(out.len(), TicTacToe::cells(self) as usize, "one element for each cell");
        out.fill(FREE);
        for (symbol, side) in [(1, board.x), (2, board.o)] {
            for cell in side.cells() {
                out[cell as usize] = symbol;
            }
        }
    }

    #[inline]
    fn place(&self, _: &Board, Cell(cell): Cell) -> Place {
        Place::along([u16::from(cell)])
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::of_sides(u16::from(self.columns), u16::from(self.rows))
    }
}

/// The number of an action is its cell.
impl Numbered for TicTacToe {
    fn numbers(&self) -> usize {
        TicTacToe::cells(self) as usize
    }

    #[inline]
    fn number(&self, Cell(cell): Cell) -> usize {
        usize::from(cell)
    }

    fn numbered(&self, number: usize) -> Option<Cell> {
        (number < self.numbers()).then_some(Cell(number as u8))
    }
}
