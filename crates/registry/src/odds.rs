//! Exact odds of hidden mines.

use parlor_core::api::Hosted;
use parlor_core::{Notation, Position, ReadError};
use parlor_games::bits::Word;
use parlor_games::minesweeper::odds::{MAX_LAYOUTS, Odds, met_in_play};
use parlor_games::minesweeper::{Layouts, Minesweeper, Status, View};

/// How large a count may get, in numbers of eight bytes; positions that are read stay below.
const MOST_NUMBERS: usize = 1 << 26;

/// Exact odds in a position, in words.
#[derive(Clone, PartialEq, Debug)]
pub struct MineOdds {
    /// How likely each covered cell is a mine.
    pub mines: Vec<(String, f64)>,
    /// How likely random clicks win from here; `None` where that is out of reach.
    pub random_win: Option<f64>,
    /// How many layouts of the mines agree with what is open.
    pub layouts: f64,
    /// With more layouts than this, `random_win` is out of reach.
    pub most_layouts: f64,
}

/// A game that exact odds can be asked for.
pub trait AnyOdds {
    /// Returns the rows and columns of the board.
    fn size(&self) -> (u8, u8);

    /// Returns the odds in a position, or at the start.
    ///
    /// # Errors
    /// If the text is not a position of the game.
    fn odds(&self, position: Option<&str>) -> Result<MineOdds, ReadError>;

    /// Returns a fixed amount of counting, for measuring: this many positions of games from `seed` in which a guess is due.
    fn workload(&self, seed: u64, positions: usize) -> OddsWorkload;
}

/// Positions whose mine odds are counted together, for measuring.
pub struct OddsWorkload(Box<dyn Fn() -> f64>);

impl OddsWorkload {
    /// Counts the mine odds in every position and returns their sum.
    #[must_use]
    pub fn count(&self) -> f64 {
        (self.0)()
    }
}

impl<W: Word> AnyOdds for Hosted<Minesweeper<W>> {
    fn size(&self) -> (u8, u8) {
        (self.game().rows(), self.game().columns())
    }

    fn odds(&self, position: Option<&str>) -> Result<MineOdds, ReadError> {
        let game = self.game();
        let view = match position {
            None => View::untouched(),
            Some(text) => match game.read_position(text.trim())? {
                Position::View(view) => view,
                Position::State(_) => unreachable!("positions of minesweeper are views"),
            },
        };
        let odds = Odds::of(game, &view, MOST_NUMBERS)
            .ok_or_else(|| ReadError::new("position", "too complex to count its layouts"))?;
        let named = odds.mines.iter().map(|&(cell, odds)| (game.square(cell), odds));
        Ok(MineOdds {
            mines: named.collect(),
            random_win: odds.random_win,
            layouts: odds.layouts,
            most_layouts: MAX_LAYOUTS,
        })
    }

    fn workload(&self, seed: u64, positions: usize) -> OddsWorkload {
        let game = *self.game();
        let mut met: Vec<View<W>> = met_in_play(&game, seed, positions);
        met.retain(|view| view.status() == Status::ToMove);
        let odds = move |view: &View<W>| Layouts::of(&game, view).mine_probabilities().iter().sum::<f64>();
        OddsWorkload(Box::new(move || met.iter().map(&odds).sum()))
    }
}
