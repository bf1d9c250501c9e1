//! Measuring searches: a match that counts the nodes its agents report.

use std::time::Instant;

use crate::play::agent::{Agent, Decision, Sight};
use crate::play::context::Context;
use crate::play::oracle::Oracle;
use crate::play::stepper::{Seated, Seats};
use crate::play::thought::Thought;
use crate::play::training::Player;
use crate::rules::game::Game;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::Seat;

use super::Searched;

/// Players at a table, one a seat, and what their searches did.
pub(super) struct MeasuredSeats<'a, G: Game>(pub(super) Vec<Measured<'a, G>>);

/// A player whose every decision is measured.
pub(super) struct Measured<'a, G: Game> {
    pub(super) player: &'a mut Player<G>,
    pub(super) searched: Searched,
}

impl<G: Game> Seats<G> for MeasuredSeats<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        let measured = &mut self.0[seat.index()];
        Some(match measured.player {
            Player::Oracle(_) => Seated::Oracle(measured),
            Player::Fixed(_) | Player::Learning(_) => Seated::Agent(measured),
        })
    }
}

impl<G: Game> Measured<'_, G> {
    /// Lets the player decide and counts what it reports.
    fn measure(
        &mut self,
        context: &mut Context<'_, G>,
        decide: impl FnOnce(Seated<'_, G>, &mut Context<'_, G>) -> G::Action,
    ) -> G::Action {
        let mut nodes = None;
        let mut count = |thought: &Thought<G::Action>| nodes = nodes.max(Some(thought.nodes));
        let started = Instant::now();
        let mut inner = Context::new(&mut *context.rng)
            .with_clocks(context.clock, context.opponent_clock)
            .with_reporter(&mut count);
        inner.cancel = context.cancel;
        let action = decide(self.player.seated(), &mut inner);
        if let Some(nodes) = nodes {
            self.searched += Searched { decisions: 1, nodes, time: started.elapsed() };
        }
        action
    }
}

impl<G: Game> Agent<G> for Measured<'_, G> {
    fn begin_session(&mut self) {
        self.player.seated().begin_session();
    }

    fn begin(&mut self, game: &G, seat: Seat) {
        self.player.seated().begin(game, seat);
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.player.seated().watch(game, sight);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        self.measure(context, |player, context| match player {
            Seated::Agent(agent) => agent.act(decision, context),
            Seated::Oracle(_) => unreachable!("an oracle is seated as one"),
        })
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        self.player.seated().end(game, payoffs);
    }
}

impl<G: Game> Oracle<G> for Measured<'_, G> {
    fn begin_session(&mut self) {
        self.player.seated().begin_session();
    }

    fn begin(&mut self, game: &G, seat: Seat) {
        self.player.seated().begin(game, seat);
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.player.seated().watch(game, sight);
    }

    fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action {
        self.measure(context, |mut player, context| player.act(decision, state, context))
    }
}
