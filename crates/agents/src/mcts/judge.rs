//! What a playout that is cut short is worth.

use parlor_core::{Evaluate, Game};

/// Judges a position in which a playout was cut. Part of the search's type, so that a game without an evaluation is searched
/// by the same code.
pub trait Judge<G: Game>: Clone + Send + Sync + 'static {
    /// Returns how good `state` looks for the seat to move, from −1, lost, to 1, won.
    fn judge(&self, game: &G, state: &G::State) -> f32;
}

/// Judges nothing, for games without an evaluation: their playouts go to the end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct NoJudge;

impl<G: Game> Judge<G> for NoJudge {
    fn judge(&self, _: &G, _: &G::State) -> f32 {
        0.0
    }
}

/// Judges by the game's evaluation, squashed.
#[derive(Clone, PartialEq, Debug)]
pub struct ByEvaluation<G: Evaluate> {
    /// What the evaluation rests on.
    pub weights: G::Weights,
    /// The evaluation that is worth 0.7 of a win.
    pub scale: f32,
}

impl<G: Evaluate> Judge<G> for ByEvaluation<G> {
    #[inline]
    fn judge(&self, game: &G, state: &G::State) -> f32 {
        squash(game.evaluate(&self.weights, state) as f32 / self.scale)
    }
}

/// A sigmoid from −1 to 1 with slope 1 at 0. Roots are rounded the same way on every machine; exponentials are not.
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
