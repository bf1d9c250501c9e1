//! Playouts of a stage with a policy or with random actions.
//!
//! A policy sees what its seat sees, so the result is that of such players, not of players that know everything.

use parlor_core::api::BuildContext;
use parlor_core::{Decision, Entry, Game, Key, Kind, Policy, Rng, Seat, SpecError};

/// `playout=` where random actions are the alternative.
pub const PLAYOUT: Key = Key {
    name: "playout",
    kind: Kind::Agent { words: &[], forms: &[] },
    default: "expert",
    help: "how a stage is played out where the search ends: by a model of the game, random among them",
};

/// `playout=`: the policy that estimates leaves.
pub const PLAYOUT_OR_NOT: Key = Key {
    kind: Kind::Agent { words: &["off"], forms: &[] },
    help: "how a stage is played out where the search ends: by a model of the game; off: a guess by pips",
    ..PLAYOUT
};

/// The value for random actions.
const RANDOM: &str = "random";

/// Chooses for every seat of a playout.
pub struct Playout<G: Game> {
    /// `None` chooses at random.
    policy: Option<Box<dyn Policy<G>>>,
    actions: Vec<G::Action>,
    weights: Vec<f64>,
}

impl<G: Entry> Playout<G> {
    /// Reads [`PLAYOUT_OR_NOT`].
    ///
    /// # Errors
    /// If the game has no such model.
    pub fn read(context: &BuildContext<'_, G>) -> Result<Option<Self>, SpecError> {
        match context.settings.text(PLAYOUT_OR_NOT.name) {
            "off" => Ok(None),
            model => Playout::of(context, model).map(Some),
        }
    }

    /// Makes the playout of a model.
    ///
    /// # Errors
    /// If the game has no such model.
    pub fn of(context: &BuildContext<'_, G>, model: &str) -> Result<Self, SpecError> {
        let policy = context.policy(model)?;
        let policy = (model != RANDOM).then_some(policy);
        Ok(Playout { policy, actions: Vec::new(), weights: Vec::new() })
    }
}

impl<G: Game> Playout<G> {
    /// Returns the action of `seat`, which decides in `state`.
    pub fn choose(&mut self, game: &G, state: &G::State, seat: Seat, rng: &mut Rng) -> G::Action {
        let Some(mut policy) = self.policy.take() else {
            return game.pick(state, rng);
        };
        let chosen =
            self.choose_by(game, state, seat, rng, |decision, weights| policy.weigh(decision, weights));
        self.policy = Some(policy);
        chosen
    }

    /// Returns what `seat`, which decides in `state`, does if `weigh` says how likely each action is.
    pub fn choose_by(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        rng: &mut Rng,
        weigh: impl FnOnce(&Decision<'_, G>, &mut Vec<f64>),
    ) -> G::Action {
        self.actions.clear();
        self.actions.extend(game.actions(state));
        if let &[only] = self.actions.as_slice() {
            return only;
        }
        let view = game.view(state, seat);
        weigh(&Decision::new(game, seat, &view, &self.actions), &mut self.weights);
        self.actions[by_weight(&self.weights, rng)]
    }
}

/// Draws an index by weights that add up to 1. A certain outcome uses no random number.
fn by_weight(weights: &[f64], rng: &mut Rng) -> usize {
    let certain = weights.iter().position(|&weight| weight >= 1.0);
    let drawn = certain.or_else(|| rng.by_weight(1.0, weights.iter().copied().enumerate()));
    drawn.expect("some action is possible")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_certain_costs_no_randomness() {
        let mut rng = Rng::new(5);
        let mut untouched = rng.clone();
        assert_eq!(by_weight(&[0.0, 1.0], &mut rng), 1);
        assert_eq!(rng.bits(), untouched.bits());
        assert!([0, 2].contains(&by_weight(&[0.5, 0.0, 0.5], &mut rng)));
    }
}
