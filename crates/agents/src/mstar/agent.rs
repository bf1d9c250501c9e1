//! Who plays by the search: one that knows its view, and one that is told the truth.

use std::time::Duration;

use parlor_core::time::planner::Plan;
use parlor_core::{Agent, Beliefs, Context, Deadline, Decision, Game, Oracle};

use super::deepening::{Deepening, Task};
use super::model_stack::ModelStack;
use crate::beliefs::{PossibleWorlds, WorldSampler, preparation};
use crate::limits::Limits;
use crate::openhand::Chance;
use crate::worlds_question::Question;

/// Takes the best reply to its model, on average over the worlds that its view allows.
///
/// Each world is searched as if the seat knew it, its later decisions included: it does not see that it will know no more
/// then than now.
pub struct Mstar<G: Game> {
    search: Deepening<G>,
    limits: Limits,
    sampler: WorldSampler<G>,
    chance: Chance,
}

impl<G: Game> Mstar<G> {
    /// Makes the agent of a stack of players; `sampler` says which worlds it looks at.
    #[must_use]
    pub fn new(model_stack: ModelStack<G>, limits: Limits, sampler: WorldSampler<G>, chance: Chance) -> Self {
        Mstar { search: Deepening::new(model_stack), limits, sampler, chance }
    }
}

impl<G: PossibleWorlds> Agent<G> for Mstar<G> {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        let (budget, plan) = self.limits.for_decision(decision, context);
        let Context { rng, cancel, reporter, .. } = context;
        let worlds = self.sampler.posterior(decision, preparation(&budget, *cancel), rng);
        let task = Task {
            question: Question::of(decision, &worlds),
            chance: self.chance,
            cancel: *cancel,
            enough: plan.map(|plan| enough(&plan)),
        };
        self.search.answer(&task, budget, rng, reporter)
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        let deadline = Deadline::after(None, context.cancel);
        let worlds = self.sampler.posterior(decision, deadline, context.rng);
        let mut beliefs = worlds.odds(decision.game, decision.view);
        if worlds.is_weighed() {
            beliefs.basis.push_str(", weighed by the model");
        }
        Some(beliefs)
    }
}

/// Returns after how long no deeper search is begun: a depth takes several times as long as the one before.
fn enough(plan: &Plan) -> Duration {
    plan.target / 3
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
        let truth = [(state.clone(), 1.0)];
        let task = Task {
            question: Question::of_truth(decision, &truth),
            chance: Chance::Auto,
            cancel: context.cancel,
            enough: plan.map(|plan| enough(&plan)),
        };
        self.search.answer(&task, budget, context.rng, &mut context.reporter)
    }
}
