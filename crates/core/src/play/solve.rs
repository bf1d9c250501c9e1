//! Exact solvers: what a position is worth under perfect play.

use crate::rules::game::Game;
use crate::text::notation::Position;
use crate::time::budget::Budget;
use crate::time::deadline::Cancel;

/// What a position is worth to the seat to move, and what keeps that worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Exact<A> {
    /// The value, in the unit of [`Solver::unit`].
    pub value: f64,
    /// Every action that is as good as any, in the game's order; empty where nobody is to act.
    pub best: Vec<A>,
    /// How many nodes it took.
    pub nodes: u64,
}

/// Errors of exact solvers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The computation was cancelled.
    #[error("stopped before the answer was found")]
    Cancelled,
    /// The answer takes more time or memory than there is; the sentence says which limit it meets.
    #[error("{0}")]
    OutOfReach(String),
    /// There is no decision to solve; the sentence says why.
    #[error("{0}")]
    NoDecision(String),
}

/// Makes a solver for a game.
pub type BuildSolver<G> = fn(&G, &Resources) -> Box<dyn Solver<G>>;

/// What a solver may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resources {
    /// How many threads may work.
    pub threads: usize,
    /// How large its tables may get together, in mebibytes.
    pub memory_mb: usize,
}

impl Default for Resources {
    fn default() -> Self {
        Resources { threads: 1, memory_mb: 256 }
    }
}

/// How far a solver has come.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgressUpdate {
    /// What it is doing, in a few words.
    pub doing: String,
    /// How much of that is done, 0 to 1, where it is known.
    pub done: Option<f64>,
    /// How many nodes so far.
    pub nodes: u64,
}

/// Progress callback and cancellation flag of a long computation.
pub struct Progress<'a> {
    /// Set when the answer is no longer wanted.
    pub cancel: &'a Cancel,
    /// Receives updates, a few times a second at the most.
    pub report: &'a mut (dyn FnMut(&ProgressUpdate) + Send),
}

impl Progress<'_> {
    /// Returns an error if the computation was cancelled.
    ///
    /// # Errors
    /// [`Unsolved::Cancelled`].
    pub fn check(&self) -> Result<(), Unsolved> {
        if self.cancel.is_cancelled() { Err(Unsolved::Cancelled) } else { Ok(()) }
    }
}

/// An exact solver of a game. It may keep what it has found from one question to the next.
///
/// Where the answer depends on hidden things, the position holds the truth: solvers are for referees, never for players.
pub trait Solver<G: Game>: Send {
    /// Returns what values count: `points`, `probability of winning`.
    fn unit(&self) -> &'static str;

    /// Returns whether the answer takes only moments. Callers with thousands of positions skip the others.
    fn is_quick(&self, _game: &G, _position: &Position<G>) -> bool {
        true
    }

    /// Returns the value of a position and every best action. A finished match is worth its result to the seat whose turn would
    /// come next, and has no best action.
    ///
    /// # Errors
    /// If the position is out of reach, or the answer is no longer wanted.
    fn solve(
        &mut self,
        game: &G,
        position: &Position<G>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<G::Action>, Unsolved>;

    /// Returns the value of a position and one best action, for players, who need no more than that. An answer that takes more nodes
    /// or time than the budget is out of reach. Solvers that always answer soon need not count.
    ///
    /// # Errors
    /// As [`solve`](Solver::solve).
    fn best_action(
        &mut self,
        game: &G,
        position: &Position<G>,
        _budget: &Budget,
        cancel: &Cancel,
    ) -> Result<Exact<G::Action>, Unsolved> {
        let mut exact = self.solve(game, position, &mut Progress { cancel, report: &mut |_| {} })?;
        exact.best.truncate(1);
        Ok(exact)
    }

    /// Returns the value of every action to the seat to move, in the game's order; nothing for a finished match.
    ///
    /// # Errors
    /// As [`solve`](Solver::solve).
    fn values(
        &mut self,
        game: &G,
        position: &Position<G>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(G::Action, f64)>, Unsolved>;
}
