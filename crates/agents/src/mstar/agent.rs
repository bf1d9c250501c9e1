//! Who plays by the search: one that knows its view, and one that is told the truth.

use parlor_core::{Agent, Beliefs, Context, Deadline, Decision, Game, Oracle, Rng, Seat, Worlds};

use super::deepening::{Deepening, Question};
use super::model_stack::ModelStack;
use crate::beliefs::preparation;
use crate::limits::Limits;
use crate::openhand::Chance;

/// Takes the best reply to its model, on average over the worlds that its view allows.
///
/// Each world is searched as if the seat knew it, its later decisions included: it does not see that it will know no more
/// then than now.
pub struct Mstar<G: Game> {
    search: Deepening<G>,
    limits: Limits,
    /// The most worlds that are listed, and how many are drawn where there are more.
    most: usize,
    /// Whether worlds count by how well what the other seat did fits the model.
    infer: bool,
    chance: Chance,
}

/// How often the other seat is taken to do anything at all instead of what the model does: no model is beyond doubt.
const DOUBT: f64 = 0.02;

impl<G: Worlds> Mstar<G> {
    /// Makes the agent of a stack of players.
    #[must_use]
    pub fn new(model_stack: ModelStack<G>, limits: Limits, most: usize, infer: bool, chance: Chance) -> Self {
        Mstar { search: Deepening::new(model_stack), limits, most, infer, chance }
    }

    /// Returns the worlds of a view with their odds, how they came about, and whether these are all.
    fn worlds(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> (Vec<(G::State, f64)>, String, bool) {
        let (game, view) = (decision.game, decision.view);
        // If they turn out to be too many, time is left to draw some.
        let listing = deadline.halfway();
        let (mut worlds, mut basis, all) =
            if let Some(all) = game.worlds_while(view, self.most, &|| !listing.has_passed()) {
                let basis = format!("all {} worlds", all.len());
                (all, basis, true)
            } else {
                let mut drawn = Vec::with_capacity(self.most);
                while drawn.len() < self.most && (drawn.is_empty() || !deadline.has_passed()) {
                    drawn.push((game.imagine(view, rng), 1.0));
                }
                let count = drawn.len();
                drawn.iter_mut().for_each(|(_, odds)| *odds /= count as f64);
                (drawn, format!("{count} sampled worlds"), false)
            };
        if self.infer && self.search.model_stack.is_plain_policy() {
            for (world, odds) in &mut worlds {
                if deadline.has_passed() {
                    break;
                }
                *odds *= self.likelihood(game, world, decision.seat.other());
            }
            let total: f64 = worlds.iter().map(|(_, odds)| odds).sum();
            worlds.iter_mut().for_each(|(_, odds)| *odds /= total);
            basis.push_str(", weighed by the model");
        }
        (worlds, basis, all)
    }

    /// Returns how likely the model in `seat` would have done what was done there in this stage; never 0.
    fn likelihood(&mut self, game: &G, world: &G::State, seat: Seat) -> f64 {
        let mut likelihood = 1.0;
        let mut weights = Vec::new();
        game.retrace(world, |state, mover, action| {
            let actions: Vec<G::Action> = game.actions(state).collect();
            if mover != seat || actions.len() == 1 {
                return;
            }
            let view = game.view(state, mover);
            let decision = Decision::new(game, mover, &view, &actions);
            if self.search.model_stack.expects(&decision, &mut weights)
                && let Some(at) = actions.iter().position(|&other| other == action)
            {
                likelihood *= (1.0 - DOUBT) * weights[at] + DOUBT / actions.len() as f64;
            }
        });
        likelihood
    }
}

impl<G: Worlds> Agent<G> for Mstar<G> {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        let (budget, plan) = self.limits.for_decision(decision, context);
        let Context { rng, cancel, reporter, .. } = context;
        let (worlds, _, all) = self.worlds(decision, preparation(&budget, *cancel), rng);
        let question = Question {
            game: decision.game,
            seat: decision.seat,
            actions: decision.actions,
            worlds: &worlds,
            all,
            chance: self.chance,
            cancel: *cancel,
            // A depth takes several times as long as the one before.
            enough: plan.map(|plan| plan.target / 3),
        };
        self.search.answer(&question, budget, rng, reporter)
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        let (game, view) = (decision.game, decision.view);
        let (worlds, basis, _) = self.worlds(decision, Deadline::after(None, context.cancel), context.rng);
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
pub struct MstarOracle<G: Game> {
    search: Deepening<G>,
    limits: Limits,
}

impl<G: Game> MstarOracle<G> {
    /// Makes the oracle of a stack of players.
    #[must_use]
    pub fn new(model_stack: ModelStack<G>, limits: Limits) -> Self {
        MstarOracle { search: Deepening::new(model_stack), limits }
    }
}

impl<G: Game> Oracle<G> for MstarOracle<G> {
    fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action {
        let (budget, plan) = self.limits.for_decision(decision, context);
        let question = Question {
            game: decision.game,
            seat: decision.seat,
            actions: decision.actions,
            worlds: &[(state.clone(), 1.0)],
            all: true,
            chance: Chance::Auto,
            cancel: context.cancel,
            enough: plan.map(|plan| plan.target / 3),
        };
        self.search.answer(&question, budget, context.rng, &mut context.reporter)
    }
}
