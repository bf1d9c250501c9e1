//! Exact answers by name and text.

use crate::play::solve::{Progress, Solver};
use crate::rules::game::Game;
use crate::small_sort::small_sort;
use crate::text::notation::{Notation, Position};

use super::ApiError;

/// What a position is worth to the seat to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The value.
    pub value: f64,
    /// Every best action, sorted.
    pub best: Vec<String>,
    /// How many nodes it took.
    pub nodes: u64,
}

/// An exact solver of one game, by name and text.
pub trait AnySolver: Send {
    /// Returns what values count.
    fn unit(&self) -> &'static str;

    /// Returns the value of a position (`None`: the start) and every best action.
    ///
    /// # Errors
    /// If the position is not understood or out of reach, or the answer is no longer wanted.
    fn solve(&mut self, position: Option<&str>, progress: &mut Progress<'_>) -> Result<Solved, ApiError>;

    /// Returns the value of every action, the best first.
    ///
    /// # Errors
    /// As [`solve`](AnySolver::solve).
    fn values(
        &mut self,
        position: Option<&str>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(String, f64)>, ApiError>;
}

/// A game and its solver behind the dynamic API.
pub(super) struct Solving<G: Game> {
    pub(super) game: G,
    pub(super) solver: Box<dyn Solver<G>>,
}

impl<G: Notation> Solving<G> {
    fn position(&self, text: Option<&str>) -> Result<Position<G>, ApiError> {
        Ok(match text {
            Some(text) => self.game.read_position(text.trim())?,
            None => Position::State(self.game.start()),
        })
    }
}

impl<G: Notation> AnySolver for Solving<G> {
    fn unit(&self) -> &'static str {
        self.solver.unit()
    }

    fn solve(&mut self, position: Option<&str>, progress: &mut Progress<'_>) -> Result<Solved, ApiError> {
        let position = self.position(position)?;
        let exact = self.solver.solve(&self.game, &position, progress)?;
        let mut best: Vec<String> = exact.best.iter().map(|&a| self.game.write_action(a)).collect();
        best.sort_unstable();
        Ok(Solved { value: exact.value, best, nodes: exact.nodes })
    }

    fn values(
        &mut self,
        position: Option<&str>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(String, f64)>, ApiError> {
        let position = self.position(position)?;
        let mut values: Vec<(String, f64)> = self
            .solver
            .values(&self.game, &position, progress)?
            .into_iter()
            .map(|(action, value)| (self.game.write_action(action), value))
            .collect();
        small_sort(&mut values, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)).is_lt());
        Ok(values)
    }
}
