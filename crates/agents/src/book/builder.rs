//! Books behind the door: by the game's name, as text.

use parlor_core::api::{AnyGame, ApiError, Hosted};
use parlor_core::small_sort::small_sort;
use parlor_core::{Cancel, Entry, GameValue, Keyed, Notation, PerfectInfo, Phase, Position, SpecError};
use serde::Serialize;

use super::grow::{GrowError, grow};
use super::{About, Book};

/// A line of a book, for people and scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookMove {
    /// What is done.
    pub action: String,
    /// How many games went on with it.
    pub visits: u32,
    /// Points a game for the seat to move; `None` if nobody went there.
    pub score: Option<f64>,
    /// How it ends, if that is proven.
    pub known: Option<GameValue>,
    /// Whether it is what the book plays.
    pub best: bool,
}

/// A game that books can be grown for.
pub trait AnyBookBuilder: Send + Sync {
    /// Returns what a new book is about: games of `agent` against itself.
    ///
    /// # Errors
    /// If there is no such agent for this game, its settings do not fit, or it sees what is hidden.
    fn begin(&self, agent: &str, seed: u64, plies: u32, planned: u64) -> Result<About, SpecError>;

    /// Grows a book as far as it is planned to grow. `on_batch` is told after every batch of games, and the book is as it was
    /// after one when this returns.
    ///
    /// # Errors
    /// If its agent cannot be made.
    fn grow(
        &self,
        book: &mut Book,
        threads: usize,
        stop: &Cancel,
        on_batch: &mut dyn FnMut(&Book),
    ) -> Result<Result<(), GrowError>, SpecError>;

    /// Returns what a book knows about a position (`None`: the start), the line that it plays first, then by visits; `None` if
    /// it does not know the position.
    ///
    /// # Errors
    /// If the position is not understood, or nobody is to move there.
    fn look_up(&self, book: &Book, position: Option<&str>) -> Result<Option<Vec<BookMove>>, ApiError>;
}

impl<G: Entry + Notation + PerfectInfo + Keyed> AnyBookBuilder for Hosted<G> {
    fn begin(&self, agent: &str, seed: u64, plies: u32, planned: u64) -> Result<About, SpecError> {
        let (_, agent) = self.honest_agent(agent)?;
        Ok(About::new(self.spec(), agent, seed, plies, planned))
    }

    fn grow(
        &self,
        book: &mut Book,
        threads: usize,
        stop: &Cancel,
        on_batch: &mut dyn FnMut(&Book),
    ) -> Result<Result<(), GrowError>, SpecError> {
        let agent = || self.honest_agent(&book.about.agent).map(|(agent, _)| agent);
        let pairs =
            (0..threads.max(1)).map(|_| Ok([agent()?, agent()?])).collect::<Result<_, SpecError>>()?;
        Ok(grow(self.game(), book, pairs, stop, on_batch))
    }

    fn look_up(&self, book: &Book, position: Option<&str>) -> Result<Option<Vec<BookMove>>, ApiError> {
        let game = self.game();
        let state = match position.map(|text| game.read_position(text.trim())).transpose()? {
            None => game.start(),
            Some(Position::State(state)) => state,
            Some(Position::View(view)) => game.truth(&view).clone(),
        };
        if !matches!(game.phase(&state), Phase::Decide(_)) {
            return Err(ApiError::NobodyToMove);
        }
        let actions: Vec<G::Action> = game.actions(&state).collect();
        let Some(page) = book.page(game, &state, actions.len()) else { return Ok(None) };
        let best = page.best();
        let mut moves: Vec<BookMove> = page
            .lines
            .iter()
            .enumerate()
            .map(|(at, line)| BookMove {
                action: game.write_action(actions[usize::from(line.action)]),
                visits: line.visits,
                score: line.score(),
                known: line.known,
                best: Some(at) == best,
            })
            .collect();
        small_sort(&mut moves, |one, other| (one.best, one.visits) > (other.best, other.visits));
        Ok(Some(moves))
    }
}
