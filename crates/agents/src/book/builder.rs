//! Opening books behind the dynamic API, with moves and positions as text.

use parlor_core::api::{AnyGame, ApiError, Hosted};
use parlor_core::small_sort::small_sort;
use parlor_core::{
    Cancel, Entry, GameValue, Keyed, Notation, PerfectInfo, Phase, Position, Resources, SpecError,
};
use serde::Serialize;

use super::exact::{ExactError, ExactProgress, Growth};
use super::grow::{GrowError, grow};
use super::{Book, BookHeader};

/// A move of a book position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookMove {
    /// The move.
    pub action: String,
    /// The number of games that continued with it.
    pub visits: u32,
    /// Points per game for the seat to move; `None` without games.
    pub score: Option<f64>,
    /// The proven result, if any.
    pub known: Option<GameValue>,
    /// Whether the book plays it.
    pub best: bool,
}

/// A game with opening books.
pub trait AnyBookBuilder: Send + Sync {
    /// Returns the header of a new book of games of `agent` against itself.
    ///
    /// # Errors
    /// If the spec is invalid for this game, or the agent sees hidden information.
    fn begin(&self, agent: &str, seed: u64, plies: u32, planned: u64) -> Result<BookHeader, SpecError>;

    /// Grows a book to its planned size. Calls `on_batch` after every batch of games. On return the book is in the state
    /// after a whole batch.
    ///
    /// # Errors
    /// If the agent cannot be built or fails.
    fn grow(
        &self,
        book: &mut Book,
        threads: usize,
        stop: &Cancel,
        on_batch: &mut dyn FnMut(&Book),
    ) -> Result<Result<(), GrowError>, SpecError>;

    /// Returns the header of a new book of exact answers.
    fn begin_exact(&self, easy_nodes: u64, plies: u32) -> BookHeader;

    /// Answers the positions of such a book that are still open. Calls `on_position` after every position. What `known` answers, a
    /// book of exact answers for the same rules, is not solved again.
    ///
    /// # Errors
    /// If the game has no solver, a position is out of reach, the work is cancelled, or answers contradict each other.
    fn grow_exact(
        &self,
        book: &mut Book,
        known: Option<&Book>,
        means: &Resources,
        stop: &Cancel,
        on_position: &mut dyn FnMut(&Book, ExactProgress),
    ) -> Result<(), ExactError>;

    /// Returns the moves of a position (`None`: the start), the one the book plays first, then by visits; `None` if the
    /// position is not in the book.
    ///
    /// # Errors
    /// If the position cannot be parsed or has no seat to move.
    fn look_up(&self, book: &Book, position: Option<&str>) -> Result<Option<Vec<BookMove>>, ApiError>;
}

impl<G: Entry + Notation + PerfectInfo + Keyed> AnyBookBuilder for Hosted<G> {
    fn begin(&self, agent: &str, seed: u64, plies: u32, planned: u64) -> Result<BookHeader, SpecError> {
        let (_, agent) = self.honest_agent(agent)?;
        Ok(BookHeader::new(self.spec(), agent, seed, plies, planned))
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

    fn begin_exact(&self, easy_nodes: u64, plies: u32) -> BookHeader {
        BookHeader::exact(self.spec(), easy_nodes, plies)
    }

    fn grow_exact(
        &self,
        book: &mut Book,
        known: Option<&Book>,
        means: &Resources,
        stop: &Cancel,
        on_position: &mut dyn FnMut(&Book, ExactProgress),
    ) -> Result<(), ExactError> {
        let build = |means: &Resources| self.build_solver(means);
        Growth { game: self.game(), build: &build, means, known, stop }.grow(book, on_position)
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
        let Some(page) = book.page(game, &state) else { return Ok(None) };
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
