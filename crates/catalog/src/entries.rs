//! The list of games. It is written, not gathered; a test compares it with the modules of `parlor-games`.

use std::marker::PhantomData;

use parlor_core::dynamic::{AgentEntry, AnyGame, Hosted};
use parlor_core::{Entry, Key, Notation, Settings, SpecError};
use parlor_games::tictactoe::TicTacToe;

use crate::roster;

/// A game as the list holds it.
pub trait GameEntry: Send + Sync {
    /// The name in specs.
    fn name(&self) -> &'static str;
    /// What the game is, in one line.
    fn summary(&self) -> &'static str;
    /// Every key.
    fn keys(&self) -> &'static [Key];
    /// Opens it with checked settings.
    ///
    /// # Errors
    /// If values that are fine each do not go together.
    fn open(&self, settings: &Settings) -> Result<Box<dyn AnyGame>, SpecError>;
}

/// Every game there is.
pub const GAMES: &[&dyn GameEntry] = &[&Plain::<TicTacToe>::new(roster::everywhere)];

/// A game that is one type whatever its settings.
struct Plain<G: Entry> {
    roster: fn() -> Vec<AgentEntry<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Entry> Plain<G> {
    const fn new(roster: fn() -> Vec<AgentEntry<G>>) -> Self {
        Plain { roster, game: PhantomData }
    }
}

impl<G: Entry + Notation> GameEntry for Plain<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn summary(&self) -> &'static str {
        G::SUMMARY
    }
    fn keys(&self) -> &'static [Key] {
        G::KEYS
    }
    fn open(&self, settings: &Settings) -> Result<Box<dyn AnyGame>, SpecError> {
        let mut roster = (self.roster)();
        roster.push(roster::outside());
        Ok(Box::new(Hosted::new(G::open(settings)?, roster)))
    }
}
