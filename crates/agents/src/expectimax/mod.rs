//! Expectimax: looking ahead where chance is in the open. Each side does its best, chance is averaged over.
//!
//! Iterative deepening with alpha-beta at decisions and, at chance, the cuts of Ballard, *The \*-minimax search procedure for
//! trees containing chance nodes*, Artificial Intelligence 21 (1983): Star1 narrows the windows of outcomes by what the other
//! outcomes can still be worth, and Star2 first tries one action after each outcome, because that already bounds what the
//! outcome is worth. Both find the values of the full search.

mod chance;
mod keys;
mod order;
mod root;
mod search;

use parlor_core::api::BuildContext;
use parlor_core::play::thought::Pondering;
use parlor_core::time::planner::guess;
use parlor_core::{
    Agent, Budget, Context, Decision, Evaluate, Keyed, PerfectInfo, Phase, Reporter, Seat, SpecError,
};

pub use keys::{KEYS, NAME, SUMMARY};

use crate::limits::Limits;
use crate::table::Table;
use crate::thought_reporter::ThoughtReporter;
use crate::weights;
use order::Memory;
use search::Search;

/// How a search goes about it; what none of these changes is what the search looks for, save `quiescence`, `gambles`,
/// `repetitions` and `contempt`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// How cleverly chance is cut: 0 not at all, 1 and 2 as Star1 and Star2.
    pub(crate) star: u8,
    /// Whether actions are tried in the order of their promise.
    pub(crate) ordering: bool,
    /// Whether captures are followed to their end before a position is judged.
    pub(crate) quiescence: bool,
    /// How many actions that leave things to chance are looked at in a position; `None`: all.
    pub(crate) gambles: Option<u32>,
    /// Whether a position that has occurred before is taken for a draw.
    pub(crate) repetitions: bool,
    /// How much worse than an even position a draw is to whoever searches.
    pub(crate) contempt: i32,
    /// Think on the other seat's time.
    pub(crate) ponder: bool,
}

/// The player.
pub struct Expectimax<G: Evaluate> {
    options: Options,
    limits: Limits,
    weights: G::Weights,
    table: Option<Table>,
    memory: Memory<G::Action>,
    /// What it expected when it last decided, its own action first.
    line: Vec<G::Action>,
}

/// Makes the player from its settings.
///
/// # Errors
/// If the file with the weights cannot be read or understood.
pub fn build<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let weights = weights::read(game, settings)?;
    let limits = Limits::read(settings, &Limits::NODES, true, Budget::nodes(keys::FALLBACK_NODES));
    Ok(Box::new(Expectimax::<G>::new(keys::options(settings), limits, weights, Table::mebibytes(settings))))
}

impl<G: Evaluate> Expectimax<G> {
    /// Makes the player; a table of 0 mebibytes is none.
    pub(crate) fn new(options: Options, limits: Limits, weights: G::Weights, mebibytes: usize) -> Self {
        let table = (mebibytes > 0).then(|| Table::new(mebibytes));
        Expectimax { options, limits, weights, table, memory: Memory::default(), line: Vec::new() }
    }
}

impl<G: PerfectInfo + Keyed + Evaluate> Expectimax<G> {
    /// Returns the position to think about while the other seat decides: the one after its expected action or, where nothing
    /// is expected, the one before it.
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
        self.memory = Memory::default();
        self.line.clear();
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        self.line.clear();
        if let [only] = decision.actions {
            return *only;
        }
        let (budget, plan) = self.limits.for_decision(decision, context);
        let mut search = Search {
            game: decision.game,
            own: decision.seat,
            weights: &self.weights,
            options: self.options,
            table: self.table.as_ref(),
            memory: &mut self.memory,
            meter: budget.start(context.cancel),
            reporter: ThoughtReporter::new(context.reporter.reborrow(), None, G::UNIT),
        };
        let pace = plan.map(|plan| parlor_core::time::planner::Pace::new(&self.limits.planner, plan));
        self.line = search.deepen(decision.game.truth(decision.view), pace);
        self.line[0]
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        let Some(table) = self.table.as_ref().filter(|_| self.options.ponder) else { return };
        let game = pondering.game;
        let state = self.expected(game, game.truth(pondering.view), pondering.seat);
        if !matches!(game.phase(&state), Phase::Decide(_)) || game.actions(&state).len() < 2 {
            return;
        }
        let mut search = Search {
            game,
            own: pondering.seat,
            weights: &self.weights,
            options: self.options,
            table: Some(table),
            memory: &mut self.memory,
            meter: Budget::default().start(Some(pondering.cancel)),
            reporter: ThoughtReporter::new(Reporter::none(), None, G::UNIT),
        };
        // What it finds stays in the table: if the guess was right, the search that follows is at this depth at once.
        search.deepen(&state, None);
    }
}

#[cfg(test)]
mod tests;
