//! The list of games. It is written, not gathered; a test compares it with the modules of `parlor-games`.

use parlor_agents::endgame;
use parlor_core::api::{AgentEntry, AnyGame, Hosted};
use parlor_core::{BuildSolver, Entry, Key, Notation, Settings, SpecError};
use parlor_games::bits::Word;
use parlor_games::checkers::Checkers;
use parlor_games::connect::{self, Connect};
use parlor_games::darkchess::DarkChess;
use parlor_games::dominoes::{self, Dominoes};
use parlor_games::minesweeper::{self, Minesweeper};
use parlor_games::tictactoe::{self, TicTacToe};
use parlor_games::wide::{U192, U512};

use crate::roster;

/// A game as the list holds it.
pub struct GameEntry {
    /// The name in specs.
    pub name: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// Every key.
    pub keys: &'static [Key],
    /// The types that play it, from the fastest to the roomiest; the first that takes the settings is opened.
    types: &'static [Open],
}

type Open = fn(&Settings) -> Result<Box<dyn AnyGame>, SpecError>;

/// Every game there is.
pub static GAMES: &[GameEntry] = &[
    entry::<Dominoes>(&[|settings| host(Dominoes::open(settings)?, roster::dominoes(), dominoes::solver)]),
    entry::<Connect<u64>>(&[columns::<u64>, columns::<u128>, columns::<U192>]),
    entry::<TicTacToe>(&[|settings| {
        host(TicTacToe::open(settings)?, roster::boards(), tictactoe::solve::solver)
    }]),
    entry::<Checkers<u64>>(&[draughts::<u64>, draughts::<u128>]),
    entry::<DarkChess>(&[|settings| host(DarkChess::open(settings)?, roster::darkchess(), endgame::solver)]),
    entry::<Minesweeper<u64>>(&[mines::<u64>, mines::<u128>, mines::<U512>]),
];

const fn entry<G: Entry>(types: &'static [Open]) -> GameEntry {
    GameEntry { name: G::NAME, summary: G::SUMMARY, keys: G::KEYS, types }
}

fn columns<W: Word>(settings: &Settings) -> Result<Box<dyn AnyGame>, SpecError> {
    host(Connect::<W>::open(settings)?, roster::boards(), connect::solve::solver)
}

fn draughts<W: Word>(settings: &Settings) -> Result<Box<dyn AnyGame>, SpecError> {
    host(Checkers::<W>::open(settings)?, roster::checkers(), endgame::solver)
}

fn mines<W: Word>(settings: &Settings) -> Result<Box<dyn AnyGame>, SpecError> {
    host(Minesweeper::<W>::open(settings)?, roster::minesweeper(), minesweeper::solver)
}

/// Opens a game with its players and with someone who knows what positions are worth.
fn host<G: Entry + Notation>(
    game: G,
    mut roster: Vec<AgentEntry<G>>,
    solver: BuildSolver<G>,
) -> Result<Box<dyn AnyGame>, SpecError> {
    roster.push(roster::outside());
    Ok(Box::new(Hosted::new(game, roster).with_solver(solver)))
}

impl GameEntry {
    /// Opens it with checked settings.
    ///
    /// # Errors
    /// If values that are fine each do not go together, or no type has room for them.
    pub fn open(&self, settings: &Settings) -> Result<Box<dyn AnyGame>, SpecError> {
        let (roomiest, others) = self.types.split_last().expect("a game has a type");
        others.iter().find_map(|open| open(settings).ok()).map_or_else(|| roomiest(settings), Ok)
    }
}
