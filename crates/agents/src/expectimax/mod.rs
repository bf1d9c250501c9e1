//! Expectimax: search for two seats and open chance. Seats maximise; chance nodes are averaged.
//!
//! Iterative deepening with alpha-beta at decisions and, at chance nodes, the cuts of Ballard, *The \*-minimax search
//! procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983). Star1 narrows the windows of outcomes
//! by the bounds of the other outcomes; Star2 first probes one reply to each outcome, which already bounds its value.
//! Both find the values of the full search.

mod chance;
mod keys;
mod order;
mod root;
mod search;

use parlor_core::api::BuildContext;
use parlor_core::play::thought::Pondering;
use parlor_core::time::planner::guess;
use parlor_core::{
    Agent, Budget, Context, Deadline, Decision, Evaluate, Keyed, PerfectInfo, Phase, Reporter, Reversible,
    Seat, SpecError,
};

pub use keys::{KEYS, NAME, SUMMARY, keys_with_endgames};

use crate::endgame::{EndgameProbe, probe};
use crate::limits::Limits;
use crate::table::Table;
use crate::thought_reporter::ThoughtReporter;
use crate::weights;
use order::SearchBuffers;
use search::ExpectimaxSearch;

/// The options of a search. Only `quiescence`, `chance_actions`, `repetitions` and `contempt` change the values it finds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// Cuts at chance nodes: 0 none, 1 Star1, 2 Star2.
    pub(crate) star: u8,
    /// Whether to order actions by promise, killers and history.
    pub(crate) ordering: bool,
    /// Whether to resolve captures before evaluating a position.
    pub(crate) quiescence: bool,
    /// The maximum number of actions leading to chance that are searched per position; `None`: all.
    pub(crate) chance_actions: Option<u32>,
    /// Whether to score a repeated position as a draw.
    pub(crate) repetitions: bool,
    /// How much worse than an even position a draw is to the searching seat.
    pub(crate) contempt: i32,
    /// Whether to ponder.
    pub(crate) ponder: bool,
}

/// The agent.
pub struct Expectimax<G: Evaluate> {
    options: Options,
    limits: Limits,
    weights: G::Weights,
    table: Option<Table>,
    database: Option<Box<dyn EndgameProbe<G>>>,
    buffers: SearchBuffers<G::Action>,
    /// The principal variation of the last decision, starting with the agent's own action.
    line: Vec<G::Action>,
}

/// Builds the agent from checked settings.
///
/// # Errors
/// If the weights file cannot be read or parsed.
pub fn build<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(from_context(context)?))
}

/// Builds the agent for a game with endgame databases.
///
/// # Errors
/// If the weights file cannot be read or parsed, or the database cannot be used.
pub fn build_with_endgames<G: PerfectInfo + Keyed + Evaluate + Reversible>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let database = probe::read(context.game, context.settings)?;
    Ok(Box::new(Expectimax { database, ..from_context(context)? }))
}

fn from_context<G: Evaluate>(context: &BuildContext<'_, G>) -> Result<Expectimax<G>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let weights = weights::read(game, settings)?;
    let limits = Limits::read(settings, &Limits::NODES, true, Budget::nodes(keys::FALLBACK_NODES));
    Ok(Expectimax::new(keys::options(settings), limits, weights, Table::mebibytes(settings)))
}

impl<G: Evaluate> Expectimax<G> {
    /// Returns an agent; `mebibytes` 0 means no table.
    pub(crate) fn new(options: Options, limits: Limits, weights: G::Weights, mebibytes: usize) -> Self {
        let table = (mebibytes > 0).then(|| Table::new(mebibytes));
        let buffers = SearchBuffers::default();
        Expectimax { options, limits, weights, table, database: None, buffers, line: Vec::new() }
    }
}

impl<G: PerfectInfo + Keyed + Evaluate> Expectimax<G> {
    /// Returns the position to ponder: the one after the expected reply or, if none is expected, the present one.
    fn expected(&self, game: &G, state: &G::State, seat: Seat) -> G::State {
        let mut next = state.clone();
        if let Some(&action) = guess(&self.line)
            && game.try_apply(&mut next, action).is_ok()
            && game.phase(&next) == Phase::Decide(seat)
        {
            return next;
        }
        state.clone()
    }
}

impl<G: PerfectInfo + Keyed + Evaluate> Agent<G> for Expectimax<G> {
    fn begin(&mut self, _: &G, _: Seat) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.buffers = SearchBuffers::default();
        self.line.clear();
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        self.line.clear();
        if let [only] = decision.actions {
            return *only;
        }
        let (budget, plan) = self.limits.for_decision(decision, context);
        let mut search = ExpectimaxSearch {
            game: decision.game,
            own: decision.seat,
            weights: &self.weights,
            options: self.options,
            table: self.table.as_ref(),
            database: self.database.as_deref_mut(),
            buffers: &mut self.buffers,
            meter: budget.start(context.cancel),
            reporter: ThoughtReporter::new(context.reporter.reborrow(), None, G::UNIT),
        };
        let pace = plan.map(|plan| parlor_core::time::planner::Pace::new(&self.limits.planner, plan));
        let deadline = Deadline::after(budget.time, context.cancel).halfway();
        self.line = search.deepen(decision.game.truth(decision.view), Some(deadline), pace);
        self.line[0]
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        let Some(table) = self.table.as_ref().filter(|_| self.options.ponder) else { return };
        let game = pondering.game;
        let state = self.expected(game, game.truth(pondering.view), pondering.seat);
        if !matches!(game.phase(&state), Phase::Decide(_)) || game.actions(&state).len() < 2 {
            return;
        }
        let mut search = ExpectimaxSearch {
            game,
            own: pondering.seat,
            weights: &self.weights,
            options: self.options,
            table: Some(table),
            database: self.database.as_deref_mut(),
            buffers: &mut self.buffers,
            meter: Budget::default().start(Some(pondering.cancel)),
            reporter: ThoughtReporter::new(Reporter::none(), None, G::UNIT),
        };
        // The results stay in the table: after a right guess the next search reaches this depth at once.
        search.deepen(&state, None, None);
    }
}

#[cfg(test)]
mod tests;
