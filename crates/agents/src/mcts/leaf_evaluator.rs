//! Evaluations of playouts that are cut short.

use parlor_core::{Evaluate, Game};

use crate::evaluation::Evaluation;

/// Evaluates the position in which a playout was cut. A type parameter of the search, so that games with and without an
/// evaluation share its code.
pub trait LeafEvaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Returns the value of `state` for the seat to move, from −1 (lost) to 1 (won).
    fn evaluate_leaf(&self, game: &G, state: &G::State) -> f32;
}

/// For games without an evaluation: their playouts go to the end, so this is never used.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct NoEvaluation;

impl<G: Game> LeafEvaluator<G> for NoEvaluation {
    fn evaluate_leaf(&self, _: &G, _: &G::State) -> f32 {
        0.0
    }
}

/// Uses the game's evaluation, mapped to −1 … 1, or a learnt value.
pub struct ByEvaluation<G: Evaluate> {
    /// The evaluation.
    pub evaluation: Evaluation<G>,
    /// The evaluation of the game that maps to 0.7 of a win.
    pub scale: f32,
}

impl<G: Evaluate> Clone for ByEvaluation<G> {
    fn clone(&self) -> Self {
        ByEvaluation { evaluation: self.evaluation.clone(), scale: self.scale }
    }
}

impl<G: Evaluate> LeafEvaluator<G> for ByEvaluation<G> {
    #[inline]
    fn evaluate_leaf(&self, game: &G, state: &G::State) -> f32 {
        match self.evaluation.learnt() {
            Some(learnt) => learnt.value(game, state),
            None => squash(game.evaluate(&self.evaluation.weights, state) as f32 / self.scale),
        }
    }
}

/// A sigmoid from −1 to 1 with slope 1 at 0. Square roots round the same way on every machine; exponentials do not.
#[inline]
fn squash(x: f32) -> f32 {
    x / (1.0 + x * x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::squash;

    #[test]
    fn squashing_keeps_order_sign_and_bounds() {
        let mut last = -1.0;
        for x in -10_000..=10_000 {
            let y = squash(x as f32 / 400.0);
            assert!(y > last && y.abs() < 1.0 && y == -squash(-x as f32 / 400.0));
            last = y;
        }
    }
}
