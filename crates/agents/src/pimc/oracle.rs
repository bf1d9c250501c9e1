//! The player that sees the true state and expects best play.

use parlor_core::api::BuildContext;
use parlor_core::{
    Budget, Context, Deadline, Decision, Entry, Game, Key, Objective, Oracle, Reporter, Seat, SpecError,
    Staged,
};

use super::search::{STAR, Search, TABLE};
use crate::leaves::Leaves;
use crate::limits::Limits;
use crate::openhand::{Chance, DRAWS};
use crate::playout::PLAYOUT_OR_NOT;
use crate::worlds_question::Question;

/// The name in specs.
pub const NAME: &str = "expectimax-oracle";

/// What it does, in one line.
pub const SUMMARY: &str = "the best reply to best play; sees what is hidden";

/// Its keys.
pub const ORACLE_KEYS: &[Key] =
    &[DRAWS, PLAYOUT_OR_NOT, Objective::KEY, Limits::NODES, Limits::DEPTH, Limits::TIME, STAR, TABLE];

/// Enough to see the end of every stage of small dominoes, and a fraction of a second for large ones.
const FALLBACK: Budget = Budget::nodes(400_000);

/// Averaging is kept if its trial reaches this depth.
const DEEP_ENOUGH: u32 = 3;

/// Number of sampled draw orders where averaging takes too long.
const ORDERS: usize = 20;

/// Plays the best reply to best play in the true state. It does not know future chance events.
pub struct PimcOracle<G: Game> {
    limits: Limits,
    chance: Chance,
    search: Search<G>,
}

/// Makes the oracle from its settings.
///
/// # Errors
/// If the game has no such model.
pub fn build<G: Entry + Staged>(context: &BuildContext<'_, G>) -> Result<Box<dyn Oracle<G>>, SpecError> {
    let settings = context.settings;
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let objective = Objective::read(settings);
    let search = Search::read(settings, Leaves::read(context, None, objective)?, objective);
    Ok(Box::new(PimcOracle::new(limits, Chance::read(settings), search)))
}

impl<G: Staged> PimcOracle<G> {
    /// Makes the oracle from its parts.
    #[must_use]
    pub fn new(limits: Limits, chance: Chance, search: Search<G>) -> Self {
        PimcOracle { limits, chance, search }
    }
}

impl<G: Staged> Oracle<G> for PimcOracle<G> {
    fn begin(&mut self, game: &G, _: Seat) {
        game.prepare(self.search.objective);
        self.search.forget();
    }

    fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        let budget = self.limits.up_to_target(&context.situation(decision));
        let Context { rng, cancel, reporter, .. } = context;
        let mut meter = budget.start(*cancel);
        let truth = [(state.clone(), 1.0)];
        let question = Question::of_truth(decision, &truth);
        let deadline = Deadline::after(None, *cancel);
        let mut rows = question.rows(self.search.objective, deadline, None);
        let weighed = match self.chance {
            Chance::Weighed => true,
            Chance::Fixed => false,
            Chance::Auto => {
                let mut trial = Chance::trial(budget).start(*cancel);
                let (depth, _) = self.search.deepen(&question, &mut rows, &mut trial, &mut Reporter::none());
                meter.tick(trial.nodes());
                depth >= budget.depth.unwrap_or(DEEP_ENOUGH).min(DEEP_ENOUGH) || rows[0].solved
            }
        };
        if weighed {
            return self.search.answer(&question, &mut rows, &mut meter, reporter);
        }
        let worlds = vec![(state.clone(), 1.0 / ORDERS as f64); ORDERS];
        let question = Question { worlds: &worlds, ..question };
        let mut rows = question.rows(self.search.objective, deadline, Some(rng));
        self.search.answer(&question, &mut rows, &mut meter, reporter)
    }
}
