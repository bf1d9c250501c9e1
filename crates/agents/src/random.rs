//! The uniformly random agent: the first baseline of every measurement.

use parlor_core::{Agent, Context, Decision, Game, Policy};

/// Chooses uniformly among the actions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        *context.rng.choose(decision.actions)
    }
}

impl<G: Game> Policy<G> for Random {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        let count = decision.actions.len();
        weights.clear();
        weights.resize(count, 1.0 / count as f64);
    }
}
