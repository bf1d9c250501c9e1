//! Players that see everything. Not [`Agent`](crate::Agent)s: only the laboratory seats oracles, and results name them.

use crate::play::agent::Decision;
use crate::play::context::Context;
use crate::rules::game::Game;
use crate::rules::seat::Seat;

/// A player that sees the state: what an experiment compares honest players with.
pub trait Oracle<G: Game>: Send {
    /// A new match begins in which it has `seat`.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Returns one of `decision.actions`, knowing the true `state`.
    fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action;
}
