//! Playing a stage out: by a model of a player, or at random.
//!
//! A model sees what its seat sees, so what comes of it is what such players get, not what players get that know everything.

use parlor_core::api::BuildContext;
use parlor_core::{Decision, Entry, Game, Key, Kind, Policy, Rng, Seat, SpecError};

/// `playout=` where playing at random is the alternative.
pub const PLAYOUT: Key = Key {
    name: "playout",
    kind: Kind::Text,
    default: "expert",
    help: "how a stage is played out where the search ends: by a model of the game, random among them",
};

/// `playout=`: what a position is worth where the search ends.
pub const PLAYOUT_OR_NOT: Key = Key {
    help: "how a stage is played out where the search ends: by a model of the game; off: a guess by pips",
    ..PLAYOUT
};

/// The model that needs no weighing.
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
    /// Returns what `seat`, which decides in `state`, does.
    pub fn choose(&mut self, game: &G, state: &G::State, seat: Seat, rng: &mut Rng) -> G::Action {
        let Some(policy) = &mut self.policy else {
            return game.pick(state, rng);
        };
        self.actions.clear();
        self.actions.extend(game.actions(state));
        if let &[only] = self.actions.as_slice() {
            return only;
        }
        let view = game.view(state, seat);
        policy.weigh(&Decision::new(game, seat, &view, &self.actions), &mut self.weights);
        self.actions[by_weight(&self.weights, rng)]
    }
}

/// Returns a place by the weights, which add up to 1. What is certain costs no randomness.
fn by_weight(weights: &[f64], rng: &mut Rng) -> usize {
    if let Some(certain) = weights.iter().position(|&weight| weight >= 1.0) {
        return certain;
    }
    let mut left = rng.unit();
    let mut drawn = 0;
    for (at, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        // Rounding can leave a sliver beyond the last weight; it belongs to the last place.
        drawn = at;
        if left < weight {
            break;
        }
        left -= weight;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_as_often_as_they_weigh() {
        let mut rng = Rng::new(5);
        let weights = [0.2, 0.0, 0.5, 0.3];
        let mut counts = [0.0; 4];
        for _ in 0..4_000 {
            counts[by_weight(&weights, &mut rng)] += 1.0 / 4_000.0;
        }
        for (count, weight) in counts.iter().zip(weights) {
            assert!((count - weight).abs() < 0.03, "{counts:?}");
        }
        let mut untouched = rng.clone();
        assert_eq!(by_weight(&[0.0, 1.0], &mut rng), 1);
        assert_eq!(rng.bits(), untouched.bits(), "certain things are not drawn");
    }
}
