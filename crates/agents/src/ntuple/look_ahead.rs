//! Looking further ahead than one action: the search of `alphabeta` over the learner's own values.

use std::sync::Arc;

use parlor_core::{Agent, Budget, Context, Decision, Evaluate, Game, Keyed, Positions, Seat};
use parlor_ml::Entries;

use super::positions::Table;
use crate::alphabeta::{AlphaBeta, Switches, Tuning};
use crate::evaluation::Evaluation;
use crate::limits::Limits;

/// The size of the transposition table in MiB: such a search visits some ten thousand positions.
const TABLE_MB: usize = 8;

/// Chooses an action by looking ahead, with values from a table.
pub(super) trait LookAhead<G: Game>: Send {
    /// Begins a match.
    fn begin(&mut self, game: &G, seat: Seat);

    /// Chooses an action.
    fn act(
        &mut self,
        table: &Arc<Entries>,
        decision: &Decision<'_, G>,
        context: &mut Context<'_, G>,
    ) -> G::Action;

    /// Lets go of the table, which is about to change.
    fn forget(&mut self);
}

/// The search of `alphabeta` to a fixed depth.
pub(super) struct Searching<G: Positions + Evaluate> {
    pub plies: u32,
    pub layout: G::Layout,
    pub weights: G::Weights,
    pub tuning: Tuning,
    /// Made when it is needed.
    search: Option<AlphaBeta<G>>,
}

impl<G: Positions + Evaluate> Searching<G> {
    pub fn new(plies: u32, layout: G::Layout, weights: G::Weights, tuning: Tuning) -> Self {
        Searching { plies, layout, weights, tuning, search: None }
    }
}

impl<G: Positions + Keyed + Evaluate> LookAhead<G> for Searching<G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        if let Some(search) = &mut self.search {
            search.begin(game, seat);
        }
    }

    fn act(
        &mut self,
        table: &Arc<Entries>,
        decision: &Decision<'_, G>,
        context: &mut Context<'_, G>,
    ) -> G::Action {
        let Searching { plies, layout, weights, tuning, search } = self;
        let search = search.get_or_insert_with(|| {
            let values = Table::<G> { layout: layout.clone(), table: Arc::clone(table) };
            let evaluation = Evaluation::new(weights.clone()).or_learnt(Some(Arc::new(values)));
            let limits = Limits::of(Budget::depth(*plies));
            AlphaBeta::new(evaluation, limits, Switches::tuned(*tuning), TABLE_MB, 1)
        });
        search.act(decision, context)
    }

    fn forget(&mut self) {
        self.search = None;
    }
}
