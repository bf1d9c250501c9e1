//! Which games exact odds of hidden things can be asked for: minesweeper.

use parlor_core::{Entry, Notation, Position, ReadError, Settings, Spec, SpecError};
use parlor_games::bits::Word;
use parlor_games::minesweeper::odds::{MAX_LAYOUTS, Odds, met_in_play};
use parlor_games::minesweeper::{Layouts, Minesweeper, Status, View};
use parlor_games::wide::U512;

use crate::find;

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
    /// If the text is no position of the game.
    fn odds(&self, position: Option<&str>) -> Result<MineOdds, ReadError>;

    /// Plays until so many positions have been met in which a guess is due, and keeps them.
    fn meet(&mut self, seed: u64, positions: usize);

    /// Counts the mine odds in every position that is kept, and returns a sum of them.
    fn count_met(&self) -> f64;
}

struct HostedOdds<W> {
    game: Minesweeper<W>,
    met: Vec<View<W>>,
}

impl<W: Word> AnyOdds for HostedOdds<W> {
    fn size(&self) -> (u8, u8) {
        (self.game.rows(), self.game.columns())
    }

    fn odds(&self, position: Option<&str>) -> Result<MineOdds, ReadError> {
        let game = &self.game;
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

    fn meet(&mut self, seed: u64, positions: usize) {
        self.met = met_in_play(&self.game, seed, positions);
    }

    fn count_met(&self) -> f64 {
        let counted = self.met.iter().filter(|view| view.status() == Status::ToMove);
        counted.map(|view| Layouts::of(&self.game, view).mine_probabilities().iter().sum::<f64>()).sum()
    }
}

type Open = fn(&Settings) -> Result<Box<dyn AnyOdds>, SpecError>;

fn open<W: Word>(settings: &Settings) -> Result<Box<dyn AnyOdds>, SpecError> {
    Ok(Box::new(HostedOdds { game: Minesweeper::<W>::open(settings)?, met: Vec::new() }))
}

/// Opens a game for the asking of exact odds.
///
/// # Errors
/// If there is no such game, its settings do not fit, or there are no odds to ask for in it.
pub fn odds(spec: &str) -> Result<Box<dyn AnyOdds>, SpecError> {
    let spec = Spec::parse(spec)?;
    let entry = find(&spec.name)?;
    let settings = Settings::read(&spec, entry.keys)?;
    if entry.name != Minesweeper::<u64>::NAME {
        let wrong = "it has no mines; exact odds are for minesweeper".to_owned();
        return Err(SpecError::Together { owner: spec.name, wrong });
    }
    let narrow: [Open; 2] = [open::<u64>, open::<u128>];
    narrow.iter().find_map(|open| open(&settings).ok()).map_or_else(|| open::<U512>(&settings), Ok)
}
