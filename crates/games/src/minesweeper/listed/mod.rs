//! Perfect play at the end of a match, when the layouts can be listed; used by `deduce`. `perfect` solves whole
//! boards.
//!
//! A player's knowledge is which of the listed layouts are still possible. Every cell that is safe in all of them is
//! opened at once: that costs nothing and may exclude layouts. The open cells then follow from the remaining layouts,
//! so a set of layouts identifies a position.
//!
//! A cell is *dead* if it shows the same number in every layout in which it is safe. Opening a dead cell has a risk
//! and gives no information, so it can wait for the end. If only dead cells are left, exactly one of the layouts is
//! won, whichever cell is clicked.

mod search;

use parlor_core::time::budget::Meter;

use self::search::{MINE, Search};
use super::{Minesweeper, View};
use crate::board::bits::Word;

/// A cell to click, and the number of layouts won after it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The cell.
    pub cell: u16,
    /// Number of layouts won by perfect play after it; an upper bound if `is_bound`.
    pub wins: u32,
    /// Whether `wins` is only an upper bound, no better than an earlier click.
    pub is_bound: bool,
}

/// All layouts that agree with a view, prepared for perfect play.
#[derive(Clone, Debug)]
pub struct ListedLayouts<W> {
    layouts: Vec<W>,
    search: Search,
}

impl<W: Word> ListedLayouts<W> {
    /// Takes the layouts of a position, each equally likely, with `opened` open.
    #[must_use]
    pub fn new(game: &Minesweeper<W>, opened: W, layouts: Vec<W>) -> Self {
        let covered = game.board() & !opened;
        let everywhere = layouts.iter().fold(covered, |mines, &layout| mines & layout);
        let cells: Vec<u16> = (covered & !everywhere).cells().map(|cell| cell as u16).collect();
        let near: Vec<W> = cells.iter().map(|&cell| game.neighbours(cell)).collect();
        let mut shows = Vec::with_capacity(cells.len() * layouts.len());
        for &layout in &layouts {
            shows.extend(cells.iter().zip(&near).map(|(&cell, &near)| {
                if layout.has(u32::from(cell)) { MINE } else { (near & layout).len() as u8 }
            }));
        }
        let search = Search::new(cells, shows, layouts.len());
        ListedLayouts { layouts, search }
    }

    /// Returns the value of each click in a later view of the same match, best first; `None` if the search was
    /// stopped.
    ///
    /// If some cell is safe in all layouts, it is returned alone. Clicks whose bound shows that they are no better
    /// than the first have bounds; dead cells are not listed while there are others.
    pub fn choices(
        &mut self,
        game: &Minesweeper<W>,
        view: &View<W>,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Choice>> {
        let left = self.agreeing(game, view);
        let covered = (game.board() & !view.opened()).cells().map(|cell| cell as u16);
        self.search.choices(&left, &covered.collect::<Vec<_>>(), meter)
    }

    fn agreeing(&self, game: &Minesweeper<W>, view: &View<W>) -> Vec<u32> {
        let opened: Vec<(u16, u8)> =
            self.search.cells().iter().filter_map(|&cell| Some((cell, view.number(cell)?))).collect();
        let agrees = |layout: W| {
            opened.iter().all(|&(cell, number)| {
                !layout.has(u32::from(cell)) && (game.neighbours(cell) & layout).len() as u8 == number
            })
        };
        (0..self.layouts.len() as u32).filter(|&id| agrees(self.layouts[id as usize])).collect()
    }
}

#[cfg(test)]
mod tests;
