//! Perfect play at the end of a match, where the layouts can be listed: what `deduce` does then. Whole boards are solved by
//! `perfect`.
//!
//! What a player knows is which of the listed layouts are still possible. Every cell that is safe in all of them is opened
//! at once: that costs nothing and may tell layouts apart. What is open then follows from which layouts are left, so that a
//! set of layouts is all there is to remember of a position.
//!
//! A cell is *dead* if it shows the same number in every layout in which it is safe. Whoever opens a dead cell risks
//! something and learns nothing: it can as well be left for the end. If nothing but dead cells is left, exactly one of the
//! layouts is won, whatever is clicked.

mod search;

use parlor_core::time::budget::Meter;

use self::search::{MINE, Search};
use super::{Minesweeper, View};
use crate::board::bits::Word;

/// A cell to click, and in how many of the layouts the match is then won.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The cell.
    pub cell: u16,
    /// The layouts that are won by the best play after it; if `is_bound`, no more than this.
    pub wins: u32,
    /// Whether `wins` is only an upper bound, seen early to be no improvement.
    pub is_bound: bool,
}

/// All layouts that agree with a view, ready to be played perfectly.
#[derive(Clone, Debug)]
pub struct ListedLayouts<W> {
    layouts: Vec<W>,
    search: Search,
}

impl<W: Word> ListedLayouts<W> {
    /// Takes the layouts of a position, each as likely as any other, of which `opened` is open.
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

    /// Returns what each click is worth in a later view of the same match, the best first; `None` if the search was stopped.
    ///
    /// If some cell is safe in all layouts, that one is returned alone. Clicks that are no better than the first, as a quick
    /// look showed, have bounds; dead cells are not listed while there are others.
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
