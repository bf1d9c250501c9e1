//! What a view tells about mines, and how far pure luck gets from there.

mod met;
mod random;

use super::{Layouts, Minesweeper, View};
use crate::board::bits::Word;

pub use self::met::met_in_play;
pub use self::random::MOST_LAYOUTS;

/// Exact odds in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Odds {
    /// How likely each covered cell is a mine, in the order of the cells.
    pub mines: Vec<(u16, f64)>,
    /// How many layouts of the mines agree with what is open.
    pub layouts: f64,
    /// How likely random clicks win from here: every one is on any of the covered cells, each as likely as any other. `None`
    /// if there are more than [`MOST_LAYOUTS`] layouts.
    pub random_win: Option<f64>,
}

impl Odds {
    /// Returns the odds in a view; `None` if counting its layouts takes a table of more than `limit` numbers.
    #[must_use]
    pub fn of<W: Word>(game: &Minesweeper<W>, view: &View<W>, limit: usize) -> Option<Self> {
        let layouts = Layouts::within(game, view, limit)?;
        let odds = layouts.mine_probabilities();
        let covered = game.board() & !view.opened();
        Some(Odds {
            mines: covered.cells().map(|cell| (cell as u16, odds[cell as usize])).collect(),
            layouts: layouts.total(),
            random_win: random::random_win(game, view, &layouts),
        })
    }
}

#[cfg(test)]
mod tests;
