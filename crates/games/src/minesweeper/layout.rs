//! The player's view as cells, and numbers of actions.

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place, Symmetry};

use super::{Action, Minesweeper, Status, View};
use crate::board::bits::Word;

/// Symbols 0 … 8 are the numbers of opened cells; these follow.
const COVERED: u8 = 9;
/// The mine that was clicked.
const EXPLODED: u8 = 10;
/// A first click while mines are laid.
const PENDING: u8 = 11;

impl<W: Word> Cells for Minesweeper<W> {
    /// The number of mines is a rule, not a part of the view, so nothing lies beside the grid.
    fn layout(&self) -> CellLayout {
        let plural = |n: u8| if n == 1 { "mine" } else { "mines" };
        let mut symbols: Vec<CellSymbol> = (0..=8)
            .map(|n| {
                CellSymbol::new(n.to_string(), format!("an opened cell with {n} {} beside it", plural(n)))
            })
            .collect();
        symbols.push(CellSymbol::new("#", "a covered cell"));
        symbols.push(CellSymbol::new("*", "the mine that was clicked"));
        symbols.push(CellSymbol::new("?", "the first click, while mines are laid"));
        CellLayout {
            width: u16::from(self.columns()),
            height: u16::from(self.rows()),
            beside: Vec::new(),
            symbols,
        }
    }

    #[inline]
    fn cells(&self, view: &View<W>, out: &mut [u8]) {
        assert_eq!(out.len(), usize::from(Minesweeper::cells(self)), "one element for each cell");
        out.fill(COVERED);
        for cell in view.opened().cells() {
            out[cell as usize] = view.number(cell as u16).unwrap_or(PENDING);
        }
        if let Status::Lost(cell) = view.status() {
            out[usize::from(cell)] = EXPLODED;
        }
    }

    #[inline]
    fn place(&self, _: &View<W>, action: Action) -> Place {
        Place::along([self.clicked(action)])
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::of_sides(u16::from(self.columns()), u16::from(self.rows()))
    }
}

/// The number of a click is its cell.
impl<W: Word> Numbered for Minesweeper<W> {
    fn numbers(&self) -> usize {
        usize::from(Minesweeper::cells(self))
    }

    #[inline]
    fn number(&self, action: Action) -> usize {
        usize::from(self.clicked(action))
    }

    fn numbered(&self, number: usize) -> Option<Action> {
        (number < usize::from(Minesweeper::cells(self))).then_some(Action::Click(number as u16))
    }
}

impl<W: Word> Minesweeper<W> {
    #[inline]
    fn clicked(&self, action: Action) -> u16 {
        match action {
            Action::Click(cell) => cell,
            Action::Mine(_) => panic!("chance lays mines; only clicks have a place and a number"),
        }
    }
}
