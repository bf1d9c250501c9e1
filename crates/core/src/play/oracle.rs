//! Players that see everything. Not [`Agent`](crate::Agent)s: only the laboratory seats oracles, and results name them.

use crate::play::agent::{Decision, Sight};
use crate::play::context::Context;
use crate::play::thought::TypeOdds;
use crate::rules::game::Game;
use crate::rules::seat::Seat;

/// A player that sees the state: what an experiment compares honest players with.
pub trait Oracle<G: Game>: Send {
    /// A new session begins: everything is forgotten that was seen in matches before.
    fn begin_session(&mut self) {}

    /// A new match begins in which it has `seat`.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Something happened that its seat could see.
    fn watch(&mut self, _game: &G, _sight: Sight<G::Action>) {}

    /// Returns one of `decision.actions`, knowing the true `state`.
    fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action;

    /// Returns how likely the other seat is of each type by everything seen so far; `None` if it does not tell types apart.
    fn opponent_types(&mut self, _game: &G) -> Option<Vec<TypeOdds>> {
        None
    }

    /// The match is over.
    fn end(&mut self, _game: &G) {}
}
