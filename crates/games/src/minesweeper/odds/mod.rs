//! Exact mine probabilities of a view, and the probability of winning by random clicks.

mod met;
mod random;

use super::{Layouts, Minesweeper, View};
use crate::board::bits::Word;

pub use self::met::met_in_play;
pub use self::random::MAX_LAYOUTS;

/// Exact probabilities in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Odds {
    /// Probability that each covered cell is a mine, in the order of the cells.
    pub mines: Vec<(u16, f64)>,
    /// Number of layouts of the mines that agree with the open cells.
    pub layouts: f64,
    /// Probability of winning by random clicks, each on any covered cell with equal probability. `None` if there are
    /// more than [`MAX_LAYOUTS`] layouts.
    pub random_win: Option<f64>,
}

impl Odds {
    /// Returns the probabilities in a view; `None` if counting its layouts takes a table of more than `limit`
    /// numbers.
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
