//! Who plays by the search: one that knows its view, and one that is told the truth.

use parlor_core::{Agent, Beliefs, Budget, Decision, Game, Oracle, Rng, Sighted, Thought, Worlds};

use super::deepening::{Deepening, Question};
use super::nest::Nest;
use crate::limits::Limits;

/// Takes the best reply to its model, on average over the worlds that its view allows.
///
/// Each world is searched as if the seat knew it, its later decisions included: it does not see that it will know no more
/// then than now.
pub struct Mstar<G: Game> {
    search: Deepening<G>,
    limits: Limits,
    /// The most worlds that are listed, and how many are drawn where there are more.
    most: usize,
}

impl<G: Worlds> Mstar<G> {
    /// Makes the agent of a nest of players.
    #[must_use]
    pub fn new(nest: Nest<G>, limits: Limits, most: usize) -> Self {
        Mstar { search: Deepening::new(nest), limits, most }
    }

    /// Returns the worlds of a view with their odds, and how they came about.
    fn worlds(&self, game: &G, view: &G::View, rng: &mut Rng) -> (Vec<(G::State, f64)>, String) {
        if let Some(all) = game.worlds(view, self.most) {
            let basis = format!("all {} worlds", all.len());
            return (all, basis);
        }
        let odds = 1.0 / self.most as f64;
        let drawn = (0..self.most).map(|_| (game.imagine(view, rng), odds)).collect();
        (drawn, format!("{} sampled worlds", self.most))
    }
}

impl<G: Worlds> Agent<G> for Mstar<G> {
    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        self.think(decision, rng, &mut |_| ())
    }

    fn think(
        &mut self,
        decision: &Decision<'_, G>,
        rng: &mut Rng,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        let (budget, plan) = self.limits.for_decision(decision);
        let (worlds, _) = self.worlds(decision.game, decision.view, rng);
        let question = Question {
            game: decision.game,
            seat: decision.seat,
            actions: decision.actions,
            worlds: &worlds,
            stop: decision.stop,
            // A depth takes several times as long as the one before.
            enough: plan.map(|plan| plan.target / 3),
        };
        self.search.answer(&question, budget, rng, tell)
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> Option<Beliefs> {
        let (game, view) = (decision.game, decision.view);
        let (worlds, basis) = self.worlds(game, view, rng);
        let odds = |thing: usize| {
            let mut odds = vec![0.0; G::PLACES.len()];
            for (world, weight) in &worlds {
                odds[game.place(view, world, thing)] += weight;
            }
            odds
        };
        Some(Beliefs {
            places: G::PLACES.iter().map(|&place| place.to_owned()).collect(),
            odds: game.hidden(view).into_iter().enumerate().map(|(at, thing)| (thing, odds(at))).collect(),
            basis,
        })
    }
}

/// Takes the best reply to its model in the true state. What chance has not done yet it does not know.
pub struct SightedMstar<G: Game> {
    search: Deepening<G>,
    budget: Budget,
}

impl<G: Game> SightedMstar<G> {
    /// Makes the oracle of a nest of players.
    #[must_use]
    pub fn new(nest: Nest<G>, budget: Budget) -> Self {
        SightedMstar { search: Deepening::new(nest), budget }
    }
}

impl<G: Game> Oracle<G> for SightedMstar<G> {
    fn act(&mut self, sighted: &Sighted<'_, G>, rng: &mut Rng) -> G::Action {
        let question = Question {
            game: sighted.game,
            seat: sighted.seat,
            actions: sighted.actions,
            worlds: &[(sighted.state.clone(), 1.0)],
            stop: sighted.stop,
            enough: None,
        };
        self.search.answer(&question, self.budget, rng, &mut |_| ())
    }
}
