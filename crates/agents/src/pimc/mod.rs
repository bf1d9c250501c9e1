//! Perfect information Monte Carlo: searches sampled worlds with open hands and averages the values.
//!
//! Iterative deepening over all worlds at once, to the end of the stage if the limits allow it, else with playouts at the
//! leaves. The value of an action is its weighted mean over the worlds. In each world every seat knows what it cannot know
//! (Frank, Basin 1998: strategy fusion, non-locality), so the values are not those of an equilibrium.

mod oracle;
mod search;

use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Beliefs, Budget, Context, Deadline, Decision, Entry, Game, Key, Objective, Pondering, Rng, Seat,
    SpecError, Staged,
};

pub use self::oracle::{
    NAME as ORACLE, ORACLE_KEYS, PimcOracle, SUMMARY as ORACLE_SUMMARY, build as build_oracle,
};
pub use self::search::{STAR, Search, TABLE};
use crate::beliefs::{
    BELIEFS, MODEL, MODEL_TRUST, PossibleWorlds, WORLDS, WeightedWorlds, WorldSampler, preparation,
};
use crate::evaluation::BuildViewValues;
use crate::leaves::{Leaves, learnt_of};
use crate::limits::Limits;
use crate::openhand::{Chance, DRAWS};
use crate::playout::PLAYOUT_OR_NOT;
use crate::worlds_question::Question;

/// The keys of `pimc`.
pub const KEYS: &[Key] = &[
    MORE_WORLDS,
    BELIEFS,
    MODEL,
    MODEL_TRUST,
    DRAWS,
    PLAYOUT_OR_NOT,
    Objective::KEY,
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    STAR,
    TABLE,
    Limits::PONDER,
];

/// The keys of `expectimax` over worlds.
pub const EXPECTIMAX_KEYS: &[Key] = &[
    WORLDS,
    SEEN,
    MODEL,
    MODEL_TRUST,
    Objective::KEY,
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    STAR,
    TABLE,
    Limits::PONDER,
];

/// Playouts vary a lot between worlds, so their mean needs more worlds.
const MORE_WORLDS: Key = Key { default: "200", ..WORLDS };

/// As in the source, expectimax weights worlds by chance events only.
const SEEN: Key = Key { default: "seen", ..BELIEFS };

/// Nodes of a decision without any other limit.
const FALLBACK: Budget = Budget::nodes(100_000);

/// Chance is averaged if all worlds are listed and there are at most this many.
const FEW_WORLDS: usize = 100;

/// Nodes to search one ply of a double-six world with playouts.
const NODES_FOR_A_WORLD: u64 = 150;

/// Minimum number of worlds, even if the nodes do not suffice for one ply in each: more worlds are better then.
const ALWAYS_WORLDS: usize = 200;

/// Approximate number of worlds that can be searched one ply deep in a millisecond.
const WORLDS_A_MILLISECOND: u128 = 2;

/// Returns the number of worlds that a budget can use.
fn affordable(budget: Budget) -> usize {
    let by_nodes = budget.nodes.map_or(u128::MAX, |nodes| u128::from(nodes / NODES_FOR_A_WORLD));
    let by_time = budget.time.map_or(u128::MAX, |time| time.as_millis() * WORLDS_A_MILLISECOND);
    usize::try_from(by_nodes.min(by_time)).unwrap_or(usize::MAX).max(ALWAYS_WORLDS)
}

/// The player.
pub struct Pimc<G: Game> {
    limits: Limits,
    sampler: WorldSampler<G>,
    chance: Chance,
    search: Search<G>,
    ponders: bool,
}

/// Makes `pimc` from its settings. `learnt` makes the learnt values that its keys may name, if the game has any.
///
/// # Errors
/// If the game has no such model, or a file cannot be used.
pub fn build<G: Entry + PossibleWorlds + Staged>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildViewValues<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let objective = Objective::read(context.settings);
    let leaves = Leaves::read(context, learnt, objective)?;
    Ok(Box::new(Pimc::read(context, Chance::read(context.settings), leaves, objective)?))
}

/// Makes `expectimax` over worlds from its settings: maximum, minimum and average to the end of the stage in each world.
///
/// `learnt` makes the learnt values that its keys may name, if the game has any.
///
/// # Errors
/// If the game has no such model, or a file cannot be used.
pub fn build_expectimax<G: Entry + PossibleWorlds + Staged>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildViewValues<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let objective = Objective::read(context.settings);
    let leaves = learnt_of(context, learnt, objective)?;
    Ok(Box::new(Pimc::read(context, Chance::Weighed, leaves, objective)?))
}

impl<G: Entry + PossibleWorlds + Staged> Pimc<G> {
    fn read(
        context: &BuildContext<'_, G>,
        chance: Chance,
        leaves: Option<Leaves<G>>,
        objective: Objective,
    ) -> Result<Self, SpecError> {
        let settings = context.settings;
        let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
        let (sampler, search) = (WorldSampler::read(context)?, Search::read(settings, leaves, objective));
        let ponders = settings.switch(Limits::PONDER.name);
        Ok(Pimc { ponders, ..Pimc::new(limits, sampler, chance, search) })
    }
}

impl<G: PossibleWorlds + Staged> Pimc<G> {
    /// Makes the player from its parts.
    pub fn new(limits: Limits, sampler: WorldSampler<G>, chance: Chance, search: Search<G>) -> Self {
        Pimc { limits, sampler, chance, search, ponders: true }
    }

    /// Returns whether chance is averaged.
    fn weighs(&self, worlds: &WeightedWorlds<G::State>) -> bool {
        match self.chance {
            Chance::Auto => worlds.is_complete() && worlds.worlds().len() <= FEW_WORLDS,
            Chance::Fixed => false,
            Chance::Weighed => true,
        }
    }

    fn decide(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        let budget = self.limits.up_to_target(&context.situation(decision));
        let Context { rng, cancel, reporter, .. } = context;
        let mut meter = budget.start(*cancel);
        let worlds = self.sampler.posterior(decision, preparation(&budget, *cancel), rng);
        let worlds = worlds.at_most(affordable(budget), rng);
        let weighed = self.weighs(&worlds);
        let question = Question::of(decision, &worlds);
        let mut rows =
            question.rows(self.search.objective, preparation(&budget, *cancel), (!weighed).then_some(rng));
        self.search.answer(&question, &mut rows, &mut meter, reporter)
    }
}

impl<G: PossibleWorlds + Staged> Agent<G> for Pimc<G> {
    fn begin(&mut self, game: &G, _: Seat) {
        game.prepare(self.search.objective);
        self.search.forget();
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        self.decide(decision, context)
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        if !self.ponders {
            return;
        }
        let &Pondering { game, seat, view, cancel } = pondering;
        let decision = Decision::new(game, seat, view, &[]);
        // Random numbers drawn here must not depend on how long the other seat thinks.
        let worlds = self.sampler.posterior(&decision, Deadline::after(None, Some(cancel)), &mut Rng::new(0));
        // The next decision samples other worlds and other fixed orders of draws, so only listed worlds are worth pondering on.
        if worlds.is_complete() && self.weighs(&worlds) {
            self.search.explore(game, worlds.worlds(), &mut Budget::default().start(Some(cancel)));
        }
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        let deadline = Deadline::after(None, context.cancel);
        Some(self.sampler.posterior(decision, deadline, context.rng).odds(decision.game, decision.view))
    }
}
