//! Who plays by the search: one that knows its view, and one that is told the truth.

use std::time::Duration;

use parlor_core::time::planner::Plan;
use parlor_core::{
    Agent, Beliefs, Context, Deadline, Decision, Game, Oracle, Payoffs, Rng, Seat, Sight, TypeOdds,
};

use super::deepening::{Deepening, Task};
use super::model_stack::{Counting, ModelStack};
use super::recognising::Recognising;
use crate::beliefs::{PossibleWorlds, WeightedWorlds, WorldSampler, preparation};
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
    source: Source<G>,
    chance: Chance,
    counting: Counting<G>,
}

/// Where worlds come from.
enum Source<G: Game> {
    /// The model is known.
    Known(WorldSampler<G>),
    /// The model is recognised while playing.
    Recognised(Recognising<G>),
}

impl<G: Game> Mstar<G> {
    /// Makes the agent of a stack of players; `sampler` says which worlds it looks at.
    #[must_use]
    pub fn new(model_stack: ModelStack<G>, limits: Limits, sampler: WorldSampler<G>, chance: Chance) -> Self {
        let (search, source) = (Deepening::new(model_stack), Source::Known(sampler));
        Mstar { search, limits, source, chance, counting: Counting::default() }
    }

    /// Makes the agent of a stack of players whose innermost model consists of types, one of which is recognised while playing.
    #[must_use]
    pub fn recognising(
        model_stack: ModelStack<G>,
        limits: Limits,
        recognising: Recognising<G>,
        chance: Chance,
    ) -> Self {
        let (search, source) = (Deepening::new(model_stack), Source::Recognised(recognising));
        Mstar { search, limits, source, chance, counting: Counting::default() }
    }

    /// Sets what the evaluations of the stack count.
    #[must_use]
    pub fn counting(self, counting: Counting<G>) -> Self {
        Mstar { counting, ..self }
    }
}

impl<G: PossibleWorlds> Source<G> {
    fn worlds(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> WeightedWorlds<G::State> {
        match self {
            Source::Known(sampler) => sampler.posterior(decision, deadline, rng),
            Source::Recognised(recognising) => recognising.look(decision, deadline, rng),
        }
    }

    fn recognising(&mut self) -> Option<&mut Recognising<G>> {
        match self {
            Source::Known(_) => None,
            Source::Recognised(recognising) => Some(recognising),
        }
    }
}

impl<G: PossibleWorlds> Agent<G> for Mstar<G> {
    fn begin_session(&mut self) {
        if let Some(recognising) = self.source.recognising() {
            recognising.recognition().begin_session();
        }
    }

    fn begin(&mut self, game: &G, _: Seat) {
        (self.counting.prepare)(game);
        if let Some(recognising) = self.source.recognising() {
            recognising.recognition().begin(game);
        }
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        if let Source::Recognised(recognising) = &mut self.source {
            recognising.recognition().watch(game, sight);
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let &[only] = decision.actions {
            if let Some(recognising) = self.source.recognising() {
                recognising.recognition().pass_by(decision, None);
            }
            return only;
        }
        let (budget, plan) = self.limits.for_decision(decision, context);
        let Context { rng, cancel, reporter, .. } = context;
        let worlds = self.source.worlds(decision, preparation(&budget, *cancel), rng);
        let task = Task {
            question: Question::of(decision, &worlds),
            types: match &self.source {
                Source::Known(_) => &[],
                Source::Recognised(recognising) => recognising.rows(),
            },
            chance: self.chance,
            unit: self.counting.unit,
            cancel: *cancel,
            enough: plan.map(|plan| enough(&plan)),
        };
        self.search.answer(&task, budget, rng, reporter)
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        let deadline = Deadline::after(None, context.cancel);
        let worlds = self.source.worlds(decision, deadline, context.rng);
        let mut beliefs = worlds.odds(decision.game, decision.view);
        if worlds.is_weighed() {
            beliefs.basis.push_str(", weighed by the model");
        }
        if let Some(recognising) = self.source.recognising() {
            beliefs.types = recognising.recognition().types();
        }
        Some(beliefs)
    }

    fn opponent_types(&mut self, game: &G) -> Option<Vec<TypeOdds>> {
        let recognition = self.source.recognising()?.recognition();
        recognition.follow(game);
        Some(recognition.types())
    }

    fn end(&mut self, game: &G, _: &Payoffs) {
        if let Some(recognising) = self.source.recognising() {
            recognising.recognition().end(game);
        }
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
    recognising: Option<Recognising<G>>,
    counting: Counting<G>,
}

impl<G: Game> MstarOracle<G> {
    /// Makes the oracle of a stack of players. If their innermost model consists of types, one is recognised while playing.
    #[must_use]
    pub fn new(model_stack: ModelStack<G>, limits: Limits, recognising: Option<Recognising<G>>) -> Self {
        let search = Deepening::new(model_stack);
        MstarOracle { search, limits, recognising, counting: Counting::default() }
    }

    /// Sets what the evaluations of the stack count.
    #[must_use]
    pub fn counting(self, counting: Counting<G>) -> Self {
        MstarOracle { counting, ..self }
    }
}

impl<G: PossibleWorlds> Oracle<G> for MstarOracle<G> {
    fn begin_session(&mut self) {
        if let Some(recognising) = &mut self.recognising {
            recognising.recognition().begin_session();
        }
    }

    fn begin(&mut self, game: &G, _: Seat) {
        (self.counting.prepare)(game);
        if let Some(recognising) = &mut self.recognising {
            recognising.recognition().begin(game);
        }
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        if let Some(recognising) = &mut self.recognising {
            recognising.recognition().watch(game, sight);
        }
    }

    fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action {
        let (budget, plan) = self.limits.for_decision(decision, context);
        let truth = [(state.clone(), 1.0)];
        if let Some(recognising) = &mut self.recognising {
            if decision.actions.len() > 1 {
                recognising.look_at_truth(decision, state);
            } else {
                recognising.recognition().pass_by(decision, Some(state));
            }
        }
        let task = Task {
            question: Question::of_truth(decision, &truth),
            types: self.recognising.as_ref().map_or(&[], Recognising::rows),
            chance: Chance::Auto,
            unit: self.counting.unit,
            cancel: context.cancel,
            enough: plan.map(|plan| enough(&plan)),
        };
        self.search.answer(&task, budget, context.rng, &mut context.reporter)
    }

    fn opponent_types(&mut self, game: &G) -> Option<Vec<TypeOdds>> {
        let recognition = self.recognising.as_mut()?.recognition();
        recognition.follow(game);
        Some(recognition.types())
    }

    fn end(&mut self, game: &G) {
        if let Some(recognising) = &mut self.recognising {
            recognising.recognition().end(game);
        }
    }
}
